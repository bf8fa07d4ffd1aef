"""What the tests of bridge share: random deals and endings, and the same for DDS."""

from __future__ import annotations

import random
from typing import Any

from tricktake_bridge.deck import LAYOUT, TABLE_STRAINS
from tricktake_bridge.game import BridgeGame
from tricktake_bridge.rules import strain_rules

from tricktake.action import play
from tricktake.deal import Deal
from tricktake.records.record import GameRecord, record_of
from tricktake.records.recording import Recording
from tricktake.table import Table
from tricktake.trick import TrickState

GAME = BridgeGame()
RECORDS = Recording.of(GAME)


def random_deal(rng: random.Random) -> Deal:
    return Deal.from_cards(LAYOUT, rng.sample(range(52), 52))


def random_ending(rng: random.Random, cards: int, on_table: int = 0) -> TrickState:
    """Hands of so many cards, some of which were played to the trick on the table by chance."""
    order = rng.sample(range(52), 4 * cards)
    hands = [sum(1 << c for c in order[s * cards : (s + 1) * cards]) for s in range(4)]
    rules = strain_rules(rng.choice(TABLE_STRAINS))
    state = TrickState(rules, hands, rng.randrange(4), first=False)
    for _ in range(on_table):
        state.play(rng.choice(state.legal()))
    return state


def random_record(rng: random.Random, number: int) -> GameRecord:
    """A game of random calls, mostly passes and low bids, and cards, on this board."""
    table = Table.start(GAME, random_deal(rng), number)
    while table.phase is not None and table.phase.name == "auction":
        calls = table.legal()
        table.apply(calls[0] if rng.random() < 0.6 else rng.choice(calls[:6]))
    while not table.over:
        table.apply(play(rng.choice(table.tricks.legal())))
    return record_of(table, str(number + 1))


def Dds() -> Any:  # noqa: N802 - stands for the class
    """DDS through endplay. Skips the test without it."""
    import pytest

    pytest.importorskip("endplay", reason="endplay, which brings DDS, is not installed")
    from tricktake_lab.bridge import dds

    return dds.Dds()
