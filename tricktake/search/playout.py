"""Playouts of open-card positions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tricktake._kernels import playout as kernel
from tricktake.rules import TrickRules
from tricktake.search.positions import Positions

IntArray = NDArray[np.int64]


def playouts(positions: Positions, games: int, rng: np.random.Generator, *, manners: bool = False) -> IntArray:
    """The final cost of the side in ``games`` playouts of each position: int64, shape (n, games).

    Every legal card is equally likely, or with ``manners`` seats play mostly as ``_kernels.manners`` says. The same
    generator gives the same playouts.
    """
    if games < 0:
        raise ValueError(f"{games} playouts cannot be played")
    compiled = positions.rules.compile()
    totals = np.zeros((len(positions), games), np.int64)
    seeds = rng.integers(1, np.iinfo(np.int64).max, len(positions), np.int64)
    aims = aims_of(positions.rules) if manners else np.zeros(2 * positions.rules.seats, np.int64)
    kernel.play_out_rows(compiled.header, compiled.cards, compiled.suits, positions.rows, seeds, aims, totals)
    return totals


def aims_of(rules: TrickRules) -> IntArray:
    """Whether each seat wants (+1) or avoids (-1) cost, then the team of each seat: shape (2 * seats,)."""
    seats = range(rules.seats)
    return np.array([*(rules.goal(s).sense for s in seats), *(rules.team(s) for s in seats)], np.int64)
