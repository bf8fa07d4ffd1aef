"""Counting and drawing worlds, card by card.

The unseen cards are numbered 0..n-1, the hidden places 0..p-1. A state is how many cards each place still takes, in
mixed radix over all places but the last, whose rest follows from the number of cards left. ``table[i, state]`` is the
weight of all ways to lay down cards i..n-1 from there, so every draw ends in a world: nothing is rejected.
"""

import numpy as np

from tricktake._kernels._jit import njit


@njit
def fill(weights, sizes, strides, modulus, table):
    """Fill ``table`` (n+1, states) backwards.

    weights: (n, p), of the table's type; what card i lying in place j counts, 0 if it cannot. sizes: (p,) cards of
    each place. strides: (p,) step of the state for one card in place j, 0 for the last place. modulus: everything is
    counted modulo this number, 0 for none.
    """
    n, p = weights.shape
    states = table.shape[1]
    left = np.zeros(p, np.int64)
    table[n, 0] = 1
    for i in range(n - 1, -1, -1):
        for state in range(states):
            rest = n - i
            code = state
            for j in range(p - 1):
                left[j] = code % (sizes[j] + 1)
                code //= sizes[j] + 1
                rest -= left[j]
            if rest < 0 or rest > sizes[p - 1]:
                continue
            left[p - 1] = rest
            total = table[n, 0] * 0
            for j in range(p):
                if left[j] > 0:
                    total += weights[i, j] * table[i + 1, state - strides[j]]
            table[i, state] = total % modulus if modulus > 0 else total


@njit
def by_rank(weights, sizes, strides, table, ranks, cards, places, out):
    """World number ``ranks[w]`` in [0, table[0, -1]) for every w: places whose weights are 0 or 1, int64 throughout.

    cards: (n,) the bit of each card. places: (p,) the column of ``out`` (worlds, columns) that gets it.
    """
    n, p = weights.shape
    left = np.zeros(p, np.int64)
    for w in range(ranks.shape[0]):
        rank = ranks[w]
        state = table.shape[1] - 1
        for j in range(p):
            left[j] = sizes[j]
        for i in range(n):
            for j in range(p):
                if left[j] == 0 or weights[i, j] == 0:
                    continue
                ways = table[i + 1, state - strides[j]]
                if rank < ways:
                    state -= strides[j]
                    left[j] -= 1
                    out[w, places[j]] |= cards[i]
                    break
                rank -= ways


@njit
def rank_of(weights, sizes, strides, table, cards, places, worlds, ranks):
    """The reverse of ``by_rank``."""
    n, p = weights.shape
    left = np.zeros(p, np.int64)
    for w in range(worlds.shape[0]):
        ranks[w] = 0
        state = table.shape[1] - 1
        for j in range(p):
            left[j] = sizes[j]
        for i in range(n):
            for j in range(p):
                if worlds[w, places[j]] & cards[i]:
                    state -= strides[j]
                    left[j] -= 1
                    break
                if left[j] > 0 and weights[i, j] != 0:
                    ranks[w] += table[i + 1, state - strides[j]]


@njit
def by_chance(weights, sizes, strides, table, chances, cards, places, out):
    """Worlds drawn in proportion to their weight, from float64 tables. chances: (worlds, n), uniform in [0, 1)."""
    n, p = weights.shape
    left = np.zeros(p, np.int64)
    for w in range(chances.shape[0]):
        state = table.shape[1] - 1
        for j in range(p):
            left[j] = sizes[j]
        for i in range(n):
            at = chances[w, i] * table[i, state]
            chosen = -1
            for j in range(p):
                if left[j] == 0 or weights[i, j] == 0:
                    continue
                part = weights[i, j] * table[i + 1, state - strides[j]]
                if part > 0:
                    chosen = j  # the last possible place, should rounding leave a rest
                    if at < part:
                        break
                    at -= part
            state -= strides[chosen]
            left[chosen] -= 1
            out[w, places[chosen]] |= cards[i]
