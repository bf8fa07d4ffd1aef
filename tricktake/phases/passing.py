"""Passing cards between the seats."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from typing import ClassVar

from tricktake.action import Action
from tricktake.cards import bits
from tricktake.phase import Phase
from tricktake.table import Table


@lru_cache(maxsize=1 << 16)
def put(verb: str, cards: tuple[int, ...]) -> Action:
    """The action of putting cards somewhere; the same object as long as it is remembered, as there are many."""
    return Action(verb, cards=cards)


@lru_cache(maxsize=1 << 8)
def _choices(hand: int, count: int) -> tuple[Action, ...]:
    """Every way to pass so many cards of a hand; remembered, as one hand is asked for many times."""
    return tuple(put("pass", cards) for cards in combinations(bits(hand), count))


class Passing(Phase):
    """Seats put cards face down for others; nobody sees what he gets before all have put theirs.

    count: cards each seat passes. steps: how many seats further they go, for boards in turn; 0 passes nothing. Other
    patterns: ``pairs`` (giver, taker), in the order they put.
    """

    name = "passing"
    role: ClassVar[str] = "exchange"
    keep: ClassVar[str] = "passing"
    count: ClassVar[int] = 3
    steps: ClassVar[tuple[int, ...]] = (1,)

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.waiting = list(self.pairs())
        self.put: list[tuple[int, int, int]] = []  # cards, giver, taker

    def pairs(self) -> Sequence[tuple[int, int]]:
        """Who passes to whom; a seat gives once at most."""
        step, seats = self.steps[self.table.board % len(self.steps)], self.table.seats
        return [(giver, (giver + step) % seats) for giver in range(seats)] if step else []

    def allowed(self, seat: int) -> int:
        """The mask of cards a seat may pass."""
        return self.table.places[seat]

    @property
    def turn(self) -> int | None:
        return self.waiting[0][0] if self.waiting else None

    def legal(self) -> Sequence[Action]:
        return _choices(self.allowed(self.waiting[0][0]), self.count)

    def allows(self, action: Action) -> bool:
        mine = not action.mask & ~self.allowed(self.waiting[0][0])
        return mine and len(action.cards) == self.count and action == put("pass", tuple(bits(action.mask)))

    def apply(self, action: Action) -> None:
        self.put.append((action.mask, *self.waiting.pop(0)))
        if not self.waiting:
            self.table.exchange([(mask, giver, taker, (giver, taker)) for mask, giver, taker in self.put])

    def told(self, action: Action, actor: int, observer: int) -> Action:
        return action.redacted()
