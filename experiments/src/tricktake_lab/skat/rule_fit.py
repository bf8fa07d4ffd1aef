"""The experiment behind ``_kernels/rule_weights.json``: fit the hand evaluation of the rule player to its own games.

Run ``python -m tricktake_lab.skat.rule_fit ROUND`` to repeat it. Hands are dealt from ``SEED``; whoever holds a
hand with log odds above ``FLOOR`` plays the game in question against two rule players, and the result is regressed on
the features of ``hand_features`` (logistic, ridge). The two cards put depend on the weights, so it is repeated for
rounds 1, 2, ... until the log losses stay. A Null ouvert counts as won if it is won with all cards open: the rule
player's own defence would make it look too easy.
"""

from __future__ import annotations

import json
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

EXPERIMENT = "tricktake_lab.skat.rule_fit"
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
    """One weight vector, by its name in ``rule_weights.json``."""
    stage = {"final": rule_bid.FINAL, "bid": rule_bid.BID, "hand": rule_bid.HAND}[name.split("_")[0]]
    numbers = {"suit": (0, 1, 2, 3), "grand": (4,), "null": (5,), "ouvert": (6,)}[name.split("_")[1]]
    share = (DEALS if numbers != (6,) else OUVERT_DEALS) // len(numbers)
    parts = [games(g, stage, first + k * share, share) for k, g in enumerate(numbers)]
    x, y = np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts])
    x = x[:, : N_SIZE if numbers[0] >= 5 else F_SIZE]
    w = logistic(x, y)
    p = 1 / (1 + np.exp(-x @ w))
    loss = -np.mean(y * np.log(p) + (1 - y) * np.log(1 - p))
    print(f"{name}: {len(y)} games, {y.mean():.1%} won, log loss {loss:.4f}", file=sys.stderr)  # noqa: T201
    return w


def main() -> None:
    """Fit every vector once and write the weights."""
    path = Path(rule_bid.__file__).with_name("rule_weights.json")
    names = [f"{s}_{g}" for s in ("final", "bid") for g in ("suit", "grand", "null", "ouvert")]
    names += ["hand_suit", "hand_grand"]
    first = int(sys.argv[1]) * 100_000_000 if len(sys.argv) > 1 else 0
    fitted = {name: np.round(fit(name, first + k * 1_000_000), 3).tolist() for k, name in enumerate(names)}
    lines = ",\n".join(f'  "{name}": {json.dumps(weights)}' for name, weights in fitted.items())
    path.write_text(f'{{\n "experiment": "{EXPERIMENT}",\n "weights": {{\n{lines}\n }}\n}}\n')


if __name__ == "__main__":
    main()
