"""A card player for any game: wins as cheaply as possible, and discards its least valuable cards."""

from __future__ import annotations

import numpy as np

from tricktake.action import play
from tricktake.cards import bits
from tricktake.hookspecs import Register, hookimpl
from tricktake.search.limit import Limit
from tricktake.strategies.strategy import Decision
from tricktake.trick import best_card
from tricktake.view import View


class Thrifty:
    """``order``: lead the "high" or the "low" card of the hand."""

    roles = ("play",)

    def __init__(self, order: str = "high") -> None:
        if order not in ("high", "low"):
            raise ValueError(f"order is high or low, not {order!r}")
        self.order = order

    def decide(self, view: View, limit: Limit, rng: np.random.Generator) -> Decision:
        rules = view.rules
        assert rules is not None
        cards = sorted(bits(view.legal_cards_mask()), key=lambda c: (rules.suit_of[c] == rules.trump, rules.power[c]))
        if not view.table:
            return Decision(play(cards[-1 if self.order == "high" else 0]), f"leads the {self.order}est card")
        winners = [card for card in cards if rules.beats(card, best_card(rules, view.table))]
        losers = [card for card in cards if card not in winners]
        if rules.goal(view.turn).sense > 0:
            return Decision(play((winners or losers)[0]), "wins cheaply" if winners else "throws a low card away")
        return Decision(play((losers or winners)[-1]), "throws a high card away" if losers else "has to win")


@hookimpl
def register_strategies(register: Register) -> None:
    register("cards", Thrifty, summary="wins cheaply, throws away what is worth least")
