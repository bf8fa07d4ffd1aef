"""Things on the table that the seats take in turn."""

from __future__ import annotations

import abc
from collections.abc import Sequence
from typing import ClassVar

from tricktake.action import Action
from tricktake.phase import Phase
from tricktake.table import Table


class Draft(Phase):
    """Each seat in turn takes one of what is left until nothing is (the tasks of The Crew).

    passing: whether a seat may pass, as long as the others can still take everything. Sets the fact ``fact``: for
    each seat what it took, in order.
    """

    name = "draft"
    keep: ClassVar[str] = "tasks"
    fact: ClassVar[str] = "tasks"
    passing: ClassVar[bool] = False

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.left = list(self.items())
        self.taken: list[list[str]] = [[] for _ in range(table.seats)]
        self.seat = self.opener()
        self.passes = 0
        self._keep()

    @abc.abstractmethod
    def items(self) -> Sequence[str]:
        """What lies on the table, as texts without blanks."""

    def opener(self) -> int:
        """Who takes first."""
        return 0

    @property
    def turn(self) -> int | None:
        return self.seat if self.left else None

    def legal(self) -> Sequence[Action]:
        takes = [Action("take", item) for item in dict.fromkeys(self.left)]
        return [Action("pass"), *takes] if self.passing and self.passes < self.table.seats - 1 else takes

    def apply(self, action: Action) -> None:
        if action.verb == "pass":
            self.passes += 1
        else:
            self.passes = 0
            self.left.remove(action.value)
            self.taken[self.seat].append(action.value)
        self.seat = (self.seat + 1) % self.table.seats
        self._keep()
        if not self.left:
            self.close()

    def close(self) -> None:
        """Called once everything is taken."""

    def _keep(self) -> None:
        self.table.facts[self.fact] = tuple(tuple(taken) for taken in self.taken)
