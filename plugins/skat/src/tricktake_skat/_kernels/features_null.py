"""Null by suits: what a suit is like is a number below 256, a bit for each card from the seven up (KERMIT-3, GAP-7).

Bits 0 to 7 are 7 8 9 10 J Q K A. A suit is weak if some card of it may be forced: the i-th lowest (from 0) ducks as
long as no more than 2 i lower cards are missing, because each trick takes two of them away.
"""

import numpy as np

from tricktake.jit import njit, popcount
from tricktake_skat._kernels.cards import NULL, POWER

CONFIGS = 256
KINDS = 4  # hand + 2 * ouvert
PUTS = 3


def _config(byte):
    return sum(1 << int(POWER[NULL, rank]) for rank in range(8) if byte >> rank & 1)


def _gap(config):
    powers = [power for power in range(8) if config >> power & 1]
    return max((max(0, power - 2 * i) for i, power in enumerate(powers)), default=0)


CONFIG = np.array([_config(byte) for byte in range(CONFIGS)], np.int64)  # of the eight deck bits of a suit
GAP = np.array([_gap(config) for config in range(CONFIGS)], np.int64)  # 0: no card can be forced


@njit
def config_of(hand, suit):
    """What a suit of a hand is like."""
    return CONFIG[hand >> 8 * suit & 0xFF]


@njit
def puts_in(put, suit):
    """How many cards of a suit have been put, 0 to 2."""
    return popcount(put >> 8 * suit & 0xFF)


@njit
def weak_suit(hand):
    """The suit that is weak if it is the only one; -1 if none is, -2 if several are."""
    found = -1
    for suit in range(4):
        if GAP[config_of(hand, suit)] > 0:
            if found >= 0:
                return -2
            found = suit
    return found


@njit
def null_chance(table, hand, put, kind, leads):
    """How likely a Null is to be won: the product over the suits (OUTER-19, KERMIT-3).

    table: shape (KINDS, 2, PUTS, CONFIGS). put: 0 in hand games, whose skat nobody has seen. leads: whether the
    declarer is forehand, 1 or 0.
    """
    chance = 1.0
    for suit in range(4):
        chance *= table[kind, leads, puts_in(put, suit), config_of(hand, suit)]
    return chance
