"""The experiment behind ``_kernels/rule_weights.py``: fit the hand evaluation of the rule player to its own games.

Run ``python -m tricktake_lab.skat.rule_fit ROUND`` to repeat it. Hands are dealt from ``SEED``; whoever holds a
hand with log odds above ``FLOOR`` plays the game in question against two rule players, and the result is regressed on
the features of ``hand_features`` (logistic, ridge). The two cards put depend on the weights, so it is repeated for
rounds 1, 2, ... until the log losses stay. A Null ouvert counts as won if it is won with all cards open: the rule
player's own defence would make it look too easy.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from tricktake_skat import deals
from tricktake_skat._kernels import rule_bid
from tricktake_skat._kernels.cards import GRAND
from tricktake_skat._kernels.hand_features import F_SIZE, N_SIZE
from tricktake_skat.games import play_rows
from tricktake_skat.rows import DTYPE
from tricktake_skat.rows_play import open_card
from tricktake_skat.rules import WIN

from tricktake_lab.skat._kernels.forced import forced

SEED = 20_261_121
DEALS = 30_000  # per round, game and stage
OUVERT_DEALS = 700  # solved open-card, which takes longer
FLOOR = -1.5
RIDGE = 3.0  # in games; keeps rare features near zero


def logistic(x: np.ndarray, y: np.ndarray, steps: int = 15) -> np.ndarray:
    """Weights of a ridge logistic regression by Newton's method."""
    w = np.zeros(x.shape[1])
    for _ in range(steps):
        p = 1 / (1 + np.exp(-x @ w))
        hessian = (x * (p * (1 - p))[:, None]).T @ x + RIDGE * np.eye(len(w))
        w += np.linalg.solve(hessian, x.T @ (y - p) - RIDGE * w)
    return w


def games(game: int, stage: int, first: int, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Features and results of forced games."""
    places = deals.dealt(SEED, first, n)
    features, rows = np.zeros((3 * n, F_SIZE)), np.zeros(3 * n, DTYPE)
    count = forced(places, game, stage, FLOOR, features, rows)
    rows = rows[:count]
    play_rows(rows)
    if game == rule_bid.OUVERT:
        return features[:count], open_card(rows).astype(float)
    return features[:count], (rows["tricks"] == 0 if game > GRAND else rows["eyes"] >= WIN).astype(float)


def fit(name: str, first: int) -> np.ndarray:
    """One weight vector, by its name in ``rule_weights``."""
    stage = {"FINAL": rule_bid.FINAL, "BID": rule_bid.BID, "HAND": rule_bid.HAND}[name.split("_")[0]]
    numbers = {"SUIT": (0, 1, 2, 3), "GRAND": (4,), "NULL": (5,), "OUVERT": (6,)}[name.split("_")[1]]
    share = (DEALS if numbers != (6,) else OUVERT_DEALS) // len(numbers)
    parts = [games(g, stage, first + k * share, share) for k, g in enumerate(numbers)]
    x, y = np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts])
    x = x[:, : N_SIZE if numbers[0] >= 5 else F_SIZE]
    w = logistic(x, y)
    p = 1 / (1 + np.exp(-x @ w))
    loss = -np.mean(y * np.log(p) + (1 - y) * np.log(1 - p))
    print(f"{name}: {len(y)} games, {y.mean():.1%} won, log loss {loss:.4f}", file=sys.stderr)  # noqa: T201
    return w


HEAD = '''"""Weights of the hand evaluation in log odds; fitted, see ``tricktake_lab.skat.rule_fit``."""

import numpy as np

'''


def main() -> None:
    """Fit every vector once and write the module."""
    path = Path(rule_bid.__file__).with_name("rule_weights.py")
    names = [f"{s}_{g}" for s in ("FINAL", "BID") for g in ("SUIT", "GRAND", "NULL", "OUVERT")]
    names += ["HAND_SUIT", "HAND_GRAND"]
    first = int(sys.argv[1]) * 100_000_000 if len(sys.argv) > 1 else 0
    text = HEAD
    for k, name in enumerate(names):
        w = fit(name, first + k * 1_000_000)
        text += f"{name} = np.array(\n    [{', '.join(f'{v:.3f}' for v in w)}]\n)\n"
    path.write_text(text)


if __name__ == "__main__":
    main()
