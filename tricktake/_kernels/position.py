"""A position as a row of numbers: what a batch of positions is made of."""

import numpy as np

from tricktake._kernels._jit import lean
from tricktake._kernels.layout import (
    BROKEN,
    H_LAST_BONUS,
    H_LEAD_LIMIT,
    H_SEATS,
    H_STAYS,
    H_TRICK_COST,
    MAX_SEATS,
)
from tricktake._kernels.play import W_COST, bit, flags_after, flags_between, lead_cards, legal_replies, suit_card, takes

P_HANDS = 0  # mask of each seat
P_LEADER = P_HANDS + MAX_SEATS
P_PLAYED = P_LEADER + 1  # cards on the table
P_TABLE = P_PLAYED + 1  # those cards, first played first
P_FLAGS = P_TABLE + MAX_SEATS  # BROKEN and PENDING, see ``layout``
P_FIRST = P_FLAGS + 1  # this is the first trick
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
    best, last = 0, row[P_HANDS + row[P_LEADER]] == 0
    for i in range(1, row[P_PLAYED]):
        if takes(w, row[P_TABLE + best], row[P_TABLE + i], last):
            best = i
    return best


@lean
def led_card(w, row):
    """The card on the table that says which suit is to be followed."""
    led = row[P_TABLE]
    for i in range(1, row[P_PLAYED]):
        led = suit_card(w, led, row[P_TABLE + i])
    return led


@lean
def flags_of(w, row):
    """What has changed since the first trick; limits that do not exist are lifted."""
    return row[P_FLAGS] if w[H_LEAD_LIMIT] else row[P_FLAGS] | BROKEN


@lean
def legal_cards(w, row):
    """The cards the seat to move may play."""
    seat = turn_of(w, row)
    hand, flags = row[P_HANDS + seat], flags_of(w, row)
    if row[P_PLAYED] == 0:
        return lead_cards(w, hand, flags, row[P_FIRST])
    best = best_seat(w, row)
    winner = (row[P_LEADER] + best) % w[H_SEATS]
    return legal_replies(w, hand, led_card(w, row), row[P_TABLE + best], row[P_FIRST], flags, seat, winner)


@lean
def kept(w, row):
    """The cost on the table that stays with seats of the side, whoever wins the trick."""
    cost = np.int64(0)
    for i in range(row[P_PLAYED]):
        seat = (row[P_LEADER] + i) % w[H_SEATS]
        if w[H_STAYS] & bit(row[P_TABLE + i]) and row[P_SIDE] >> seat & 1:
            cost += w[W_COST + row[P_TABLE + i]]
    return cost


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
    row[P_FLAGS] = flags_after(w, row[P_FLAGS], bit(card))
    if row[P_PLAYED] < seats:
        return np.int64(-1)
    winner = (row[P_LEADER] + best_seat(w, row)) % seats
    cost = w[H_TRICK_COST]
    for i in range(seats):
        if not w[H_STAYS] & bit(row[P_TABLE + i]):
            cost += w[W_COST + row[P_TABLE + i]]
    row[P_TAKEN] += kept(w, row)
    row[P_FLAGS] = flags_between(w, row[P_FLAGS], led_card(w, row))
    row[P_PLAYED] = 0
    row[P_FIRST] = 0
    row[P_LEADER] = winner
    if over(w, row):
        cost += w[H_LAST_BONUS]
    if row[P_SIDE] >> winner & 1:
        row[P_TAKEN] += cost
    return winner
