"""The choice of a card by what every legal card is worth in many worlds."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from tricktake.arrays import BoolArray, FloatArray, IntArray
from tricktake.rules import GoalKind
from tricktake.search.limit import Budget, Limit
from tricktake.search.valuation import Valuation
from tricktake.strategies.recommend import Situation

Decide = Literal["vote", "mean", "win"]
EXACT = 6  # cards in hand up to which ties in wins are broken by exact values
MANY = 200  # worlds up to which these are asked at once; of more, only for ties, and in so many
STEP = 12  # with more cards a tie is broken by asking for this part of all cost more, or less


class Choice:
    """The choice of a card over a valuation. Methods give the card, why, and the share of worlds for it.

    answered: the share of the worlds in which the first question was answered within the limit; 1 before it is asked.
    """

    def __init__(self, situation: Situation, valuation: Valuation, limit: Limit) -> None:
        self.situation = situation
        self.rules = situation.rules
        self.goal = situation.goal
        self.valuation = valuation
        self.cards = valuation.cards
        self.budget = Budget.of(limit)
        self.missing = 0
        self.answered = 1.0
        self._asked = False

    def by_value(self, by: Decide) -> tuple[int, str, float]:
        """Decide by "mean" or "vote" over exact values."""
        low, high, weights = self._bounds(None)
        values = self.goal.sense * (low + high) / 2
        mean = weights @ values / weights.sum()
        votes = weights @ (values == values.max(axis=1, keepdims=True))
        best = self._choice(votes if by == "vote" else mean, mean)
        share = float(votes[best] / weights.sum())
        of = of_worlds(weights)
        said = [f"best in {tally(votes[best], weights)} {of}"] if by == "vote" else []
        if self.goal.met(0) is not None and self.goal.kind is not GoalKind.EXACTLY:
            wins = weights @ self._met(low, high)
            share = float(wins[best] / weights.sum())
            said.append(f"wins in {tally(wins[best], weights)}" + ("" if said else f" {of}"))
        elif not said:
            said.append(of.replace("of", "over", 1))
        said.append(f"mean {self.goal.sense * mean[best]:.1f}")
        return self._result(best, said, share)

    def most_wins(self, counted: FloatArray | None = None) -> tuple[int, str, float]:
        """The card that reaches the goal in most worlds.

        counted: the weight of the worlds each card wins, if another search counted them.
        """
        if self.goal.kind is GoalKind.EXACTLY:
            won, known = self.valuation.met(self.budget.timed())
            rows = known if known.any() else np.ones(len(won), bool)
            weights = self._weights(rows)
            wins = weights @ won[rows] if counted is None else counted
            best = self._choice(wins, np.zeros(len(self.cards)))
            return self._won(best, wins, weights, [])
        exact = self.situation.view.hand_mask.bit_count() <= EXACT
        few = len(self.valuation) <= MANY
        low, high, weights = self._bounds(None if exact and few else self._threshold(self.goal.n))
        wins = weights @ self._met(low, high) if counted is None else counted
        if exact and few:
            return self._by_mean(wins, weights, low, high, weights)
        if (np.round(wins, 6) == round(float(wins.max()), 6)).sum() == 1:
            return self._won(int(wins.argmax()), wins, weights, [])
        if exact:
            self.valuation = self.valuation.few(MANY)
            return self._by_mean(wins, weights, *self._bounds(None))
        sign = self.goal.sense if 2 * wins.max() >= weights.sum() else -self.goal.sense
        n = self.goal.n + sign * self._stride()
        low, high, more = self._bounds(self._threshold(n))
        reached = more @ (low >= n if self.goal.sense > 0 else high <= n)
        best = self._choice(wins, reached)
        verb = "reaches" if self.goal.sense > 0 else "keeps to"
        return self._won(best, wins, weights, [f"{verb} {n} in {tally(reached[best], more)}"])

    def _by_mean(
        self, wins: FloatArray, weights: FloatArray, low: IntArray, high: IntArray, others: FloatArray
    ) -> tuple[int, str, float]:
        """Ties in wins broken by the mean over worlds of other weights."""
        mean = others @ ((low + high) / 2) / others.sum()
        best = self._choice(wins, self.goal.sense * mean)
        return self._won(best, wins, weights, [f"mean {mean[best]:.1f}"])

    def _won(self, best: int, wins: FloatArray, weights: FloatArray, more: list[str]) -> tuple[int, str, float]:
        said = f"wins in {tally(wins[best], weights)} {of_worlds(weights)}"
        return self._result(best, [said, *more], float(wins[best] / weights.sum()))

    def _result(self, best: int, said: list[str], share: float) -> tuple[int, str, float]:
        if self.missing:
            said = [*said, f"{self.missing} worlds beyond the limit"]
        return self.cards[best], ", ".join(said), share

    def _threshold(self, n: int) -> int:
        """What to ask for: a side that avoids cost fails with one more."""
        return n if self.goal.sense > 0 else n + 1

    def _stride(self) -> int:
        """How much more, or less, the question after a tie asks for."""
        view, rules = self.situation.view, self.rules
        size = max(view.sizes[: rules.seats]) + len(view.tricks)
        return max(1, (sum(map(abs, rules.card_cost)) + abs(rules.trick_cost) * size) // STEP)

    def _bounds(self, threshold: int | None) -> tuple[IntArray, IntArray, FloatArray]:
        """Bounds on the cost of the own side, (worlds, cards): exact, or just on one side of the threshold. And the
        weights of these worlds.
        """
        found = self.valuation.bounds(threshold, self.budget.timed())
        if not self._asked:
            self._asked, self.answered = True, float(found.known.mean())
        rows = found.usable
        return found.low[rows], found.high[rows], self._weights(rows)

    def _weights(self, rows: BoolArray) -> FloatArray:
        """The weights of some worlds; all alike if the belief rules out every one of them."""
        self.missing = max(self.missing, int((~rows).sum()))
        weights = self.valuation.weights[rows]
        return weights if weights.any() else np.ones(len(weights))

    def _met(self, low: IntArray, high: IntArray) -> BoolArray:
        """Whether the goal is surely reached."""
        return low >= self.goal.n if self.goal.sense > 0 else high <= self.goal.n

    def _choice(self, first: NDArray, second: NDArray) -> int:
        # Equal means of different sums differ in the last bits.
        order = [
            (round(float(first[i]), 6), round(float(second[i]), 6), -self.rules.card_cost[card], -i)
            for i, card in enumerate(self.cards)
        ]
        return order.index(max(order))


def tally(votes: float, weights: FloatArray) -> str:
    """Votes among weighted worlds: a number if worlds were counted, else a percentage."""
    return f"{votes:.0f}" if _counted(weights) else f"{votes / weights.sum():.0%}"


def of_worlds(weights: FloatArray) -> str:
    """The worlds that voted: ``of 40 worlds``, ``of 252 weighed worlds``."""
    return f"of {weights.sum():.0f} worlds" if _counted(weights) else f"of {len(weights)} weighed worlds"


def _counted(weights: FloatArray) -> bool:
    return bool((weights == np.rint(weights)).all())
