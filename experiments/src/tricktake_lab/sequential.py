"""How often the sequential test of tournaments errs, and how many deals it takes."""

from __future__ import annotations

import math

import numpy as np
from attrs import frozen
from numpy.typing import NDArray
from scipy import stats

from tricktake.errors import UnknownName
from tricktake.tournament.sequential import Until, Walk
from tricktake_lab.experiment import experiment
from tricktake_lab.outcome import Outcome, Sheet, mean_of, share_of

FloatArray = NDArray[np.float64]

BLOCK = 200  # differences drawn at a time


@frozen
class Shape:
    """Differences of deals: values and their chances; none for the normal distribution."""

    values: tuple[float, ...] = ()
    chances: tuple[float, ...] = ()

    def draw(self, mean: float, n: int, rng: np.random.Generator) -> FloatArray:
        """So many differences of variance near 1 and this mean; a deal that makes no difference is left at 0."""
        if not self.values:
            return rng.normal(mean, 1.0, n)
        values, chances = np.array(self.values), np.array(self.chances)
        centre = values @ chances
        moved = np.where(values != 0, values - centre / chances[values != 0].sum(), 0.0)
        moved /= math.sqrt(moved**2 @ chances)
        moved = np.where(values != 0, moved + mean / chances[values != 0].sum(), 0.0)
        return moved[rng.choice(len(values), n, p=chances)]


SHAPES = {
    "normal": Shape(),
    "lumpy": Shape((0, -4, -2, -1, 1, 2, 4), (0.7, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05)),
    "rare": Shape((0, -1, 1), (0.95, 0.0125, 0.0375)),
    "skewed": Shape((0, -1, 8), (0.7, 0.26, 0.04)),
    "very-skewed": Shape((0, -1, 20), (0.7, 0.28, 0.02)),
}


def fixed_size(ratio: float, alpha: float, beta: float) -> float:
    """Deals of a test of the same errors that looks once, for a difference of so many standard deviations."""
    return float(((stats.norm.isf(alpha) + stats.norm.isf(beta)) / ratio) ** 2)


def walks(shape: Shape, mean: float, until: Until, number: int, rng: np.random.Generator) -> list[Walk]:
    """So many tests, each until it has decided."""
    found = []
    for _ in range(number):
        walk = Walk(until)
        while walk.answer is None:
            for difference in shape.draw(mean, BLOCK, rng).tolist():
                walk.add(difference)
        found.append(walk)
    return found


@experiment(
    "tournament.sequential",
    "docs/results.md, Sequential tests",
    20261122,
    smoke={"number": 10, "ratios": (0.4,), "shapes": ("normal", "lumpy")},
    small={"number": 200, "ratios": (0.2, 0.4), "shapes": tuple(SHAPES)},
    paper={"number": 400, "ratios": (0.1, 0.2, 0.4), "shapes": tuple(SHAPES)},
)
def sequential(
    seed: int, number: int, ratios: tuple[float, ...], shapes: tuple[str, ...], alpha: float = 0.05, beta: float = 0.05
) -> Outcome:
    """Error rates and deals of ``tournament --until``; ratio: delta in standard deviations of a deal's difference."""
    rows = []
    for name in shapes:
        if name not in SHAPES:
            raise UnknownName("shape", name, SHAPES)
        for ratio in ratios:
            until = Until("a", "b", 0.0, ratio, alpha, beta)
            rng = np.random.default_rng([seed, list(SHAPES).index(name), round(1000 * ratio)])
            null, half, other = (walks(SHAPES[name], ratio * part, until, number, rng) for part in (0.0, 0.5, 1.0))
            rows.append(
                (
                    name,
                    ratio,
                    share_of([walk.answer is True for walk in null]),
                    share_of([walk.answer is False for walk in other]),
                    *(mean_of([walk.deals for walk in found], digits=0) for found in (null, half, other)),
                    round(fixed_size(ratio, alpha, beta)),
                )
            )
    columns = ("differences", "delta/sd", "wrong yes", "wrong no", "deals at 0", "at delta/2", "at delta", "fixed size")
    return Outcome((Sheet.of(f"alpha {alpha:g}, beta {beta:g}, {number} tests a cell", columns, rows),))
