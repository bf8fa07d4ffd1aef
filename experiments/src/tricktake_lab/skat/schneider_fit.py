"""Counts how often a won game is won with Schneider: ``python -m tricktake_lab.skat.schneider_fit SEED DEALS``.

Prints ``SCHNEIDER`` of ``tricktake_skat.bidding.schneider``, and how many games each share rests on.
"""

from __future__ import annotations

import sys

import numpy as np
from tricktake_skat._kernels.cards import GRAND
from tricktake_skat._kernels.features import lost
from tricktake_skat.questions.declarer import EXPECTED
from tricktake_skat.rows_play import play
from tricktake_skat.rules import SCHNEIDER as EYES


def main() -> None:
    """Count it in games the rule player bids or is made to play: SEED DEALS."""
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
