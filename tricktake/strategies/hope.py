"""Hope cards: judged on the worlds alone that can still be won (GAP-10, KBPS-2)."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from attrs import field, frozen

from tricktake.belief import Belief, find_belief
from tricktake.rules import GoalKind
from tricktake.search.limit import Budget, Limit
from tricktake.strategies.choice import tally
from tricktake.strategies.endgame import CAP, NODES, affordable, points
from tricktake.strategies.options import check_number, check_share
from tricktake.strategies.recommend import Member, Recommendation, Situation, recommend_card

THRESHOLD = 0.80  # of the worlds that can still be won (GAP-1)
CHEAP = 200  # worlds in which ties are broken


@frozen
class Hope(Member):
    """The only card that can still win, or one that wins in nearly every world that can be won at all.

    worlds, nodes, belief: as for the endgame cards, whose solved worlds are used if there are any. threshold: share
    of the winnable worlds a card has to win. Ties go to the card with more points in the endgame's vote.
    """

    name: ClassVar[str] = "hope"

    worlds: int = field(default=CAP, validator=check_number)
    threshold: float = field(default=THRESHOLD, validator=check_share)
    nodes: int = field(default=NODES, validator=check_number)
    belief: Belief | None = field(default=None, converter=find_belief)

    def recommend(self, situation: Situation, limit: Limit, rng: np.random.Generator) -> Recommendation | None:
        if situation.goal.met(0) is None:
            return None
        if forced := situation.forced(self.name):
            return forced
        limit = limit.at_most_nodes(self.nodes)
        budget = Budget.of(limit)
        whole = affordable(situation, self.worlds, limit, self.belief, exact=False)
        if whole is None:
            return None
        won, known = whole.met(budget.timed())
        weights = whole.weights * known
        winnable = float(weights @ won.any(axis=1))
        if not winnable:
            return None
        wins = weights @ won
        best = int(wins.argmax())
        ties = np.flatnonzero(np.isclose(wins, wins[best]))
        if len(ties) > 1 and situation.goal.kind is not GoalKind.EXACTLY:
            votes = points(whole.few(CHEAP), budget.timed())
            best = int(ties[votes[ties].argmax()])
        share = float(wins[best] / winnable)
        of = f"of the worlds that can be won ({tally(winnable, whole.weights)} of {len(whole)})"
        if (wins > 0).sum() == 1:
            return recommend_card(situation, whole.cards[best], self.name, f"is the only card that wins any {of}")
        if share < self.threshold:
            return None
        return recommend_card(situation, whole.cards[best], self.name, f"wins {share:.0%} {of}", share)
