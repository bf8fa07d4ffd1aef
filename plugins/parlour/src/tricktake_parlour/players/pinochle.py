"""A simple player of Pinochle."""

from __future__ import annotations

from typing import ClassVar

from tricktake.action import Action
from tricktake.strategies.strategy import Decision
from tricktake.view import View
from tricktake_parlour.pinochle.cards import DECK, POINTS, trick_rules
from tricktake_parlour.pinochle.melds import meld
from tricktake_parlour.players import bidder


class Bidder(bidder.Bidder):
    """Bids its melds, twenty points for each likely trick, and what a partner brings; names the best suit."""

    game: ClassVar[str] = "pinochle"
    partner: ClassVar[int] = 110  # points of melds and tricks expected of the partner

    def choose(self, view: View) -> Decision:
        worth = {
            suit: meld(view.hand_mask, suit)[0] + 2 * POINTS * bidder.worth(trick_rules(suit), view.hand_mask)
            for suit in DECK.suits
        }
        best = max(worth, key=worth.__getitem__)
        if any(action.verb == "name" for action in view.legal):
            return Decision(Action("name", best), f"melds and tricks for {worth[best]:g}")
        return bidder.best_bid(view, lambda bid: worth[best] + self.partner - int(bid), "points")
