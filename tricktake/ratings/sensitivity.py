"""The spread of the ratings by parameters: the table of ELO-27."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from attrs import evolve, frozen

from tricktake.arrays import FloatArray
from tricktake.ratings.proportional import Proportional
from tricktake.ratings.results import Results

KS = (0.01, 0.02, 0.04, 0.08)
FROM_TOP = (10, 25, 75, 90)  # percent
COLUMNS = ("luck", "K", "max", "mean", "min", *(f"{q} %" for q in FROM_TOP), "volatility")


@frozen
class Spread:
    """The ratings after all series. top: quantiles counted from the top, as ``FROM_TOP``.

    volatility: mean over the players of the standard deviation of one step of their rating.
    """

    luck: tuple[str, ...]
    k: float
    highest: float
    mean: float
    lowest: float
    top: tuple[float, ...]
    volatility: float

    def as_row(self) -> dict[str, Any]:
        return {
            "luck": list(self.luck),
            "k": self.k,
            "max": self.highest,
            "mean": self.mean,
            "min": self.lowest,
            "top": dict(zip(map(str, FROM_TOP), self.top, strict=True)),
            "volatility": self.volatility,
        }

    def cells(self) -> tuple[str, ...]:
        numbers = (self.highest, self.mean, self.lowest, *self.top)
        return (" ".join(self.luck) or "none", f"{self.k:g}", *(f"{x:.2f}" for x in numbers), f"{self.volatility:.3f}")


def steps(results: Results, curve: FloatArray, player: int, start: float) -> FloatArray:
    """The changes of a player's rating, one per series."""
    where = results.players == player
    return np.diff(np.concatenate([[start], curve[where]]))


def spread(results: Results, luck: tuple[str, ...], system: Proportional) -> Spread:
    """The spread under one system."""
    ratings, curve = system.curves(results)
    final = ratings.rating[ratings.seen[:, 0] > 0, 0]
    noise = [steps(results, curve, p, system.start).std() for p in range(len(ratings)) if ratings.seen[p, 0] > 1]
    top = np.quantile(final, [1 - q / 100 for q in FROM_TOP])
    return Spread(
        luck,
        system.k,
        float(final.max()),
        float(final.mean()),
        float(final.min()),
        tuple(map(float, top)),
        float(np.mean(noise)) if noise else float("nan"),
    )


def sensitivity(
    settings: Mapping[tuple[str, ...], Results], ks: Sequence[float] = KS, system: Proportional | None = None
) -> list[Spread]:
    """The spread for every correction for luck (with its results) and every K."""
    base = system or Proportional()
    return [spread(results, luck, evolve(base, k=k)) for luck, results in settings.items() for k in ks]
