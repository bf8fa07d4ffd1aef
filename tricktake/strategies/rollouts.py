"""Rollouts of a policy: sampled worlds in which every card is played out as a small network would (docs/policies.md).

PIMC (KERMIT-13) with games of the policy instead of open-card values: nobody sees the hidden cards, so nobody's plan
rests on them. Rollouts of a base policy: Tesauro and Galperin 1996.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from tricktake import worlds
from tricktake.belief import FACTOR, Belief, draw, find_belief, weights
from tricktake.errors import InputError
from tricktake.policy.policy import Policy
from tricktake.policy.positions import Batch
from tricktake.policy.rollouts import Rolled, in_worlds, roll_out
from tricktake.rules import GoalKind
from tricktake.search.limit import Budget, Limit
from tricktake.strategies.choice import of_worlds, tally
from tricktake.strategies.options import check_count, check_number, check_share
from tricktake.strategies.policy import check_heat, find_policy
from tricktake.strategies.recommend import Member, Recommendation, Situation, recommend_card

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]

WORLDS = 100
SLICE = 20  # worlds played out between two looks at the clock
PRUNE = 0.0  # cards the policy plays more seldom than this are not tried
PRIOR = 0.0  # what a nat of the policy's opinion counts, as a share of the range of results
LEAST = 1e-9  # of a chance, so that its logarithm is a number


@frozen
class Rollouts(Member):
    """Sample worlds, play every card out in each as the policy would for all seats, and choose by what it gains.

    policy: a registered name or a file; contracts it has not learned get no recommendation. worlds: how many; all of
    them, once each, if there are no more. belief, factor: as for ``core:pimc``. heat: temperature of the policy in the
    rollouts. solve: with so many cards in a hand the rest is solved with open cards. prune: cards the policy itself
    plays more seldom than this are left out. prior: how much the policy's own opinion counts besides.

    A limit on nodes bounds the cards that are played in all rollouts together; seconds are looked at between slices of
    worlds.
    """

    name: ClassVar[str] = "rollouts"

    policy: Policy = field(converter=find_policy)
    worlds: int = field(default=WORLDS, validator=check_number)
    belief: Belief | None = field(default=None, converter=find_belief)
    factor: int = field(default=FACTOR, validator=check_number)
    heat: float = field(default=0.0, validator=check_heat)
    solve: int = field(default=0, validator=check_count)
    prune: float = field(default=PRUNE, validator=check_share)
    prior: float = field(default=PRIOR, validator=check_share)

    def recommend(self, situation: Situation, limit: Limit, rng: np.random.Generator) -> Recommendation | None:
        if not self.policy.knows(situation.view):
            return None
        if forced := situation.forced(self.name):
            return forced
        budget = Budget.of(limit)
        chances = self.policy.chances(situation.view)
        cards = tuple(card for card in situation.cards if chances[card] >= self.prune * max(chances.values()))
        if len(cards) == 1:
            return recommend_card(situation, cards[0], self.name, f"is {chances[cards[0]]:.0%} of the policy's plays")
        rows, counts = self._worlds(situation, limit, rng, len(cards))
        games = in_worlds(situation.view, rows)
        rolled = self._rolled(situation, games, cards, budget, rng)
        counts = counts[: len(rolled.gains)] if counts[: len(rolled.gains)].any() else np.ones(len(rolled.gains))
        mean = counts @ rolled.gains / counts.sum()
        nat = self.prior * float(np.nanmax(games[0].worth) - np.nanmin(games[0].worth))
        score = mean + nat * np.log([max(chances[card], LEAST) for card in cards])
        best = max(range(len(cards)), key=lambda i: (round(float(score[i]), 6), chances[cards[i]], -cards[i]))
        won = counts @ self._met(situation, rolled)
        said = [f"gains {mean[best]:.2f}{self._won(situation, won[best], counts)}"]
        other = max((i for i in range(len(cards)) if i != best), key=lambda i: float(score[i]))
        said.append(f"{chances[cards[best]]:.0%} of the policy's plays")
        said.append(f"{situation.name(cards[other])} gains {mean[other]:.2f}, {chances[cards[other]]:.0%}")
        return recommend_card(situation, cards[best], self.name, ", ".join(said), float(won[best] / counts.sum()))

    def _worlds(
        self, situation: Situation, limit: Limit, rng: np.random.Generator, cards: int
    ) -> tuple[IntArray, FloatArray]:
        """Worlds and how much each counts: all of them if there are few, else drawn ones."""
        view, number = situation.view, limit.at_most_worlds(self.worlds)
        if limit.nodes is not None:
            number = max(1, min(number, limit.nodes // (sum(view.sizes[: situation.rules.seats]) * cards)))
        if situation.world_count > number:
            return draw(situation.knowledge, view, number, rng, self.belief, self.factor)
        rows = worlds.enumerate(situation.knowledge)
        return rows, np.ones(len(rows)) if self.belief is None else weights(self.belief, view, rows)

    def _rolled(
        self,
        situation: Situation,
        games: tuple[Batch, IntArray],
        cards: tuple[int, ...],
        budget: Budget,
        rng: np.random.Generator,
    ) -> Rolled:
        """Slices of worlds played out until the time is over; nodes are cards played, at most."""
        view, (batch, played) = situation.view, games
        family = self.policy.family_of(batch.encoding.key)
        assert family is not None
        parts = []
        for start in range(0, len(batch), SLICE):
            if start and budget.late:
                break
            part = batch.chosen(slice(start, start + SLICE))
            parts.append(roll_out(family, view, (part, played), cards, rng, heat=self.heat, last=self.solve))
            situation.spend(len(part) * len(cards) * sum(view.sizes[: situation.rules.seats]))
        return Rolled(np.concatenate([p.gains for p in parts]), np.concatenate([p.costs for p in parts]))

    def _met(self, situation: Situation, rolled: Rolled) -> NDArray[np.bool_]:
        """Where the goal of the own side was reached."""
        n = situation.goal.n
        match situation.goal.kind:
            case GoalKind.AT_LEAST:
                return rolled.costs >= n
            case GoalKind.AT_MOST:
                return rolled.costs <= n
            case GoalKind.EXACTLY:
                return rolled.costs == n
            case _:
                return np.zeros(rolled.costs.shape, bool)

    def _won(self, situation: Situation, won: float, counts: FloatArray) -> str:
        """In how many worlds the card wins, as words, where there is something to win."""
        if situation.goal.met(0) is None:
            return of_worlds(counts).replace("of", " over", 1)
        return f", wins in {tally(won, counts)} {of_worlds(counts)}"


def rollouts_part(**options: Any) -> Rollouts:
    """The strategy ``core:rollouts``. Raises InputError without the name of a policy."""
    if "policy" not in options:
        raise InputError(None, None, "policy", "name a policy: core:rollouts(policy=NAME or FILE)")
    return Rollouts(**options)
