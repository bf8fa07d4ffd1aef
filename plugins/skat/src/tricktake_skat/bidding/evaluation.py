"""What a hand is worth: the chance of every game with every skat and the best discard (SKAT-5, KERMIT-11)."""

from __future__ import annotations

from functools import cache

import numpy as np

from tricktake.arrays import IntArray
from tricktake_skat._kernels import bidding as kernel
from tricktake_skat._kernels.features import JACK_GROUP

TRUMPS, TENACES = 12, 4


_NONE = np.zeros(0, np.int64)
NO_SUMS = kernel.Sums(_NONE, _NONE, _NONE, _NONE, _NONE, _NONE, _NONE, _NONE, np.zeros((0, 0, 0), np.int64))
"""For batches in which nobody goes by chances."""


@cache
def blocks() -> tuple[IntArray, tuple[tuple[int, int, int], ...]]:
    """Numbers of what the trumps of a suit game can be, (12, 16, 4) by trumps, jacks and tenaces, and back:
    (trumps, jack group, tenaces) of each block.
    """
    numbers = np.zeros((TRUMPS, 16, TENACES), np.int64)
    found: dict[tuple[int, int, int], int] = {}
    for trumps in range(TRUMPS):
        for jacks in range(16):
            count = jacks.bit_count()
            if not count <= trumps <= count + 7:
                continue
            group = int(JACK_GROUP[int(f"{jacks:04b}"[::-1], 2)])  # places have clubs highest, groups clubs first
            for tenaces in range(TENACES):
                key = min(trumps, 10), group, tenaces
                numbers[trumps, jacks, tenaces] = found.setdefault(key, len(found))
    return numbers, tuple(found)


@cache
def sums() -> kernel.Sums:
    """What the classes add up to, with the tricks the questions expect; made at the first call of a process."""
    from tricktake_skat.questions.declarer import EXPECTED

    return sums_of(EXPECTED)


def sums_of(expected: IntArray) -> kernel.Sums:
    """The same for other expectations: thousandths of tricks, (questions, sequences) as in ``factor``."""
    codes = np.zeros(kernel.CODES[-1], np.int64)
    kernel.fill_codes(expected, blocks()[0], codes)
    rows = int(kernel.ROWS[-1])
    keep, at = np.zeros(rows, np.int64), []
    lists = []
    for count, most in ((1, 11), (2, 55)):
        begins = np.zeros(rows + 1, np.int64)
        delta, discards = np.zeros(rows * most, np.int64), np.zeros(rows * most, np.int64)
        n = kernel.fill_lists(codes, keep, begins, delta, discards, count)
        at.append(begins)
        lists.append((delta[:n].copy(), discards[:n].copy()))
    return kernel.Sums(codes, keep, at[0], *lists[0], at[1], *lists[1], blocks()[0])
