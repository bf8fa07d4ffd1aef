"""Counts of won and played games by key, in open addressing: a power of two of slots, at most half of them filled."""

from tricktake._kernels._jit import njit

EMPTY = -1
LOW31 = (1 << 31) - 1
SPREAD = 0x5BD1E995  # an odd number of 31 bits, so that no product leaves 63


@njit
def slot_of(keys, first, size, key):
    """The place of ``key`` among ``size`` slots from ``first``, or the empty one where it belongs."""
    mixed = ((key & LOW31) ^ (key >> 31)) * SPREAD
    at = (mixed ^ (mixed >> 29)) & (size - 1)
    while keys[first + at] != key and keys[first + at] != EMPTY:
        at = (at + 1) & (size - 1)
    return first + at


@njit
def count(found, won, filled, keys, wins, games):
    """Count the games of keys ``found`` into the slots; (games counted, slots filled).

    won: 1 or 0 for each. Stops early when half of the slots are filled: then the caller makes more of them.
    """
    for i in range(len(found)):
        at = slot_of(keys, 0, len(keys), found[i])
        if keys[at] == EMPTY:
            if 2 * (filled + 1) > len(keys):
                return i, filled
            keys[at] = found[i]
            filled += 1
        games[at] += 1
        wins[at] += won[i]
    return len(found), filled


@njit
def place(found, first, size, keys, entries):
    """Put sorted keys into slots; ``entries`` tells for each slot which of them it holds, from 0."""
    for i in range(len(found)):
        at = slot_of(keys, first, size, found[i])
        keys[at] = found[i]
        entries[at] = i
