"""Open-card search for goals of the kind "exactly n": can a side force the cost it gets to be just that?

Yes or no over positions and the amount still needed, which is part of the key; cards are exchanged only if they cost
the same. Slower than ``opencard``, whose null windows settle all amounts above or below at once.
"""

import numpy as np

from tricktake._kernels import opencard_frame as F
from tricktake._kernels import opencard_state as S
from tricktake._kernels._jit import lean, njit, popcount
from tricktake._kernels.layout import H_RARE
from tricktake._kernels.opencard import (
    R_CARD,
    R_HIGH,
    R_KNOWN,
    R_LOW,
    R_NODES,
    R_WINDOWS,
    WORK,
    descend,
    last_trick,
    load,
)
from tricktake._kernels.order import CARD_BITS, legal_of, list_cards
from tricktake._kernels.play import bit, pack
from tricktake._kernels.position import P_TAKEN, kept
from tricktake._kernels.transposition import E_HIGH, E_LOW, E_REST, E_TAG, find, new_epoch, tag_of

MIX_AMOUNT = 0x9E3779B1
AMOUNT_BITS = (1 << 30) - 1
OPEN = -1  # neither yes nor no


@lean
def key_of(w, f):
    """The remaining cards with the amount mixed in; the amount itself is in the entry too."""
    return w[S.REST] ^ (w[f + F.NEED] & AMOUNT_BITS) * MIX_AMOUNT


@lean
def enter(w, t, f):
    """1 or 0 if the position is settled at once, else OPEN and its cards are listed."""
    need = w[f + F.NEED]
    if need < w[f + F.DOWN] or need > w[f + F.UP]:
        return 0
    if w[S.REST] == 0 and w[f + F.PLAYED] == 0:
        return 1 if need == 0 else 0
    seat = w[f + F.SEAT]
    if w[f + F.PLAYED] == 0:
        if popcount(w[S.HANDS + seat]) == 1 and not w[H_RARE]:
            return 1 if last_trick(w, seat) == need else 0
        entry = find(t, key_of(w, f), tag_of(t, seat, w[f + F.BROKEN]))
        if entry > 0 and t[entry + E_LOW] == need:
            return t[entry + E_HIGH]
    list_cards(w, f, legal_of(w, f), False, np.int64(-1))
    w[f + F.NEXT] = 0
    w[f + F.CUT] = -1
    return OPEN


@lean
def keep(w, t, f, answer):
    """Put an answer into the table."""
    if w[f + F.PLAYED]:
        return
    key, tag = key_of(w, f), tag_of(t, w[f + F.SEAT], w[f + F.BROKEN])
    entry = abs(find(t, key, tag))
    t[entry + E_REST] = key
    t[entry + E_TAG] = tag
    t[entry + E_LOW] = w[f + F.NEED]
    t[entry + E_HIGH] = answer


@lean
def search_exactly(w, t, need):
    """1 if the side can force exactly ``need`` from the loaded position on, else 0. Void if S.STOPPED is set."""
    f = np.int64(S.FRAMES)
    w[f + F.NEED] = need
    w[S.STOPPED] = 0
    while True:
        answer = enter(w, t, f)
        while True:
            if answer != OPEN:
                if f == S.FRAMES:
                    return answer
                card = w[f + F.CARD]
                f -= F.SIZE
                mask = bit(card)
                w[S.HANDS + w[f + F.SEAT]] |= mask
                w[S.REST] |= mask
                if answer == (w[S.SIDE] >> w[f + F.SEAT] & 1):  # what the seat to move wants
                    w[f + F.CUT] = card
                    keep(w, t, f, answer)
                else:
                    answer = OPEN
                continue
            if w[f + F.NEXT] == w[f + F.MOVES]:
                answer = 1 - (w[S.SIDE] >> w[f + F.SEAT] & 1)
                keep(w, t, f, answer)
                continue
            card = w[f + F.LIST + w[f + F.NEXT]] & CARD_BITS
            w[f + F.NEXT] += 1
            if w[S.NODES] >= w[S.LIMIT]:
                w[S.STOPPED] = 1
                return np.int64(0)
            w[S.NODES] += 1
            descend(w, f, card)
            f += F.SIZE
            break


@njit
def ask_exactly(header, cards, suits, row, total, fresh, limit, t, result):
    """Whether the side can force its final cost to be ``total``; R_LOW of ``result`` is the answer.

    Unless ``fresh``, the same was asked before, and what the table holds is of use.
    """
    w = np.zeros(WORK, np.int64)
    pack(header, cards, suits, w)
    w[S.LIMIT] = limit
    if fresh:
        new_epoch(t)
    load(w, row)
    answer = search_exactly(w, t, total - row[P_TAKEN] - kept(w, row))
    result[R_KNOWN] = 1 - w[S.STOPPED]
    result[R_LOW] = answer
    result[R_HIGH] = answer
    result[R_CARD] = w[S.FRAMES + F.CUT]
    result[R_NODES] = w[S.NODES]
    result[R_WINDOWS] = 1
