"""A simple player of Oh Hell."""

from __future__ import annotations

from typing import ClassVar

from tricktake.rules import TrickRules
from tricktake.strategies.strategy import Decision
from tricktake.view import View
from tricktake_parlour.oh_hell import DECK
from tricktake_parlour.players import bidder


class Bidder(bidder.Bidder):
    """Bids what its high cards and trumps are worth."""

    game: ClassVar[str] = "oh_hell"

    def choose(self, view: View) -> Decision:
        layout = view.layout
        (trump,) = (card.suit for card in DECK if view.known[layout.names.index("turned")] >> card.index & 1)
        tricks = bidder.worth(TrickRules.plain(DECK, layout.seats, trump), view.hand_mask)
        return Decision(bidder.nearest(view, tricks), f"{tricks:g} tricks are likely")
