"""The cut points that fit the rule player's games best beside the frozen ones: ``SEED GAMES``."""

from __future__ import annotations

import sys

import numpy as np
from numpy.typing import NDArray
from tricktake_skat._kernels.cards import GRAND, eyes_of
from tricktake_skat._kernels.skat import MIN_BID
from tricktake_skat.games import play_games
from tricktake_skat.questions.cuts import BID_CUTS, SKAT_CUTS


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


def main() -> None:
    """Show the cuts that fit the rule player's games best beside the frozen ones."""
    seed, n = int(sys.argv[1]), int(sys.argv[2])
    games = play_games(seed, 0, n).rows
    played = (games["declarer"] >= 0) & (games["game"] <= GRAND) & (games["hand"] == 0)
    others = games["bids"][played]
    others[np.arange(len(others)), games["declarer"][played]] = 0
    bids = others.max(axis=1)
    eyes = np.array([eyes_of(np.int64(put)) for put in games["put"][played]])
    fitted = [MIN_BID, *equal_cuts(bids[bids >= MIN_BID], 3)]
    for name, values, cuts, frozen in (
        ("bid", bids, fitted, BID_CUTS),
        ("skat", eyes, equal_cuts(eyes, 4), SKAT_CUTS),
    ):
        counts = np.bincount(np.searchsorted(frozen, values, side="right"), minlength=len(frozen) + 1)
        print(f"{name}: fitted {cuts}, frozen {frozen.tolist()}, games by frozen group {counts.tolist()}")  # noqa: T201


if __name__ == "__main__":
    main()
