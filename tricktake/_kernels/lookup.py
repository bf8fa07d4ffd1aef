"""Asking a learned table from a kernel: ``probability(arrays, vector)``.

``arrays`` is what ``Table.arrays()`` gives: (places, weights, domains, slots). ``vector`` holds the features of the
question in its order, as int64.
"""

from tricktake._kernels._jit import lean, njit
from tricktake._kernels.counting import EMPTY, LOW31, SPREAD

# Columns of ``places``, one row a layer, the foreground first.
L_FIRST = 0  # where its slots begin
L_SIZE = 1  # how many: a power of two, or for a dense layer one for each key there can be
L_DENSE = 2  # slots are found by the key itself
L_CONFIDENCE = 3  # games without which the next layer is asked
L_COLUMNS = 4

# Columns of ``slots``: what an answer needs lies side by side.
S_KEY = 0
S_COUNTS = 1  # won << GAMES_BITS | games
S_COLUMNS = 2
GAMES_BITS = 31
GAMES = (1 << GAMES_BITS) - 1

UNKNOWN = -1.0


@lean
def entry(arrays, vector):
    """The slot that answers, -1 if none does.

    The first layer with enough games answers; if none has, the last one that has any. A vector outside of the domains
    has no answer.
    """
    places, weights, domains, slots = arrays
    for j in range(len(domains)):
        if vector[j] < 0 or vector[j] >= domains[j]:
            return -1
    best = -1
    for layer in range(len(places)):
        key = 0
        for j in range(len(domains)):
            key += vector[j] * weights[layer, j]
        first = places[layer, L_FIRST]
        if places[layer, L_DENSE]:
            at = key
        else:
            last = places[layer, L_SIZE] - 1
            mixed = ((key & LOW31) ^ (key >> 31)) * SPREAD  # as ``counting.slot_of``
            at = (mixed ^ (mixed >> 29)) & last
            while slots[first + at, S_KEY] != key and slots[first + at, S_KEY] != EMPTY:
                at = (at + 1) & last
        games = slots[first + at, S_COUNTS] & GAMES
        if games > 0:
            best = first + at
            if games >= places[layer, L_CONFIDENCE]:
                return best
    return best


@lean
def probability(arrays, vector):
    """Won by games of the bucket that answers, UNKNOWN (-1.0) if none does. For kernels only."""
    at = entry(arrays, vector)
    if at < 0:
        return UNKNOWN
    counts = arrays[3][at, S_COUNTS]
    return (counts >> GAMES_BITS) / (counts & GAMES)


@njit
def entries(arrays, vectors, out):
    """``entry`` of each row of ``vectors``, into ``out``."""
    for i in range(len(vectors)):
        out[i] = entry(arrays, vectors[i])


@njit
def probabilities(arrays, vectors, out):
    """``probability`` of each row of ``vectors``, into ``out``."""
    for i in range(len(vectors)):
        out[i] = probability(arrays, vectors[i])
