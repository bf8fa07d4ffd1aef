"""The transposition tables of a solver, as large as a question can need."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from tricktake._kernels import notes, patterns, relations
from tricktake._kernels import transposition as positions
from tricktake._kernels.position import P_HANDS, P_LEADER
from tricktake.arrays import IntArray

# Words of the tables by the cards of the longest hand left, each many times what the hardest of random deals of any
# game filled (``solver.tables``, docs/solver.md). Of whole deals of bridge some took 4 million nodes with 256 MB and
# were not done after 20 million with 16 MB.
WORDS = ((6, 1 << 18), (8, 1 << 21), (10, 1 << 23), (64, 1 << 25))

# With how many cards of a lone seat that avoids cost a relaxed search of its opponents pays (docs/solver.md).
RELAXED = 8

MOST_POSITIONS = 1 << 20
MOST_HEADS = 1 << 19
MOST_NOTES = 1 << 14
LINE_WORDS = 8  # a line of the cache, which a head fills


def transposition_table(words: int, relaxed: int = RELAXED, plain: bool = False) -> IntArray:
    """Empty tables of that many words: up to a quarter for positions, up to a sixteenth for heads of patterns, the rest
    for their entries. plain: of use for positions only.

    Entries are filled one after the other, so that only deals with many positions touch the whole memory. Positions and
    heads are found by a hash and lie anywhere in their part, which is therefore small (``MOST_POSITIONS``,
    ``MOST_HEADS`` words).
    """
    whole = np.zeros(words + LINE_WORDS, np.int64)
    table = whole[-whole.ctypes.data // whole.itemsize % LINE_WORDS :][:words]
    buckets = 1 << (min(words // 4, MOST_POSITIONS) // (positions.BUCKET * positions.ENTRY)).bit_length() - 1
    heads = 1 << (min(words // 16, MOST_HEADS) // patterns.HEAD).bit_length() - 1
    kept = 1 << min(words // 16, MOST_NOTES).bit_length() - 1
    table[notes.T_NOTES] = positions.T_ENTRIES + buckets * positions.BUCKET * positions.ENTRY
    table[notes.T_NOTE_MASK] = kept - 1
    start = int(table[notes.T_NOTES]) + kept
    table[positions.T_MASK] = buckets - 1
    table[relations.T_RELAXED] = relaxed
    table[patterns.T_HEADS] = 0 if plain else start
    table[patterns.T_HEAD_MASK] = heads - 1
    table[patterns.T_POOL] = start + heads * patterns.HEAD
    table[patterns.T_POOL_END] = words
    return table


def filled(table: IntArray) -> tuple[float, float, float]:
    """The shares of a table's heads, of the room for their entries, and of the places for positions that the last
    question took.
    """
    pool = int(table[patterns.T_POOL])
    entries = table[positions.T_ENTRIES : int(table[notes.T_NOTES])].reshape(-1, positions.ENTRY)
    epochs = entries[:, positions.E_TAG] >> (positions.EPOCH_SHIFT + positions.TAG_SHIFT)
    return (
        float(table[patterns.T_USED_HEADS] / (table[patterns.T_HEAD_MASK] + 1)),
        float((table[patterns.T_FREE] - pool) / (table[patterns.T_POOL_END] - pool)),
        float((epochs == table[positions.T_EPOCH]).mean()),
    )


class Tables:
    """Tables of some sizes, each made when first needed and kept.

    words: one size for all questions; by default ``WORDS`` says which. Nodes of a question depend on its size only, so
    not on what was asked before. relaxed: with how many cards of a lone seat on its opponents are relaxed
    (docs/solver.md); more or fewer change nodes, never values. plain: no patterns, no exchange of cards and no relaxed
    search, which all others are compared with.
    """

    def __init__(self, words: int | None = None, relaxed: int = RELAXED, plain: bool = False) -> None:
        self._words = words
        self._relaxed = relaxed
        self._plain = plain
        self._made: dict[int, IntArray] = {}

    def sizes(self, rows: IntArray) -> NDArray[np.int64]:
        """Words for each of some positions (``Positions.rows``), shape (n,)."""
        if self._words is not None:
            return np.full(len(rows), self._words, np.int64)
        longest = np.bitwise_count(rows[:, P_HANDS:P_LEADER].view(np.uint64)).max(axis=1)
        most, words = np.array(WORDS, np.int64).T
        return words[np.searchsorted(most, longest)]

    def of(self, rows: IntArray) -> IntArray:
        """The table for positions, of the largest size that one of them needs."""
        words = max(self.sizes(rows).tolist(), default=self._words or WORDS[0][1])
        if words not in self._made:
            self._made[words] = transposition_table(words, self._relaxed, self._plain)
        return self._made[words]

    def parts(self, rows: IntArray, most: int) -> list[slice]:
        """Positions in their order in parts of ``most`` or fewer, all of a part with a table of the same size; at least
        one part.
        """
        sizes = self.sizes(rows)
        ends = [0, *(np.flatnonzero(np.diff(sizes)) + 1).tolist(), len(rows)]
        runs = pairwise(ends)
        return [slice(i, min(i + most, end)) for start, end in runs for i in range(start, max(end, start + 1), most)]
