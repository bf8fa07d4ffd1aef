"""The rules of play over one flat work array.

Kernels that play cards take a work array ``w``: the compiled rules, looked up by card, at its start (filled by
``pack``), and behind them whatever the kernel needs (``W_FREE`` is the first free word). One array keeps calls cheap.
"""

import numpy as np

from tricktake._kernels import layout as L
from tricktake._kernels._jit import lean, lowbit_index, popcount

CARDS = 64
# The header lies at 0. Then, for each card:
W_COST = L.HEADER_SIZE
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
W_FREE = W_SUITS + L.MAX_SUITS

# Marks that matter in the first trick,
MARK_FIRST_BAN = 1
MARK_FIRST_LEAD = 2
MARK_FIRST = MARK_FIRST_BAN | MARK_FIRST_LEAD
# until limits are broken and duties are over,
MARK_BREAKER = 4
MARK_LEAD_LIMIT = 8
MARK_LEAD_EXCUSE = 16
MARK_DUTY = 32
MARK_LEAD = MARK_BREAKER | MARK_LEAD_LIMIT | MARK_LEAD_EXCUSE | MARK_DUTY
# and always.
MARK_ALWAYS_LEGAL = 64
MARK_NEED_NOT_FOLLOW = 128
MARK_ALWAYS_WINS = 256
MARK_NEVER_WINS = 512
MARK_STAYS = 1024
MARK_LAST_RESORT = 2048
MARK_RARE = (
    MARK_ALWAYS_LEGAL | MARK_NEED_NOT_FOLLOW | MARK_ALWAYS_WINS | MARK_NEVER_WINS | MARK_STAYS | MARK_LAST_RESORT
)


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
def marks_of(header, mask):
    """The marks of one card, given as a mask."""
    marks = np.int64(0)
    if header[L.H_FIRST_BAN] & mask:
        marks |= MARK_FIRST_BAN
    if header[L.H_FIRST_LEAD] & mask:
        marks |= MARK_FIRST_LEAD
    if header[L.H_BREAKERS] & mask:
        marks |= MARK_BREAKER
    if header[L.H_LEAD_LIMIT] & mask:
        marks |= MARK_LEAD_LIMIT
    if header[L.H_LEAD_EXCUSE] & mask:
        marks |= MARK_LEAD_EXCUSE
    if header[L.H_DUTY] & mask:
        marks |= MARK_DUTY
    if header[L.H_ALWAYS_LEGAL] & mask:
        marks |= MARK_ALWAYS_LEGAL
    if header[L.H_NEED_NOT_FOLLOW] & mask:
        marks |= MARK_NEED_NOT_FOLLOW
    if header[L.H_ALWAYS_WINS] & mask:
        marks |= MARK_ALWAYS_WINS
    if header[L.H_NEVER_WINS] & mask:
        marks |= MARK_NEVER_WINS
    if header[L.H_STAYS] & mask:
        marks |= MARK_STAYS
    if header[L.H_LAST_RESORT] & mask:
        marks |= MARK_LAST_RESORT
    return marks


@lean
def beaten_by(header, cards, suits, c):
    """All cards that take the lead of a trick from card ``c``, but for ties in the last trick."""
    n, trump, suit, power = header[L.H_CARDS], header[L.H_TRUMP], cards[L.C_SUIT, c], cards[L.C_POWER, c]
    if header[L.H_ALWAYS_WINS] & bit(c):
        return np.int64(0)
    beat = np.int64(0)
    if trump >= 0 and suit != trump:
        beat = suits[trump]
    last = header[L.H_TIE] == 1
    if header[L.H_OTHER_TIES] & bit(c):
        last = not last
    for d in range(n):
        if cards[L.C_SUIT, d] == suit:
            other = cards[L.C_POWER, d]
            if other > power or (other == power and c != d and last):
                beat |= bit(d)
    if header[L.H_NEVER_WINS] & bit(c):
        for d in range(n):
            beat |= bit(d)
    return (beat | header[L.H_ALWAYS_WINS]) & ~header[L.H_NEVER_WINS]


@lean
def pack(header, cards, suits, w):
    """Fill the start of ``w`` from compiled rules."""
    n = header[L.H_CARDS]
    for i in range(L.HEADER_SIZE):
        w[i] = header[i]
    trump = header[L.H_TRUMP]
    w[W_TRUMPS] = suits[trump] if trump >= 0 else 0
    for suit in range(L.MAX_SUITS):
        w[W_SUITS + suit] = suits[suit]
    for c in range(n):
        suit, power = cards[L.C_SUIT, c], cards[L.C_POWER, c]
        w[W_COST + c] = cards[L.C_COST, c]
        w[W_POWER + c] = power
        w[W_CLASS + c] = suits[suit]
        above, below = np.int64(0), np.int64(0)
        for d in range(n):
            if cards[L.C_SUIT, d] == suit:
                other = cards[L.C_POWER, d]
                if other >= power:
                    above |= bit(d)
                if other <= power:
                    below |= bit(d)
        w[W_BEAT + c] = beaten_by(header, cards, suits, c)
        w[W_FROM + c] = above
        w[W_UPTO + c] = below
        w[W_MARKS + c] = marks_of(header, bit(c))
    prices = 0
    left = n
    ceiling = np.int64(0)
    while left > 0:
        top, found = np.int64(0), False
        for c in range(n):
            cost = cards[L.C_COST, c]
            if (prices == 0 or cost < ceiling) and (not found or cost > top):
                top, found = cost, True
        priced = np.int64(0)
        for c in range(n):
            if cards[L.C_COST, c] == top:
                priced |= bit(c)
                left -= 1
        w[W_PRICE + prices] = top
        w[W_PRICED + prices] = priced
        prices += 1
        ceiling = top
    w[W_PRICES] = prices


@lean
def lead_cards(w, hand, flags, first):
    """The cards of ``hand`` that may be led. flags: BROKEN if the lead limits are lifted, PENDING if a duty is not."""
    if flags & L.PENDING and hand & w[L.H_DUTY]:
        suit = hand & w[L.H_DUTY_SUIT]
        if not 0 < w[L.H_DUTY_LENGTH] <= popcount(suit):
            hand &= ~(suit & ~w[L.H_DUTY])
    if first:
        named = hand & w[L.H_FIRST_LEAD]
        if named:
            return named
    if flags & L.BROKEN:
        return hand
    free = hand & ~w[L.H_LEAD_LIMIT]
    return free if free & ~w[L.H_LEAD_EXCUSE] else hand


@lean
def reply_cards(w, hand, led, best, first):
    """The cards of ``hand`` that may be played to a trick with this card led and this one best, but for the rare
    rules and duties (``legal_replies``): enough to guess how a trick goes on.
    """
    allowed = hand
    if w[L.H_FOLLOW]:
        following = hand & w[W_CLASS + led]
        if following:
            allowed = following
        elif w[L.H_TRUMP_WHEN_VOID]:
            trumping = hand & w[W_TRUMPS]
            if trumping:
                allowed = trumping
    if w[L.H_OVERTAKE]:
        over = allowed & w[W_BEAT + best]
        if over:
            allowed = over
    if first:
        kept = allowed & ~w[L.H_FIRST_BAN]
        if kept:
            allowed = kept
    return allowed


@lean
def rare_replies(w, hand, led, best, first, flags, seat, winner):
    """``reply_cards`` by all rules. led: the card that set the suit, or one that sets none; winner: the seat so far."""
    allowed, trumps, over = hand, w[W_TRUMPS], w[W_BEAT + best]
    suit = np.int64(0) if w[L.H_NEVER_WINS] & bit(led) else w[W_CLASS + led]
    if w[L.H_FOLLOW] and suit:
        if hand & suit & ~w[L.H_NEED_NOT_FOLLOW]:
            allowed = hand & suit
        elif w[L.H_TRUMP_WHEN_VOID] and suit != trumps and hand & trumps:
            if not (w[L.H_SPARE_PARTNER] and w[L.H_PARTNERS + seat] >> winner & 1):
                allowed = hand & trumps
    if flags & L.PENDING:
        if suit == w[L.H_DUTY_SUIT]:
            if hand & w[L.H_DUTY]:
                allowed = hand & w[L.H_DUTY]
        elif allowed & ~w[L.H_DUTY]:
            allowed &= ~w[L.H_DUTY]
    if w[L.H_OVERTAKE] == 1:
        if allowed & over:
            allowed &= over
    elif w[L.H_OVERTAKE] == 2 and allowed & trumps & over:
        allowed &= over | ~trumps
    allowed |= hand & w[L.H_ALWAYS_LEGAL]
    if w[L.H_NO_UNDERTRUMP] and suit != trumps and trumps & bit(best) and allowed & ~trumps:
        allowed &= over | ~trumps
    if allowed & ~w[L.H_LAST_RESORT]:
        allowed &= ~w[L.H_LAST_RESORT]
    if first and allowed & ~w[L.H_FIRST_BAN]:
        allowed &= ~w[L.H_FIRST_BAN]
    return allowed


@lean
def legal_replies(w, hand, led, best, first, flags, seat, winner):
    """The cards of ``hand`` that may be played to a trick: see ``rare_replies``."""
    if flags & L.PENDING or w[L.H_RARE] & L.RARE_REPLIES:
        return rare_replies(w, hand, led, best, first, flags, seat, winner)
    return reply_cards(w, hand, led, best, first)


@lean
def takes(w, best, card, last):
    """Whether a card takes the lead of the trick from the best one so far. last: it is the last trick of the deal."""
    yes = w[W_BEAT + best] >> card & 1 == 1
    if w[L.H_RARE] & L.RARE_WINNER and last and w[L.H_LAST_TIES]:
        both = bit(best) | bit(card)
        if w[L.H_OTHER_TIES] & both == both and not both & (w[L.H_ALWAYS_WINS] | w[L.H_NEVER_WINS]):
            if w[W_CLASS + best] == w[W_CLASS + card] and w[W_POWER + best] == w[W_POWER + card]:
                return not yes
    return yes


@lean
def suit_card(w, led, card):
    """The card that says which suit is to be followed, after one more: cards that never win set none."""
    return card if w[L.H_NEVER_WINS] & bit(led) else led


@lean
def flags_after(w, flags, mask):
    """What the play of a card changes at once."""
    return flags | L.BROKEN if w[L.H_BREAKERS] & mask else flags


@lean
def flags_between(w, flags, led):
    """What has changed once a trick is over: a duty ends when its suit has been led."""
    return flags & ~L.PENDING if flags & L.PENDING and w[L.H_DUTY_SUIT] & bit(led) else flags


@lean
def most_dear(w, mask):
    """The cards of highest cost of a set that is not empty."""
    i = W_PRICED
    while not mask & w[i]:
        i += 1
    return mask & w[i]


@lean
def most_cheap(w, mask):
    """The cards of lowest cost of a set that is not empty."""
    i = W_PRICED + w[W_PRICES] - 1
    while not mask & w[i]:
        i -= 1
    return mask & w[i]


@lean
def dearest(w, mask):
    """The card of highest cost of a set that is not empty."""
    return lowbit_index(most_dear(w, mask))


@lean
def cheapest(w, mask):
    """The card of lowest cost of a set that is not empty."""
    return lowbit_index(most_cheap(w, mask))
