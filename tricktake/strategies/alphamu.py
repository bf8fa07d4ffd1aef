"""alpha-mu as a player: PIMC that looks ahead over some own decisions without seeing the cards (GAP-12)."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from attrs import field, frozen

from tricktake.search.alphamu import alpha_mu, best_count
from tricktake.search.limit import Limit
from tricktake.strategies.choice import Choice
from tricktake.strategies.options import check_number
from tricktake.strategies.recommend import Recommendation, Situation, recommend_card
from tricktake.strategies.sampling import Sampling

M = 2
WORLDS = 10  # (GAP-1)


@frozen(kw_only=True)
class AlphaMu(Sampling):
    """The card with the vector that wins in most worlds; ties as in PIMC, which this is with ``m`` = 1.

    m: own decisions looked ahead, as far as a limit on nodes allows. worlds, opening, tricks, belief, factor: as in
    PIMC. Goals without a threshold are left to PIMC's mean.
    """

    name: ClassVar[str] = "alpha-mu"

    m: int = field(default=M, validator=check_number)
    worlds: int = field(default=WORLDS, validator=check_number)

    def recommend(self, situation: Situation, limit: Limit, rng: np.random.Generator) -> Recommendation:
        """The same as a member of an ensemble; the opening is the ensemble's."""
        return self.best(situation, limit, rng)

    def best(self, situation: Situation, limit: Limit, rng: np.random.Generator) -> Recommendation:
        if forced := situation.forced(self.name):
            return forced
        number = limit.at_most_worlds(self.worlds)
        valuation = situation.some(number, rng, self.belief, self.factor)
        choice = Choice(situation, valuation, limit)
        if situation.goal.met(0) is None:
            card, said, share = choice.by_value("mean")
            return recommend_card(situation, card, self.name, said, share)
        found = alpha_mu(situation.view, valuation.worlds, self.m, limit)
        situation.spend(found.nodes)
        counts = np.array([best_count(found.cards[card], valuation.weights) for card in valuation.cards])
        card, said, share = choice.most_wins(counts)
        return recommend_card(situation, card, self.name, f"{said}, {found.m} decisions deep", share)
