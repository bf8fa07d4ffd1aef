"""The table of a paranoia search: what is known of the knowledge between two tricks.

An entry holds the mask of every place, so nothing is confused with anything else (KBPS-9). Knowing more never
hurts: what was proven while the hidden cards could lie in more places holds for fewer, and what was refuted for
fewer holds for more. Entries are found by what both have in common: open hands, unseen cards, leader.
"""

import numpy as np

from tricktake._kernels import paranoia_frame as F
from tricktake._kernels import paranoia_state as S
from tricktake._kernels._jit import lean
from tricktake._kernels.paranoia_hidden import OPEN
from tricktake._kernels.play import larger, smaller

T_MASK = 0  # number of buckets - 1
T_EPOCH = 1
T_WORDS = 2  # of an entry
T_HEADER = 8

E_TAG = 0
E_LOW = 1
E_HIGH = 2
E_WORK = 3
E_CUT = 4
E_MASKS = 5
BUCKET = 8

FLAG_BITS = 5  # leader, first trick, limits broken
NEED_BITS = 20  # what is exactly needed
EPOCH_SHIFT = FLAG_BITS + NEED_BITS
EPOCH_BELOW = (1 << EPOCH_SHIFT) - 1

NOTHING = 1 << 40  # beyond every cost
LOW31 = (1 << 31) - 1
MIX_LOW = 0x2545F491
MIX_HIGH = 0x31848BAB


@lean
def mixed(h, x):
    """A hash with one more word."""
    h ^= (x & LOW31) * MIX_LOW
    h ^= (x >> 31 & LOW31) * MIX_HIGH
    h ^= (x >> 62 & 3) * 0x1B873593
    h ^= h >> 29
    h = (h & LOW31) * MIX_HIGH + (h >> 31 & LOW31)
    return h ^ h >> 32


@lean
def entry_words(w):
    """Size of an entry."""
    return E_MASKS + (2 if w[S.CAPPED] else 1) * w[S.PLACES]


@lean
def tag_of(w, t, f):
    """What must be equal besides the masks."""
    need = w[f + F.NEED] if w[S.EXACT] else np.int64(0)
    return (
        ((t[T_EPOCH] << 20 | need + (1 << 19) & 0xFFFFF) << 1 | w[f + F.BROKEN]) << 4
        | w[f + F.FIRST] << 3
        | w[f + F.SEAT]
    )


@lean
def bucket_of(w, t, f, tag):
    """Where the entries that may say something lie: in every epoch the same place, so that nodes are."""
    h = mixed(mixed(np.int64(0), w[f + F.UNSEEN]), tag & EPOCH_BELOW)
    for place in range(w[S.PLACES]):
        if w[f + F.ROOM + place] == OPEN:
            h = mixed(h, w[f + F.MASK + place])
    return T_HEADER + (h & t[T_MASK]) * (BUCKET * entry_words(w))


@lean
def relation(w, t, f, e):
    """1: the entry allows all worlds of the frame, 2: only such, 3: both, 0: neither."""
    out = np.int64(3)
    for place in range(w[S.PLACES]):
        theirs, ours = t[e + E_MASKS + place], w[f + F.MASK + place]
        if w[f + F.ROOM + place] == OPEN and theirs != ours:
            return np.int64(0)
        if ours & ~theirs:
            out &= 2
        if theirs & ~ours:
            out &= 1
        if w[S.CAPPED] and t[e + E_MASKS + w[S.PLACES] + place] != w[f + F.CAPS + place]:
            return np.int64(0)
        if out == 0:
            return out
    return out


@lean
def probe(w, t, f):
    """Look a frame up: whether that settles it (value in S.VALUE), and the card that did so before, or -1."""
    tag, need = tag_of(w, t, f), w[f + F.NEED]
    start, words = bucket_of(w, t, f, tag), entry_words(w)
    tt_card, low, high = np.int64(-1), np.int64(-NOTHING), np.int64(NOTHING)
    for i in range(BUCKET):
        e = start + i * words
        if t[e + E_TAG] == tag:
            found = relation(w, t, f, e)
            if found & 1:
                low = larger(low, t[e + E_LOW])
            if found & 2:
                high = smaller(high, t[e + E_HIGH])
            if found and (tt_card < 0 or found == 3):
                tt_card = t[e + E_CUT]
    if low >= need:
        w[S.VALUE] = low
        return True, tt_card
    if high < need:
        w[S.VALUE] = high
        return True, tt_card
    return False, tt_card


@lean
def keep(w, t, f):
    """Store what a frame came to: into the entry of the same knowledge, else in place of an old or cheap one."""
    tag = tag_of(w, t, f)
    start, words = bucket_of(w, t, f, tag), entry_words(w)
    victim, least, same = start, np.int64(1) << 60, False
    for i in range(BUCKET):
        e = start + i * words
        if t[e + E_TAG] == tag and relation(w, t, f, e) == 3:
            victim, same = e, True
            break
        worth = t[e + E_WORK] if t[e + E_TAG] >> EPOCH_SHIFT == t[T_EPOCH] else np.int64(-1)
        if worth < least:
            victim, least = e, worth
    work = w[S.NODES] - w[f + F.START]
    if not same:
        t[victim + E_TAG] = tag
        t[victim + E_LOW] = -NOTHING
        t[victim + E_HIGH] = NOTHING
        t[victim + E_WORK] = 0
        for place in range(w[S.PLACES]):
            t[victim + E_MASKS + place] = w[f + F.MASK + place]
            if w[S.CAPPED]:
                t[victim + E_MASKS + w[S.PLACES] + place] = w[f + F.CAPS + place]
    value = w[f + F.VALUE]
    t[victim + E_WORK] += work
    t[victim + E_CUT] = w[f + F.CUT]
    if value >= w[f + F.NEED]:
        t[victim + E_LOW] = larger(t[victim + E_LOW], value)
    else:
        t[victim + E_HIGH] = smaller(t[victim + E_HIGH], value)
