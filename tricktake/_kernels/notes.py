"""Notes of cards that cut: a small store without chains, in which the last one of a place counts.

A note belongs to a shape, the seat to move, its cards and the best card on the table, at any place in a trick. It
says what to try first, before anything is listed or scored; a wrong one costs time only. Notes of other questions are
not read, so that a question costs the same nodes whatever was asked before.
"""

import numpy as np

from tricktake._kernels import opencard_frame as F
from tricktake._kernels import opencard_state as S
from tricktake._kernels import shape
from tricktake._kernels._jit import lean
from tricktake._kernels.transposition import T_EPOCH

# Of the table:
T_NOTES = 20  # where the notes begin
T_NOTE_MASK = 21  # number of notes - 1

# A note is one word: a hash of what it belongs to, the epoch included, and in its lowest bits the card.
CARD_BITS = 6
CARD_OF = (1 << CARD_BITS) - 1


@lean
def find_note(w, t, f):
    """Find the place of the note of a frame, for later; the card it names, -1 if there is none."""
    seat = w[f + F.SEAT]
    best = w[f + F.BEST] + 1 if w[f + F.PLAYED] else np.int64(0)
    tag = shape.mixed(w[f + F.COUNTS], w[f + F.COUNTS_MORE] << 10 | best << 3 | seat)
    tag = shape.mixed(tag, w[S.HANDS + seat])
    at = t[T_NOTES] + (tag >> 20 & t[T_NOTE_MASK])
    tag ^= t[T_EPOCH] << CARD_BITS
    w[f + F.NOTE] = at
    w[f + F.NOTE_TAG] = tag
    if (t[at] ^ tag) >> CARD_BITS:
        return np.int64(-1)
    return t[at] & CARD_OF


@lean
def take_note(w, t, f, card):
    """Note the card that cut."""
    t[w[f + F.NOTE]] = w[f + F.NOTE_TAG] & ~CARD_OF | card
