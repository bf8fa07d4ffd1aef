"""A simple player of Five Hundred."""

from __future__ import annotations

from typing import ClassVar

from tricktake.strategies.strategy import Decision
from tricktake.view import View
from tricktake_parlour.five_hundred.bidding import MISERE, OPEN, Bid
from tricktake_parlour.five_hundred.cards import NONE, SUITS, trick_rules
from tricktake_parlour.players import bidder


class Bidder(bidder.Bidder):
    """Bids its tricks and what a partner and the kitty bring; misère with next to nothing. Keeps the strongest hand."""

    game: ClassVar[str] = "five_hundred"
    roles: ClassVar[tuple[str, ...]] = ("bid", "exchange")
    help: ClassVar[float] = 2.5  # tricks expected of partner and kitty

    def choose(self, view: View) -> Decision:
        contract = view.contract
        if isinstance(contract, Bid):
            sign = -1 if contract.misere else 1
            rules = trick_rules(contract.trump)
            best = max(view.legal, key=lambda a: sign * bidder.worth(rules, view.hand_mask & ~a.mask))
            return Decision(best, "leaves the best hand")
        tricks = {trump: bidder.worth(trick_rules(trump), view.hand_mask) for trump in (*SUITS, NONE)}

        def spare(bid: str) -> float:
            if bid in (MISERE, OPEN):
                return 0.25 - tricks[NONE] - (bid == OPEN)
            return tricks[bid[-1]] + self.help - int(bid[:-1])

        return bidder.best_bid(view, spare)
