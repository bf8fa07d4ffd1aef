"""Ratings of players by the results of one table after another (ELO-2 to 7).

Players are numbers; each has a row of ratings: the first column is the rating, the others are those of the bootstrap,
in which a series counts Poisson(1) times. A table is a row of players and of scores, -1 and anything for empty chairs.
"""

import math

import numpy as np

from tricktake._kernels._jit import njit

# How a table changes ratings.
PROPORTIONAL = 0
SOFTMAX = 1
AVERAGE = 2  # the table as one opponent of average rating
POOL = 3  # the same, for n / 2 points
PAIRS = 4  # every pair, one after another
REPEATED = 5  # every opponent, as if of average rating
QUOTIENT = 6

# The parameters of a system, a float64 array.
P_K = 0
P_NEWCOMER_K = 1  # K of a player's first series, from which it falls to K ...
P_NEWCOMER = 2  # ... within so many series
P_SCALE = 3  # rating points that are worth a factor of 10
P_PLACES = 4  # count opponents beaten, instead of one winner and losers
P_FIRST = 5  # series whose mean score is the rating a player starts from
P_FLOOR = 6  # least rating in a quotient
P_SKIP = 7  # leave out series of a table total of 0 or less
P_OPPONENTS = 8  # multiply the value of games by own rating / opponents' (ELO-15)
P_MEMORY = 9
P_ROOT = 10
P_SIZE = 11

# Cumulated Poisson(1), times 2**32.
POISSON = np.array([round(sum(math.exp(-1) / math.factorial(i) for i in range(n + 1)) * 2**32) for n in range(12)])


@njit
def mix(x, y):
    """A 32-bit hash of two numbers below 2**32; no product leaves 63 bits."""
    x = (x ^ (y * 0x31848BAB)) & 0xFFFFFFFF
    x = ((x ^ (x >> 16)) * 0x7FEB352D) & 0xFFFFFFFF
    x = ((x ^ (x >> 15)) * 0x31848BAB) & 0xFFFFFFFF
    return x ^ (x >> 16)


@njit
def times(key, replicate):
    """How often a series counts: once in replicate 0, Poisson(1) times in the others, decided by its key alone."""
    if replicate == 0:
        return 1
    draw = mix(mix(key & 0xFFFFFFFF, (key >> 32) & 0x7FFFFFFF), replicate)
    count = 0
    while count < len(POISSON) and draw >= POISSON[count]:
        count += 1
    return count


@njit
def beats(mine, other):
    """1 for the better score, 1/2 for equal ones."""
    return 1.0 if mine > other else 0.5 if mine == other else 0.0


@njit
def outcome(s, n, i, places):
    """The share of a point that seat ``i`` takes: of opponents beaten, or of the first place."""
    beaten, first, tied = 0.0, 1.0, 1.0
    for j in range(n):
        if j != i:
            beaten += beats(s[i], s[j])
            if s[j] > s[i]:
                first = 0.0
            elif s[j] == s[i]:
                tied += 1.0
    return 2.0 * beaten / (n * (n - 1)) if places else first / tied


@njit
def chance(mine, other, scale):
    """Expected score of a player against another (ELO-2)."""
    return 1.0 / (1.0 + 10.0 ** ((other - mine) / scale))


@njit
def table(system, p, r, s, n, share, k, out):
    """The ratings of ``n`` players after one series, into ``out``.

    r, s: ratings and scores of the seats. share: of a full series. k: K of each seat.
    """
    total, rating = 0.0, 0.0
    for i in range(n):
        out[i] = r[i]
        total += s[i]
        rating += r[i] if system != PROPORTIONAL else max(r[i], p[P_FLOOR])
    if system == PROPORTIONAL:
        if total <= 0 and p[P_SKIP]:
            return
        for i in range(n):
            part = max(r[i], p[P_FLOOR]) / rating if total > 0 else 1.0 / n
            out[i] += k[i] * (s[i] - part * total)
    elif system == SOFTMAX:
        most = r[0]
        for i in range(n):
            most = max(most, r[i])
        weight = 0.0
        for i in range(n):
            weight += 10.0 ** ((r[i] - most) / p[P_SCALE])
        for i in range(n):
            expected = 10.0 ** ((r[i] - most) / p[P_SCALE]) / weight
            out[i] += k[i] * (outcome(s, n, i, p[P_PLACES]) - expected)
    elif system == PAIRS:
        for i in range(n):
            for j in range(i + 1, n):
                gain = beats(s[i], s[j]) - chance(out[i], out[j], p[P_SCALE])
                out[i] += k[i] * gain
                out[j] -= k[j] * gain
    elif system == QUOTIENT:
        for i in range(n):
            others = (rating - r[i]) / (n - 1)
            theirs = (total - s[i]) / (n - 1)
            factor = 1.0
            if s[i] > 0 and theirs > 0:
                factor = s[i] / theirs * max(others, p[P_FLOOR]) / max(r[i], p[P_FLOOR])
            if p[P_ROOT]:
                factor = math.sqrt(factor)
            out[i] += k[i] * (s[i] * factor - share * r[i]) / (p[P_MEMORY] + 1.0)
    else:
        for i in range(n):
            others = (rating - r[i]) / (n - 1)
            if system == REPEATED:
                for j in range(n):
                    if j != i:
                        out[i] += k[i] * (beats(s[i], s[j]) - chance(out[i], others, p[P_SCALE]))
                continue
            points = outcome(s, n, i, p[P_PLACES])
            if system == POOL or p[P_PLACES]:
                points *= n / 2.0
            out[i] += k[i] * (points - chance(r[i], others, p[P_SCALE]))


@njit
def rate_tables(system, p, players, scores, values, shares, keys, rating, seen, curve):
    """Series after series, in order; the ratings change in place.

    players, scores, values: (n, seats); values is the part of the scores that is the value of games. shares: (n,), of
    a full series. keys: (n,). rating, seen: (players, 1 + replicates), seen counts series. curve: (n, seats), filled
    with the ratings after each series, or (0, seats).
    """
    n, seats = players.shape
    r, s, k, out = np.zeros(seats), np.zeros(seats), np.zeros(seats), np.zeros(seats)
    who = np.zeros(seats, np.int64)
    by_size = system >= SOFTMAX and system <= REPEATED  # scores of a short series are small by themselves
    for t in range(n):
        m = 0
        for seat in range(seats):
            if players[t, seat] >= 0:
                who[m] = seat
                m += 1
        share = shares[t]
        for b in range(rating.shape[1]):
            count = times(keys[t], b)
            if count == 0:
                continue
            together = 0.0
            for i in range(m):
                player = players[t, who[i]]
                r[i], s[i] = rating[player, b], scores[t, who[i]]
                together += r[i]
                left = 1.0 - seen[player, b] / p[P_NEWCOMER] if p[P_NEWCOMER] > 0 else 0.0
                k[i] = (p[P_K] + (p[P_NEWCOMER_K] - p[P_K]) * max(left, 0.0)) * count * (share if by_size else 1.0)
            if p[P_OPPONENTS] and m > 1:
                for i in range(m):
                    others = max((together - r[i]) / max(m - 1, 1), p[P_FLOOR])
                    s[i] += values[t, who[i]] * (max(r[i], p[P_FLOOR]) / others - 1.0)
            if m > 1:
                table(system, p, r, s, m, share, k, out)
            else:
                out[0] = r[0]
            for i in range(m):
                player = players[t, who[i]]
                before = seen[player, b]
                seen[player, b] = before + count * share
                if before < p[P_FIRST]:
                    out[i] = (r[i] * before + count * s[i]) / seen[player, b]
                rating[player, b] = out[i]
        if len(curve):
            for seat in range(seats):
                if players[t, seat] >= 0:
                    curve[t, seat] = rating[players[t, seat], 0]
