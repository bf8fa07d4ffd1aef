"""Games played and won by key: one layer of a learned table, and the counter that fills it."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from attrs import frozen

from tricktake._kernels import counting as kernel
from tricktake.arrays import IntArray

FIRST_SLOTS = 1 << 12


@frozen(eq=False)
class Counts:
    """keys: ascending. won, games: for each key; 0 <= won <= games and games > 0."""

    keys: IntArray
    won: IntArray
    games: IntArray

    def __len__(self) -> int:
        return len(self.keys)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Counts):
            return NotImplemented
        pairs = ((self.keys, other.keys), (self.won, other.won), (self.games, other.games))
        return all(np.array_equal(a, b) for a, b in pairs)

    __hash__ = None  # type: ignore[assignment]

    @property
    def total(self) -> int:
        return int(self.games.sum())

    def scaled(self, weight: float) -> Counts:
        """Every count times ``weight``, rounded to whole games; buckets without games are removed."""
        won = np.rint(self.won * weight).astype(np.int64)
        games = np.rint(self.games * weight).astype(np.int64)
        kept = games > 0
        return Counts(self.keys[kept], won[kept], games[kept])

    @classmethod
    def empty(cls) -> Counts:
        nothing = np.empty(0, np.int64)
        return cls(nothing, nothing.copy(), nothing.copy())

    @classmethod
    def summed(cls, parts: Iterable[Counts]) -> Counts:
        """The games of several counts together; their order does not matter."""
        several = list(parts)
        keys = np.concatenate([np.empty(0, np.int64), *(part.keys for part in several)])
        if len(keys) == 0:
            return cls.empty()
        order = np.argsort(keys, kind="stable")
        found, starts = np.unique(keys[order], return_index=True)
        won = np.add.reduceat(np.concatenate([part.won for part in several])[order], starts)
        games = np.add.reduceat(np.concatenate([part.games for part in several])[order], starts)
        return cls(found, won, games)


class Counter:
    """Counts games incrementally; memory grows with the number of distinct keys."""

    def __init__(self) -> None:
        self._filled = 0
        self._keys, self._won, self._games = _slots(FIRST_SLOTS)

    def add(self, keys: IntArray, won: IntArray) -> None:
        """Count games: the key of each, and 1 if it was won, else 0."""
        done = 0
        while done < len(keys):
            n, self._filled = kernel.count(keys[done:], won[done:], self._filled, self._keys, self._won, self._games)
            done += n
            if done < len(keys):
                self._grow()

    def counts(self) -> Counts:
        """The counts so far."""
        used = np.flatnonzero(self._keys != kernel.EMPTY)
        used = used[np.argsort(self._keys[used])]
        return Counts(self._keys[used], self._won[used], self._games[used])

    def _grow(self) -> None:
        old = self.counts()
        self._keys, self._won, self._games = _slots(4 * len(self._keys))
        entries = np.zeros(len(self._keys), np.int64)
        kernel.place(old.keys, 0, len(self._keys), self._keys, entries)
        full = self._keys != kernel.EMPTY
        self._won[full] = old.won[entries[full]]
        self._games[full] = old.games[entries[full]]


def _slots(n: int) -> tuple[IntArray, IntArray, IntArray]:
    return np.full(n, kernel.EMPTY, np.int64), np.zeros(n, np.int64), np.zeros(n, np.int64)
