"""The transposition table: what is known of positions between two tricks.

A flat int64 array, allocated once: ``T_ENTRIES`` words of header, then buckets of ``BUCKET`` entries. An entry is the
mask of the remaining cards, a tag (epoch, flags, leader, card that cut), and bounds on the cost the side still
gets. Owners of cards are fixed by the deal, so the remaining cards and the leader are the whole position; a new
deal, side or set of rules starts a new epoch, and nothing is ever cleared.
"""

import numpy as np

from tricktake._kernels._jit import lean, popcount

T_MASK = 0  # number of buckets - 1
T_EPOCH = 1
T_ENTRIES = 24  # words of the header; those between belong to ``patterns``

E_REST = 0
E_TAG = 1
E_LOW = 2
E_HIGH = 3
ENTRY = 4
BUCKET = 4

EPOCH_SHIFT = 5  # of a tag; below: flags and leader
EPOCH_MASK = (1 << EPOCH_SHIFT) - 1
TAG_SHIFT = 8  # below: the card that cut, plus 1
MOVE_BITS = 255
LOW31 = (1 << 31) - 1
# Odd numbers below 2^30, so that no product of a 31-bit word leaves 63 bits.
MIX_LOW = 0x2545F491
MIX_HIGH = 0x31848BAB
MIX_TAG = 0x1B873593


@lean
def new_epoch(t):
    """Forget everything."""
    t[T_EPOCH] += 1


@lean
def tag_of(t, leader, flags):
    """What besides the remaining cards makes a position, above the bits of the move."""
    return (t[T_EPOCH] << EPOCH_SHIFT | flags << 3 | leader) << TAG_SHIFT


@lean
def bucket_of(t, rest, tag):
    """Where the entries of a position lie."""
    h = (rest & LOW31) * MIX_LOW + ((rest >> 31) & LOW31) * MIX_HIGH
    h ^= ((tag >> TAG_SHIFT & EPOCH_MASK) * 4 + (rest >> 62 & 3)) * MIX_TAG
    h ^= h >> 32
    h = (h & LOW31) * MIX_HIGH
    h ^= h >> 29
    return T_ENTRIES + (h & t[T_MASK]) * (BUCKET * ENTRY)


@lean
def find(t, rest, tag):
    """The entry of a position, or minus the entry to replace: one of an older epoch, else the least work lost."""
    start = bucket_of(t, rest, tag)
    victim, least = start, np.int64(1000)
    for i in range(BUCKET):
        e = start + i * ENTRY
        if t[e + E_REST] == rest and (t[e + E_TAG] ^ tag) >> TAG_SHIFT == 0:
            return e
        worth = popcount(t[e + E_REST]) if t[e + E_TAG] >> (TAG_SHIFT + EPOCH_SHIFT) == t[T_EPOCH] else np.int64(-1)
        if worth < least:
            victim, least = e, worth
    return -victim
