"""What strategies that decide over sampled worlds share: how the worlds are drawn, and who plays the opening."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from attrs import field, frozen

from tricktake.belief import FACTOR, Belief, find_belief
from tricktake.search.limit import Limit
from tricktake.strategies.options import check_number, opening_strategy
from tricktake.strategies.recommend import Recommendation, Situation
from tricktake.strategies.strategy import Decision, Strategy
from tricktake.view import View

OPENING = 2  # tricks left to the opening strategy: they take most of the time (docs/strategies.md)


@frozen(kw_only=True)
class Sampling:
    """The options that PIMC explains, and the decision; a subclass says which card is best.

    worlds: how many; each has its own default.
    """

    roles: ClassVar[tuple[str, ...]] = ("play",)

    worlds: int = field(validator=check_number)
    opening: Strategy | None = field(default=None, converter=opening_strategy)
    tricks: int = field(default=OPENING, validator=check_number)
    belief: Belief | None = field(default=None, converter=find_belief)
    factor: int = field(default=FACTOR, validator=check_number)

    @property
    def parts(self) -> tuple[Strategy | None, ...]:
        return (self.opening,)

    def decide(self, view: View, limit: Limit, rng: np.random.Generator) -> Decision:
        """Raises ValueError for a view in which no card is to be played, NoWorld if no world fits."""
        situation = Situation(view)
        if len(situation.cards) > 1 and self.opening is not None and situation.trick <= self.tricks:
            return self.opening.decide(view, limit, rng)
        found = self.best(situation, limit, rng)
        return Decision(found.action, found.reason)

    def best(self, situation: Situation, limit: Limit, rng: np.random.Generator) -> Recommendation:
        """The best card after the opening."""
        raise NotImplementedError
