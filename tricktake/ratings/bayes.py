"""A Bayesian rating for comparison: Plackett-Luce of the package openskill (Weng and Lin 2011), by places only."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from attrs import evolve, field, frozen

from tricktake.arrays import FloatArray
from tricktake.errors import InputError
from tricktake.ratings.ratings import Ratings
from tricktake.ratings.results import Results
from tricktake.ratings.system import System, number


@frozen
class OpenSkill(System):
    """The mean ``mu`` of a normal distribution of each player's skill, with its standard deviation.

    sigma: of a new player. beta: the difference in skill that makes a win probable. tau: the increase of sigma in
    every series. The defaults are openskill's (25, 25/3, 25/6, 25/300); only who beat whom counts. There is no
    bootstrap: errors are the model's own sigmas. A short series counts as a full one. Needs the extra ``ratings``.
    """

    name: ClassVar[str] = "openskill"
    bootstraps: ClassVar[bool] = False

    start: float = field(default=25.0, kw_only=True, validator=number())
    sigma: float = field(default=25 / 3, validator=number(0.0, above=True))
    beta: float = field(default=25 / 6, validator=number(0.0, above=True))
    tau: float = field(default=25 / 300, validator=number(0.0))

    def rate(self, ratings: Ratings, results: Results, curve: FloatArray | None = None) -> Ratings:
        if ratings.replicates:
            raise InputError(None, None, "bootstrap", f"{self.name} has none: its deviations are its own")
        model = _models().PlackettLuce(mu=self.start, sigma=self.sigma, beta=self.beta, tau=self.tau)
        known = ratings.known(results.names, self.start, self.sigma).counted(results)
        rating, seen, deviation = known.rating.copy(), known.seen.copy(), known.deviation
        assert deviation is not None
        deviation = deviation.copy()
        for t in range(len(results)):
            seats = np.flatnonzero(results.players[t] >= 0)
            who = results.players[t, seats]
            seen[who, 0] += results.games[t] / results.length
            if len(who) > 1:
                teams = [[model.create_rating([rating[i, 0], deviation[i]])] for i in who.tolist()]
                rated = model.rate(teams, scores=results.scores[t, seats].tolist())
                for player, (new,) in zip(who.tolist(), rated, strict=True):
                    rating[player, 0], deviation[player] = new.mu, new.sigma
            if curve is not None:
                curve[t, seats] = rating[who, 0]
        return evolve(known, rating=rating, seen=seen, deviation=deviation)


def _models() -> Any:
    try:
        from openskill import models
    except ImportError:
        raise InputError(None, None, "system", "openskill is not installed: install tricktake[ratings]") from None
    return models
