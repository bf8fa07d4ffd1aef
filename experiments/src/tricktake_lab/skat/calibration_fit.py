"""The experiment behind ``bidding/calibration.json``, all of it but the factor for grands from the hand."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from tricktake_skat.bidding.choice import Evaluator
from tricktake_skat.bidding.model import CALIBRATION, EDGE, GRAND_HAND, SHIPPED, raw
from tricktake_skat.bidding.style import Style
from tricktake_skat.contract import GAME_NAMES
from tricktake_skat.deck import SEATS
from tricktake_skat.games import Player, bid_rows, dealt_rows
from tricktake_skat.policy_rows import play_by

from tricktake.arrays import FloatArray
from tricktake.deal import STREAM
from tricktake.strategies.policy import find_policy
from tricktake_lab.experiment import experiment, shipped_path
from tricktake_lab.experiment import learned as made_by
from tricktake_lab.outcome import Outcome, Sheet, mean_of, share_of
from tricktake_lab.skat.rule_fit import logistic

STEPS = 60  # of the bisection for a power


def fit_line(chance: FloatArray, won: FloatArray) -> tuple[float, float]:
    """A and b of ``won`` with log odds a + b log odds of ``chance``."""
    inside = np.clip(chance, EDGE, 1 - EDGE)
    a, b = logistic(np.column_stack((np.ones(len(won)), np.log(inside / (1 - inside)))), won)
    return float(a), float(b)


def fit_power(chance: FloatArray, won: FloatArray) -> float:
    """The power that makes the mean chance the share won."""
    if not len(won):
        return 1.0
    low, high = 0.1, 10.0
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if (chance**middle).mean() > won.mean() else (low, middle)
    return (low + high) / 2


@experiment(
    "bidding.calibration",
    item="bidding/calibration.json",
    seed=21,
    smoke={"deals": 300},
    small={"deals": 5000},
    paper={"deals": 25_000},
)
def calibration(
    seed: int, deals: int, stream: str = STREAM, policy: str = "skat:cards", suit: str = SHIPPED[0],
    grand: str = SHIPPED[1], null: str = SHIPPED[2],
) -> Outcome:  # fmt: skip
    """Sets the bidder's chances right by games it bids and plays with chances that are not calibrated.

    policy: plays the cards, "" for the rule player. suit, grand, null: tables, by registered name or file.
    """
    style, model = Style(threshold=0.0, hands=False), raw(suit=suit, grand=grand, null=null)
    games = dealt_rows(seed, 0, deals, stream)
    bid_rows([Player(style, model)], games, np.zeros((deals, SEATS), np.int64))
    play_by(find_policy(policy) if policy else None, games)
    evaluator = Evaluator.of(model)
    chances: dict[str, list[float]] = {"suit": [], "grand": [], "null": [], "ouvert": []}
    results: dict[str, list[int]] = {kind: [] for kind in chances}
    for i in np.flatnonzero(games["declarer"] >= 0):
        seat = int(games["declarer"][i])
        cards = int(games["deal"][i, seat] | games["deal"][i, 3])
        heard = (int(games["bids"][i, 0]), int(games["bids"][i, 1]), int(games["bids"][i, 2]))
        name = GAME_NAMES[games["game"][i] + games["ouvert"][i]]
        option = next(o for o in evaluator.options(cards, seat, heard, int(games["bid"][i]), style) if o.name == name)
        kind = {"G": "grand", "N": "null", "NO": "ouvert"}.get(name, "suit")
        chances[kind].append(option.win)
        results[kind].append(int(games["won"][i]))
    found: dict[str, Any] = {
        "learned": made_by("bidding.calibration", seed, deals=deals, stream=stream, policy=policy),
        "grand-hand": GRAND_HAND,
    }
    rows = []
    for kind, values in chances.items():
        x, y = np.array(values), np.array(results[kind], float)
        fitted = fit_line(x, y) if kind in ("suit", "grand") else fit_power(x, y)
        found[kind] = np.round(fitted, 4).tolist()
        rows.append((kind, len(y), mean_of(x, "%"), share_of(y), str(found[kind])))
    sheet = Sheet.of("Expected and won", ("game", "games", "expected", "won", "fitted"), rows)
    return Outcome((sheet,), ships={shipped_path(CALIBRATION): (json.dumps(found, indent=1) + "\n").encode()})
