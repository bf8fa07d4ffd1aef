"""Passing three cards before the play."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from tricktake.action import Action
from tricktake.cards import bits
from tricktake.phase import Phase
from tricktake.table import Table

PASSED = 3
# Boards in turn pass to the left, to the right, across, and not at all.
DIRECTIONS = (1, 3, 2, 0)


class Passing(Phase):
    """Every seat puts three cards face down for another; nobody sees what he gets before all have put theirs."""

    name = "passing"
    role = "exchange"

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.step = DIRECTIONS[table.board % len(DIRECTIONS)]
        self.put: list[int] = []

    @property
    def turn(self) -> int | None:
        return len(self.put) if self.step and len(self.put) < self.table.seats else None

    def legal(self) -> Sequence[Action]:
        hand = self.table.places[len(self.put)]
        return [Action("pass", cards=cards) for cards in combinations(bits(hand), PASSED)]

    def apply(self, action: Action) -> None:
        self.put.append(action.mask)
        seats = self.table.seats
        if len(self.put) == seats:
            moves = []
            for giver, mask in enumerate(self.put):
                taker = (giver + self.step) % seats
                moves.append((mask, giver, taker, (giver, taker)))
            self.table.exchange(moves)

    def told(self, action: Action, actor: int, observer: int) -> Action:
        return action.redacted()
