"""Killer cards: cards that reach the goal in every world that fits what is surely known (SKAT-34, KBPS-2)."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from attrs import frozen

from tricktake.rules import GoalKind
from tricktake.search.limit import Limit
from tricktake.search.sure import sure_points, taken
from tricktake.strategies.recommend import Member, Recommendation, Situation, recommend_card


@frozen
class Killer(Member):
    """Counts sure points: standing cards and what falls to them."""

    name: ClassVar[str] = "killer"

    def recommend(self, situation: Situation, limit: Limit, rng: np.random.Generator) -> Recommendation | None:
        goal = situation.goal
        if goal.kind is not GoalKind.AT_LEAST or taken(situation.view) >= goal.n:
            return None
        sure = sure_points(situation.view, situation.knowledge)
        best = max(sure, key=lambda s: (s.value, -s.card), default=None)
        if best is None or best.value < goal.n:
            return None
        tricks = "a sure trick" if best.tricks == 1 else f"{best.tricks} sure tricks"
        return recommend_card(
            situation, best.card, self.name, f"makes {best.value} of the {goal.n} needed in every world: {tricks}"
        )
