"""A simple player of Wizard."""

from __future__ import annotations

from typing import ClassVar

from tricktake.strategies.strategy import Decision
from tricktake.view import View
from tricktake_parlour.players import bidder
from tricktake_parlour.wizard import DECK, SUITS, DealersTrump, wizard_rules


class Bidder(bidder.Bidder):
    """Bids a trick for each wizard and what its high cards and trumps are worth; names the best trumps."""

    game: ClassVar[str] = "wizard"

    def choose(self, view: View) -> Decision:
        seats, hand = view.layout.seats, view.hand_mask
        if view.phase == DealersTrump.name:
            best = max(view.legal, key=lambda action: bidder.worth(wizard_rules(seats, action.value), hand))
            return Decision(best, "worth most")
        named = [event.action.value for event in view.events if event.action.verb == DealersTrump.verb]
        turned = [card.suit for card in DECK if any(m >> card.index & 1 for m in view.known[seats:])]
        trump = next((suit for suit in (*named, *turned) if suit in SUITS), None)
        tricks = bidder.worth(wizard_rules(seats, trump), hand)
        return Decision(bidder.nearest(view, tricks), f"{tricks:g} tricks are likely")
