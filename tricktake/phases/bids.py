"""One round of bids."""

from __future__ import annotations

from typing import ClassVar

from tricktake.action import Action
from tricktake.phases.rounds import TextRound


class Bids(TextRound):
    """Every seat bids once; no bid has to beat another (Oh Hell, Wizard, Spades).

    ``values(seat)`` are the bids a seat may make, "pass" among them or not. Sets the fact ``fact``: the bid of each
    seat as text, in the order of the seats.
    """

    name = "bidding"
    verb: ClassVar[str] = "bid"
    keep: ClassVar[str] = "bids"
    fact: ClassVar[str] = "bids"

    def bid_of(self, seat: int) -> str | None:
        """What a seat has bid, None before."""
        return next((action.value or action.verb for who, action in self.said if who == seat), None)

    def total(self) -> int:
        """The sum of the numbers bid so far, words counting nothing."""
        return sum(int(action.value) for _, action in self.said if action.value.isdecimal())

    def close(self) -> None:
        self.table.facts[self.fact] = tuple(self.bid_of(seat) or "" for seat in range(self.table.seats))
        self.closed()

    def closed(self) -> None:
        """Called with the fact set: make the contract."""

    def ends(self, seat: int, action: Action) -> bool:
        return False
