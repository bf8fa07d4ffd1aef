"""The outcome of the trick on the table if everybody replies greedily: the measure that orders the cards to try.

The last three seats choose the best of a few cards by looking at this trick only (the dearest and the cheapest that
lose it, the lowest and the highest that win it); earlier ones, in games of five and more, follow a rule of thumb.
"""

import numpy as np

from tricktake._kernels import opencard_frame as F
from tricktake._kernels import opencard_state as S
from tricktake._kernels._jit import highbit_index, lean, lowbit_index
from tricktake._kernels.layout import H_SEATS, H_TRICK_COST
from tricktake._kernels.play import W_BEAT, W_COST, bit, cheapest, dearest, reply_cards


@lean
def worth(w, winner, cost):
    """What the side gets of a trick."""
    return cost + w[H_TRICK_COST] if w[S.SIDE] >> winner & 1 else 0


@lean
def last_reply(w, seat, led, best, winner, cost, first):
    """What the side gets if the last seat of the trick does its best in it."""
    legal = reply_cards(w, w[S.HANDS + seat], led, best, first)
    over = legal & w[W_BEAT + best]
    under = legal & ~over
    most = w[S.MAX] >> seat & 1
    result, found = np.int64(0), False
    if over:
        found = True
        if w[S.SIDE] >> seat & 1:
            result = worth(w, seat, cost + w[W_COST + (dearest(w, over) if most else cheapest(w, over))])
    if under:
        other = np.int64(0)
        if w[S.SIDE] >> winner & 1:
            other = worth(w, winner, cost + w[W_COST + (dearest(w, under) if most else cheapest(w, under))])
        if not found or (other > result) == (most == 1):
            result = other
    return result


@lean
def candidate(w, legal, best, i):
    """The ``i``-th of the four cards a greedy seat looks at, -1 if there is none or it was there before."""
    over = legal & w[W_BEAT + best]
    cards = legal & ~over if i < 2 else over
    if not cards:
        return np.int64(-1)
    if i == 0:
        return np.int64(dearest(w, cards))
    if i == 1:
        card = np.int64(cheapest(w, cards))
        return card if w[W_COST + card] != w[W_COST + dearest(w, cards)] else np.int64(-1)
    if i == 2:
        return np.int64(lowbit_index(cards))
    return np.int64(highbit_index(cards)) if cards & (cards - 1) else np.int64(-1)


@lean
def next_seat(w, seat):
    """The seat that plays after this one."""
    return seat + 1 if seat + 1 < w[H_SEATS] else 0


# Twice the same but for the call: one function that calls itself is not inlined and costs a tenth of the search's time.


@lean
def two_replies(w, seat, led, best, winner, cost, first):
    """What the side gets if the last two seats do their best in this trick."""
    legal, after, most = reply_cards(w, w[S.HANDS + seat], led, best, first), next_seat(w, seat), w[S.MAX] >> seat & 1
    result, found = np.int64(0), False
    for i in range(4):
        card = candidate(w, legal, best, i)
        if card >= 0:
            leads, owner = (card if i >= 2 else best), (seat if i >= 2 else winner)
            value = last_reply(w, after, led, leads, owner, cost + w[W_COST + card], first)
            if not found or (value > result) == (most == 1):
                result, found = value, True
    return result


@lean
def three_replies(w, seat, led, best, winner, cost, first):
    """What the side gets if the last three seats do their best in this trick."""
    legal, after, most = reply_cards(w, w[S.HANDS + seat], led, best, first), next_seat(w, seat), w[S.MAX] >> seat & 1
    result, found = np.int64(0), False
    for i in range(4):
        card = candidate(w, legal, best, i)
        if card >= 0:
            leads, owner = (card if i >= 2 else best), (seat if i >= 2 else winner)
            value = two_replies(w, after, led, leads, owner, cost + w[W_COST + card], first)
            if not found or (value > result) == (most == 1):
                result, found = value, True
    return result


@lean
def thumb_card(w, seat, led, best, winner, first):
    """A reply by rule of thumb: win from the other coalition as high as possible, else throw off."""
    legal = reply_cards(w, w[S.HANDS + seat], led, best, first)
    over = legal & w[W_BEAT + best]
    under = legal & ~over
    mine, most = w[S.SIDE] >> seat & 1, w[S.MAX] >> seat & 1
    if mine == most:  # it wants tricks
        if over and (w[S.SIDE] >> winner & 1) != mine:
            return highbit_index(over)
        return cheapest(w, under) if under else cheapest(w, legal)
    if under:
        return highbit_index(under)
    return cheapest(w, legal)


@lean
def greedy_outcome(w, f, card):
    """What the side gets of this trick after ``card`` if all others reply greedily."""
    seat, played, winner = w[f + F.SEAT], w[f + F.PLAYED] + 1, w[f + F.WINNER]
    led, best, cost, first = w[f + F.LED], w[f + F.BEST], w[f + F.COST] + w[W_COST + card], w[f + F.FIRST]
    if played == 1:
        led, best, winner = card, card, seat
    elif w[W_BEAT + best] & bit(card):
        best, winner = card, seat
    seats = w[H_SEATS]
    while True:
        seat = next_seat(w, seat)
        if seats - played <= 3:
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
    if played + 2 == seats:
        return two_replies(w, seat, led, best, winner, cost, first)
    return three_replies(w, seat, led, best, winner, cost, first)
