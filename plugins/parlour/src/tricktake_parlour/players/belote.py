"""A simple player of Belote."""

from __future__ import annotations

from typing import ClassVar

from tricktake.strategies.strategy import Decision
from tricktake.view import View
from tricktake_parlour.belote.bidding import BIDS
from tricktake_parlour.belote.cards import DECK, trick_rules
from tricktake_parlour.players import bidder


class Bidder(bidder.Bidder):
    """Takes with the tricks to win half the points; bids ten more for each further trick. Never doubles."""

    game: ClassVar[str] = "belote"
    need: ClassVar[float] = 4.0  # tricks of eight cards that half of the points take; the partner brings more

    def choose(self, view: View) -> Decision:
        turned = view.known[view.layout.seats] if view.layout.extra else 0

        def spare(bid: str) -> float:
            upcard = turned & DECK.of_suit_mask(bid[-1])
            tricks = bidder.worth(trick_rules(bid[-1]), view.hand_mask | upcard)
            if view.layout.extra:
                return tricks - self.need * view.hand_mask.bit_count() / 8
            return tricks - self.need - (BIDS.index(bid[:-1]) - 1) / 2

        return bidder.best_bid(view, spare)
