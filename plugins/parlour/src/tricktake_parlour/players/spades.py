"""A simple player of Spades."""

from __future__ import annotations

from typing import ClassVar

from tricktake.rules import TrickRules
from tricktake.strategies.strategy import Decision
from tricktake.view import View
from tricktake_parlour.players import bidder
from tricktake_parlour.spades import DECK, NIL


class Bidder(bidder.Bidder):
    """Bids what its high cards and spades are worth, nil with next to nothing and no high spade."""

    game: ClassVar[str] = "spades"

    def choose(self, view: View) -> Decision:
        tricks = bidder.worth(TrickRules.plain(DECK, 4, "S"), view.hand_mask)
        high = DECK.parse_mask("SA SK SQ SJ")
        nil = next(action for action in view.legal if action.value == NIL)
        if tricks < 1 and not view.hand_mask & high:
            return Decision(nil, f"{tricks:g} tricks are likely, and no high spade is held")
        return Decision(bidder.nearest(view, tricks), f"{tricks:g} tricks are likely")
