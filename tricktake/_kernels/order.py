"""Move ordering: which cards to try first, and which need no try.

A card's score is a weighted sum of features of it and of the position (``score_cards``, ``score_tricks``). The weights
are data (``search/ordering``); what their rows and columns mean is said there, what learned them in docs/laboratory.md.
"""

import numpy as np

from tricktake._kernels import opencard_frame as F
from tricktake._kernels import opencard_state as S
from tricktake._kernels._jit import highbit_index, lean, lowbit_index, popcount
from tricktake._kernels.layout import BROKEN, H_RARE, H_SEATS, H_TRICK_COST
from tricktake._kernels.play import (
    MARK_FIRST,
    MARK_LEAD,
    MARK_RARE,
    W_BEAT,
    W_CLASS,
    W_COST,
    W_FROM,
    W_MARKS,
    W_POWER,
    W_PRICE,
    W_PRICES,
    W_TRUMPS,
    W_UPTO,
    bit,
    lead_cards,
    legal_replies,
    reply_cards,
    smaller,
)
from tricktake._kernels.replies import greedy_outcome

CARD_BITS = 63
GROUP_SHIFT = 8
GROUP_BITS = 63
SCORE_SHIFT = 16

# Roles of a seat in its coalition.
ALONE = 0
BEFORE_OTHERS = 1  # the next seat is against it
BEFORE_PARTNER = 2
BETWEEN_OTHERS = 3  # both neighbours are against it, and it wants cost

# What is at stake.
STYLE_COSTS = 0  # cards differ in cost, or tricks are avoided
STYLE_TRICKS = 1  # all cards cost the same, and tricks are wanted


@lean
def set_weights(w, weights):
    """Take in all weights: of ``score_cards``, of ``score_tricks``, and of ``score_cards`` for pairs."""
    for i in range(S.FRAMES - S.WEIGHTS):
        w[S.WEIGHTS + i] = weights[i]


@lean
def role_of(w, seat):
    """The role of a seat, for the weights."""
    side, seats = w[S.SIDE], w[H_SEATS]
    mine = side >> seat & 1
    partners = popcount(side) if mine else seats - popcount(side)
    if partners == 1:
        return np.int64(ALONE)
    after, before = seat + 1 if seat + 1 < seats else 0, seat - 1 if seat else seats - 1
    if side >> after & 1 == mine:
        return np.int64(BEFORE_PARTNER)
    between = side >> before & 1 != mine and w[S.MAX] == side
    return np.int64(BETWEEN_OTHERS if between else BEFORE_OTHERS)


@lean
def style_of(w):
    """What is at stake, by rules and side."""
    even = w[W_PRICES] == 1 and w[W_PRICE] >= 0 and w[W_PRICE] + w[H_TRICK_COST] > 0 and w[H_TRICK_COST] >= 0
    return np.int64(STYLE_TRICKS if even and w[S.MAX] == w[S.SIDE] else STYLE_COSTS)


@lean
def trick_winner(w, f, card):
    """Who wins the trick on the table after ``card`` if every later seat plays as high as it can."""
    seat, best, winner, first = w[f + F.SEAT], w[f + F.BEST], w[f + F.WINNER], w[f + F.FIRST]
    led = w[f + F.LED] if w[f + F.PLAYED] else card
    if w[f + F.PLAYED] == 0 or w[W_BEAT + best] & bit(card):
        best, winner = card, seat
    for _ in range(w[f + F.PLAYED] + 1, w[H_SEATS]):
        seat = seat + 1 if seat + 1 < w[H_SEATS] else 0
        over = reply_cards(w, w[S.HANDS + seat], led, best, first) & w[W_BEAT + best]
        if over:
            best, winner = np.int64(highbit_index(over)), seat
    return winner


@lean
def score_tricks(w, f, first):
    """``score_cards`` where only tricks count."""
    seat, played, best, seats = w[f + F.SEAT], w[f + F.PLAYED], w[f + F.BEST], w[H_SEATS]
    side, hand = w[S.SIDE], w[S.HANDS + seat]
    mine = side >> seat & 1
    following = w[S.HANDS + (seat + 1 if seat + 1 < seats else 0)]
    before = w[S.HANDS + (seat - 1 if seat else seats - 1)]
    others, partners = w[S.REST] & ~hand, np.int64(0)
    for other in range(seats):
        if other != seat and side >> other & 1 == mine:
            partners |= w[S.HANDS + other]
    if played:
        others |= bit(best)
    place = 3 if played + 1 == seats else smaller(played, 2)
    for i in range(f + F.LIST + first, f + F.LIST + w[f + F.MOVES]):
        card = w[i] & CARD_BITS
        cards = w[W_CLASS + card]
        winner = trick_winner(w, f, card)
        r = S.TRICK_WEIGHTS + (2 * place + (side >> winner & 1 == mine)) * S.TRICK_FEATURES
        score = w[r]
        above = popcount(others & w[W_FROM + card])
        score += w[r + 1] * above + w[r + 2] * popcount(hand & cards)
        if w[W_TRUMPS] & bit(card):
            score += w[r + 3]
        if above == 0:
            score += w[r + 4]
        rivals, helped = others & cards, partners & cards
        if played:
            now = seat if w[W_BEAT + best] & bit(card) else w[f + F.WINNER]
            if now == seat:
                score += w[r + 5]
            if side >> now & 1 == mine:
                score += w[r + 6]
        else:
            if rivals and partners & bit(highbit_index(rivals)):
                score += w[r + 5]
            if not following & cards:
                score += w[r + 6]
        score += w[r + 7] * popcount(rivals) + w[r + 8] * popcount(helped)
        if not helped:
            score += w[r + 9]
        if not before & cards:
            score += w[r + 10]
        if winner == seat:
            score += w[r + 11]
        w[i] |= score << SCORE_SHIFT


@lean
def score_cards(w, f, first):
    """Put a score above each card of the frame's list from the ``first`` on."""
    seat, played, best = w[f + F.SEAT], w[f + F.PLAYED], w[f + F.BEST]
    side, unit, hand = w[S.SIDE], w[S.UNIT], w[S.HANDS + seat]
    most = w[S.MAX] >> seat & 1
    mine = side >> seat & 1
    after = seat + 1 if seat + 1 < w[H_SEATS] else 0
    following = w[S.HANDS + after]
    others = w[S.REST] & ~hand
    if played:
        others |= bit(best)
    if w[S.ROLE + seat] == BETWEEN_OTHERS:
        row = S.PAIR_WEIGHTS + smaller(played, S.PAIR_ROWS - 1) * S.FEATURES
    else:
        row = S.WEIGHTS + ((0 if mine == most else S.ROWS) + 3 * smaller(played, 2) + w[S.ROLE + seat]) * S.FEATURES
    for i in range(f + F.LIST + first, f + F.LIST + w[f + F.MOVES]):
        card = w[i] & CARD_BITS
        cards = w[W_CLASS + card]
        outcome = greedy_outcome(w, f, card) * unit
        winner = seat if played == 0 or w[W_BEAT + best] & bit(card) else w[f + F.WINNER]
        above = popcount(others & w[W_FROM + card])
        next_length = popcount(following & cards)
        score = (outcome if most else -outcome) * w[row]
        score += w[W_COST + card] * unit * w[row + 1]
        if w[W_TRUMPS] & bit(card):
            score += w[row + 2]
        score += above * w[row + 3] + popcount(hand & cards) * w[row + 4]
        if above == 0:
            score += w[row + 5]
        if side >> winner & 1 == mine:
            score += w[row + 6]
        score += popcount(others & cards) * w[row + 7] + next_length * w[row + 8]
        if next_length == 0:
            score += w[row + 9]
        w[i] |= score << SCORE_SHIFT


@lean
def alike(w, card, next_card, marks, others):
    """Whether two cards of a hand, the second above the first, are of one group. others: cards that lie between."""
    return (
        w[W_CLASS + next_card] == w[W_CLASS + card]
        and not (w[W_MARKS + next_card] ^ w[W_MARKS + card]) & marks
        and (w[W_POWER + next_card] == w[W_POWER + card] or not others & w[W_FROM + card] & w[W_UPTO + next_card])
    )


@lean
def legal_of(w, f):
    """The cards the seat to move may play."""
    seat = w[f + F.SEAT]
    hand, flags, first = w[S.HANDS + seat], w[f + F.BROKEN], w[f + F.FIRST]
    if w[f + F.PLAYED]:
        return legal_replies(w, hand, w[f + F.LED], w[f + F.BEST], first, flags, seat, w[f + F.WINNER])
    return lead_cards(w, hand, flags, first)


@lean
def list_cards(w, f, legal, last, hint):
    """List the cards worth a try: of interchangeable cards one, of a group all that differ in cost; ``hint`` first.

    Cards of one hand and suit form a group if no card of another hand, nor the best card on the table, lies between
    them or equals one of them in power (KERMIT-14), unless they are copies of each other. Exchanging two cards of a
    group changes the result by no more than the difference of their costs. With ``last``, only the dearest or the
    cheapest of a group is listed: enough for the last seat to a trick, which knows who gets it. hint: -1 for none.
    """
    seat, played, best, flags = w[f + F.SEAT], w[f + F.PLAYED], w[f + F.BEST], w[f + F.BROKEN]
    others = w[S.REST] & ~w[S.HANDS + seat]
    marks = MARK_RARE | (0 if flags == BROKEN else MARK_LEAD) | (MARK_FIRST if w[f + F.FIRST] else 0)
    if played:
        others |= bit(best)
        last = last and not w[H_RARE]
    listed = f + F.LIST + (1 if hint >= 0 else 0)
    start = listed  # of the current group
    group, previous, dear, hinted = np.int64(-1), np.int64(0), False, np.int64(0)
    together, groups = np.int64(0), np.int64(0)  # the cards of the current group, the number of groups of several
    while legal:
        card = np.int64(lowbit_index(legal))
        legal ^= bit(card)
        if group >= 0 and alike(w, previous, card, marks, others):
            cost = w[W_COST + card]
            if together & (together - 1) == 0:
                groups += 1
            together |= bit(card)
            w[f + F.GROUP + groups - 1] = together
            if last:
                other = w[W_COST + (w[start] & CARD_BITS)]
                if (cost > other) if dear else (cost < other):  # of equals the weakest: fewer different positions
                    w[start] = group << GROUP_SHIFT | card
            else:
                fresh = True
                for i in range(start, listed):
                    if w[W_COST + (w[i] & CARD_BITS)] == cost:
                        fresh = False
                if fresh:
                    w[listed] = group << GROUP_SHIFT | card
                    listed += 1
        else:
            group += 1
            together = bit(card)
            start = listed
            w[listed] = group << GROUP_SHIFT | card
            listed += 1
            if last:
                winner = seat if w[W_BEAT + best] & bit(card) else w[f + F.WINNER]
                dear = (w[S.SIDE] >> winner & 1) == (w[S.MAX] >> seat & 1)
        if card == hint:
            hinted = group << GROUP_SHIFT | card
        previous = card
    if hint >= 0:
        w[f + F.LIST] = hinted
        for i in range(f + F.LIST + 1, listed):
            if w[i] & CARD_BITS == hint:
                listed -= 1
                w[i] = w[listed]
    w[f + F.MOVES] = listed - f - F.LIST
    w[f + F.GROUPS] = groups
