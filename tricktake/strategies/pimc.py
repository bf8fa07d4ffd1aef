"""Perfect information Monte Carlo: deal the hidden cards many times, solve each world open-card, decide over them.

KERMIT-13. For every game: in games without teams the other seats are taken as one coalition against this one.
"""

from __future__ import annotations

from typing import ClassVar, Literal, get_args

import numpy as np
from attrs import Attribute, field, frozen
from numpy.typing import NDArray

from tricktake.belief import FACTOR, Belief, find_belief
from tricktake.errors import InputError
from tricktake.rules import GoalKind
from tricktake.search.limit import Limit
from tricktake.search.valuation import BoolArray, FloatArray, IntArray, Valuation
from tricktake.strategies.part import Decision, Part
from tricktake.strategies.player import PartSpec, roles_of
from tricktake.strategies.recommend import Recommendation, Situation, recommend_card
from tricktake.view import View

Decide = Literal["vote", "mean", "win"]
WORLDS = 20  # Kermit gains little beyond 160 (SPEC 2.1)
OPENING = 2  # tricks left to the opening part: they cost about ten times the rest (docs/strategies.md)
EXACT = 6  # cards in hand up to which "win" asks for exact values, and breaks ties by them
STEP = 12  # that question asks for this part of all cost more, or less


def _check_decide(instance: object, attribute: object, value: str) -> None:
    if value not in get_args(Decide):
        raise InputError(None, None, "decide", f"must be one of {', '.join(get_args(Decide))}, not {value!r}")


def check_number(instance: object, attribute: Attribute[int], value: int) -> None:
    """A validator of whole numbers above 0."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise InputError(None, None, attribute.name, f"must be a whole number above 0, not {value!r}")


def _part(text: object) -> Part | None:
    """The part that plays the opening. Raises InputError if it plays no cards, UnknownName."""
    if text is None:
        return None
    if not isinstance(text, str):
        raise InputError(None, None, "opening", f"must be the name of a part, not {text!r}")
    part = PartSpec.from_text(text, "opening").make()
    if "play" not in roles_of(part):
        raise InputError(None, None, "opening", f"{text} plays no cards")
    return part


@frozen
class Pimc:
    """Sample worlds from what is known, value every legal card in each with the open-card solver, and choose.

    worlds: how many; all of them, once each, if there are no more. A limit on worlds can only lower it.
    decide: "vote", the card that is best in most worlds (KERMIT-13); "mean", the best average cost for the own side;
    "win", the card that reaches the goal of the own side in most worlds ("mean" if the goal has no threshold).
    Ties of "vote" go to the higher mean, those of "win" to the higher mean if few cards are left and else to the card
    that most often reaches somewhat more (or less, if the goal is mostly out of reach); the last ones to the card of
    lower cost, then to the lower card.
    opening: a part that plays the first ``tricks`` tricks, which are the dear ones.
    belief: how likely worlds are; ``factor`` times as many are drawn, weighed and resampled (KERMIT-17), or if all are
    taken their votes are weighed.

    A limit on nodes is shared out evenly among the worlds. Worlds without an answer within it are left out; if there
    are none left, the bounds that were proven decide.
    """

    roles: ClassVar[tuple[str, ...]] = ("play",)
    name: ClassVar[str] = "pimc"

    worlds: int = field(default=WORLDS, validator=check_number)
    decide_by: Decide = field(default="win", validator=_check_decide, alias="decide")
    opening: Part | None = field(default=None, converter=_part)
    tricks: int = field(default=OPENING, validator=check_number)
    belief: Belief | None = field(default=None, converter=find_belief)
    factor: int = field(default=FACTOR, validator=check_number)

    def decide(self, view: View, limit: Limit, rng: np.random.Generator) -> Decision:
        """Raises ValueError for a view in which no card is to be played, NoWorld if no world fits."""
        situation = Situation(view)
        if len(situation.cards) > 1 and self.opening is not None and situation.trick <= self.tricks:
            return self.opening.decide(view, limit, rng)
        found = self.recommend(situation, limit, rng)
        return Decision(found.action, found.reason)

    def recommend(self, situation: Situation, limit: Limit, rng: np.random.Generator) -> Recommendation:
        """The same as a member of an ensemble; the opening is the ensemble's."""
        if forced := situation.forced(self.name):
            return forced
        number = min(self.worlds, limit.worlds or self.worlds)
        choice = Choice(situation, situation.some(number, rng, self.belief, self.factor), limit)
        if self.decide_by == "win" and situation.goal.met(0) is not None:
            card, said, share = choice.most_wins()
        else:
            card, said, share = choice.by_value(self.decide_by)
        return recommend_card(situation, card, self.name, said, share)


class Choice:
    """The choice of a card over a valuation. Methods give the card, why, and the share of worlds for it."""

    def __init__(self, situation: Situation, valuation: Valuation, limit: Limit) -> None:
        self.situation = situation
        self.rules = situation.rules
        self.goal = situation.goal
        self.valuation = valuation
        self.cards = valuation.cards
        self.limit = limit
        self.answered = len(valuation)

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

    def most_wins(self) -> tuple[int, str, float]:
        """The card that reaches the goal in most worlds."""
        if self.goal.kind is GoalKind.EXACTLY:
            won, known = self.valuation.met(self.limit)
            rows = known if known.any() else np.ones(len(won), bool)
            weights = self._weights(rows)
            wins = weights @ won[rows]
            best = self._choice(wins, np.zeros(len(self.cards)))
            return self._won(best, wins, weights, [])
        exact = self.situation.view.hand_mask.bit_count() <= EXACT
        low, high, weights = self._bounds(None if exact else self._threshold(self.goal.n))
        wins = weights @ self._met(low, high)
        if exact:
            mean = weights @ ((low + high) / 2) / weights.sum()
            best = self._choice(wins, self.goal.sense * mean)
            return self._won(best, wins, weights, [f"mean {mean[best]:.1f}"])
        if (np.round(wins, 6) == round(float(wins.max()), 6)).sum() == 1:
            return self._won(int(wins.argmax()), wins, weights, [])
        sign = self.goal.sense if 2 * wins.max() >= weights.sum() else -self.goal.sense
        n = self.goal.n + sign * self._stride()
        low, high, more = self._bounds(self._threshold(n))
        reached = more @ (low >= n if self.goal.sense > 0 else high <= n)
        best = self._choice(wins, reached)
        verb = "reaches" if self.goal.sense > 0 else "keeps to"
        return self._won(best, wins, weights, [f"{verb} {n} in {tally(reached[best], more)}"])

    def _won(self, best: int, wins: FloatArray, weights: FloatArray, more: list[str]) -> tuple[int, str, float]:
        said = f"wins in {tally(wins[best], weights)} {of_worlds(weights)}"
        return self._result(best, [said, *more], float(wins[best] / weights.sum()))

    def _result(self, best: int, said: list[str], share: float) -> tuple[int, str, float]:
        if self.answered < len(self.valuation):
            said = [*said, f"{len(self.valuation) - self.answered} worlds beyond the limit"]
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
        found = self.valuation.bounds(threshold, self.limit)
        rows = found.usable
        return found.low[rows], found.high[rows], self._weights(rows)

    def _weights(self, rows: BoolArray) -> FloatArray:
        """The weights of some worlds; all alike if the belief rules out every one of them."""
        self.answered = min(self.answered, int(rows.sum()))
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
