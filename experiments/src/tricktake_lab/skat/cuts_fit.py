"""The cut points that fit the rule player's games best beside the frozen ones."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from tricktake_skat.games import play_games
from tricktake_skat.kernels import GRAND, cards, skat
from tricktake_skat.questions.cuts import BID_CUTS, SKAT_CUTS

from tricktake_lab.experiment import experiment
from tricktake_lab.outcome import Outcome, Sheet


def equal_cuts(values: NDArray[np.int64], groups: int) -> list[int]:
    """The lowest values of groups 1 to ``groups`` - 1 so that all are as near to equal as ties allow."""
    found: list[int] = []
    for group in range(1, groups):
        wanted = len(values) * group / groups
        choices = [int(v) for v in np.unique(values) if not found or v > found[-1]]
        if not choices:
            break
        found.append(min(choices, key=lambda v: (abs(int((values < v).sum()) - wanted), v)))
    return found


@experiment(
    "questions.cuts",
    item="BID_CUTS, SKAT_CUTS; docs/skat-learning.md",
    seed=1,
    smoke={"deals": 300},
    small={"deals": 20_000},
    paper={"deals": 200_000},
)
def cuts(seed: int, deals: int) -> Outcome:
    """The cut points of bids and of eyes in the skat that fit the rule player's games, beside the frozen ones."""
    games = play_games(seed, 0, deals).rows
    played = (games["declarer"] >= 0) & (games["game"] <= GRAND) & (games["hand"] == 0)
    others = games["bids"][played]
    others[np.arange(len(others)), games["declarer"][played]] = 0
    bids = others.max(axis=1)
    eyes = np.array([cards.eyes_of(np.int64(put)) for put in games["put"][played]])
    fitted = [skat.MIN_BID, *equal_cuts(bids[bids >= skat.MIN_BID], 3)]
    rows = []
    for name, values, found, frozen in (
        ("bid", bids, fitted, BID_CUTS),
        ("skat", eyes, equal_cuts(eyes, 4), SKAT_CUTS),
    ):
        counts = np.bincount(np.searchsorted(frozen, values, side="right"), minlength=len(frozen) + 1)
        rows.append((name, str(found), str(frozen.tolist()), str(counts.tolist())))
    return Outcome((Sheet.of("Cuts", ("of", "fitted", "frozen", "games by frozen group"), rows),))
