"""What ten cards of Skat are worth to a seat, as a control of tournaments: the log odds of its best game."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tricktake.game import Game
from tricktake_skat._kernels import luck as kernel
from tricktake_skat.deck import SEATS
from tricktake_skat.luck import deal_basis


class DealtHands:
    """The terms of the factor ``deal`` of ``tricktake_skat.luck`` without their weights, which the scores tell."""

    def values(self, game: Game, masks: NDArray[np.int64], boards: NDArray[np.int64]) -> NDArray[np.float64]:
        """Log odds of the best game of the ten cards, and what they exceed each knot by: (n, 3, 1 + knots)."""
        found = []
        for seat in range(SEATS):
            odds = np.zeros(len(masks))
            kernel.best_odds(np.ascontiguousarray(masks[:, seat]), np.full(len(masks), seat, np.int64), odds)
            found.append(deal_basis(odds)[:, 1:])
        return np.stack(found, axis=1)
