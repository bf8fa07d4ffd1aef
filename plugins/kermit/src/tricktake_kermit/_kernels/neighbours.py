"""Evaluation by nearest neighbours: a hand in few whole numbers, the mean eyes of the played hands next to it.

A hand's numbers are those of ``NAMES``; its key holds them in mixed radix. Distances are whole numbers, and all hands
as far as the last of the k nearest count, so that nothing depends on the order in which hands are stored.
"""

import numpy as np
from tricktake_skat.kernels import cards, features, rule_bid

from tricktake.jit import njit, popcount
from tricktake_kermit._kernels.evaluate import SKATS, TRUMP_GAMES

NAMES = ("trumps", "jacks", "side aces", "side tens", "free suits", "lost tricks", "eyes discarded", "seat")
SIZES = np.array([12, 11, 5, 5, 5, 11, 23, 3], np.int64)  # values of each; jacks are one of eleven groups
NUMBERS = len(NAMES)


@njit
def key_of(expected, game, own, put, seat):
    """The numbers of ten cards with two discarded as one. expected: of ``features.lost``."""
    key = popcount(own & cards.TRUMPS[game])
    key = key * SIZES[1] + features.JACK_GROUP[features.jack_code(own)]
    key = key * SIZES[2] + features.side_aces(game, own)
    key = key * SIZES[3] + features.side_tens(game, own)
    key = key * SIZES[4] + features.free_suits(game, own)
    key = key * SIZES[5] + features.lost(expected, game, own, put)
    key = key * SIZES[6] + cards.eyes_of(put)
    return key * SIZES[7] + seat


@njit
def unpack(keys, numbers):
    """Fill (n, NUMBERS) with what keys (n,) hold."""
    for i in range(len(keys)):
        key = keys[i]
        for f in range(NUMBERS - 1, -1, -1):
            numbers[i, f] = key % SIZES[f]
            key //= SIZES[f]


@njit
def keys_of(expected, positions, keys):
    """Fill (n,). positions: (n, 4) game, own cards, discarded, seat."""
    for i in range(len(keys)):
        keys[i] = key_of(expected, positions[i, 0], positions[i, 1], positions[i, 2], positions[i, 3])


@njit
def discards_of(expected, twelve, seat, keys, pairs):
    """Keys of all discards of twelve cards, (TRUMP_GAMES, 66), and these, (66,)."""
    cards.fill_pairs(twelve, pairs)
    for game in range(TRUMP_GAMES):
        for i in range(cards.PAIRS):
            keys[game, i] = key_of(expected, game, twelve & ~pairs[i], pairs[i], seat)


@njit
def leaves(expected, hand, seat, ups, by_hand, values):
    """Fill the keys of all leaves of the bidding tree: with the skat picked up, (SKATS, TRUMP_GAMES, 66), and from the
    hand, (SKATS, TRUMP_GAMES); values: (SKATS, TRUMP_GAMES) of the games.
    """
    skats, pairs = np.zeros(SKATS, np.int64), np.zeros(cards.PAIRS, np.int64)
    cards.fill_pairs(cards.ALL & ~hand, skats)
    for s in range(SKATS):
        discards_of(expected, hand | skats[s], seat, ups[s], pairs)
        for game in range(TRUMP_GAMES):
            by_hand[s, game] = key_of(expected, game, hand, skats[s], seat)
            values[s, game] = rule_bid.value_of(game, hand | skats[s])


@njit
def nearest(weights, numbers, games, eyes, k, points, found):
    """Fill (n,) with the mean eyes of the k played hands nearest to each point and of all as far as the last of them.

    weights: (NUMBERS,) whole, what a step of each counts. numbers: (m, NUMBERS) of different hands; games, eyes: (m,)
    how many there were, and the sum of what they made; k of them at least. points: (n, NUMBERS).
    """
    farthest = (weights * (SIZES - 1)).sum()
    count, total = np.zeros(farthest + 1, np.int64), np.zeros(farthest + 1, np.int64)
    for i in range(len(points)):
        count[:] = 0
        total[:] = 0
        for j in range(len(numbers)):
            distance = 0
            for f in range(NUMBERS):
                distance += weights[f] * abs(points[i, f] - numbers[j, f])
            count[distance] += games[j]
            total[distance] += eyes[j]
        have, made, distance = 0, 0, 0
        while have < k:
            have += count[distance]
            made += total[distance]
            distance += 1
        found[i] = made / have
