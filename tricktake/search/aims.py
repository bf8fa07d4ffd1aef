"""Proofs of one aim after the other: first the goal, then more, or less once the goal is lost (KBPS-12, 21)."""

from __future__ import annotations

from attrs import frozen

from tricktake.knowledge import Knowledge
from tricktake.rules import Aim, Goal
from tricktake.search.infoset import InfoSet
from tricktake.search.limit import Budget, Limit
from tricktake.search.paranoia import Paranoia, Proof
from tricktake.view import View


@frozen
class Secured:
    """The most that was proven. below: how much less than the aim asks was in fact proven (KBPS-15)."""

    aim: Aim
    proof: Proof
    below: int = 0


class Ladder:
    """The aims of a view, proven one by one under one limit.

    exact: whether proofs in all worlds are tried. further: whether other aims than the goal are. epsilon: if the goal
    is not sure in all worlds, unlikely splits of suits are left out (KBPS-14).
    lower: if it is not sure even then, as much less is tried for (KBPS-15). ``nodes``: what was spent.
    """

    def __init__(
        self,
        view: View,
        search: Paranoia,
        limit: Limit | None = None,
        *,
        knowledge: Knowledge | None = None,
        exact: bool = True,
        further: bool = True,
        epsilon: float = 0.0,
        lower: int = 0,
    ) -> None:
        if view.rules is None:
            raise ValueError("there are no tricks yet")
        self.view, self.search, self.budget = view, search, Budget.of(limit)
        self.rules = view.rules
        self.exact, self.further, self.epsilon, self.lower = exact, further, epsilon, lower
        self.knowledge = knowledge or Knowledge.from_view(view)
        self._infos: dict[bool, InfoSet] = {}

    def secured(self) -> Secured | None:
        """The highest aim above the goal that is sure, or the goal; the highest one below it once the goal is out of
        reach; None if nothing is proven.
        """
        aims = self.view.aims
        goal = self.rules.goal(self.view.seat)
        own = next((i for i, aim in enumerate(aims) if aim.goal == goal and not aim.tricks), None)
        if own is None:
            return None
        found = self._proven(aims[own]) if self.exact else None
        if found is not None and found.proof:
            for aim in aims[own + 1 :] if self.further else ():
                higher = self._proven(aim)
                if not higher.proof:
                    break
                found = higher
            return found
        if self.further and not self._info(aims[own]).can_meet(goal):
            for aim in reversed(aims[:own]):
                lesser = self._proven(aim)
                if lesser.proof:
                    return lesser
            return None
        if self.epsilon:
            found = self._proven(aims[own], epsilon=self.epsilon)
            if found.proof:
                return found
        if self.lower:
            goal = Goal(goal.kind, goal.n - goal.sense * self.lower)
            found = Secured(aims[own], self._prove(aims[own], goal, 0.0), self.lower)
            if found.proof:
                return found
        return None

    def _proven(self, aim: Aim, epsilon: float = 0.0) -> Secured:
        return Secured(aim, self._prove(aim, aim.goal, epsilon))

    def _prove(self, aim: Aim, goal: Goal, epsilon: float) -> Proof:
        if self.budget.over:
            return Proof(None, goal)
        left, fresh = self.budget.left(), not self.budget.spent
        proof = self.search.prove(self._info(aim), goal, left, epsilon=epsilon, fresh=fresh)
        self.budget.spend(proof.nodes)
        return proof

    def _info(self, aim: Aim) -> InfoSet:
        if aim.tricks not in self._infos:
            rules = self.rules.counting_tricks() if aim.tricks else self.rules
            self._infos[aim.tricks] = InfoSet.from_view(self.view, rules, self.knowledge)
        return self._infos[aim.tricks]

    @property
    def nodes(self) -> int:
        """Positions entered so far."""
        return self.budget.spent
