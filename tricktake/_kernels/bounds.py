"""Bounds on what a side still gets, without search: tricks that cannot be lost, tricks that cannot be forced on one.

They hold where suits must be followed and no cost is negative (S_BOUNDS). Each says what ranks it rests on (S_REL).
"""

import numpy as np

from tricktake._kernels._jit import highbit_index, lean, lowbit_index, popcount
from tricktake._kernels.frame import S_HANDS, S_REL, S_REST, S_SIDE
from tricktake._kernels.layout import H_SEATS, H_SUITS, H_TRICK_COST, H_TRUMP
from tricktake._kernels.play import W_COST, W_PRICE, W_PRICED, W_PRICES, W_SUITS, W_TRUMPS, bit, larger, smaller


@lean
def sure_tricks(w, leader):
    """What the leader takes by leading all his sure winners: his own cards and at least the cheapest of the others.

    Sure are the trumps from the top; the other suits' cards from the top, as many as all others must follow, or all
    if no other has a trump left after those rounds, then with the rest of a suit that nobody else has left.
    """
    rest, mine, seats, trump, trumps = w[S_REST], w[S_HANDS + leader], w[H_SEATS], w[H_TRUMP], w[W_TRUMPS]
    others = rest & ~mine
    sure, rel = np.int64(0), np.int64(0)
    x = rest & trumps
    while x:
        top = bit(highbit_index(x))
        if not mine & top:
            break
        sure |= top
        x ^= top
    if others & trumps:
        rel |= sure
    rounds = popcount(sure)
    ruffed = False
    for seat in range(seats):
        if seat != leader and popcount(w[S_HANDS + seat] & trumps) > rounds:
            ruffed = True
    for suit in range(w[H_SUITS]):
        cards = w[W_SUITS + suit]
        if suit == trump or not mine & cards:
            continue
        limit, longest = np.int64(64), np.int64(0)
        for seat in range(seats):
            if seat != leader:
                length = popcount(w[S_HANDS + seat] & cards)
                limit, longest = smaller(limit, length), larger(longest, length)
        if not ruffed:
            limit = np.int64(64)
        x, got, n = rest & cards, np.int64(0), np.int64(0)
        while x and n < limit:
            top = bit(highbit_index(x))
            if not mine & top:
                break
            got |= top
            x ^= top
            n += 1
        if others & cards:
            rel |= got
        if not ruffed and n and longest <= n:
            got = mine & cards
        sure |= got
    if not ruffed:
        sure |= mine & trumps  # nobody else has any left by then
    tricks = popcount(sure)
    w[S_REL] = rel
    if tricks == 0:
        return np.int64(0)
    total = tricks * w[H_TRICK_COST]
    x = sure
    while x:
        total += w[W_COST + lowbit_index(x)]
        x &= x - 1
    if w[W_PRICES] > 1 or w[W_PRICE]:
        for seat in range(seats):
            if seat != leader:
                left, i = tricks, w[W_PRICES] - 1
                while i >= 0 and left > 0:
                    n = smaller(left, popcount(w[S_HANDS + seat] & w[W_PRICED + i]))
                    total += n * w[W_PRICE + i]
                    left -= n
                    i -= 1
    return total


@lean
def ducks_all(w, seat):
    """Whether a seat that is not on lead can lose every trick at no trump: its i-th lowest card of a suit is below the
    i-th lowest of all others, as far as both go.
    """
    rel = np.int64(0)
    for suit in range(w[H_SUITS]):
        x = w[S_HANDS + seat] & w[W_SUITS + suit]
        y = w[S_REST] & w[W_SUITS + suit] & ~x
        if x and y:
            rel |= bit(lowbit_index(x))
        while x and y:
            if lowbit_index(x) > lowbit_index(y):
                return False
            x &= x - 1
            y &= y - 1
    w[S_REL] = rel
    return True


@lean
def lone_seat(w):
    """The seat of a side of one, else -1."""
    side = w[S_SIDE]
    return np.int64(lowbit_index(side)) if side & (side - 1) == 0 else np.int64(-1)
