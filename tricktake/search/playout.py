"""Random playouts of open-card positions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tricktake._kernels import playout as kernel
from tricktake.search.positions import Positions

IntArray = NDArray[np.int64]


def playouts(positions: Positions, games: int, rng: np.random.Generator) -> IntArray:
    """The final cost of the side in ``games`` random playouts of each position: int64, shape (n, games).

    Every legal card is equally likely. The same generator gives the same playouts.
    """
    if games < 0:
        raise ValueError(f"{games} playouts cannot be played")
    compiled = positions.rules.compile()
    totals = np.zeros((len(positions), games), np.int64)
    seeds = rng.integers(1, np.iinfo(np.int64).max, len(positions), np.int64)
    kernel.play_out_rows(compiled.header, compiled.cards, compiled.suits, positions.rows, seeds, totals)
    return totals
