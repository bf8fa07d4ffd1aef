"""Announcements: in rounds before the tricks, or at any time during them."""

from __future__ import annotations

import abc
from collections.abc import Sequence
from typing import ClassVar

from tricktake.action import Action
from tricktake.errors import IllegalAction
from tricktake.phase import Phase, Tricks
from tricktake.phases.rounds import PASS
from tricktake.table import Table


class Announcements(Phase):
    """Seats in turn announce something or pass, until all in a row have passed (melds, Weis, kontra, healthy or not).

    once: whether every seat speaks once only. Cards of an announcement are shown to all from then on (melds). Sets the
    fact ``fact``: (seat, text) of each announcement.
    """

    name = "announcements"
    once: ClassVar[bool] = True
    fact: ClassVar[str] = "announced"

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.made: list[tuple[int, str]] = []
        self.spoken = 0
        self.passes = 0
        self.seat: int | None = self.opener()
        self._skip()

    def opener(self) -> int:
        """Who speaks first: seat 0, the eldest hand."""
        return 0

    @abc.abstractmethod
    def offers(self, seat: int) -> Sequence[Action]:
        """What a seat may announce now besides passing."""

    def asked(self, seat: int) -> bool:
        """Whether a seat speaks at all, by what everybody knows; never by its hand, which would give it away."""
        return True

    def must(self, seat: int) -> bool:
        """Whether a seat that has something to announce may not pass."""
        return False

    def close(self) -> None:
        """Called at the end."""

    @property
    def turn(self) -> int | None:
        return self.seat

    def legal(self) -> Sequence[Action]:
        seat = self.seat
        assert seat is not None
        offers = self.offers(seat)
        return offers if self.must(seat) and offers else [PASS, *offers]

    def apply(self, action: Action) -> None:
        seat = self.seat
        assert seat is not None
        if action == PASS:
            self.passes += 1
        else:
            self.passes = 0
            self.made.append((seat, action.value or action.verb))
            if action.cards:
                self.table.reveal(seat, range(self.table.seats), action.mask)
            self.announced(seat, action)
        self.spoken += 1
        self.seat = (seat + 1) % self.table.seats
        self._skip()

    def announced(self, seat: int, action: Action) -> None:
        """What follows from an announcement at once; ``seat`` may be set to None to end the round."""

    def _skip(self) -> None:
        """Go on to the next seat that is asked."""
        seats = self.table.seats
        while self.seat is not None and not self._over() and not self.asked(self.seat):
            self.seat = (self.seat + 1) % seats
            self.spoken += 1
            self.passes += 1
        if self.seat is None or self._over():
            self.seat = None
            self.table.facts[self.fact] = tuple(self.made)
            self.close()

    def _over(self) -> bool:
        return (self.spoken if self.once else self.passes) >= self.table.seats


class Announcing(Tricks):
    """Tricks during which seats may announce, in turn or not (re and no ninety in Doppelkopf, the token in The Crew).

    ``offers(seat)`` is asked at every card, so that deadlines are a matter of ``self.state``. Cards of an announcement
    are shown to all. Sets the fact ``fact``: (seat, text, cards played before) of each announcement.
    """

    fact: ClassVar[str] = "announced"

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.made: list[tuple[int, str, int]] = []

    def offers(self, seat: int) -> Sequence[Action]:
        """What a seat may announce now."""
        return ()

    def interruptions(self, seat: int) -> Sequence[Action]:
        return self.offers(seat) if self.turn is not None else ()

    def interrupt(self, action: Action, seat: int) -> None:
        if action not in self.offers(seat):
            raise IllegalAction(f"seat {seat} cannot announce {action.value or action.verb!r} now")
        self.made.append((seat, action.value or action.verb, self.table.gone.bit_count()))
        self.table.facts[self.fact] = tuple(self.made)
        if action.cards:
            self.table.reveal(seat, range(self.table.seats), action.mask)
        self.announced(seat, action)

    def announced(self, seat: int, action: Action) -> None:
        """What follows from an announcement at once."""
