"""Perfect information Monte Carlo: deal the hidden cards many times, solve each world open-card, decide over them.

KERMIT-13. For every game: in games without teams the other seats are taken as one coalition against this one.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from attrs import field, frozen

from tricktake.search.limit import Limit
from tricktake.strategies.choice import Choice, Decide
from tricktake.strategies.options import check_number, one_of
from tricktake.strategies.recommend import Recommendation, Situation, recommend_card
from tricktake.strategies.sampling import Sampling

WORLDS = 20  # Kermit gains little beyond 160 (GAP-1)
ENOUGH = 0.5  # share of the worlds that must be answered for a recommendation (docs/results.md, Ensemble)


@frozen(kw_only=True)
class Pimc(Sampling):
    """Sample worlds from what is known, value every legal card in each with the open-card solver, and choose.

    worlds: how many; all of them, once each, if there are no more. A limit on worlds can only lower it.
    decide: "vote", the card that is best in most worlds (KERMIT-13); "mean", the best average cost for the own side;
    "win", the card that reaches the goal of the own side in most worlds ("mean" if the goal has no threshold).
    Ties of "vote" go to the higher mean, those of "win" to the higher mean if few cards are left and else to the card
    that most often reaches somewhat more (or less, if the goal is mostly out of reach); the last ones to the card of
    lower cost, then to the lower card.
    opening: a strategy that plays the first ``tricks`` tricks, which are the dear ones.
    belief: how likely worlds are; ``factor`` times as many are drawn, weighed and resampled (KERMIT-17), or if all are
    taken their votes are weighed.

    A limit on nodes is shared out evenly among the worlds. Worlds without an answer within it are left out; if there
    are none left, the bounds that were proven decide.
    """

    name: ClassVar[str] = "pimc"

    worlds: int = field(default=WORLDS, validator=check_number)
    decide_by: Decide = field(default="win", validator=one_of(Decide), alias="decide")

    def best(self, situation: Situation, limit: Limit, rng: np.random.Generator) -> Recommendation:
        """However few worlds were answered."""
        found, _ = self._found(situation, limit, rng)
        return found

    def recommend(self, situation: Situation, limit: Limit, rng: np.random.Generator) -> Recommendation | None:
        """The same as a member of an ensemble; the opening is the ensemble's.

        None if the limit left too few worlds answered (``ENOUGH``): what is left are the easy ones.
        """
        found, answered = self._found(situation, limit, rng)
        return found if answered >= ENOUGH else None

    def _found(self, situation: Situation, limit: Limit, rng: np.random.Generator) -> tuple[Recommendation, float]:
        """A card, and the share of the worlds that were answered."""
        if forced := situation.forced(self.name):
            return forced, 1.0
        number = limit.at_most_worlds(self.worlds)
        choice = Choice(situation, situation.some(number, rng, self.belief, self.factor), limit)
        if self.decide_by == "win" and situation.goal.met(0) is not None:
            card, said, share = choice.most_wins()
        else:
            card, said, share = choice.by_value(self.decide_by)
        return recommend_card(situation, card, self.name, said, share), choice.answered
