"""Every seat in turn says something."""

from __future__ import annotations

import abc
from collections.abc import Sequence
from functools import cache
from typing import ClassVar

from tricktake.action import Action
from tricktake.phase import Phase
from tricktake.table import Table

PASS = Action("pass")


class Round(Phase):
    """Each seat once, in order from ``opener``, takes one of ``options(seat)``; seats without options are passed over.

    said: (seat, action) so far. The round ends early where ``ends`` says so; then ``close`` is called.
    """

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.said: list[tuple[int, Action]] = []
        self.waiting = list(self.order())
        self.begin()
        self._skip()

    def opener(self) -> int:
        """Who begins: seat 0, the eldest hand."""
        return 0

    def order(self) -> Sequence[int]:
        """The seats in the order they speak."""
        seats = self.table.seats
        return [(self.opener() + n) % seats for n in range(seats)]

    def begin(self) -> None:
        """Called before the first seat speaks: a card is turned up."""

    @abc.abstractmethod
    def options(self, seat: int) -> Sequence[Action]:
        """What a seat may say."""

    def ends(self, seat: int, action: Action) -> bool:
        """Whether nobody speaks after this."""
        return False

    def close(self) -> None:
        """Called once all have spoken."""

    @property
    def turn(self) -> int | None:
        return self.waiting[0] if self.waiting else None

    def legal(self) -> Sequence[Action]:
        return self.options(self.waiting[0])

    def apply(self, action: Action) -> None:
        seat = self.waiting.pop(0)
        self.said.append((seat, action))
        if self.ends(seat, action):
            self.waiting.clear()
            self.close()
        else:
            self._skip()

    def _skip(self) -> None:
        while self.waiting and not self.options(self.waiting[0]):
            self.waiting.pop(0)
        if not self.waiting:
            self.close()


class TextRound(Round):
    """A round in which every option is a word: ``verb:word``, or ``pass`` for the word "pass"."""

    verb: ClassVar[str] = "say"

    @abc.abstractmethod
    def values(self, seat: int) -> Sequence[str]:
        """The words a seat may say."""

    def options(self, seat: int) -> Sequence[Action]:
        return [word(self.verb, value) for value in self.values(seat)]


@cache
def word(verb: str, value: str) -> Action:
    """The action of saying a word."""
    return PASS if value == "pass" else Action(verb, value)
