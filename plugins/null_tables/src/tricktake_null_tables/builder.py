"""From counts of weak suits to the table of Null: smoothed, and never better with a higher card (GAP-7)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from attrs import frozen
from numpy.typing import NDArray
from tricktake_skat.kernels import CONFIGS, GAP, KINDS, PUTS, null_chance

from tricktake.arrays import FloatArray
from tricktake.learning import LearnedTable
from tricktake_null_tables.question import SUIT

KAPPA = 20.0  # weight of a parent's estimate, in games (GAP-7)


@frozen(eq=False)
class NullTable:
    """The probability that a Null is not lost in a suit.

    array: shape (4 kinds, 2, 3, 256) for kind (hand + 2 * ouvert), whether the declarer leads, discards from the suit
    and cards held, a bit each from the seven up; for kernels ``tricktake_skat.kernels.null_chance``.
    games: the same shape, the number of games behind each cell.
    """

    array: FloatArray
    games: NDArray[np.int64]

    @staticmethod
    def read(file: str | Path) -> NullTable:
        """The table of Null made of counts in a file. Raises InputError."""
        return build(LearnedTable.load(file, SUIT))

    def chance(self, hand: int, put: int = 0, *, by_hand: bool = False, ouvert: bool = False, leads: bool) -> float:
        """The chance of a Null with these ten cards (mask); put: the two discards, 0 in a hand game."""
        return float(null_chance(self.array, hand, 0 if by_hand else put, by_hand + 2 * ouvert, int(leads)))

    def suit(self, cards: str, *, by_hand: bool = False, ouvert: bool = False, leads: bool, puts: int = 0) -> float:
        """One cell by the ranks held, such as ``"79J"``. Raises ValueError for an unknown rank."""
        return float(self.array[by_hand + 2 * ouvert, int(leads), puts, config_named(cards)])


RANKS = "789TJQKA"


def config_named(cards: str) -> int:
    """The number of a suit's cards: ``"789"`` is 7. Raises ValueError for an unknown or repeated rank."""
    found = 0
    for rank in cards.upper():
        if rank not in RANKS or found >> RANKS.index(rank) & 1:
            raise ValueError(f"{cards!r} is no set of the ranks {RANKS}")
        found |= 1 << RANKS.index(rank)
    return found


def config_name(config: int) -> str:
    """The ranks of a number, lowest first."""
    return "".join(rank for i, rank in enumerate(RANKS) if config >> i & 1)


def build(table: LearnedTable, kappa: float = KAPPA) -> NullTable:
    """The table of Null from the counts of ``null_tables:suit``.

    Each cell is smoothed towards its parent, which ignores first the discards, then the lead, then the kind; the last
    parent knows only how weak the suit is. Safe suits are 1. Then the cells are made monotone in each card.
    """
    won = np.zeros((KINDS, 2, PUTS, CONFIGS), np.int64)
    games = np.zeros_like(won)
    for layer, values, w, n in table:
        if layer == table.form.layers[0][0]:
            won[values] = w
            games[values] = n
    weakness = _by_weakness(won.sum(axis=(0, 1, 2)), games.sum(axis=(0, 1, 2)), kappa)
    chance: FloatArray = weakness[GAP]
    for axes in ((0, 1, 2), (1, 2), (2,), ()):
        w, n = won.sum(axis=axes), games.sum(axis=axes)
        if axes and axes[-1] == 2 and len(axes) < 3:
            chance = chance[None] if len(axes) == 2 else chance[:, None]
        elif not axes:
            chance = chance[:, :, None]
        chance = (w + kappa * chance) / (n + kappa)
        chance[..., GAP == 0] = 1.0
    return NullTable(monotone(chance), games)


def _by_weakness(won: NDArray[np.int64], games: NDArray[np.int64], kappa: float) -> FloatArray:
    """For each gap the share won, smoothed towards the share of all."""
    rate = (won.sum() + 1) / (games.sum() + 2)
    size = int(GAP.max()) + 1
    w, n = np.bincount(GAP, won, size), np.bincount(GAP, games, size)
    found: FloatArray = (w + kappa * rate) / (n + kappa)
    found[0] = 1.0
    return np.minimum.accumulate(found)


def lower_neighbours() -> list[tuple[int, int]]:
    """Pairs (config, better): ``better`` has one card replaced by the next lower one that is missing."""
    return [
        (config, config ^ (3 << i))
        for config in range(CONFIGS)
        for i in range(7)
        if config >> i & 1 == 0 and config >> (i + 1) & 1 == 1
    ]


def monotone(chance: FloatArray) -> FloatArray:
    """The mean of the lowest monotone table above and the highest below; a higher card never helps (last axis)."""
    order = sorted(lower_neighbours(), key=lambda pair: (_height(pair[0]), pair))
    above, below = chance.copy(), chance.copy()
    for config, better in order:  # from the lowest cards up: not better than with a lower card
        below[..., config] = np.minimum(below[..., config], below[..., better])
    for config, better in reversed(order):
        above[..., better] = np.maximum(above[..., better], above[..., config])
    return (above + below) / 2


def _height(config: int) -> int:
    return sum(i for i in range(8) if config >> i & 1)
