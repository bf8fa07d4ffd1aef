"""How much a decision may cost, and what is left of that while it is worked out."""

from __future__ import annotations

import time

from attrs import define, evolve, field, frozen, validators

_positive = validators.optional(validators.gt(0))

LEAST_SECONDS = 1e-3


def now() -> float:
    """The clock all limits of time are read from: seconds from any moment on."""
    return time.monotonic()


@frozen
class Limit:
    """Bounds on one decision; None means no bound. Node and world counts are repeatable, seconds are not.

    seconds: wall clock. nodes: positions entered by a search. worlds: sampled distributions of the hidden cards.
    """

    seconds: float | None = field(default=None, validator=_positive)
    nodes: int | None = field(default=None, validator=_positive)
    worlds: int | None = field(default=None, validator=_positive)

    def at_most_worlds(self, wanted: int) -> int:
        """``wanted`` worlds, or fewer if only so many are allowed."""
        return wanted if self.worlds is None else min(wanted, self.worlds)

    def at_most_nodes(self, wanted: int) -> Limit:
        """The same limit with no more nodes than ``wanted``."""
        return self if self.nodes is not None and self.nodes <= wanted else evolve(self, nodes=wanted)


@define
class Budget:
    """What is left of a limit. The clock runs from the moment it is made; nodes are told to ``spend``."""

    limit: Limit
    spent: int = 0
    start: float = field(factory=lambda: now())

    @classmethod
    def of(cls, limit: Limit | None) -> Budget:
        """A budget that begins now; without a limit nothing ever ends it."""
        return cls(limit or Limit())

    def spend(self, nodes: int) -> None:
        """Take off the nodes of a search."""
        self.spent += nodes

    @property
    def nodes(self) -> int | None:
        """Nodes left, below 1 if there are none; None without a bound."""
        return None if self.limit.nodes is None else self.limit.nodes - self.spent

    @property
    def seconds(self) -> float | None:
        """Seconds left, not above 0 if there are none; None without a bound."""
        return None if self.limit.seconds is None else self.limit.seconds - (now() - self.start)

    @property
    def late(self) -> bool:
        """Whether the time is over."""
        return self.limit.seconds is not None and now() - self.start >= self.limit.seconds

    @property
    def over(self) -> bool:
        """Whether time or nodes are used up."""
        return self.late or (self.limit.nodes is not None and self.spent >= self.limit.nodes)

    def left(self) -> Limit:
        """What is left as a limit of the next part of the work; never nothing, so that it can answer."""
        nodes, seconds = self.nodes, self.seconds
        nodes = None if nodes is None else max(1, nodes)
        return evolve(self.limit, nodes=nodes, seconds=None if seconds is None else max(LEAST_SECONDS, seconds))

    def timed(self) -> Limit:
        """The limit with the seconds that are left, its nodes as they were: for one of several questions."""
        return self.limit if self.limit.seconds is None else evolve(self.limit, seconds=self.left().seconds)

    def affords(self, nodes: int, times: float) -> bool:
        """Whether work that took so many nodes, and all the time so far, could be done ``times`` times."""
        if self.limit.nodes is not None and nodes * times > self.limit.nodes:
            return False
        return self.limit.seconds is None or (now() - self.start) * times <= self.limit.seconds
