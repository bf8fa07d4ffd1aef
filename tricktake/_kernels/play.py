"""The rules of play over one flat work array.

Kernels that play cards take a work array ``w``: the compiled rules, looked up by card, at its start (filled by
``pack``), and behind them whatever the kernel needs (``W_FREE`` is the first free word). One array keeps calls cheap.
"""

import numpy as np

from tricktake._kernels._jit import lean, lowbit_index
from tricktake._kernels.layout import (
    C_COST,
    C_POWER,
    C_SUIT,
    H_CARDS,
    H_FIRST_BAN,
    H_FIRST_LEAD,
    H_FOLLOW,
    H_LEAD_EXCUSE,
    H_LEAD_LIMIT,
    H_OVERTAKE,
    H_TIE,
    H_TRUMP,
    H_TRUMP_WHEN_VOID,
    HEADER_SIZE,
    MAX_SUITS,
)

CARDS = 64
# The header lies at 0. Then, for each card:
W_COST = HEADER_SIZE
W_POWER = W_COST + CARDS
W_CLASS = W_POWER + CARDS  # all cards of its play suit
W_BEAT = W_CLASS + CARDS  # all cards that take the lead from it
W_FROM = W_BEAT + CARDS  # the cards of its suit that are not weaker
W_UPTO = W_FROM + CARDS  # the cards of its suit that are not stronger
W_MARKS = W_UPTO + CARDS  # which of the special rules name it, one bit each
# and the cards by cost, the dearest first:
W_PRICES = W_MARKS + CARDS  # how many different costs there are
W_PRICE = W_PRICES + 1
W_PRICED = W_PRICE + CARDS  # the cards of that cost
W_TRUMPS = W_PRICED + CARDS
W_SUITS = W_TRUMPS + 1  # the cards of each play suit
W_FREE = W_SUITS + MAX_SUITS

MARK_LEAD = 28  # marks that matter until limits are broken: lead excuse, lead limit, breaker
MARK_FIRST = 3  # marks that matter in the first trick: first lead, first ban


@lean
def bit(card):
    """The mask of one card."""
    return np.int64(1) << card


@lean
def smaller(a, b):
    """The smaller of two; numba's own ``min`` is compiled again for every mix of types."""
    return a if a < b else b


@lean
def larger(a, b):
    """The larger of two."""
    return a if a > b else b


@lean
def pack(header, cards, suits, w):
    """Fill the start of ``w`` from compiled rules."""
    n = header[H_CARDS]
    for i in range(HEADER_SIZE):
        w[i] = header[i]
    trump = header[H_TRUMP]
    w[W_TRUMPS] = suits[trump] if trump >= 0 else 0
    for suit in range(MAX_SUITS):
        w[W_SUITS + suit] = suits[suit]
    for c in range(n):
        suit, power = cards[C_SUIT, c], cards[C_POWER, c]
        w[W_COST + c] = cards[C_COST, c]
        w[W_POWER + c] = power
        w[W_CLASS + c] = suits[suit]
        beat, above, below = np.int64(0), np.int64(0), np.int64(0)
        if trump >= 0 and suit != trump:
            beat = suits[trump]
        for d in range(n):
            if cards[C_SUIT, d] == suit:
                other = cards[C_POWER, d]
                if other >= power:
                    above |= bit(d)
                if other <= power:
                    below |= bit(d)
                if other > power or (other == power and c != d and header[H_TIE] == 1):
                    beat |= bit(d)
        w[W_BEAT + c] = beat
        w[W_FROM + c] = above
        w[W_UPTO + c] = below
        marks = 0
        for i in range(4):  # H_LEAD_LIMIT, H_BREAKERS, H_FIRST_LEAD, H_FIRST_BAN follow each other
            if header[H_LEAD_LIMIT + i] & bit(c):
                marks |= 8 >> i
        if header[H_LEAD_EXCUSE] & bit(c):
            marks |= 16
        w[W_MARKS + c] = marks
    prices = 0
    left = n
    ceiling = np.int64(0)
    while left > 0:
        top, found = np.int64(0), False
        for c in range(n):
            cost = cards[C_COST, c]
            if (prices == 0 or cost < ceiling) and (not found or cost > top):
                top, found = cost, True
        priced = np.int64(0)
        for c in range(n):
            if cards[C_COST, c] == top:
                priced |= bit(c)
                left -= 1
        w[W_PRICE + prices] = top
        w[W_PRICED + prices] = priced
        prices += 1
        ceiling = top
    w[W_PRICES] = prices


@lean
def lead_cards(w, hand, broken, first):
    """The cards of ``hand`` that may be led."""
    if first:
        named = hand & w[H_FIRST_LEAD]
        if named:
            return named
    if broken:
        return hand
    free = hand & ~w[H_LEAD_LIMIT]
    return free if free & ~w[H_LEAD_EXCUSE] else hand


@lean
def reply_cards(w, hand, led, best, first):
    """The cards of ``hand`` that may be played to a trick with this card led and this one best."""
    allowed = hand
    if w[H_FOLLOW]:
        following = hand & w[W_CLASS + led]
        if following:
            allowed = following
        elif w[H_TRUMP_WHEN_VOID]:
            trumping = hand & w[W_TRUMPS]
            if trumping:
                allowed = trumping
    if w[H_OVERTAKE]:
        over = allowed & w[W_BEAT + best]
        if over:
            allowed = over
    if first:
        kept = allowed & ~w[H_FIRST_BAN]
        if kept:
            allowed = kept
    return allowed


@lean
def dearest(w, mask):
    """The card of highest cost of a set that is not empty."""
    i = W_PRICED
    while not mask & w[i]:
        i += 1
    return lowbit_index(mask & w[i])


@lean
def cheapest(w, mask):
    """The card of lowest cost of a set that is not empty."""
    i = W_PRICED + w[W_PRICES] - 1
    while not mask & w[i]:
        i -= 1
    return lowbit_index(mask & w[i])
