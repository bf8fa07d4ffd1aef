"""What is known in a paranoia search without searching."""

import numpy as np

from tricktake._kernels import paranoia_frame as F
from tricktake._kernels import paranoia_state as S
from tricktake._kernels._jit import highbit_index, lean, popcount
from tricktake._kernels.layout import H_LAST_BONUS, H_SEATS, H_SUITS, H_TRICK_COST, H_TRUMP
from tricktake._kernels.paranoia_hidden import OPEN, alive, cost_of, least_cost
from tricktake._kernels.play import W_SUITS, bit, larger, smaller


@lean
def longest(w, f, seat, cards):
    """The most cards of a set another hand than ``seat`` may hold."""
    most = np.int64(0)
    for other in range(w[H_SEATS]):
        if other != seat:
            n = popcount(w[f + F.MASK + other] & cards)
            if w[f + F.ROOM + other] != OPEN:
                n = smaller(n, w[f + F.ROOM + other])
            most = larger(most, n)
    return most


@lean
def top_run(hand, others, cards):
    """The cards of a hand in a suit above all other cards of it."""
    over = others & cards
    if not over:
        return hand & cards
    return hand & cards & ~((bit(highbit_index(over)) << 1) - 1)


@lean
def sure_cards(w, f):
    """Cards of the leader that win a trick each if cashed at once, whatever the others hold: trumps from the top, and
    side suits if that leaves nobody with a trump.
    """
    seat, trump = w[f + F.SEAT], w[H_TRUMP]
    hand = w[f + F.MASK + seat]
    others = alive(w, f) & ~hand
    sure = np.int64(0)
    if trump >= 0:
        trumps = w[W_SUITS + trump]
        sure = top_run(hand, others, trumps)
        if longest(w, f, seat, trumps) > popcount(sure):
            return sure
        sure = hand & trumps
    for suit in range(w[H_SUITS]):
        cards = w[W_SUITS + suit]
        if suit != trump and hand & cards:
            run = top_run(hand, others, cards)
            sure |= hand & cards if longest(w, f, seat, cards) <= popcount(run) else run
    return sure


@lean
def sure_cost(w, f):
    """What the searcher is sure of at a trick boundary, if no cost is negative: its top trumps if it does not lead
    (nobody can beat them whenever they are played), else also what else it can cash; with the cheapest cards of all
    others.
    """
    seat, left, seats = w[f + F.SEAT], w[f + F.LEFT], w[H_SEATS]
    best = np.int64(0)
    if w[S.MINE] >> seat & 1:
        sure = sure_cards(w, f)
        n = popcount(sure)
        if n:
            best = cost_of(w, sure) + n * w[H_TRICK_COST]
            best += least_cost(w, alive(w, f) & ~w[f + F.MASK + seat], n * (seats - 1))
            if n == left:
                best += w[H_LAST_BONUS]
    elif w[H_TRUMP] >= 0:
        for me in range(seats):
            if w[S.MINE] >> me & 1:
                hand = w[f + F.MASK + me]
                others = alive(w, f) & ~hand
                sure = top_run(hand, others, w[W_SUITS + w[H_TRUMP]])
                n = popcount(sure)
                if n:
                    value = cost_of(w, sure) + n * w[H_TRICK_COST] + least_cost(w, others, n * (seats - 1))
                    best = larger(best, value)
    return best
