"""Feature vectors as numbers and back. A hash is a weight and a size for each feature (OUTER-6, 7).

``key = sum(value * weight)`` and ``value = key // weight % size``: bit packing has powers of two for both, the minimal
mixed radix the domains themselves.
"""

from tricktake._kernels._jit import njit


@njit
def rank(values, weights, keys):
    """The key of each row of ``values`` (n, features) into ``keys`` (n,)."""
    for i in range(len(values)):
        key = 0
        for j in range(len(weights)):
            key += values[i, j] * weights[j]
        keys[i] = key


@njit
def unrank(keys, weights, sizes, values):
    """The features of each key into the rows of ``values``; a weight of 0 is a feature the key does not hold."""
    for i in range(len(keys)):
        for j in range(len(weights)):
            values[i, j] = keys[i] // weights[j] % sizes[j] if weights[j] > 0 else 0


@njit
def first_outside(values, domains):
    """The first row with a value that is not in [0, domain), -1 if all are."""
    for i in range(len(values)):
        for j in range(len(domains)):
            if values[i, j] < 0 or values[i, j] >= domains[j]:
                return i
    return -1
