"""What is bid in Five Hundred, the contract, and the kitty."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from tricktake import phases
from tricktake_parlour.five_hundred.cards import KITTY, NONE, SUITS, TRICKS

MISERE, OPEN = "misere", "open-misere"
_SUITED = [f"{n}{s}" for n in range(6, TRICKS + 1) for s in (*SUITS, NONE)]
# Avondale schedule: 40 for six spades, 20 more for each step.
VALUES = {bid: 40 + 20 * n for n, bid in enumerate(_SUITED)} | {MISERE: 250, OPEN: 500}
_AFTER = {"7N": MISERE, "10D": OPEN}  # where misère stands among the bids
BIDS = tuple(bid for suited in _SUITED for bid in (suited, _AFTER.get(suited, "")) if bid)


@frozen
class Bid:
    """The contract: who plays what."""

    declarer: int
    bid: str

    @property
    def misere(self) -> bool:
        return self.bid in (MISERE, OPEN)

    @property
    def trump(self) -> str:
        return NONE if self.misere else self.bid[-1]

    @property
    def tricks(self) -> int:
        return 0 if self.misere else int(self.bid[:-1])

    @property
    def kind(self) -> str:
        return self.bid if self.misere else "no-trumps" if self.trump == NONE else "suit"

    def __str__(self) -> str:
        return f"{self.declarer}:{self.bid}"


class Bidding(phases.Auction):
    """Who passes is out; misère only over a bid of seven tricks."""

    bids = BIDS

    def values(self, seat: int) -> Sequence[str]:
        return [bid for bid in BIDS if bid != MISERE or (self.bid is not None and self.bid.startswith("7"))]

    def close(self) -> None:
        self.table.contract = Bid(self.table.facts["declarer"], self.table.facts["bid"])


class Kitty(phases.TakeTalon):
    places = ("kitty",)


class Discard(phases.Discard):
    count = KITTY
    place = "kitty"
