"""Rollouts of a policy: sampled worlds in which every card is played out as a small network would (docs/policies.md).

PIMC (KERMIT-13) with games of the policy instead of open-card values: nobody sees the hidden cards, so nobody's plan
rests on them. Rollouts of a base policy: Tesauro and Galperin 1996.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from attrs import define, field, frozen
from numpy.typing import NDArray

from tricktake.arrays import FloatArray, IntArray
from tricktake.belief import FACTOR, Belief, find_belief
from tricktake.errors import InputError
from tricktake.policy.policy import Policy
from tricktake.policy.positions import Batch
from tricktake.policy.rollouts import Rolled, in_worlds, roll_out
from tricktake.search.limit import Budget, Limit
from tricktake.strategies.choice import of_worlds, tally
from tricktake.strategies.options import check_count, check_number, check_share
from tricktake.strategies.policy import check_heat, find_policy
from tricktake.strategies.recommend import Member, Recommendation, Situation, recommend_card

WORLDS = 100
SLICE = 20  # worlds played out between two looks at the clock and at what is still worth trying
FEWEST = 40  # worlds before a card is given up
PRUNE = 0.02
RACE = 3.0
LEAST = 1e-9  # of a chance, so that its logarithm is a number


@define(eq=False)
class Race:
    """Rollouts so far, (worlds, cards); gains are NaN where a card was given up. alive: all others."""

    cards: int
    alive: NDArray[np.bool_] = field(init=False)
    gains: FloatArray = field(init=False)
    costs: IntArray = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.alive = np.ones(self.cards, bool)
        self.gains, self.costs = np.zeros((0, self.cards)), np.zeros((0, self.cards), np.int64)

    def add(self, rolled: Rolled) -> None:
        """More worlds, of the cards that are alive."""
        shape = (len(rolled.gains), self.cards)
        gains, costs = np.full(shape, np.nan), np.zeros(shape, np.int64)
        gains[:, self.alive], costs[:, self.alive] = rolled.gains, rolled.costs
        self.gains, self.costs = np.concatenate([self.gains, gains]), np.concatenate([self.costs, costs])

    def means(self, counts: FloatArray) -> FloatArray:
        """The mean gain of each card over the worlds it was tried in, which count so much."""
        tried = ~np.isnan(self.gains)
        total = counts[: len(tried)] @ tried
        found: FloatArray = counts[: len(tried)] @ np.where(tried, self.gains, 0) / np.where(total > 0, total, 1)
        return found

    def give_up(self, counts: FloatArray, errors: float) -> None:
        """Leave out the cards that are so many standard errors worse than the best, world by world."""
        counts = counts[: len(self.gains)]
        if not counts.any():
            return
        best = int(np.where(self.alive, self.means(counts), -np.inf).argmax())
        for i in np.flatnonzero(self.alive):
            less = self.gains[:, best] - self.gains[:, i]
            mean = float(counts @ less / counts.sum())
            error = float(np.sqrt((counts**2) @ (less - mean) ** 2) / counts.sum())
            if mean > errors * error:
                self.alive[i] = False


@frozen
class Rollouts(Member):
    """Sample worlds, play every card out in each as the policy would for all seats, and choose by what it gains.

    policy: a registered name or a file; contracts it has not learned get no recommendation. worlds: how many; all of
    them, once each, if there are no more. belief, factor: as for ``core:pimc``. heat: temperature of the policy in the
    rollouts. solve: with so many cards in a hand the rest is solved with open cards. prune: cards the policy plays
    less often than this share of what it plays most are not tried. race: a card is given up once it is so many standard
    errors worse than the best, 0 for never. prior: what a nat of the policy's opinion counts besides, as a share of the
    range of results; ties go to the card it plays more often.

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
    race: float = field(default=RACE, validator=check_heat)
    prior: float = field(default=0.0, validator=check_share)

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
        rolled = self._rolled(situation, games, counts, cards, budget, rng)
        mean = rolled.means(counts)
        nat = self.prior * float(np.nanmax(games[0].worth) - np.nanmin(games[0].worth))
        score = mean + nat * np.log([max(chances[card], LEAST) for card in cards])
        score[~rolled.alive] = -np.inf
        best = max(range(len(cards)), key=lambda i: (round(float(score[i]), 6), chances[cards[i]], -cards[i]))
        counts = counts[: len(rolled.gains)]
        won = float(counts @ [bool(situation.goal.met(cost)) for cost in rolled.costs[:, best]])
        said = [f"gains {mean[best]:.2f}{self._won(situation, won, counts)}"]
        other = max((i for i in range(len(cards)) if i != best), key=lambda i: float(mean[i]))
        said.append(f"{chances[cards[best]]:.0%} of the policy's plays")
        said.append(f"{situation.name(cards[other])} gains {mean[other]:.2f}, {chances[cards[other]]:.0%}")
        return recommend_card(situation, cards[best], self.name, ", ".join(said), won / float(counts.sum()))

    def _worlds(
        self, situation: Situation, limit: Limit, rng: np.random.Generator, cards: int
    ) -> tuple[IntArray, FloatArray]:
        """Worlds and how much each counts: all of them if there are few, else drawn ones."""
        view, number = situation.view, limit.at_most_worlds(self.worlds)
        if limit.nodes is not None:
            number = max(1, min(number, limit.nodes // (sum(view.sizes[: situation.rules.seats]) * cards)))
        whole = situation.whole(number, self.belief)
        if whole is None:
            rows, counts = situation.drawn(number, rng, self.belief, self.factor)
        else:
            rows, counts = whole.worlds, whole.weights
        counts = counts if counts.any() else np.ones(len(rows))
        order = rng.permutation(len(rows))  # the first ones must be like the others
        return rows[order], counts[order]

    def _rolled(
        self,
        situation: Situation,
        games: tuple[Batch, IntArray],
        counts: FloatArray,
        cards: tuple[int, ...],
        budget: Budget,
        rng: np.random.Generator,
    ) -> Race:
        """Slices of worlds played out until the time is over or one card is left; nodes are cards played, at most."""
        view, (batch, played) = situation.view, games
        family = self.policy.family_at(view)
        assert family is not None
        race = Race(len(cards))
        for start in range(0, len(batch), SLICE):
            if start and (budget.late or race.alive.sum() == 1):
                break
            part = batch.chosen(slice(start, start + SLICE))
            alive = tuple(card for card, on in zip(cards, race.alive, strict=True) if on)
            race.add(roll_out(family, view, (part, played), alive, rng, heat=self.heat, last=self.solve))
            if self.race and len(race.gains) >= FEWEST:
                race.give_up(counts, self.race)
            situation.spend(len(part) * len(alive) * sum(view.sizes[: situation.rules.seats]))
        return race

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
