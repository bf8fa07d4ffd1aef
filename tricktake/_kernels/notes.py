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
from tricktake._kernels.play import bit
from tricktake._kernels.transposition import T_EPOCH

# Of the table:
T_NOTES = 20  # where the notes begin
T_NOTE_MASK = 21  # number of notes - 1

N_TAG = 0  # a hash of what the note belongs to
N_CARD = 1  # epoch << 6 | card
NOTE = 2
CARD_BITS = 6


@lean
def find_note(w, t, f):
    """Find the place of the note of a frame, for later; the card it names, -1 if there is none."""
    seat = w[f + F.SEAT]
    best = w[f + F.BEST] + 1 if w[f + F.PLAYED] else np.int64(0)
    tag = shape.mixed(w[f + F.COUNTS], w[f + F.COUNTS_MORE] << 10 | best << 3 | seat)
    tag = shape.mixed(tag, w[S.HANDS + seat])
    at = t[T_NOTES] + (tag >> 20 & t[T_NOTE_MASK]) * NOTE
    w[f + F.NOTE] = at
    w[f + F.NOTE_TAG] = tag
    if t[at + N_TAG] != tag or t[at + N_CARD] >> CARD_BITS != t[T_EPOCH]:
        return np.int64(-1)
    return t[at + N_CARD] & (bit(CARD_BITS) - 1)


@lean
def take_note(w, t, f, card):
    """Note the card that cut."""
    at = w[f + F.NOTE]
    t[at + N_TAG] = w[f + F.NOTE_TAG]
    t[at + N_CARD] = t[T_EPOCH] << CARD_BITS | card
