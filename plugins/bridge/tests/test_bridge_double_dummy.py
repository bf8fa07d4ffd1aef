"""The open-card solver against DDS in endings: values of every card, and of recorded positions."""

from __future__ import annotations

import random
from pathlib import Path

import numba
import pytest
from tricktake_bridge.deck import BRIDGE

from plugins.bridge.tests.bridge_tables import GAME, Dds, random_ending
from tricktake.records.formats import read
from tricktake.records.record import GameRecord
from tricktake.search.opencard import card_values
from tricktake.search.verdict import judge

SAMPLE = Path(__file__).parent / "data" / "dds-10.dds"
ENDINGS = 1000
FROM_CARD = 24  # of a trace: before it positions are those of whole deals, see test_bridge_whole_deals

pytestmark = [
    pytest.mark.oracle,
    pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="so much search needs compiled kernels"),
]


@pytest.fixture(scope="module")
def sample() -> list[GameRecord]:
    return list(read(SAMPLE, strict=True))


def test_every_card_of_random_endings_is_worth_what_dds_says() -> None:
    dds, rng = Dds(), random.Random(7)
    for number in range(ENDINGS):
        state = random_ending(rng, 3 + number % 5, on_table=number // 5 % 4)
        side = state.rules.side_mask(state.turn)
        before = state.side_taken(side)
        ours = {BRIDGE[card].name: value - before for card, value in card_values(state, side).items()}
        assert ours == dds.card_values(state), state.rules.trump


def test_traces_of_recorded_cards_agree(sample: list[GameRecord]) -> None:
    """The list's TRACE gives the declarer's tricks before the first card and after each; the late ones are quick."""
    for record in sample:
        trace = record.result["trace"]
        for after in range(FROM_CARD, len(trace)):
            verdict = judge(GAME, record, after=after)
            assert verdict.facts["value"] == trace[after], (record.id, after)
