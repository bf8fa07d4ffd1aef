"""Move ordering: which cards to try first, and which need no try.

A card is judged by the outcome of its trick if the seats after it reply greedily: the last two choose the best of a
few candidate cards by looking at this trick only, earlier ones (in games of four and more) follow a rule of thumb.
"""

import numpy as np

from tricktake._kernels._jit import highbit_index, lean, lowbit_index
from tricktake._kernels.layout import H_SEATS, H_TRICK_COST
from tricktake._kernels.play import (
    MARK_FIRST,
    MARK_LEAD,
    W_BEAT,
    W_CLASS,
    W_COST,
    W_FREE,
    W_FROM,
    W_MARKS,
    W_POWER,
    W_TRUMPS,
    W_UPTO,
    bit,
    cheapest,
    dearest,
    lead_cards,
    reply_cards,
)

# The state of a search, behind the rules in the work array.
S_HANDS = W_FREE
S_SIDE = S_HANDS + 8  # seats whose cost is counted
S_MAX = S_SIDE + 1  # seats that want the side to get cost
S_REST = S_MAX + 1  # all cards in the hands
S_NODES = S_REST + 1
S_LIMIT = S_NODES + 1
S_STOPPED = S_LIMIT + 1  # 1: the node limit was reached, results are void
S_VALUE = S_STOPPED + 1
S_FRAMES = S_VALUE + 1

# A frame of the stack: one position on the way to the current one.
F_SEAT = 0
F_PLAYED = 1  # cards on the table
F_LED = 2  # the card led
F_BEST = 3  # the card that wins the trick so far
F_WINNER = 4  # whose it is
F_COST = 5  # cost on the table
F_PLUS = 6  # the positive part of it
F_NEED = 7  # the question: does the side still get this much?
F_UP = 8  # all positive cost not yet credited
F_DOWN = 9  # all negative cost not yet credited
F_BROKEN = 10
F_FIRST = 11
F_GAIN = 12  # what the trick finished just before brought
F_CARD = 13  # the card that led here
F_MOVES = 14  # how many cards to try
F_NEXT = 15
F_VALUE = 16  # best bound so far
F_CUT = 17  # the card that cut
F_LOW = 18
F_HIGH = 19
F_ENTRY = 20
F_TAG = 21
F_LIST = 22  # the cards to try: score, group and card in one word
F_SEEN = F_LIST + 32  # their bounds, once tried
FRAME = F_SEEN + 32

CARD_BITS = 63
GROUP_SHIFT = 8
GROUP_BITS = 63
SCORE_SHIFT = 16

# Weights of a card: units of cost of its greedy outcome, its own cost, being trump. Found on XSkat's suit and grand
# contracts, see docs/solver.md.
BY_OUTCOME = 16
BY_COST = 4
BY_TRUMP = 8
BY_TABLE = 1 << 40  # the card that cut here before goes first


@lean
def worth(w, winner, cost):
    """What the side gets of a trick."""
    return cost + w[H_TRICK_COST] if w[S_SIDE] >> winner & 1 else 0


@lean
def last_reply(w, seat, led, best, winner, cost, first):
    """What the side gets if the last seat of the trick does its best in it."""
    legal = reply_cards(w, w[S_HANDS + seat], led, best, first)
    over = legal & w[W_BEAT + best]
    under = legal & ~over
    most = w[S_MAX] >> seat & 1
    result, found = np.int64(0), False
    if over:
        found = True
        if w[S_SIDE] >> seat & 1:
            result = worth(w, seat, cost + w[W_COST + (dearest(w, over) if most else cheapest(w, over))])
    if under:
        other = np.int64(0)
        if w[S_SIDE] >> winner & 1:
            other = worth(w, winner, cost + w[W_COST + (dearest(w, under) if most else cheapest(w, under))])
        if not found or (other > result) == (most == 1):
            result = other
    return result


@lean
def two_replies(w, seat, led, best, winner, cost, first):
    """What the side gets if the last two seats do their best in this trick."""
    legal = reply_cards(w, w[S_HANDS + seat], led, best, first)
    over = legal & w[W_BEAT + best]
    most = w[S_MAX] >> seat & 1
    after = seat + 1 if seat + 1 < w[H_SEATS] else 0
    dear, cheap = dearest(w, legal), cheapest(w, legal)
    result = last_reply_after(w, seat, after, dear, led, best, winner, cost, first)
    low, high = dear, dear
    if over:
        low, high = lowbit_index(over), highbit_index(over)
    for i in range(3):
        card = cheap if i == 0 else (low if i == 1 else high)
        if card == dear or (i == 1 and card == cheap) or (i == 2 and (card == low or card == cheap)):
            continue
        value = last_reply_after(w, seat, after, card, led, best, winner, cost, first)
        if (value > result) == (most == 1):
            result = value
    return result


@lean
def last_reply_after(w, seat, after, card, led, best, winner, cost, first):
    """``last_reply`` once ``seat`` has played ``card``."""
    if w[W_BEAT + best] & bit(card):
        best, winner = card, seat
    return last_reply(w, after, led, best, winner, cost + w[W_COST + card], first)


@lean
def thumb_card(w, seat, led, best, winner, first):
    """A reply by rule of thumb: win from the other coalition as high as possible, else throw off."""
    legal = reply_cards(w, w[S_HANDS + seat], led, best, first)
    over = legal & w[W_BEAT + best]
    under = legal & ~over
    mine, most = w[S_SIDE] >> seat & 1, w[S_MAX] >> seat & 1
    if mine == most:  # it wants tricks
        if over and (w[S_SIDE] >> winner & 1) != mine:
            return highbit_index(over)
        return cheapest(w, under) if under else cheapest(w, legal)
    if under:
        return highbit_index(under)
    return cheapest(w, legal)


@lean
def greedy_outcome(w, f, card):
    """What the side gets of this trick after ``card`` if all others reply greedily."""
    seat, played, winner = w[f + F_SEAT], w[f + F_PLAYED] + 1, w[f + F_WINNER]
    led, best, cost, first = w[f + F_LED], w[f + F_BEST], w[f + F_COST] + w[W_COST + card], w[f + F_FIRST]
    if played == 1:
        led, best, winner = card, card, seat
    elif w[W_BEAT + best] & bit(card):
        best, winner = card, seat
    seats = w[H_SEATS]
    while True:
        seat = seat + 1 if seat + 1 < seats else 0
        if seats - played <= 2:
            break
        reply = thumb_card(w, seat, led, best, winner, first)
        cost += w[W_COST + reply]
        if w[W_BEAT + best] & bit(reply):
            best, winner = reply, seat
        played += 1
    if played == seats:
        return worth(w, winner, cost)
    if played + 1 == seats:
        return last_reply(w, seat, led, best, winner, cost, first)
    return two_replies(w, seat, led, best, winner, cost, first)


@lean
def score_cards(w, f, favourite):
    """Put a score above each card of the frame's list."""
    most = w[S_MAX] >> w[f + F_SEAT] & 1
    for i in range(f + F_LIST, f + F_LIST + w[f + F_MOVES]):
        card = w[i] & CARD_BITS
        outcome = greedy_outcome(w, f, card)
        score = (outcome if most else -outcome) * BY_OUTCOME - w[W_COST + card] * BY_COST
        if w[W_TRUMPS] & bit(card):
            score -= BY_TRUMP
        if card == favourite:
            score += BY_TABLE
        w[i] |= score << SCORE_SHIFT


@lean
def list_cards(w, f, last):
    """List the cards worth a try: of interchangeable cards one, of a group all that differ in cost.

    Cards of one hand and suit form a group if no card of another hand, nor the best card on the table, lies between
    them or equals one of them in power (KERMIT-14), unless they are copies of each other. Exchanging two cards of a
    group changes the result by no more than the difference of their costs. With ``last``, only the dearest or the
    cheapest of a group is listed: enough for the last seat to a trick, which knows who gets it.
    """
    seat, played = w[f + F_SEAT], w[f + F_PLAYED]
    hand = w[S_HANDS + seat]
    others = w[S_REST] & ~hand
    marks = (0 if w[f + F_BROKEN] else MARK_LEAD) | (MARK_FIRST if w[f + F_FIRST] else 0)
    best = w[f + F_BEST]
    if played:
        others |= bit(best)
        legal = reply_cards(w, hand, w[f + F_LED], best, w[f + F_FIRST])
    else:
        legal = lead_cards(w, hand, w[f + F_BROKEN], w[f + F_FIRST])
    listed = f + F_LIST
    start = listed  # of the current group
    group, previous, dear = np.int64(-1), np.int64(0), False
    while legal:
        card = np.int64(lowbit_index(legal))
        legal ^= bit(card)
        if (
            group >= 0
            and w[W_CLASS + card] == w[W_CLASS + previous]
            and not (w[W_MARKS + card] ^ w[W_MARKS + previous]) & marks
            and (w[W_POWER + card] == w[W_POWER + previous] or not others & w[W_FROM + previous] & w[W_UPTO + card])
        ):
            cost = w[W_COST + card]
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
            start = listed
            w[listed] = group << GROUP_SHIFT | card
            listed += 1
            if last:
                winner = seat if w[W_BEAT + best] & bit(card) else w[f + F_WINNER]
                dear = (w[S_SIDE] >> winner & 1) == (w[S_MAX] >> seat & 1)
        previous = card
    w[f + F_MOVES] = listed - f - F_LIST
