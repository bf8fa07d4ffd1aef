"""Playouts of open-card positions."""

from __future__ import annotations

import numpy as np

from tricktake._kernels import playout as kernel
from tricktake._kernels.position import P_SIDE
from tricktake.alliance import DECLARER, OTHERS
from tricktake.arrays import IntArray
from tricktake.cards import bits
from tricktake.search.positions import Positions


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
    aims = aims_of(positions) if manners else np.zeros((1, 2 * positions.rules.seats), np.int64)
    kernel.play_out_rows(compiled.header, compiled.cards, compiled.suits, positions.rows, seeds, aims, totals)
    return totals


def aims_of(positions: Positions) -> IntArray:
    """Whether each seat wants (+1) or avoids (-1) cost, then the team of each seat: shape (n, 2 * seats), with one row
    for all positions where no teams are hidden.
    """
    rules, seats = positions.rules, range(positions.rules.seats)
    if rules.alliance is None:
        return np.array([[*(rules.goal(s).sense for s in seats), *(rules.team(s) for s in seats)]], np.int64)
    sides = positions.rows[:, P_SIDE]
    ours = (sides[:, None] >> np.arange(rules.seats)) & 1
    team = rules.team(next(bits(positions.side)))
    sense, other = rules.team_goal(team).sense, rules.team_goal(OTHERS if team == DECLARER else DECLARER).sense
    return np.hstack([np.where(ours == 1, sense, other), ours]).astype(np.int64)
