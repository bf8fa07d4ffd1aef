"""The tables that are shipped: whole, learned with the questions as they are, and sensible."""

from __future__ import annotations

import pytest
from tricktake_skat.deck import SKAT
from tricktake_skat.plugin import TABLES
from tricktake_skat.winning import winning

from tricktake.learning import find_question, find_table

NAMES = ("skat:suit", "skat:grand", "skat:lead-suit", "skat:lead-grand")
JUDGED_BY = (901, 2002, 9001)  # seeds no table may have been learned from


def mask(text: str) -> int:
    return sum(SKAT.card(name).mask for name in text.split())


@pytest.mark.parametrize("name", NAMES)
def test_shipped_tables_fit_their_questions(name: str) -> None:
    """A feature that was changed refuses its table: learn it again (docs/skat-learning.md)."""
    table = find_table(name, find_question(name))
    assert table.games > 100_000
    assert 0 < table.won < table.games
    for source in table.sources:
        named = "x" + str(source.get("seed", ""))
        assert not any(named == f"x{seed}" or f"x{seed}." in str(source.get("name", "")) for seed in JUDGED_BY)
        assert "sha256" in source or "seed" in source


def test_size() -> None:
    files = list(TABLES.glob("*.table"))
    assert len(files) == len(NAMES)
    assert sum(file.stat().st_size for file in files) < 15_000_000


def test_strong_hands_are_strong() -> None:
    made = winning()
    strong, weak = mask("CJ SJ HJ DJ CA CT CK CQ SA HA"), mask("DJ C7 C8 C9 SK SQ S9 HQ H8 D7")
    put = mask("D8 D9")
    assert made.chance(strong, put, "C", seat=0, bid=0) > 0.99
    assert made.chance(weak, put, "C", seat=0, bid=0) < 0.2
    assert made.chance(strong, put, "G", seat=0, bid=0) > made.chance(weak, put, "G", seat=0, bid=0)
    tens = mask("CT HT")
    middling = mask("CJ DJ CK CQ C9 SA S8 HK H9 D7")
    assert made.chance(middling, tens, "C", seat=1, bid=18) > made.chance(middling, put, "C", seat=1, bid=18)
    assert made.chance(middling, put, "C", seat=1, bid=0) != made.chance(middling, put, "C", seat=1, bid=-1)
