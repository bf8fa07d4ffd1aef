"""What is decided before the tricks of Tarok: contract, called king, talon; and the tricks of klop."""

from __future__ import annotations

from collections.abc import Sequence

from tricktake import phases
from tricktake.action import Action
from tricktake.phase import Tricks
from tricktake.table import Table
from tricktake_parlour.tarok.cards import FIVES, KINGS, TALON, TRUMPS
from tricktake_parlour.tarok.contract import CALLING, SOLOS, VALUES, Contract


class Bidding(phases.Auction):
    """Forehand speaks last at first; elder seats may hold a bid; who is left names what is played."""

    bids = tuple(VALUES)

    def opener(self) -> int:
        return 1

    def beats(self, seat: int, bid: str, last: str) -> bool:
        return self.rank(bid) > self.rank(last) or (bid == last and seat <= self.bidder)

    def alone(self, seat: int) -> bool:
        return len(self.passed - {seat}) == self.table.seats - 1

    def values(self, seat: int) -> Sequence[str]:
        low = () if seat == 0 and self.alone(0) and self.bid is None else ("klop", "three")
        return [bid for bid in VALUES if bid not in low and not (self.table.seats == 3 and bid in SOLOS)]

    def legal(self) -> Sequence[Action]:
        calls = super().legal()
        assert self.seat is not None
        return calls[1:] if self.alone(self.seat) else calls

    def _next(self, seat: int) -> int | None:
        if self.alone(seat):
            return None
        seats = self.table.seats
        return next(s for s in ((seat + n) % seats for n in range(1, seats)) if s not in self.passed)

    def close(self) -> None:
        bid = self.table.facts["bid"]
        self.table.contract = Contract(-1 if bid == "klop" else self.table.facts["declarer"], bid)


class King(phases.CallPartner):
    """With four seats the declarer of a game without "solo" calls a king, perhaps one of his own."""

    callable = ("HK", "DK", "SK", "CK")
    own = True

    def chooser(self) -> int | None:
        contract = self.table.contract
        assert contract is not None
        return contract.declarer if self.table.seats == 4 and contract.kind in CALLING else None

    def chosen(self, seat: int, action: Action) -> None:
        contract = self.table.contract
        assert contract is not None
        self.table.contract = Contract(contract.declarer, contract.kind, action.value)


class Take(phases.TakeTalon):
    """The talon is turned up, and the declarer takes one of its packets."""

    shown = True

    def __init__(self, table: Table) -> None:
        assert isinstance(table.contract, Contract)
        self.contract = table.contract
        if self.contract.packets:
            for place in TALON:
                table.reveal(table.place_index(place), range(table.seats))
        super().__init__(table)

    def chooser(self) -> int | None:
        return self.contract.declarer if self.contract.packets else None

    def offered(self) -> Sequence[str]:
        return [str(n) for n in range(len(self.contract.packets))]

    def chosen(self, seat: int, action: Action) -> None:
        old = self.contract
        self.table.contract = new = Contract(old.declarer, old.kind, old.king, int(action.value))
        for name in new.taken:
            place = self.table.place_index(name)
            self.table.move(self.table.places[place], place, seat, range(self.table.seats))


class Discard(phases.Discard):
    """As many cards back, one by one: no kings and no taroks, which must be shown if there is nothing else."""

    at_once = False

    def chooser(self) -> int | None:
        contract = self.table.contract
        return contract.declarer if isinstance(contract, Contract) and contract.taken else None

    def cards_to_put(self, table: Table) -> int:
        assert isinstance(table.contract, Contract)
        return len(table.contract.taken)

    def allowed(self, seat: int) -> int:
        hand = self.table.places[seat]
        return hand & ~TRUMPS & ~KINGS or hand & ~FIVES

    def apply(self, action: Action) -> None:
        seat = self.seat
        assert seat is not None
        assert isinstance(self.table.contract, Contract)
        place = self.table.place_index(self.table.contract.taken[-self.left])
        shown = range(self.table.seats) if action.mask & TRUMPS else (seat,)
        self.table.move(action.mask, seat, place, shown)
        self.left -= 1
        self.seat = seat if self.left else None

    def told(self, action: Action, actor: int, observer: int) -> Action:
        return action if action.mask & TRUMPS else super().told(action, actor, observer)


class Play(Tricks):
    """In klop a card of the talon goes with each of the first six tricks."""

    def apply(self, action: Action) -> None:
        super().apply(action)
        contract, number = self.table.contract, len(self.state.tricks)
        if contract is not None and contract.kind == "klop" and not self.state.table and number <= len(TALON):
            self.table.reveal(self.table.place_index(TALON[number - 1]), range(self.table.seats))
