"""The experiment behind ``_kernels/rule_weights.json``: fit the hand evaluation of the rule player to its own games.

Hands are dealt from a seed; whoever holds a
hand with log odds above ``FLOOR`` plays the game in question against two rule players, and the result is regressed on
the features of ``hand_features`` (logistic, ridge). The two cards put depend on the weights, so it is repeated for
rounds 1, 2, ... until the log losses stay. A Null ouvert counts as won if it is won with all cards open: the rule
player's own defence would make it look too easy.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from tricktake_skat.deals import dealt
from tricktake_skat.games import play_rows
from tricktake_skat.kernels import GRAND, hand_features, rule_bid
from tricktake_skat.rows import DTYPE
from tricktake_skat.rows_play import open_card
from tricktake_skat.rules import WIN

from tricktake.deal import STREAM
from tricktake_lab.experiment import experiment, learned, shipped_path
from tricktake_lab.outcome import Outcome, Sheet, share_of
from tricktake_lab.skat._kernels.forced import forced

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


def games(seed: int, game: int, stage: int, first: int, n: int, stream: str) -> tuple[np.ndarray, np.ndarray]:
    """Features and results of forced games."""
    places = dealt(seed, first, n, stream)
    features, rows = np.zeros((3 * n, hand_features.F_SIZE)), np.zeros(3 * n, DTYPE)
    count = forced(places, game, stage, FLOOR, features, rows)
    rows = rows[:count]
    play_rows(rows)
    if game == rule_bid.OUVERT:
        return features[:count], open_card(rows).astype(float)
    return features[:count], (rows["tricks"] == 0 if game > GRAND else rows["eyes"] >= WIN).astype(float)


def fit(seed: int, name: str, first: int, deals: int, ouvert: int, stream: str) -> tuple[np.ndarray, np.ndarray, float]:
    """One weight vector by its name in ``rule_weights.json``; which of the games were won; the log loss."""
    stage = {"final": rule_bid.FINAL, "bid": rule_bid.BID, "hand": rule_bid.HAND}[name.split("_")[0]]
    numbers = {"suit": (0, 1, 2, 3), "grand": (4,), "null": (5,), "ouvert": (6,)}[name.split("_")[1]]
    share = (deals if numbers != (6,) else ouvert) // len(numbers)
    parts = [games(seed, g, stage, first + k * share, share, stream) for k, g in enumerate(numbers)]
    x, y = np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts])
    x = x[:, : hand_features.N_SIZE if numbers[0] >= 5 else hand_features.F_SIZE]
    w = logistic(x, y)
    p = 1 / (1 + np.exp(-x @ w))
    return w, y, float(-np.mean(y * np.log(p) + (1 - y) * np.log(1 - p)))


KINDS = ("suit", "grand", "null", "ouvert")
NAMES = (*(f"{stage}_{kind}" for stage in ("final", "bid") for kind in KINDS), "hand_suit", "hand_grand")


@experiment(
    "rule.weights",
    item="_kernels/rule_weights.json",
    seed=20_261_121,
    smoke={"deals": 200, "ouvert": 40},
    small={"deals": 3000, "ouvert": 200},
    paper={"deals": 30_000, "ouvert": 700},
)
def weights(seed: int, deals: int, ouvert: int, round_: int = 1, stream: str = STREAM) -> Outcome:
    """The hand evaluation of the rule player, fitted to its own forced games; repeat for rounds 1, 2, ...

    deals: per round, game and stage; ouvert: for Null ouvert, which is solved with open cards and takes longer. round_:
    deals of other rounds are others. stream: of the deals.
    """
    first = round_ * 100_000_000
    made = learned("rule.weights", seed, deals=deals, ouvert=ouvert, round_=round_, stream=stream)
    rows, lines = [], []
    for k, name in enumerate(NAMES):
        w, won, loss = fit(seed, name, first + k * 1_000_000, deals, ouvert, stream)
        rows.append((name, len(won), share_of(won), loss))
        lines.append(f'  "{name}": {json.dumps(np.round(w, 3).tolist())}')
    text = f'{{\n "learned": {json.dumps(made)},\n "weights": {{\n' + ",\n".join(lines) + "\n }\n}\n"
    sheet = Sheet.of("Forced games", ("weights", "games", "won", "log loss"), rows)
    return Outcome(
        (sheet,), ships={shipped_path(Path(rule_bid.__file__).with_name("rule_weights.json")): text.encode()}
    )
