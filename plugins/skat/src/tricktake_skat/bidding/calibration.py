"""What is left of a chance once the best of 66 discards and seven games has been chosen by it.

The best of many estimates is too good on average, and a skat that is put for the table's sake is no better than its
features know. So chances are set right by games of the bidder itself: log odds of suit games and grands become
a + b log odds, the product of a Null is raised to a power. Grands from the hand are won less often than their cards
with every skat say (95.7 % expected, 91.1 % of 1,703 won, seed 21), suit games are not (86.6 and 86.1 % of 800).
``python -m tricktake_skat.bidding.calibration 21 25000`` plays, fits and writes ``calibration.json``, all but the
factor for hands; it starts from chances that are not calibrated.
"""

from __future__ import annotations

import json
import sys
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from attrs import evolve
from numpy.typing import NDArray

from tricktake_skat.bidding.model import Model

FloatArray = NDArray[np.float64]

FILE = Path(__file__).with_name("calibration.json")
GRAND_HAND = 0.953  # 91.1 / 95.7, see above
EDGE = 1e-4  # chances are kept so far from 0 and 1
STEPS = 60  # of the bisection for a power


@cache
def stored() -> dict[str, Any]:
    """For "suit" and "grand" a and b, for "null" and "ouvert" the power, for "grand-hand" the factor."""
    found: dict[str, Any] = json.loads(FILE.read_text())
    return found


def calibrated(model: Model) -> Model:
    """The model with chances as the bidder's own games bear them out."""
    with_hand = [stored()["null"], stored()["null"], stored()["ouvert"], stored()["ouvert"]]
    return evolve(
        model,
        suit=_line(model.suit, *stored()["suit"]),
        grand=_line(model.grand, *stored()["grand"]),
        by_hand=np.array([1.0, stored()["grand-hand"]]),
        nulls=model.nulls ** np.array(with_hand)[:, None, None, None],
    )


def _line(chance: NDArray[np.float32], a: float, b: float) -> NDArray[np.float32]:
    inside = np.clip(chance, EDGE, 1 - EDGE)
    odds: NDArray[np.float32] = np.log(inside / (1 - inside))
    return (1 / (1 + np.exp(-(np.float32(a) + np.float32(b) * odds)))).astype(np.float32)


def fit_line(chance: FloatArray, won: FloatArray) -> tuple[float, float]:
    """A and b of ``won`` with log odds a + b log odds of ``chance``."""
    from tricktake_skat.strategies.rule_fit import logistic

    inside = np.clip(chance, EDGE, 1 - EDGE)
    a, b = logistic(np.column_stack((np.ones(len(won)), np.log(inside / (1 - inside)))), won)
    return float(a), float(b)


def fit_power(chance: FloatArray, won: FloatArray) -> float:
    """The power that makes the mean chance the share won."""
    low, high = 0.1, 10.0
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if (chance**middle).mean() > won.mean() else (low, middle)
    return (low + high) / 2


def main() -> None:
    """SEED DEALS"""
    from tricktake_skat.bidding.choice import Evaluator
    from tricktake_skat.bidding.games import Player, dealt, play_bidders
    from tricktake_skat.bidding.model import raw
    from tricktake_skat.bidding.style import Style
    from tricktake_skat.putting.worth import GAME_NAMES

    seed, n = int(sys.argv[1]), int(sys.argv[2])
    style, model = Style(threshold=0.0, hands=False), raw()
    games = play_bidders([Player(style, model)], dealt(seed, 0, n), np.zeros((n, 3), np.int64))
    evaluator = Evaluator.of(model)
    chances: dict[str, list[float]] = {"suit": [], "grand": [], "null": [], "ouvert": []}
    results: dict[str, list[int]] = {kind: [] for kind in chances}
    for i in np.flatnonzero(games.declarer >= 0):
        seat = int(games.declarer[i])
        cards = int(games.deals[i, seat] | games.deals[i, 3])
        heard = (int(games.bids[i, 0]), int(games.bids[i, 1]), int(games.bids[i, 2]))
        name = GAME_NAMES[games.game[i] + games.ouvert[i]]
        option = next(o for o in evaluator.options(cards, seat, heard, int(games.bid[i]), style) if o.name == name)
        kind = {"G": "grand", "N": "null", "NO": "ouvert"}.get(name, "suit")
        chances[kind].append(option.win)
        results[kind].append(int(games.won[i]))
    found: dict[str, Any] = {"seed": seed, "deals": n, "grand-hand": GRAND_HAND}
    for kind, values in chances.items():
        x, y = np.array(values), np.array(results[kind], float)
        fitted = fit_line(x, y) if kind in ("suit", "grand") else fit_power(x, y)
        found[kind] = np.round(fitted, 4).tolist()
        print(f"{kind}: {len(y)} games, expected {x.mean():.1%}, won {y.mean():.1%}, {found[kind]}")  # noqa: T201
    FILE.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
