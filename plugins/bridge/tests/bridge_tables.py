"""What the tests of bridge share: random deals and endings, and the same for DDS."""

from __future__ import annotations

import random
from typing import Any

from tricktake_bridge.deck import BRIDGE, LAYOUT, SEAT_NAMES, TABLE_STRAINS
from tricktake_bridge.formats.common import hand_text
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


def strain_of(state: TrickState) -> str:
    trump = state.rules.trump
    return "NT" if trump is None else BRIDGE.suits[trump]


class Dds:
    """DDS through endplay. Skips the test without it."""

    def __init__(self) -> None:
        import pytest

        self.types = pytest.importorskip("endplay.types", reason="endplay, which brings DDS, is not installed")
        self.dds = pytest.importorskip("endplay.dds", reason="endplay, which brings DDS, is not installed")

    def deal(self, state: TrickState) -> Any:
        """The position; cards on the table are put back into the hands and played again."""
        hands = list(state.hands)
        for k, card in enumerate(state.table):
            hands[(state.leader + k) % 4] |= 1 << card
        deal = self.types.Deal("N:" + " ".join(hand_text(mask) for mask in hands))
        deal.trump = self.denom(strain_of(state))
        deal.first = self.player(SEAT_NAMES[state.leader])
        for card in state.table:
            deal.play(BRIDGE[card].name)
        return deal

    def denom(self, strain: str) -> Any:
        return self.types.Denom.find(strain)

    def player(self, seat: str) -> Any:
        return self.types.Player.find(seat)

    def card_values(self, state: TrickState) -> dict[str, int]:
        """Tricks the side in turn still takes after each legal card, by name."""
        found = self.dds.solve_board(self.deal(state))
        return {BRIDGE.suits[int(card.suit)] + card.rank.abbr: tricks for card, tricks in found}

    def table(self, deal: Deal) -> dict[str, dict[str, int]]:
        """The double-dummy table."""
        cards = self.types.Deal("N:" + " ".join(hand_text(mask) for mask in deal.masks))
        found = self.dds.calc_dd_table(cards)
        return {s: {d: found[self.denom(s), self.player(d)] for d in SEAT_NAMES} for s in TABLE_STRAINS}
