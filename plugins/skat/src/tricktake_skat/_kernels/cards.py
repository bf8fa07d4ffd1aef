"""Skat over ints: cards are deck indices (suit * 8 + rank, ranks 7 8 9 Q K 10 A J), sets are 32-bit masks in int64.

Games are numbered 0 to 3 for clubs, spades, hearts, diamonds, then ``GRAND`` and ``NULL``.
"""

import numpy as np

from tricktake.jit import njit, popcount

ALL = (1 << 32) - 1
GRAND = 4
NULL = 5
GAMES = 6
JACK, ACE, TEN, KING, QUEEN = 7, 6, 5, 4, 3  # ranks
JACKS = 0x80808080
ACES = 0x40404040
TENS = 0x20202020
KINGS = 0x10101010
QUEENS = 0x08080808
SUIT = 0xFF  # the eight cards of clubs; the other suits are shifted by 8 each
PLAIN = 0x7F  # without the jack

EYES = np.array([0, 0, 0, 3, 4, 10, 11, 2] * 4, np.int64)
BASES = np.array([12, 11, 10, 9, 24, 23], np.int64)
NULL_OUVERT = 46

_NULL_POWER = (0, 1, 2, 5, 6, 3, 7, 4)


def _power(game, card):
    suit, rank = divmod(card, 8)
    if game == NULL:
        return _NULL_POWER[rank]
    return 10 - suit if rank == JACK else rank


def _class(game, card):
    suit = card // 8
    if game == NULL:
        return SUIT << 8 * suit
    trumps = JACKS | (SUIT << 8 * game if game < GRAND else 0)
    return trumps if trumps >> card & 1 else PLAIN << 8 * suit


# Per game and card: strength within its class, the cards that must follow it, the stronger ones among them.
POWER = np.array([[_power(g, c) for c in range(32)] for g in range(GAMES)], np.int64)
CLASS = np.array([[_class(g, c) for c in range(32)] for g in range(GAMES)], np.int64)
ABOVE = np.array(
    [
        [sum(1 << d for d in range(32) if _class(g, c) >> d & 1 and _power(g, d) > _power(g, c)) for c in range(32)]
        for g in range(GAMES)
    ],
    np.int64,
)
TRUMPS = np.array([_class(g, JACK) if g != NULL else 0 for g in range(GAMES)], np.int64)


@njit
def eyes_of(mask):
    """The card points of a set."""
    return (
        11 * popcount(mask & ACES)
        + 10 * popcount(mask & TENS)
        + 4 * popcount(mask & KINGS)
        + 3 * popcount(mask & QUEENS)
        + 2 * popcount(mask & JACKS)
    )


PAIRS = 66  # of twelve cards


@njit
def fill_pairs(cards, pairs):
    """Fill in the pairs of a set, by the lower card and then by the higher; how many there are: 66 of twelve cards."""
    n = 0
    first = cards
    while first:
        low = first & -first
        first ^= low
        rest = first
        while rest:
            pairs[n] = low | (rest & -rest)
            rest &= rest - 1
            n += 1
    return n


@njit
def beats(game, card, best):
    """Whether ``card``, played later, takes the trick from ``best``."""
    if CLASS[game, best] >> card & 1:
        return POWER[game, card] > POWER[game, best]
    return TRUMPS[game] >> card & 1 != 0


# ---- random numbers: the same with and without the JIT, so no product leaves 63 bits -----------------------------


@njit
def mix(x, y):
    """A 32-bit hash of two numbers below 2**32."""
    x = (x ^ (y * 0x31848BAB)) & 0xFFFFFFFF
    x ^= x >> 16
    x = (x * 0x7FEB352D) & 0xFFFFFFFF
    x ^= x >> 15
    x = (x * 0x31848BAB) & 0xFFFFFFFF
    x ^= x >> 14
    x = (x * 0x7FEB352D) & 0xFFFFFFFF
    return x ^ (x >> 16)


@njit
def discardable(cards, trumps):
    """The cards of which two are put without need to put a trump: no trumps, unless there are not two others."""
    others = cards & ~trumps
    return others if popcount(others) >= 2 else cards
