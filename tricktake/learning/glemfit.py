"""How models of table features are learned: tables as means of outcomes, weights and whole tables by regression.

Two ways lead to a model (``glem``). Either the tables are means of something counted in played games (KERMIT-10), drawn
towards what a linear model of the cells says where games are few, and a few weights are found by regression. Or the
entries of all tables are weights themselves, found in one batch. Nothing is drawn: equal input, equal result.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from attrs import evolve, field, frozen

from tricktake.arrays import BoolArray, FloatArray, IntArray
from tricktake.learning.glem import Glem, Link, linked

RIDGE = 1.0  # in games: keeps weights finite where all games ended alike
STEPS = 50  # of Newton's method at most
CLOSE = 1e-10  # change of the weights at which it ends


@frozen(eq=False)
class Tally:
    """How often each cell of a table was met, (cells,), and the sums of what then happened, (cells, outcomes)."""

    games: FloatArray
    sums: FloatArray = field()

    @classmethod
    def of(cls, cells: IntArray, outcomes: FloatArray, size: int) -> Tally:
        """Of cells (n,), -1 left out, and outcomes (n, k)."""
        met = cells >= 0
        at = cells[met]
        columns = [np.bincount(at, column, size) for column in outcomes[met].T]
        return cls(np.bincount(at, minlength=size).astype(np.float64), np.stack(columns, axis=1))

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.games + other.games, self.sums + other.sums)

    def background(self, design: FloatArray, ridge: float = RIDGE) -> FloatArray:
        """What a linear model of the cells says of each, (cells, outcomes): least squares, games as weights.

        design: (cells, d), what the cells are like, a column of ones included. ridge: in games.
        """
        weighed = design * self.games[:, None]
        normal = weighed.T @ design + ridge * np.eye(design.shape[1])
        return np.asarray(design @ np.linalg.solve(normal, design.T @ self.sums))

    def means(self, background: FloatArray, kappa: float) -> FloatArray:
        """Mean outcomes by cell, (cells, outcomes), as if ``kappa`` more games had ended as the background says."""
        return np.asarray((self.sums + kappa * background) / (self.games + kappa)[:, None])


def fit_weights(
    x: FloatArray, y: FloatArray, link: Link = "logistic", ridge: float = RIDGE
) -> tuple[float, tuple[float, ...]]:
    """Constant and weights of few features: least squares, or maximum likelihood by Newton's method.

    x: (n, k). y: (n,), for the logistic link shares from 0 to 1. ridge: of the weights, not of the constant, in units
    of standard deviations of the features. Raises ValueError without observations.
    """
    if not len(x):
        raise ValueError("there is nothing to fit weights to")
    center, spread = x.mean(axis=0), x.std(axis=0)
    spread = np.where(spread > 0, spread, 1.0)
    design = np.column_stack([np.ones(len(x)), (x - center) / spread])
    penalty = np.diag([0.0] + [ridge] * x.shape[1])
    w = np.zeros(design.shape[1])
    if link == "linear":
        w = np.linalg.solve(design.T @ design + penalty, design.T @ y)
    else:
        penalty[0, 0] = 1e-6  # a constant without end if every game was won
        for _ in range(STEPS):
            p = linked(design @ w, link)
            hessian = (design * (p * (1 - p))[:, None]).T @ design + penalty
            step = np.linalg.solve(hessian, design.T @ (y - p) - penalty @ w)
            w = w + step
            if np.abs(step).max() < CLOSE:
                break
    weights = w[1:] / spread
    return float(w[0] - weights @ center), tuple(map(float, weights))


def fit_tables(
    start: Glem, cells: Sequence[IntArray], y: FloatArray, penalty: float = RIDGE, rounds: int = 100
) -> Glem:
    """All entries of all tables and the constant in one regression, by L-BFGS (scipy) over all games at once.

    The weights are 1 in the result, so that entries are in units of the score. penalty: games that the entries of
    ``start``, times their weights, count for: half the squared change of each entry is charged so often. cells: (n,) or
    (n, parts) of each feature. rounds: at most. Raises ValueError without games.
    """
    from scipy.optimize import minimize

    if not len(y):
        raise ValueError("there is nothing to fit tables to")
    parts = [at.reshape(len(y), -1) for at in cells]
    met: list[BoolArray] = [at >= 0 for at in parts]
    inside = [np.maximum(at, 0) for at in parts]
    sizes = [f.size for f in start.features]
    first = np.concatenate(
        [[start.constant], *(w * f.values for w, f in zip(start.weights, start.features, strict=True))]
    )
    ends = np.cumsum([1, *sizes])

    def loss(x: FloatArray) -> tuple[float, FloatArray]:
        tables = np.split(x, ends)[1:-1]
        score = np.full(len(y), x[0])
        for table, at, there in zip(tables, inside, met, strict=True):
            score += (table[at] * there).sum(axis=1)
        error = linked(score, start.link) - y
        if start.link == "linear":
            total = 0.5 * float(error @ error)
        else:
            total = float(np.logaddexp(0, score).sum() - y @ score)
        changes = x - first
        changes[0] = 0
        slope = penalty * changes
        slope[0] = error.sum()
        begin = 1
        for at, there, size in zip(inside, met, sizes, strict=True):
            pulled = np.broadcast_to(error[:, None], at.shape)
            slope[begin : begin + size] += np.bincount(at[there], pulled[there], size)
            begin += size
        return (total + 0.5 * penalty * float(changes @ changes)) / len(y), slope / len(y)

    found = minimize(loss, first, jac=True, method="L-BFGS-B", options={"maxiter": rounds, "ftol": 1e-9}).x
    tables = np.split(found, ends)[1:-1]
    features = tuple(evolve(f, values=table) for f, table in zip(start.features, tables, strict=True))
    return Glem(features, (1.0,) * len(features), float(found[0]), start.link)
