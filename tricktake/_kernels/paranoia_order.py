"""Which cards to try in a paranoia search, and in what order.

A card's score is what the trick brings if everybody who may beat it does, with a bonus for cards that settled other
positions of this search (history heuristic).
"""

import numpy as np

from tricktake._kernels import paranoia_frame as F
from tricktake._kernels import paranoia_state as S
from tricktake._kernels._jit import lean, lowbit_index
from tricktake._kernels.layout import H_SEATS, H_TRICK_COST
from tricktake._kernels.paranoia_hidden import OPEN, alive
from tricktake._kernels.play import (
    CARDS,
    MARK_FIRST,
    MARK_LEAD,
    W_BEAT,
    W_CLASS,
    W_COST,
    W_FROM,
    W_MARKS,
    W_TRUMPS,
    W_UPTO,
    bit,
    lead_cards,
    reply_cards,
    smaller,
)

SCORE_SHIFT = 8
CARD_BITS = 63
BY_TABLE = 1 << 40  # the card that settled this position before goes first
MOST_HISTORY = 60


@lean
def choices(w, f):
    """The cards the seat to move may hold and play, as far as a single card tells; the knowledge decides later."""
    seat = w[f + F.SEAT]
    hand = w[f + F.MASK + seat]
    if w[f + F.ROOM + seat] != OPEN:
        return hand
    if w[f + F.PLAYED] == 0:
        return lead_cards(w, hand, w[f + F.BROKEN], w[f + F.FIRST])
    return reply_cards(w, hand, w[f + F.LED], w[f + F.BEST], w[f + F.FIRST])


@lean
def list_cards(w, f):
    """List the cards worth a try.

    Two cards are neighbours if they are of one suit, may lie in the same places, and no other card in play lies
    between them, unless one may still beat the other from another hand; then the positions after them look alike but
    for the difference of their costs. So of neighbours of equal cost one is tried, and by the last seat of a trick
    only those no neighbour of which serves it better.
    """
    seat, played, best = w[f + F.SEAT], w[f + F.PLAYED], w[f + F.BEST]
    legal = choices(w, f)
    marks = (0 if w[f + F.BROKEN] else MARK_LEAD) | (MARK_FIRST if w[f + F.FIRST] else 0)
    rest = alive(w, f)
    last = played + 1 == w[H_SEATS] and not w[S.EXACT]
    mine = w[S.MINE] >> seat & 1
    later, after = np.int64(0), seat
    for _ in range(played + 1, w[H_SEATS]):
        after = after + 1 if after + 1 < w[H_SEATS] else 0
        if w[f + F.ROOM + after] != OPEN:
            later |= w[f + F.MASK + after]
    n, previous, listed, dear = np.int64(0), np.int64(-1), False, False
    while legal:
        card = np.int64(lowbit_index(legal))
        legal ^= bit(card)
        neighbours = False
        if previous >= 0 and w[S.EQUALS] and w[W_CLASS + card] == w[W_CLASS + previous]:
            between = w[W_FROM + previous] & w[W_UPTO + card] & ~(bit(card) | bit(previous))
            others = rest & between
            if played:
                others |= bit(best) & between
            neighbours = others == 0 and not (w[W_MARKS + card] ^ w[W_MARKS + previous]) & marks
            if w[f + F.ROOM + seat] != OPEN:
                if later & bit(card) and (played == 0 or w[W_BEAT + best] & bit(card)):
                    neighbours = False  # one could beat the other
                for i in range(w[S.HIDDEN]):
                    mask = w[f + F.MASK + w[S.HIDE + i]]
                    if (mask >> card ^ mask >> previous) & 1:
                        neighbours = False
        if neighbours and w[W_COST + card] == w[W_COST + previous]:
            previous = card  # it wins and loses as the card before it
            continue
        if neighbours and last:
            winner = seat if w[W_BEAT + best] & bit(card) else w[f + F.WINNER]
            dear = (w[S.TEAM] >> winner & 1) == mine
            if (w[W_COST + card] > w[W_COST + previous]) == dear:
                if listed:
                    n -= 1
                w[f + F.LIST + n] = card
                n += 1
                listed = True
            else:
                listed = False
        else:
            w[f + F.LIST + n] = card
            n += 1
            listed = True
        previous = card
    w[f + F.MOVES] = n


@lean
def score_cards(w, f, tt_card):
    """Put a score above each card of the frame's list."""
    seat, played, best = w[f + F.SEAT], w[f + F.PLAYED], w[f + F.BEST]
    seats, unit = w[H_SEATS], w[S.UNIT]
    mine = w[S.MINE] >> seat & 1
    rest = alive(w, f)
    others = rest & ~w[f + F.MASK + seat] if mine else rest
    for i in range(f + F.LIST, f + F.LIST + w[f + F.MOVES]):
        card = w[i]
        led = w[f + F.LED] if played else card
        top, winner = best, w[f + F.WINNER]
        if played == 0 or w[W_BEAT + best] & bit(card):
            top, winner = card, seat
        after, missing = seat, np.int64(0)
        for _ in range(played + 1, seats):
            after = after + 1 if after + 1 < seats else 0
            missing += 1
            hand = w[f + F.MASK + after]
            if w[f + F.ROOM + after] == OPEN:
                hand = reply_cards(w, hand, led, top, w[f + F.FIRST])
            over = hand & w[W_BEAT + top]
            if over and (w[S.TEAM] >> after & 1) == (w[S.MINE] >> after & 1):
                top, winner = np.int64(lowbit_index(over)), after
        won = w[S.TEAM] >> winner & 1 == mine
        value = (w[f + F.COST] + w[W_COST + card] + w[H_TRICK_COST]) * unit + 4 * missing
        score = value if won else -value
        if won and winner == seat and not others & w[W_FROM + card] & w[W_CLASS + card]:
            score += 6
        if played == 0 and bit(card) & w[W_TRUMPS]:
            score += 10 if mine else -10
        score += smaller(w[S.HISTORY + mine * CARDS + card], MOST_HISTORY)
        if card == tt_card:
            score += BY_TABLE
        w[i] = card | score << SCORE_SHIFT


@lean
def next_card(w, f):
    """Take the best card off the list; -1 if none is left."""
    n = w[f + F.MOVES]
    if n == 0:
        return np.int64(-1)
    start = f + F.LIST
    best = start
    for i in range(start + 1, start + n):
        if w[i] >> SCORE_SHIFT > w[best] >> SCORE_SHIFT:
            best = i
    card = w[best] & CARD_BITS
    w[best] = w[start + n - 1]
    w[f + F.MOVES] = n - 1
    return card
