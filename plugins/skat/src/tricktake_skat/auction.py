"""Bidding (RULE-4 and 5)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence

from tricktake.action import Action, Event
from tricktake.jit import interpreted
from tricktake.phase import Phase
from tricktake.table import Table
from tricktake_skat._kernels.skat import BEGIN, FOREHAND, NOBODY, OVER, auction_step
from tricktake_skat.contract import BIDS
from tricktake_skat.deck import SEATS

YES, PASS = Action("yes"), Action("pass")
BID_ACTIONS = tuple(Action("bid", str(bid)) for bid in BIDS)


def highest_bids(events: Iterable[Event]) -> tuple[int, int, int]:
    """The highest bid or hold of each seat among what was done, 0 for none."""
    bids, last = [0] * SEATS, 0
    for event in events:
        if event.action.verb == "bid":
            last = bids[event.seat] = int(event.action.value)
        elif event.action.verb == "yes":
            bids[event.seat] = last
    return bids[0], bids[1], bids[2]


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
        self.state: tuple[int, int, bool, int] = BEGIN

    @property
    def turn(self) -> int | None:
        caller, hearer, answering, _ = self.state
        if answering:
            return hearer
        return None if caller == OVER else caller

    def legal(self) -> Sequence[Action]:
        caller, _, answering, bid = self.state
        if answering:
            return (YES, PASS)
        if caller == FOREHAND:  # both others passed without a bid
            return (BID_ACTIONS[0], PASS)
        return (*BID_ACTIONS[bisect_right(BIDS, bid) :], PASS)

    def apply(self, action: Action) -> None:
        said = int(action.value) if action.verb == "bid" else self.state[3] if action == YES else 0
        if said:
            assert self.turn is not None
            self.bids[self.turn] = said
        self.state = interpreted(auction_step)(*self.state, said)
        caller, declarer, _, bid = self.state
        if caller == OVER:
            taken = None if declarer == NOBODY else declarer
            self.table.facts.update(declarer=taken, bid=bid, bids=tuple(self.bids), over=taken is None)
