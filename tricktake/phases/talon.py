"""What the declarer takes from the table and what he puts there."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import ClassVar

from tricktake.action import Action
from tricktake.cards import bits
from tricktake.phases.choice import Choice
from tricktake.phases.passing import put
from tricktake.table import Table

TAKE, LEAVE = Action("take"), Action("leave")


class PickUp(Choice):
    """The declarer takes the cards of a place, or leaves them (Skat: the skat or a hand game).

    place: where they lie. leave: the action of leaving them. shown: whether all see what is taken (Pinochle's widow).
    Sets the fact ``fact``: whether they were left. ``view.picked_up`` tells the declarer which cards it was.
    """

    name = "pick-up"
    role: ClassVar[str] = "exchange"
    place: ClassVar[str] = "talon"
    leave: ClassVar[Action] = LEAVE
    shown: ClassVar[bool] = False
    fact: ClassVar[str] = "left"

    def options(self) -> Sequence[Action]:
        return (TAKE, self.leave)

    def apply(self, action: Action) -> None:
        assert self.seat is not None
        seat, self.seat = self.seat, None
        self.table.facts[self.fact] = action == self.leave
        if action == TAKE:
            pick_up(self.table, self.place, seat, shown=self.shown)
        self.chosen(seat, action)


class TakeTalon(Choice):
    """The declarer must take one of several places (the talon of Tarok in packets), or the only one.

    places: where they lie. open: whether all see the places before. shown: whether all see what is taken. Nobody is
    asked if there is only one place. Sets the fact "taken": the place's name.
    """

    name = "talon"
    role: ClassVar[str] = "exchange"
    keep: ClassVar[str] = "talon"
    fact: ClassVar[str] = "taken"
    places: ClassVar[tuple[str, ...]] = ("talon",)
    open: ClassVar[bool] = False
    shown: ClassVar[bool] = False

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        if self.open:
            for place in self.offered():
                table.reveal(table.place_index(place), range(table.seats))
        if self.seat is not None and len(self.offered()) == 1:
            self.apply(self.options()[0])

    def offered(self) -> Sequence[str]:
        """The places he may take from."""
        return self.places

    def options(self) -> Sequence[Action]:
        return [Action("take", place) for place in self.offered()]

    def chosen(self, seat: int, action: Action) -> None:
        pick_up(self.table, action.value, seat, shown=self.shown or self.open)


class Discard(Choice):
    """The declarer puts cards away, face down.

    count: how many. place: where to. at_once: whether as one action, or card by card where too many sets are possible.
    ``allowed`` are the cards that may be put; ``chooser`` may be another seat, or None to skip it. All other seats see
    how many cards go.
    """

    name = "discard"
    role: ClassVar[str] = "exchange"
    keep: ClassVar[str] = "talon"
    verb: ClassVar[str] = "discard"
    count: ClassVar[int] = 1
    place: ClassVar[str] = "talon"
    at_once: ClassVar[bool] = True

    def __init__(self, table: Table) -> None:
        self.left = self.cards_to_put(table)
        super().__init__(table)

    def cards_to_put(self, table: Table) -> int:
        """How many cards are put away in this game: ``count``."""
        return self.count

    def allowed(self, seat: int) -> int:
        """The mask of cards that may be put; at least ``count`` of them."""
        return self.table.places[seat]

    def options(self) -> Sequence[Action]:
        if self.seat is None or not self.left:
            return ()
        size = self.left if self.at_once else 1
        return [put(self.verb, cards) for cards in combinations(bits(self.allowed(self.seat)), size)]

    def apply(self, action: Action) -> None:
        seat = self.seat
        assert seat is not None
        self.table.move(action.mask, seat, self.table.place_index(self.place), seen_by=(seat,))
        self.left -= len(action.cards)
        if not self.left:
            self.seat = None
            self.chosen(seat, action)

    def told(self, action: Action, actor: int, observer: int) -> Action:
        return action if observer == actor else action.redacted()


def sit_out(table: Table, seat: int, place: str = "blanks") -> None:
    """Change the hand of a seat that sits out for the blanks of a place that lies aside; nothing if it has them.

    Blanks are a suit of their own and win nothing (``Layout.aside``). Who sits out still knows the hand it had.
    """
    where, aside = table.place_index(place), table.deal.layout.aside_cards_mask
    if not table.places[seat] & aside:
        hand, blanks = table.places[seat], table.places[where]
        table.exchange([(hand, seat, where, (seat,)), (blanks, where, seat, range(table.seats))])


def pick_up(table: Table, place: str, seat: int, *, shown: bool = False) -> None:
    """Move all cards of a place into a hand, seen by that seat, or by all."""
    source = table.place_index(place)
    table.move(table.places[source], source, seat, seen_by=range(table.seats) if shown else (seat,))
