"""Every citation in code and docs (``SKAT-9``, ``ELO-11 to 16, 31``, ``GAP-8c``) has its line in docs/papers.md."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT

PAGE = ROOT / "docs" / "papers.md"
FOLDERS = ("tricktake", "plugins", "tests", "docs", "examples", "experiments")
SUFFIXES = {".py", ".md", ".toml"}
NAMES = "ELO|SKAT|KERMIT|OUTER|KBPS|GAP|RULE"

ENTRY = re.compile(rf"^- \*\*((?:{NAMES})-\d+[a-d]?)\*\* \S", re.MULTILINE)
NUMBER = r"\d+[a-d]?\b(?![.,]\d)"
CITATION = re.compile(rf"\b({NAMES})-({NUMBER}(?:(?:,? to |,? and |, |–){NUMBER})*)")


def entries() -> list[str]:
    return ENTRY.findall(PAGE.read_text(encoding="utf-8"))


def cited(text: str) -> Iterator[str]:
    """The single citations of a text, ranges and lists spelled out; a comment may break a range over two lines."""
    text = re.sub(r"\s*\n\s*#?\s*", " ", text)
    for name, numbers in CITATION.findall(text):
        for part in re.split(r", and |, (?!to )| and ", numbers):
            first, *last = re.split(r",? to |–", part)
            yield f"{name}-{first}"
            if last:
                low, high = (int(re.sub(r"\D", "", end)) for end in (first, last[-1]))
                yield from (f"{name}-{number}" for number in range(low + 1, high + 1))


def unresolved(text: str, known: set[str]) -> list[str]:
    """``ELO-3b`` may stand for a part of ``ELO-3``."""
    return sorted({one for one in cited(text) if one not in known and one.rstrip("abcd") not in known})


def files() -> list[Path]:
    found = (file for folder in FOLDERS for file in (ROOT / folder).rglob("*") if file.suffix in SUFFIXES)
    return [ROOT / "README.md", *(file for file in found if file != Path(__file__).resolve())]


def test_every_citation_resolves() -> None:
    known = set(entries())
    wrong = {str(file.relative_to(ROOT)): unresolved(file.read_text(encoding="utf-8"), known) for file in files()}
    assert not {file: names for file, names in wrong.items() if names}, "docs/papers.md has no line for these"


def test_the_page_names_each_entry_once_and_in_order() -> None:
    found = entries()
    assert len(found) == len(set(found))
    keys = [(name, int(re.sub(r"\D", "", number)), number) for name, number in (one.split("-") for one in found)]
    for name in NAMES.split("|"):
        mine = [key for key in keys if key[0] == name]
        assert mine == sorted(mine)
        assert mine[0][1] == 1
        assert {key[1] for key in mine} == set(range(1, mine[-1][1] + 1))  # no number is left out


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("(ELO-3 to 5, 7)", "ELO-3 ELO-4 ELO-5 ELO-7"),
        ("(SKAT-6, 8, 20 to 22; KBPS-2)", "SKAT-6 SKAT-8 SKAT-20 SKAT-21 SKAT-22 KBPS-2"),
        ("ELO-17 and ELO-27b, 30 and 31.", "ELO-17 ELO-27b ELO-30 ELO-31"),
        ("# (KERMIT-16 to\n# 18)", "KERMIT-16 KERMIT-17 KERMIT-18"),
        ("(GAP-8c; RULE-8 to 10)", "GAP-8c RULE-8 RULE-9 RULE-10"),
        ("as OUTER-20, 81.8 % of them", "OUTER-20"),
        ("XSKAT-9, skat-9, SKAT-x", ""),
    ],
)
def test_ranges_and_lists_are_spelled_out(text: str, names: str) -> None:
    assert list(cited(text)) == names.split()


def test_a_citation_of_nothing_is_found() -> None:
    known = {"ELO-1", "ELO-2", "ELO-3"}
    assert unresolved("ELO-1 to 4, KBPS-2, ELO-3b, ELO-9a", known) == ["ELO-4", "ELO-9a", "KBPS-2"]
