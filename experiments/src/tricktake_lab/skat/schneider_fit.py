"""The experiment behind the shares of Schneider in ``bidding/schneider.json``."""

from __future__ import annotations

import json

import numpy as np
from numpy.typing import NDArray
from tricktake_skat.bidding.model import SCHNEIDER_FILE
from tricktake_skat.kernels import GRAND, features
from tricktake_skat.questions.declarer import EXPECTED
from tricktake_skat.rows_play import play
from tricktake_skat.rules import SCHNEIDER as EYES

from tricktake.deal import STREAM
from tricktake.strategies.policy import find_policy
from tricktake_lab.experiment import experiment, learned, shipped_path
from tricktake_lab.outcome import Outcome, Sheet

BLOCK = 50_000
ENOUGH = 200  # games of a number of tricks, for its share to be taken


@experiment(
    "bidding.schneider",
    item="bidding/schneider.json",
    seed=601,
    smoke={"deals": 400},
    small={"deals": 30_000},
    paper={"deals": 300_000},
)
def schneider(seed: int, deals: int, stream: str = STREAM, policy: str = "skat:cards") -> Outcome:
    """How often a won game is won with Schneider, by the tricks expected to be lost, in self-play.

    policy: plays the cards, "" for the rule player.
    """
    plays = find_policy(policy) if policy else None
    won, high = np.zeros((2, 11), np.int64), np.zeros((2, 11), np.int64)
    for first in range(0, deals, BLOCK):
        rows = play(seed, first, min(BLOCK, deals - first), stream=stream, policy=plays)
        rows = rows[(rows["declarer"] >= 0) & (rows["game"] <= GRAND) & (rows["won"] == 1) & (rows["hand"] == 0)]
        tricks = np.array(
            [features.lost(EXPECTED, *each) for each in zip(rows["game"], rows["own"], rows["put"], strict=True)]
        )
        kind = (rows["game"] == GRAND).astype(np.int64)
        np.add.at(won, (kind, tricks), 1)
        np.add.at(high, (kind, tricks), rows["eyes"] >= EYES)
    share = high / np.maximum(won, 1)
    lines = [(t, *(c for k in range(2) for c in (round(float(share[k, t]), 3), int(won[k, t])))) for t in range(11)]
    columns = ("tricks lost", "suit: Schneider", "games", "grand: Schneider", "games")
    suit, grand = (_filled(share[k], won[k]) for k in range(2))
    made = learned("bidding.schneider", seed, deals=deals, stream=stream, policy=policy)
    text = json.dumps({"learned": made, "suit": suit, "grand": grand}, indent=1) + "\n"
    return Outcome((Sheet.of("Won games", columns, lines),), ships={shipped_path(SCHNEIDER_FILE): text.encode()})


def _filled(share: NDArray[np.float64], games: NDArray[np.int64]) -> list[float]:
    """Rounded shares; with too few games the share of one trick fewer."""
    found: list[float] = []
    for each, n in zip(share, games, strict=True):
        found.append(found[-1] if n < ENOUGH and found else round(float(each), 3))
    return found
