"""Open-card values by plain minimax: every legal card, no bounds, no order; positions between tricks are remembered.

It shares with the solver only the rules of play (``position``), and is large enough for what minimax in Python is not.
"""

import numpy as np

from tricktake.jit import lowbit_index, njit
from tricktake.kernels import layout as L
from tricktake.kernels import play, position

# A remembered position: the cards left, whose turn it is and when it was, what the side still gets.
M_REST = 0
M_TAG = 1
M_VALUE = 2
MEMO = 3
EPOCH_SHIFT = 8
MIX = 0x2545F491
LOW31 = (1 << 31) - 1


@njit
def tag_of(row, epoch):
    """What besides the cards left makes a position between two tricks of a deal."""
    flags = row[position.P_FLAGS] << 1 | row[position.P_FIRST]
    return epoch << EPOCH_SHIFT | flags << 3 | row[position.P_LEADER]


@njit
def place_of(memo, rest, tag):
    """Where a position is remembered or may be; -1 if all is full."""
    h = ((rest & LOW31) * MIX) ^ ((rest >> 31 & LOW31) * (MIX + 2)) ^ tag * (MIX + 4)
    h ^= h >> 29
    mask = len(memo) - 1
    for i in range(len(memo)):
        at = (h + i) & mask
        if memo[at, M_TAG] >> EPOCH_SHIFT != tag >> EPOCH_SHIFT:
            return at
        if memo[at, M_REST] == rest and memo[at, M_TAG] == tag:
            return at
    return -1


@njit
def rest_of(w, row):
    """All cards in the hands."""
    rest = np.int64(0)
    for seat in range(w[L.H_SEATS]):
        rest |= row[position.P_HANDS + seat]
    return rest


@njit
def value_of(w, rows, memo, epoch):
    """What the side still gets from ``rows[0]`` on; the rows below are scratch."""
    left = np.zeros(len(rows), np.int64)  # cards still to try
    best = np.zeros(len(rows), np.int64)
    tried = np.zeros(len(rows), np.bool_)
    depth, value, enter = 0, np.int64(0), True
    while True:
        row = rows[depth]
        if enter:
            settled, value = known(w, row, memo, epoch)
            left[depth] = 0 if settled else position.legal_cards(w, row)
            tried[depth] = settled
            best[depth] = value
        if left[depth] == 0:
            if not enter and row[position.P_PLAYED] == 0:
                remember(w, row, memo, epoch, best[depth])
            value = best[depth]
            if depth == 0:
                return value
            value += row[position.P_TAKEN] - rows[depth - 1, position.P_TAKEN]
            depth -= 1
            row = rows[depth]
            most = (row[position.P_SIDE] >> position.turn_of(w, row) & 1 == 1) == (row[position.P_SENSE] > 0)
            if not tried[depth] or (value > best[depth]) == most:
                best[depth] = value
                tried[depth] = True
            enter = False
            continue
        card = np.int64(lowbit_index(left[depth]))
        left[depth] &= left[depth] - 1
        rows[depth + 1, :] = row
        position.advance(w, rows[depth + 1], card)
        depth += 1
        enter = True


@njit
def known(w, row, memo, epoch):
    """Whether a position is over or remembered, and what the side still gets."""
    if position.over(w, row):
        return True, np.int64(0)
    if row[position.P_PLAYED]:
        return False, np.int64(0)
    tag = tag_of(row, epoch)
    at = place_of(memo, rest_of(w, row), tag)
    if at >= 0 and memo[at, M_TAG] == tag:
        return True, memo[at, M_VALUE]
    return False, np.int64(0)


@njit
def remember(w, row, memo, epoch, value):
    """Keep the value of a position between two tricks, if there is room."""
    tag = tag_of(row, epoch)
    at = place_of(memo, rest_of(w, row), tag)
    if at >= 0:
        memo[at, M_REST] = rest_of(w, row)
        memo[at, M_TAG] = tag
        memo[at, M_VALUE] = value


@njit
def plain_values(header, cards, suits, row, epoch, memo, values):
    """The final cost of the side after each legal card, into ``values`` (64,). epoch: another one for each call."""
    w = np.zeros(play.W_FREE, np.int64)
    play.pack(header, cards, suits, w)
    rows = np.zeros((play.CARDS + 2, position.ROW), np.int64)
    legal = position.legal_cards(w, row)
    while legal:
        card = np.int64(lowbit_index(legal))
        legal &= legal - 1
        rows[0, :] = row
        position.advance(w, rows[0], card)
        values[card] = rows[0, position.P_TAKEN] + value_of(w, rows, memo, epoch)
