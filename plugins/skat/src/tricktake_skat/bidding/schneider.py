"""How often a won game is won with Schneider, by the tricks expected to be lost."""

from __future__ import annotations

import sys

import numpy as np

from tricktake_skat._kernels.cards import GRAND
from tricktake_skat.rules import SCHNEIDER as EYES

# Suit games, then grands; by tricks lost, 0 to 10. `python -m tricktake_skat.bidding.schneider 601 300000`
SCHNEIDER = np.array(
    [
        [0.996, 0.953, 0.747, 0.448, 0.213, 0.092, 0.037, 0.010, 0.008, 0.008, 0.008],
        [0.684, 0.599, 0.407, 0.201, 0.084, 0.018, 0.001, 0.001, 0.001, 0.001, 0.001],
    ]
)


def main() -> None:
    """Count it in games the rule player bids or is made to play: SEED DEALS."""
    from tricktake_skat._kernels.features import lost
    from tricktake_skat.questions.declarer import EXPECTED
    from tricktake_skat.rows_play import play

    seed, n = int(sys.argv[1]), int(sys.argv[2])
    won, high = np.zeros((2, 11), np.int64), np.zeros((2, 11), np.int64)
    for first in range(0, n, 50_000):
        rows = play(seed, first, min(50_000, n - first))
        rows = rows[(rows["declarer"] >= 0) & (rows["game"] <= GRAND) & (rows["won"] == 1) & (rows["hand"] == 0)]
        tricks = np.array([lost(EXPECTED, *each) for each in zip(rows["game"], rows["own"], rows["put"], strict=True)])
        kind = (rows["game"] == GRAND).astype(np.int64)
        np.add.at(won, (kind, tricks), 1)
        np.add.at(high, (kind, tricks), rows["eyes"] >= EYES)
    print(np.round(high / np.maximum(won, 1), 3).tolist(), won.tolist())  # noqa: T201


if __name__ == "__main__":
    main()
