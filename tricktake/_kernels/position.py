"""A position as a row of numbers: what a batch of positions is made of."""

import numpy as np

from tricktake._kernels._jit import lean
from tricktake._kernels.layout import H_BREAKERS, H_LAST_BONUS, H_LEAD_LIMIT, H_SEATS, H_TRICK_COST, MAX_SEATS
from tricktake._kernels.play import W_BEAT, W_COST, bit, lead_cards, reply_cards

P_HANDS = 0  # mask of each seat
P_LEADER = P_HANDS + MAX_SEATS
P_PLAYED = P_LEADER + 1  # cards on the table
P_TABLE = P_PLAYED + 1  # those cards, first played first
P_BROKEN = P_TABLE + MAX_SEATS  # lead limits are lifted
P_FIRST = P_BROKEN + 1  # this is the first trick
P_SIDE = P_FIRST + 1  # mask over seats: whose cost is counted
P_SENSE = P_SIDE + 1  # +1: the side wants cost, -1: it avoids it
P_TAKEN = P_SENSE + 1  # what the side has been credited with
ROW = P_TAKEN + 1


@lean
def turn_of(w, row):
    """The seat to play."""
    return (row[P_LEADER] + row[P_PLAYED]) % w[H_SEATS]


@lean
def over(w, row):
    """Whether all cards are played."""
    if row[P_PLAYED]:
        return False
    for seat in range(w[H_SEATS]):
        if row[P_HANDS + seat]:
            return False
    return True


@lean
def best_seat(w, row):
    """How many seats after the leader the best card on the table was played."""
    best = 0
    for i in range(1, row[P_PLAYED]):
        if w[W_BEAT + row[P_TABLE + best]] & bit(row[P_TABLE + i]):
            best = i
    return best


@lean
def legal_cards(w, row):
    """The cards the seat in turn may play."""
    hand = row[P_HANDS + turn_of(w, row)]
    if row[P_PLAYED] == 0:
        return lead_cards(w, hand, row[P_BROKEN] or not w[H_LEAD_LIMIT], row[P_FIRST])
    return reply_cards(w, hand, row[P_TABLE], row[P_TABLE + best_seat(w, row)], row[P_FIRST])


@lean
def advance(w, row, card):
    """Play a legal card in place. A finished trick is credited to the side and its winner leads.

    Returns the winner of the trick, -1 if it goes on.
    """
    seats = w[H_SEATS]
    seat = turn_of(w, row)
    row[P_HANDS + seat] &= ~bit(card)
    row[P_TABLE + row[P_PLAYED]] = card
    row[P_PLAYED] += 1
    if w[H_BREAKERS] & bit(card):
        row[P_BROKEN] = 1
    if row[P_PLAYED] < seats:
        return np.int64(-1)
    winner = (row[P_LEADER] + best_seat(w, row)) % seats
    cost = w[H_TRICK_COST]
    for i in range(seats):
        cost += w[W_COST + row[P_TABLE + i]]
    row[P_PLAYED] = 0
    row[P_FIRST] = 0
    row[P_LEADER] = winner
    if over(w, row):
        cost += w[H_LAST_BONUS]
    if row[P_SIDE] >> winner & 1:
        row[P_TAKEN] += cost
    return winner
