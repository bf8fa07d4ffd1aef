"""Who makes trumps in Belote: the turned-up card in two rounds, or bids (coinche)."""

from __future__ import annotations

from attrs import frozen

from tricktake import phases
from tricktake.table import Table
from tricktake_parlour.belote.cards import DECK

LEAST, MOST, STEP = 80, 160, 10
ALL = "capot"
BIDS = (*map(str, range(LEAST, MOST + 1, STEP)), ALL)
BID_POINTS = {bid: 250 if bid == ALL else int(bid) for bid in BIDS}
PACKETS = (("turned", 1), *((f"two{n}", 2) for n in range(4)), *((f"one{n}", 1) for n in range(3)))


@frozen
class Taken:
    """The contract: who took, trumps; with bids also what was bid, and how often it was doubled."""

    declarer: int
    trump: str
    bid: str = ""
    doubled: int = 0

    @property
    def kind(self) -> str:
        return ("turned" if not self.bid else ALL if self.bid == ALL else "bid") + "-doubled" * bool(self.doubled)

    def __str__(self) -> str:
        return f"{self.declarer}:{self.trump}" + (f":{self.bid}:{self.doubled}" if self.bid else "")


class Upcard(phases.TurnedUp):
    """The turned-up suit, then any other; who takes gets the card and two more, all others three."""

    takes = ""

    def close(self) -> None:
        facts = self.table.facts
        self.table.contract = Taken(facts["declarer"], facts["trump"])
        deal_rest(self.table, facts["declarer"])


def deal_rest(table: Table, taker: int) -> None:
    """Everybody holds eight cards then."""
    ones, everybody = iter(range(3)), range(table.seats)
    for seat in everybody:
        last = "turned" if seat == taker else f"one{next(ones)}"
        for name, seen in ((f"two{seat}", (seat,)), (last, everybody if seat == taker else (seat,))):
            place = table.place_index(name)
            table.move(table.places[place], place, seat, seen)


class Coinche(phases.Auction):
    """Points and trumps, each bid of more points than the last; a double ends the auction."""

    out = False
    bids = tuple(tuple(f"{bid}{suit}" for suit in DECK.suits) for bid in BIDS)
    doubles = 2
    closing = True

    def close(self) -> None:
        facts = self.table.facts
        self.table.contract = Taken(facts["declarer"], facts["bid"][-1], facts["bid"][:-1], facts["doubled"])
