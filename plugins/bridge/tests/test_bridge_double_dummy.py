"""The open-card solver against DDS in endings: values of every card, and of recorded positions."""

from __future__ import annotations

import random
from pathlib import Path

import numba
import pytest
from tricktake_bridge.deck import BRIDGE, LAYOUT, SEAT_NAMES, TABLE_STRAINS
from tricktake_bridge.rules import strain_rules

from plugins.bridge.tests.bridge_tables import GAME, Dds, random_ending
from tricktake.deal import Deal
from tricktake.records.formats import read
from tricktake.records.record import GameRecord
from tricktake.records.solving import solve_record
from tricktake.search.opencard import card_values
from tricktake.trick import TrickState

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
            solved = solve_record(GAME, record, after=after)
            assert solved.facts["value"] == trace[after], (record.id, after)


def easy_deal(rng: random.Random, swaps: int) -> Deal:
    """A suit in each hand, but for a few cards: a whole deal that is solved at once."""
    owner = [seat for seat in rng.sample(range(4), 4) for _ in range(13)]
    for _ in range(swaps):
        a, b = rng.sample(range(52), 2)
        owner[a], owner[b] = owner[b], owner[a]
    return Deal(LAYOUT, tuple(sum(1 << card for card in range(52) if owner[card] == seat) for seat in range(4)))


@pytest.mark.parametrize("swaps", range(5))
def test_tables_of_easy_deals_are_those_of_dds(swaps: int) -> None:
    dds, rng = Dds(), random.Random(swaps)
    for _ in range(3):
        deal = easy_deal(rng, swaps)
        facts = solve_record(GAME, GameRecord("bridge", "1", deal)).facts
        assert list(facts) == ["tricks"]
        assert [(s, list(row)) for s, row in facts["tricks"].items()] == [(s, list("NESW")) for s in TABLE_STRAINS]
        assert facts["tricks"] == dds.table(deal), deal.to_text()


def test_all_leads_of_a_deal_without_contract() -> None:
    dds = Dds()
    deal = easy_deal(random.Random(1), 3)
    facts = solve_record(GAME, GameRecord("bridge", "1", deal), "cards").facts
    assert facts["tricks"] == dds.table(deal)
    assert {strain: set(row) for strain, row in facts["cards"].items()} == {s: set("NESW") for s in TABLE_STRAINS}
    for strain, row in facts["cards"].items():
        for seat, leads in row.items():
            state = TrickState(strain_rules(strain), deal.hands, SEAT_NAMES.index(seat))
            assert leads == dds.card_values(state), (strain, seat)
