"""One decision of one seat."""

from __future__ import annotations

import abc
from collections.abc import Sequence
from typing import ClassVar

from tricktake.action import Action
from tricktake.phase import Phase
from tricktake.table import Table


class Choice(Phase):
    """One seat, the declarer unless ``chooser`` says otherwise, takes one of ``options``; nobody if there are none.

    fact: under which name the value of the action is kept in ``table.facts``, the phase's own name if "".
    """

    keep: ClassVar[str] = "contract"
    fact: ClassVar[str] = ""

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.seat = self.chooser()
        if self.seat is not None and not self.options():
            self.seat = None

    def chooser(self) -> int | None:
        """The seat that decides; None skips the phase."""
        declarer: int | None = self.table.facts.get("declarer")
        return declarer

    @abc.abstractmethod
    def options(self) -> Sequence[Action]:
        """What it may choose."""

    def chosen(self, seat: int, action: Action) -> None:
        """What follows from the choice: cards that move, a contract. The phase is over unless it sets ``seat``."""

    @property
    def turn(self) -> int | None:
        return self.seat

    def legal(self) -> Sequence[Action]:
        return self.options()

    def apply(self, action: Action) -> None:
        assert self.seat is not None
        seat, self.seat = self.seat, None
        self.table.facts[self.fact or self.name] = action.value
        self.chosen(seat, action)
