"""Bo Haglund's double-dummy solver through endplay, the oracle of the tests of bridge."""

from __future__ import annotations

import importlib
from typing import Any

from tricktake_bridge.deck import BRIDGE, SEAT_NAMES, TABLE_STRAINS
from tricktake_bridge.formats.common import hand_text

from tricktake.deal import Deal
from tricktake.errors import InputError
from tricktake.trick import TrickState


def strain_of(state: TrickState) -> str:
    trump = state.rules.trump
    return "NT" if trump is None else BRIDGE.suits[trump]


class Dds:
    """What DDS says. Raises InputError without endplay."""

    def __init__(self) -> None:
        try:
            self.types = importlib.import_module("endplay.types")
            self.dds = importlib.import_module("endplay.dds")
        except ImportError as error:
            raise InputError(None, None, "endplay", "is not installed; it brings DDS") from error

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
        """Tricks the side to move still takes after each legal card, by name."""
        found = self.dds.solve_board(self.deal(state))
        return {BRIDGE.suits[int(card.suit)] + card.rank.abbr: tricks for card, tricks in found}

    def table(self, deal: Deal) -> dict[str, dict[str, int]]:
        """The double-dummy table."""
        cards = self.types.Deal("N:" + " ".join(hand_text(mask) for mask in deal.masks))
        found = self.dds.calc_dd_table(cards)
        return {s: {d: found[self.denom(s), self.player(d)] for d in SEAT_NAMES} for s in TABLE_STRAINS}
