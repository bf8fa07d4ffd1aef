"""What is believed of a hand before games of it are counted: ``python -m tricktake_lab.skat.prior_fit SEED DEALS``.

Deals, plays, fits and writes ``prior.json`` of ``tricktake_skat.bidding``. Shipped: 711 300000, 95 s.
"""

from __future__ import annotations

import json
import sys

import numpy as np
from numpy.typing import NDArray
from tricktake_skat.bidding.prior import FILE, FLOOR, QUESTIONS, Weights
from tricktake_skat.rows_play import Exploration, explored

from tricktake.learning import Question
from tricktake_lab.skat.rule_fit import logistic

DEALS = 50_000  # dealt at a time
MET = 200  # games without which a value was hardly met
JUDGED = 5  # one game in so many is kept to judge the fit by


def fit(question: Question, values: NDArray[np.int64], won: NDArray[np.int64]) -> tuple[Weights, float]:
    """Weights, and the mean log loss on the games that were not fitted."""
    columns = [np.eye(domain)[values[:, i]] for i, domain in enumerate(question.form.domains)]
    x = np.concatenate([np.ones((len(values), 1)), *columns], axis=1)
    judged = np.arange(len(won)) % JUDGED == 0
    found = logistic(x[~judged], won[~judged].astype(float), 8)
    p = 1 / (1 + np.exp(-x[judged] @ found))
    y = won[judged]
    loss = -np.mean(y * np.log(p) + (1 - y) * np.log(1 - p))
    ends = np.cumsum((1, *question.form.domains))
    parts = np.split(found, ends[:-1])
    for w, column in zip(parts[1:], columns, strict=True):
        _continue_line(w, column.sum(axis=0) >= MET)
    return dict(zip(("one", *question.form.names), parts, strict=True)), float(loss)


def _continue_line(w: NDArray[np.float64], met: NDArray[np.bool_]) -> None:
    """Values that were hardly met go on as the two nearest ones that were; nobody plays a suit with two trumps."""
    known = np.flatnonzero(met)
    low, high = int(known[0]), int(known[-1])
    for v in range(low - 1, -1, -1):
        w[v] = 2 * w[v + 1] - w[v + 2]
    for v in range(high + 1, len(w)):
        w[v] = 2 * w[v - 1] - w[v - 2]


def main() -> None:
    """SEED DEALS"""
    seed, n = int(sys.argv[1]), int(sys.argv[2])
    stored: dict[str, dict[str, list[float]]] = {}
    for name, question in QUESTIONS.items():
        values, won = [], []
        for first in range(0, n, DEALS):
            rows = explored(seed, first, min(DEALS, n - first), Exploration((name,), FLOOR))
            vectors, results, _ = question.found(rows[rows["declarer"] >= 0])
            values.append(vectors)
            won.append(results)
        found, loss = fit(question, np.concatenate(values), np.concatenate(won))
        print(f"{name}: {sum(map(len, won))} games, log loss {loss:.4f}")  # noqa: T201
        stored[name] = {feature: np.round(w, 4).tolist() for feature, w in found.items()}
    FILE.write_text(json.dumps({"seed": seed, "deals": n, "floor": FLOOR, "weights": stored}, indent=1) + "\n")


if __name__ == "__main__":
    main()
