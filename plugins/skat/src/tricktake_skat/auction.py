"""Bidding (SPEC part 3, points 4 and 5)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from tricktake.action import Action
from tricktake.phase import Phase
from tricktake.table import Table
from tricktake_skat.contract import BIDS
from tricktake_skat.deck import FOREHAND, MIDDLEHAND, REARHAND

YES, PASS = Action("yes"), Action("pass")
BID_ACTIONS = tuple(Action("bid", str(bid)) for bid in BIDS)


class Auction(Phase):
    """Middlehand bids to forehand, then rearhand to the survivor; last, forehand may take the game at 18.

    Bids are any of the 63 legal values above the last one; an answer is ``yes`` (held) or ``pass``. Sets the facts
    "declarer" (None if passed in), "bid" (the final bid) and "bids" (highest bid or hold of each seat, 0 for none).
    """

    name = "auction"
    role = "bid"

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.bids = [0, 0, 0]
        self.bid = 0
        self.caller = MIDDLEHAND  # -1 when the auction is over
        self.hearer = FOREHAND
        self.answering = False

    @property
    def turn(self) -> int | None:
        if self.answering:
            return self.hearer
        return None if self.caller < 0 else self.caller

    def legal(self) -> Sequence[Action]:
        if self.answering:
            return (YES, PASS)
        if self.caller == FOREHAND:  # both others passed without a bid
            return (BID_ACTIONS[0], PASS)
        return (*BID_ACTIONS[bisect_right(BIDS, self.bid) :], PASS)

    def apply(self, action: Action) -> None:
        if action.verb == "bid":
            self.bid = self.bids[self.caller] = int(action.value)
            if self.caller == FOREHAND:
                self._end(FOREHAND)
            else:
                self.answering = True
        elif action.verb == "yes":
            self.bids[self.hearer] = self.bid
            self.answering = False
        elif self.answering:
            self.answering = False
            self._survives(self.caller)
        elif self.caller == FOREHAND:
            self._end(None)
        else:
            self._survives(self.hearer)

    def _survives(self, seat: int) -> None:
        """One of two has passed: rearhand calls next, or ``seat`` has won the auction."""
        if self.caller == MIDDLEHAND:
            self.caller, self.hearer = REARHAND, seat
        elif self.bid:
            self._end(seat)
        else:
            self.caller = FOREHAND

    def _end(self, declarer: int | None) -> None:
        self.caller = -1
        self.table.facts.update(declarer=declarer, bid=self.bid, bids=tuple(self.bids), over=declarer is None)
