"""Asking a learned table from a kernel: ``probability(arrays, values)``.

``arrays`` is what ``Table.arrays()`` gives: (places, weights, domains, keys, won, probabilities). ``values`` are the
features of the question in its order, as int64.
"""

from tricktake._kernels._jit import njit
from tricktake._kernels.counting import EMPTY, slot_of

# Columns of ``places``, one row a layer, the foreground first.
L_FIRST = 0  # where its slots begin
L_SIZE = 1  # how many: a power of two, or for a dense layer one for each key there can be
L_DENSE = 2  # slots are found by the key itself
L_CONFIDENCE = 3  # games without which the next layer is asked
L_SIZE_OF = 4

UNKNOWN = -1.0


@njit
def entry(arrays, values):
    """The slot that answers, -1 if none does.

    The first layer with enough games answers; if none has, the last one that has any. Values outside of their domain
    have no answer.
    """
    places, weights, domains, keys, games, _ = arrays
    for j in range(len(domains)):
        if values[j] < 0 or values[j] >= domains[j]:
            return -1
    best = -1
    for layer in range(len(places)):
        key = 0
        for j in range(len(domains)):
            key += values[j] * weights[layer, j]
        if places[layer, L_DENSE]:
            at = places[layer, L_FIRST] + key
        else:
            at = slot_of(keys, places[layer, L_FIRST], places[layer, L_SIZE], key)
            if keys[at] == EMPTY:
                continue
        if games[at] > 0:
            best = at
            if games[at] >= places[layer, L_CONFIDENCE]:
                return at
    return best


@njit
def probability(arrays, values):
    """Won games by games of the bucket that answers, UNKNOWN (-1.0) if none does."""
    at = entry(arrays, values)
    if at < 0:
        return UNKNOWN
    return arrays[5][at]


@njit
def probabilities(arrays, values, out):
    """``probability`` of each row of ``values``, into ``out``."""
    for i in range(len(values)):
        out[i] = probability(arrays, values[i])
