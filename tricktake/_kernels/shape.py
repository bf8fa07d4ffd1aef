"""The shape of a position, kept card by card: how many cards of each suit each hand has, and who owns them in order.

Counts are numbers of four bits, one for each suit but the last and each seat, in two words. Owners are bit planes:
bit k of plane i is bit i of the seat that holds the k-th lowest of all cards left. Cards are numbered suit by suit
and upwards by rank, so in two positions with the same counts a suit lies in the same bits of the planes. Copies of a
card lie in the order of their owners; the third plane has a bit for each card that equals the one below it.
"""

import numpy as np

from tricktake._kernels import opencard_frame as F
from tricktake._kernels import opencard_state as S
from tricktake._kernels._jit import lean, lowbit_index, popcount
from tricktake._kernels.layout import BROKEN, H_COPIES, H_OVERTAKE, H_RARE, H_SEATS, H_SUITS
from tricktake._kernels.play import MARK_LEAD, W_CLASS, W_FROM, W_MARKS, W_SUITS, W_UPTO, bit
from tricktake._kernels.position import P_HANDS
from tricktake._kernels.transposition import LOW31, MIX_HIGH, MIX_LOW, MIX_TAG

COUNT_BITS = 4
FIRST_SLOTS = 15  # counts in the first word
MORE_SLOTS = 13  # and in the second
PLANE_BITS = 62
FOUR_SEATS = 4  # have two planes, more have three
TWINS = 2  # the third plane of four seats, if there are copies
NAME_BITS = 5
GONE = (1 << NAME_BITS) - 1  # of a named card that is in no hand any more
ONLY_BROKEN = 1 << BROKEN  # sets of flags, see layout.py
ALL_FLAGS = 15


@lean
def prepare(w, row):
    """Learn the deal that positions are going to come from: with which flags shapes say all of them but ranks."""
    seats, suits, dealt = w[H_SEATS], w[H_SUITS], np.int64(0)
    for seat in range(seats):
        w[S.HOME + seat] = row[P_HANDS + seat]
        dealt |= row[P_HANDS + seat]
    w[S.PLANES] = 2 if seats <= FOUR_SEATS and not w[H_COPIES] else 3
    works = not w[H_OVERTAKE] and not w[H_RARE] and dealt >> PLANE_BITS == 0
    if w[H_COPIES] and seats > FOUR_SEATS:
        works = False
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
                w[S.BEFORE + card] = before(w, dealt, seat, card)
    if not works:
        return np.int64(0)
    return np.int64(ALL_FLAGS if give_names(w, dealt) else ONLY_BROKEN)


@lean
def before(w, dealt, owner, card):
    """The dealt cards whose places are before that of a card: copies of each other lie in the order of their owners."""
    equal = twins(w, card)
    found = bit(lowbit_index(equal)) - 1
    for seat in range(owner):
        found |= w[S.HOME + seat] & equal
    return (found | w[S.HOME + owner] & equal & (bit(card) - 1)) & dealt


@lean
def twins(w, card):
    """All cards that are of the suit and power of a card, and it."""
    return w[W_FROM + card] & w[W_UPTO + card]


@lean
def give_names(w, dealt):
    """Name the cards that lead limits or duties set apart from others of their suit. Whether there are few enough."""
    n = np.int64(0)
    for suit in range(w[H_SUITS]):
        cards, common = dealt & w[W_SUITS + suit], np.int64(MARK_LEAD)
        x = cards
        while x:
            common &= w[W_MARKS + lowbit_index(x)]
            x &= x - 1
        while cards:
            card = np.int64(lowbit_index(cards))
            cards &= cards - 1
            if w[W_MARKS + card] & MARK_LEAD == common:
                continue
            if n == S.NAMES:
                return False
            owner = np.int64(0)
            while not w[S.HOME + owner] & bit(card):
                owner += 1
            w[S.NAMED_CARD + n] = bit(card)
            w[S.NAMED_BELOW + n] = w[S.HOME + owner] & w[W_CLASS + card] & (bit(card) - 1)
            n += 1
    w[S.NAMED] = n
    return True


@lean
def names(w):
    """Where the named cards lie, each in its hand: how many cards of the suit are below it there."""
    word = np.int64(0)
    for i in range(w[S.NAMED]):
        left = w[S.REST] & w[S.NAMED_CARD + i]
        word = word << NAME_BITS | (popcount(w[S.REST] & w[S.NAMED_BELOW + i]) if left else GONE)
    return word


@lean
def start(w, f):
    """The shape of the loaded position."""
    w[f + F.COUNTS] = 0
    w[f + F.COUNTS_MORE] = 0
    for i in range(3):
        w[f + F.PLANE + i] = 0
    rest = w[S.REST]
    while rest:
        card = lowbit_index(rest)
        rest &= rest - 1
        w[f + F.COUNTS] += w[S.ADD + card]
        w[f + F.COUNTS_MORE] += w[S.ADD_MORE + card]
        owner = np.int64(0)
        while not w[S.HANDS + owner] >> card & 1:
            owner += 1
        place = popcount(w[S.REST] & w[S.BEFORE + card])
        for i in range(3):
            w[f + F.PLANE + i] |= (owner >> i & 1) << place
        if w[H_COPIES] and w[S.REST] & w[S.BEFORE + card] & twins(w, card):
            w[f + F.PLANE + TWINS] |= bit(place)


@lean
def without(w, f, g, card):
    """The shape of frame ``g``: that of ``f`` without a card, which is gone from S.REST already."""
    w[g + F.COUNTS] = w[f + F.COUNTS] - w[S.ADD + card]
    w[g + F.COUNTS_MORE] = w[f + F.COUNTS_MORE] - w[S.ADD_MORE + card]
    if not w[S.PATTERNS]:
        return
    copies = w[H_COPIES]
    below = bit(popcount(w[S.REST] & (w[S.BEFORE + card] if copies else bit(card) - 1))) - 1
    for i in range(w[S.PLANES]):
        plane = w[f + F.PLANE + i]
        w[g + F.PLANE + i] = (plane & below) | (plane >> 1 & ~below)
    if copies and not w[f + F.PLANE + TWINS] & (below + 1):  # the next one is the first of its copies now
        w[g + F.PLANE + TWINS] &= ~(below + 1)


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
