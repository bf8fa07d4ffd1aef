"""Playouts to the end of the deal: at random, every legal card being equally likely, or with simple manners."""

import numpy as np

from tricktake._kernels import play
from tricktake._kernels._jit import lean, lowbit_index, njit, popcount
from tricktake._kernels.layout import H_LAST_BONUS, H_RARE, H_SEATS, H_STAYS, H_TRICK_COST
from tricktake._kernels.manners import follow, lead
from tricktake._kernels.play import CARDS, W_BEAT, W_COST, W_FREE, bit
from tricktake._kernels.position import (
    P_FIRST,
    P_HANDS,
    P_LEADER,
    P_PLAYED,
    P_SIDE,
    P_TABLE,
    P_TAKEN,
    best_seat,
    flags_of,
    led_card,
    turn_of,
)

W_HANDS = W_FREE
WORK = W_HANDS + CARDS

SLIPS = 2  # of 16 cards are drawn at random all the same, so that playouts differ

LOW31 = (1 << 31) - 1
LOW57 = (1 << 57) - 1


@lean
def next_random(x):
    """The successor of a number that is not 0 (Marsaglia's xorshift 13, 7, 17: shifts only: nothing overflows)."""
    x ^= x << 13
    x ^= (x >> 7) & LOW57
    return x ^ (x << 17)


@lean
def pick(mask, x):
    """The card of a set that is not empty at a place drawn from the high bits of ``x``."""
    n = ((x >> 32 & LOW31) * popcount(mask)) >> 31
    card = np.int64(lowbit_index(mask))
    for _ in range(n):
        mask ^= bit(card)
        card = np.int64(lowbit_index(mask))
    return card


@lean
def load(w, row, costs):
    """Take the hands of a position. How many cards they are."""
    left = np.int64(0)
    for s in range(w[H_SEATS]):
        w[W_HANDS + s] = row[P_HANDS + s]
        left += popcount(row[P_HANDS + s])
        costs[s] = 0
    return left


@lean
def on_table(w, row, costs):
    """What the trick on the table is worth so far; what stays with its owner goes into ``costs``."""
    cost = np.int64(0)
    for i in range(row[P_PLAYED]):
        card = row[P_TABLE + i]
        if w[H_STAYS] & bit(card):
            costs[(row[P_LEADER] + i) % w[H_SEATS]] += w[W_COST + card]
        else:
            cost += w[W_COST + card]
    return cost


@lean
def play_out(w, row, x, aims, costs):
    """Play one deal out; ``costs`` (a word a seat) gets what each seat takes from here on. Returns the next ``x``.

    aims: for each seat +1 if it wants cost, -1 if it avoids it, 0 if it plays at random; then its team.
    """
    seats, left = w[H_SEATS], load(w, row, costs)
    played, seat, flags, first = row[P_PLAYED], turn_of(w, row), flags_of(w, row), row[P_FIRST]
    led, best, winner, cost = row[P_TABLE], np.int64(0), np.int64(0), w[H_TRICK_COST]
    rare = w[H_RARE] != 0
    if played:
        i = best_seat(w, row)
        led, best, winner = led_card(w, row), row[P_TABLE + i], (row[P_LEADER] + i) % seats
        cost += on_table(w, row, costs)
    while left:
        hand = w[W_HANDS + seat]
        if played:
            legal = play.legal_replies(w, hand, led, best, first, flags, seat, winner)
        else:
            legal = play.lead_cards(w, hand, flags, first)
        x = next_random(x)
        card = pick(legal, x)
        if aims[seat] != 0 and x & 15 >= SLIPS:
            if played:
                friendly = aims[seats + winner] == aims[seats + seat]
                card = follow(w, legal, best, aims[seat], friendly, played + 1 == seats)
            else:
                card = lead(w, legal, card, aims[seat])
        mask = bit(card)
        w[W_HANDS + seat] = hand ^ mask
        left -= 1
        flags = play.flags_after(w, flags, mask)
        if rare and w[H_STAYS] & mask:
            costs[seat] += w[W_COST + card]
        else:
            cost += w[W_COST + card]
        if played == 0:
            led, best, winner = card, card, seat
        elif rare:
            led = play.suit_card(w, led, card)
            if play.takes(w, best, card, hand == mask):
                best, winner = card, seat
        elif w[W_BEAT + best] & mask:
            best, winner = card, seat
        played += 1
        seat = seat + 1 if seat + 1 < seats else np.int64(0)
        if played == seats:
            if left == 0:
                cost += w[H_LAST_BONUS]
            costs[winner] += cost
            flags = play.flags_between(w, flags, led)
            played, cost, first, seat = np.int64(0), w[H_TRICK_COST], np.int64(0), winner
    return x


@njit
def play_out_rows(header, cards, suits, rows, seeds, aims, totals):
    """Play every row out as often as ``totals`` of shape (rows, games) has places for the final cost of its side.

    seeds: a number that is not 0 for each row. aims: see ``play_out``, a row for each position or one for all.
    """
    w = np.zeros(WORK, np.int64)
    play.pack(header, cards, suits, w)
    costs = np.zeros(header[H_SEATS], np.int64)
    for i in range(rows.shape[0]):
        row = rows[i]
        side, x, own = row[P_SIDE], seeds[i], aims[i if aims.shape[0] > 1 else 0]
        for game in range(totals.shape[1]):
            x = play_out(w, row, x, own, costs)
            total = row[P_TAKEN]
            for s in range(header[H_SEATS]):
                if side >> s & 1:
                    total += costs[s]
            totals[i, game] = total
