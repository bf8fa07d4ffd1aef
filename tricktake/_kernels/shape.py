"""The shape of a position, kept card by card: how many cards of each suit each hand has, and who owns them in order.

Counts are numbers of four bits, one for each suit but the last and each seat, in two words. Owners are bit planes:
bit k of plane i is bit i of the seat that holds the k-th lowest of all cards left. Cards are numbered suit by suit
and upwards by rank, so in two positions with the same counts a suit lies in the same bits of the planes.
"""

import numpy as np

from tricktake._kernels import opencard_frame as F
from tricktake._kernels import opencard_state as S
from tricktake._kernels._jit import lean, lowbit_index, popcount
from tricktake._kernels.layout import H_COPIES, H_OVERTAKE, H_RARE, H_SEATS, H_SUITS
from tricktake._kernels.play import W_SUITS, bit
from tricktake._kernels.position import P_HANDS
from tricktake._kernels.transposition import LOW31, MIX_HIGH, MIX_LOW, MIX_TAG

COUNT_BITS = 4
FIRST_SLOTS = 15  # counts in the first word
MORE_SLOTS = 13  # and in the second
PLANE_BITS = 62
FOUR_SEATS = 4  # have two planes, more have three


@lean
def prepare(w, row):
    """Learn the deal that positions are going to come from. Whether shapes say all about its positions but ranks."""
    seats, suits, dealt = w[H_SEATS], w[H_SUITS], np.int64(0)
    for seat in range(seats):
        w[S.HOME + seat] = row[P_HANDS + seat]
        dealt |= row[P_HANDS + seat]
    w[S.PLANES] = 2 if seats <= FOUR_SEATS else 3
    works = not w[H_OVERTAKE] and not w[H_COPIES] and not w[H_RARE] and dealt >> PLANE_BITS == 0
    if (suits - 1) * seats > FIRST_SLOTS + MORE_SLOTS:
        works = False
    for suit in range(suits):
        for seat in range(seats):
            mine = w[S.HOME + seat] & w[W_SUITS + suit]
            if popcount(mine) >> COUNT_BITS:
                works = False
            slot = suit * seats + seat
            while mine:
                card = lowbit_index(mine)
                mine &= mine - 1
                w[S.ADD + card] = 0
                w[S.ADD_MORE + card] = 0
                if suit + 1 < suits and slot < FIRST_SLOTS:
                    w[S.ADD + card] = bit(COUNT_BITS * slot)
                elif suit + 1 < suits and slot < FIRST_SLOTS + MORE_SLOTS:
                    w[S.ADD_MORE + card] = bit(COUNT_BITS * (slot - FIRST_SLOTS))
    return works


@lean
def start(w, f):
    """The shape of the loaded position."""
    w[f + F.COUNTS] = 0
    w[f + F.COUNTS_MORE] = 0
    for i in range(3):
        w[f + F.PLANE + i] = 0
    rest, place = w[S.REST], np.int64(0)
    while rest:
        card = lowbit_index(rest)
        rest &= rest - 1
        w[f + F.COUNTS] += w[S.ADD + card]
        w[f + F.COUNTS_MORE] += w[S.ADD_MORE + card]
        owner = np.int64(0)
        while not w[S.HANDS + owner] >> card & 1:
            owner += 1
        for i in range(3):
            w[f + F.PLANE + i] |= (owner >> i & 1) << place
        place += 1


@lean
def without(w, f, g, card):
    """The shape of frame ``g``: that of ``f`` without a card, which is gone from S.REST already."""
    w[g + F.COUNTS] = w[f + F.COUNTS] - w[S.ADD + card]
    w[g + F.COUNTS_MORE] = w[f + F.COUNTS_MORE] - w[S.ADD_MORE + card]
    if not w[S.PATTERNS]:
        return
    below = bit(popcount(w[S.REST] & (bit(card) - 1))) - 1
    for i in range(w[S.PLANES]):
        plane = w[f + F.PLANE + i]
        w[g + F.PLANE + i] = (plane & below) | (plane >> 1 & ~below)


@lean
def mixed(counts, more):
    """A hash of two words."""
    h = (counts & LOW31) * MIX_LOW + (counts >> 31) * MIX_HIGH + (more & LOW31) * MIX_TAG + (more >> 31) * MIX_LOW
    h ^= h >> 32
    h = (h & LOW31) * MIX_HIGH + (h >> 31)
    return h ^ h >> 29


@lean
def places(w, suit):
    """The bits of a plane in which a suit lies, as a mask."""
    cards = w[W_SUITS + suit] & w[S.REST]
    if not cards:
        return np.int64(0)
    first = popcount(w[S.REST] & ((cards & -cards) - 1))
    return (bit(popcount(cards)) - 1) << first
