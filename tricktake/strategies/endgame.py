"""Endgame cards: all worlds that fit are listed and solved, and vote (GAP-9, KBPS-2)."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np
from attrs import field, frozen

from tricktake.arrays import FloatArray
from tricktake.belief import Belief, find_belief
from tricktake.search.limit import Budget, Limit
from tricktake.search.valuation import Valuation
from tricktake.strategies.choice import Choice, of_worlds
from tricktake.strategies.options import check_number, check_share, one_of
from tricktake.strategies.recommend import Member, Recommendation, Situation, recommend_card

Vote = Literal["wins", "points"]
CAP = 20_000  # worlds; a defender of Skat has 16,632 at most after five tricks (GAP-1)
CONFIDENCE = 0.90  # (GAP-1)
MET = 10  # what reaching the goal counts beside points (GAP-9)
NODES = 300_000  # a tenth of a second; a sample of worlds finds as good a card for less (docs/results.md)
PROBE = 64  # worlds that are solved first, to see what the others would cost and whether it is worth it
SHORT = 0.2  # if the best card falls short of the confidence by so much in these, the others are not asked (3 sigma)


@frozen
class Endgame(Member):
    """Lists all worlds and plays the card of which they are sure enough.

    worlds: no vote if there are more. confidence: share of the vote that decides. nodes: no vote if it would cost more;
    it is estimated from a few worlds. belief: weighs the worlds.
    vote: "wins", a world votes for every card that reaches the goal in it (without a threshold, for its best cards),
    and ties go to the best mean; "points", a world votes for its best card, with the cost that this brings the own
    side, and ten more if the goal is reached (GAP-9).
    """

    name: ClassVar[str] = "endgame"

    worlds: int = field(default=CAP, validator=check_number)
    confidence: float = field(default=CONFIDENCE, validator=check_share)
    vote: Vote = field(default="wins", validator=one_of(Vote))
    nodes: int = field(default=NODES, validator=check_number)
    belief: Belief | None = field(default=None, converter=find_belief)

    def recommend(self, situation: Situation, limit: Limit, rng: np.random.Generator) -> Recommendation | None:
        if forced := situation.forced(self.name):
            return forced
        limit = limit.at_most_nodes(self.nodes)
        budget = Budget.of(limit)
        exact = self.vote == "points" or situation.goal.met(0) is None
        whole = affordable(situation, self.worlds, limit, self.belief, exact=exact, worth=self.confidence - SHORT)
        if whole is None:
            return None
        choice = Choice(situation, whole, budget.timed())
        if self.vote == "points":
            votes = points(whole, budget.timed())
            best = int(votes.argmax())
            share = float(votes[best] / votes.sum()) if votes.sum() else 0.0
            card, said = whole.cards[best], f"gets {share:.0%} of the points {of_worlds(whole.weights)} vote with"
        elif situation.goal.met(0) is None:
            card, said, share = choice.by_value("vote")
        else:
            card, said, share = choice.most_wins()
        return recommend_card(situation, card, self.name, said, share) if share >= self.confidence else None


def affordable(
    situation: Situation, cap: int, limit: Limit, belief: Belief | None, *, exact: bool, worth: float = 0.0
) -> Valuation | None:
    """All worlds, solved; None if there are more than ``cap``, or solving them would break the limit, or some worlds
    say that the best card is far from good enough (``worth``: the share of them it has to win).
    """
    cap = limit.at_most_worlds(cap)
    started = Budget.of(limit)
    whole = situation.whole(cap, belief)
    if whole is None:
        return None

    def asked(valuation: Valuation) -> object:
        return valuation.bounds(None, started.timed()) if exact else valuation.met(started.timed())

    if not whole.asked and len(whole) > PROBE:
        budget = Budget.of(started.timed())
        probe = situation.probe(PROBE, belief)
        asked(probe)
        if not budget.affords(probe.nodes, len(whole) / len(probe)):
            return None
        if worth > 0 and not exact and _share(probe, limit) < worth:
            return None
    asked(whole)
    return whole


def points(valuation: Valuation, limit: Limit) -> FloatArray:
    """The vote for each card (GAP-9): every world gives its best card the cost it brings the own side, and ten more if
    the goal is reached. Sides that avoid cost count how much less they get than in the worst case.
    """
    found = valuation.bounds(None, limit)
    rows, goal = found.usable, valuation.goal
    values = (found.low[rows] + found.high[rows]) / 2
    gain = np.maximum(values, 0) if goal.sense > 0 else values.max(initial=0) - values
    best = (goal.sense * values).argmax(axis=1)
    each = np.arange(len(values))
    gain = gain[each, best] + MET * np.array([bool(goal.met(value)) for value in values[each, best]])
    votes = np.zeros(len(valuation.cards))
    np.add.at(votes, best, gain * valuation.weights[rows])
    return votes


def _share(valuation: Valuation, limit: Limit) -> float:
    """The share of the worlds that the best card wins."""
    won, known = valuation.met(limit)
    weights = valuation.weights * known
    return float((weights @ won).max() / weights.sum()) if weights.any() else 0.0
