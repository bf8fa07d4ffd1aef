"""An auction in turn."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import ClassVar

from tricktake.action import Action
from tricktake.phase import Phase
from tricktake.phases.rounds import PASS, word
from tricktake.phases.words import AUCTION
from tricktake.table import Table


@cache
def _ranks(bids: tuple[str | tuple[str, ...], ...]) -> dict[str, int]:
    """The place of each bid on the ladder, lowest first."""
    return {bid: n for n, rung in enumerate(bids) for bid in (rung if isinstance(rung, tuple) else (rung,))}


DOUBLE, REDOUBLE = Action("double"), Action("redouble")


class Auction(Phase):
    """Round the table from ``opener``, each bid above the last, until nobody will bid more.

    bids: the ladder of bids as texts, lowest first; a tuple in it holds bids of one rank, none of which beats another.
    out: whether who has passed bids no more (Pinochle, Five Hundred), or may come back (bridge).
    doubles: how often a bid can be doubled: 0, 1 or 2 (redoubled); by the other side, then by the bidder's own
    (``partners``). closing: a double ends the auction (Belote coinchée), redoubling apart.
    forced: the bid the last seat has to make if all others have passed without one; "" lets the deal be passed in.
    ``beats`` lets a seat repeat a bid (who is elder in Tarok), ``values`` forbids bids by the hand.

    Sets the facts "declarer", "bid" (None if passed in, with "over") and "doubled", then calls ``close``.
    """

    name = "auction"
    meanings = AUCTION
    bids: ClassVar[tuple[str | tuple[str, ...], ...]] = ()
    out: ClassVar[bool] = True
    doubles: ClassVar[int] = 0
    closing: ClassVar[bool] = False
    forced: ClassVar[str] = ""

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.calls: list[tuple[int, Action]] = []
        self.bid: str | None = None
        self.bidder = -1
        self.speaker = -1  # who made the last bid or double
        self.doubled = 0
        self.passed: set[int] = set()  # who is out, or with ``out`` False who has passed since the last bid or double
        self.seat: int | None = self.opener()

    def opener(self) -> int:
        """Who bids first: seat 0, the eldest hand."""
        return 0

    def partners(self, one: int, other: int) -> bool:
        """Whether two seats are of one side: by ``Game.teams``, else only a seat with itself."""
        teams = self.table.game.teams
        return one == other if teams is None else teams[one] == teams[other]

    def rank(self, bid: str) -> int:
        """The place of a bid on the ladder."""
        return _ranks(self.bids)[bid]

    def beats(self, seat: int, bid: str, last: str) -> bool:
        """Whether ``bid`` of this seat beats the last one."""
        return self.rank(bid) > self.rank(last)

    def values(self, seat: int) -> Sequence[str]:
        """All bids, whatever was bid before; overridden where the hand forbids some."""
        return list(_ranks(self.bids))

    def close(self) -> None:
        """Called with the facts set, if somebody has bid: make the contract."""

    @property
    def turn(self) -> int | None:
        return self.seat

    def legal(self) -> Sequence[Action]:
        seat = self.seat
        assert seat is not None
        if self.forced and self.bid is None and len(self.passed) == self.table.seats - 1:
            return [Action("bid", self.forced)]
        calls = [PASS]
        if not (self.closing and self.doubled):
            calls += [word("bid", b) for b in self.values(seat) if self.bid is None or self.beats(seat, b, self.bid)]
        if self.bid is not None:
            ours = self.partners(seat, self.bidder)
            if self.doubled == 0 < self.doubles and not ours:
                calls.append(DOUBLE)
            elif self.doubled == 1 < self.doubles and ours:
                calls.append(REDOUBLE)
        return calls

    def apply(self, action: Action) -> None:
        seat = self.seat
        assert seat is not None
        self.calls.append((seat, action))
        if action == PASS:
            self.passed.add(seat)
        else:
            self.speaker = seat
            if action.verb == "bid":
                self.bid, self.bidder, self.doubled = action.value, seat, 0
            else:
                self.doubled += 1
            if not self.out or (self.closing and self.doubled):
                self.passed.clear()
        self.seat = self._next(seat)
        if self.seat is None:
            self._end()

    def _next(self, seat: int) -> int | None:
        """Who speaks next; None once all but the last speaker have passed."""
        seats = self.table.seats
        order = [(seat + n) % seats for n in range(1, seats + 1)]
        waiting = [s for s in order if s not in self.passed and s != self.speaker]
        if self.closing and self.doubled:
            waiting = [s for s in waiting if self.doubled < self.doubles and self.partners(s, self.bidder)]
        return waiting[0] if waiting else None

    def _end(self) -> None:
        facts = self.table.facts
        facts.update(declarer=self.declarer() if self.bid is not None else None, bid=self.bid, doubled=self.doubled)
        if self.bid is None:
            facts["over"] = True
        else:
            self.close()

    def declarer(self) -> int:
        """Who plays the last bid: its bidder; in bridge the first of his side to name the strain."""
        return self.bidder
