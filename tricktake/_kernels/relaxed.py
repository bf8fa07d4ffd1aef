"""A search that gives the opponents of a lone seat more than they have: whichever of them likes leads.

A single seat avoids cost, three others play against it. In the relaxed game any of these may lead whenever one of them
is to lead. That brings them no less than the true game, so what it refuses them, the true game refuses, too. It is
cheaper: who of them wins a trick does not matter, so results rest on relations between the lone seat's cards and theirs
only (``relations``). A card that failed rules out all cards of its hand and suit with which the same relations hold.

The steps are those of ``opencard``; proofs are in docs/solver.md. Copies, overtaking and rare rules are left out.
"""

import numpy as np

from tricktake._kernels import layout as L
from tricktake._kernels import notes, play
from tricktake._kernels import opencard_frame as F
from tricktake._kernels import opencard_state as S
from tricktake._kernels._jit import lean, lowbit_index, popcount
from tricktake._kernels.bounds import ducks_all
from tricktake._kernels.order import CARD_BITS, SCORE_SHIFT, alike, score_cards
from tricktake._kernels.play import MARK_LEAD, bit, flags_after, larger, lead_cards, reply_cards, smaller
from tricktake._kernels.position import P_SENSE, P_SIDE
from tricktake._kernels.relations import (
    MOST_CARDS,
    OPPONENTS,
    ROWS,
    T_RELAXED,
    all_cards,
    keep,
    owner_of,
    probe,
    row_of,
    swappable,
    take_swapped,
)

UNLISTED = -1  # instead of a number of cards to try


@lean
def lone_of(w, t, row):
    """The seat of a side of one that avoids cost, if its opponents are worth relaxing; else -1."""
    side = row[P_SIDE]
    if side & (side - 1) or row[P_SENSE] > 0 or w[L.H_SEATS] != OPPONENTS + 1 or w[L.H_COPIES] or not w[S.PATTERNS]:
        return np.int64(-1)
    lone = np.int64(lowbit_index(side))
    cards = popcount(w[S.HOME + lone])
    return lone if t[T_RELAXED] <= cards <= ROWS else np.int64(-1)


@lean
def knows(w, f):
    """Whether a relaxed search may be asked about a frame."""
    if w[S.LONE] < 0 or not w[S.BOUNDS] or w[f + F.PLAYED] or w[f + F.FIRST] or w[f + F.BROKEN] & L.PENDING:
        return False
    return popcount(w[S.HANDS + w[S.LONE]]) <= MOST_CARDS


@lean
def refuses(w, t, f, need):
    """Whether a lone seat gives its opponents less than ``need`` though any of them may lead when one of them is to.

    What that rests on is in S.REL, as for all bounds; F.CUT is the card of the lone seat, if it leads.
    """
    value = search(w, t, f, f + F.SIZE, need)
    w[f + F.CUT] = w[f + F.SIZE + F.CUT] if w[f + F.SEAT] == w[S.LONE] else np.int64(-1)
    return not w[S.STOPPED] and value < need


@lean
def start(w, f, g):
    """Make frame ``g`` the relaxed twin of ``f``, between two tricks."""
    for i in range(F.OWN):
        w[g + i] = w[f + i]
    w[g + F.COUNTS] = w[f + F.COUNTS]
    w[g + F.COUNTS_MORE] = w[f + F.COUNTS_MORE]
    w[g + F.TABLE] = 0
    w[g + F.GAIN] = 0
    w[g + F.WON] = 0
    w[g + F.CUT] = -1


@lean
def list_hand(w, f, seat, legal, listed):
    """Append the cards of one hand worth a try: of each group one of each cost. Returns the end of the list."""
    flags, lone = w[f + F.BROKEN], w[S.LONE]
    others = w[S.HANDS + lone] if seat != lone else w[S.REST] & ~w[S.HANDS + lone]
    marks = np.int64(0) if flags == L.BROKEN else np.int64(MARK_LEAD)
    if w[f + F.PLAYED]:
        others |= bit(w[f + F.BEST]) if seat == lone else w[f + F.TABLE] & w[S.HOME + lone]
    start, previous = listed, np.int64(-1)
    while legal:
        card = np.int64(lowbit_index(legal))
        legal ^= bit(card)
        if previous < 0 or not alike(w, previous, card, marks, others):
            start = listed
        fresh = True
        for i in range(start, listed):
            if w[play.W_COST + (w[i] & CARD_BITS)] == w[play.W_COST + card]:
                fresh = False
        if fresh:
            w[listed] = card
            listed += 1
        previous = card
    return listed


@lean
def list_all(w, f):
    """List and score what is left to try."""
    home, listed = w[f + F.SEAT], f + F.LIST
    for seat in range(w[L.H_SEATS]):
        if seat != home and (not w[f + F.FREE] or seat == w[S.LONE]):
            continue
        legal = w[f + F.LEGAL] & w[S.HANDS + seat]
        if legal:
            w[f + F.SEAT] = seat
            first = listed - f - F.LIST
            listed = list_hand(w, f, seat, legal, listed)
            w[f + F.MOVES] = listed - f - F.LIST
            score_cards(w, f, first)
    w[f + F.SEAT] = home


@lean
def leads_of_any(w, f):
    """What the opponents may lead; of each suit only the cards of him who sits closest before the lone seat.

    Who leads it from farther off does no better than that one with the card he would have followed with: the trick is
    the same, and the lone seat has seen less of it when it plays (docs/solver.md).
    """
    legal, led, seat = np.int64(0), np.int64(0), w[S.LONE]
    for _ in range(OPPONENTS):
        seat = seat - 1 if seat else w[L.H_SEATS] - 1
        hand = w[S.HANDS + seat]
        some = lead_cards(w, hand, w[f + F.BROKEN], np.int64(0))
        legal |= some & ~led
        for suit in range(w[L.H_SUITS]):
            cards = w[play.W_SUITS + suit]
            if hand & cards and not hand & cards & ~some:
                led |= cards
    return legal


@lean
def ducks(w, f):
    """Whether the lone seat, not on lead, can lose every trick at no trump (``bounds.ducks_all``); the relations that
    are enough for it get into the rows.
    """
    mine = w[S.HANDS + w[S.LONE]]
    theirs = w[S.REST] & ~mine
    if not ducks_all(w, w[S.LONE]):
        return False
    for suit in range(w[L.H_SUITS]):
        x, y = mine & w[play.W_SUITS + suit], theirs & w[play.W_SUITS + suit]
        least = popcount(y)  # so many must beat this card of the lone seat, one fewer the next
        while x and least:
            card = lowbit_index(x)
            beating = y & w[play.W_FROM + card]
            for _ in range(popcount(beating) - least):
                beating &= beating - 1
            w[f + F.RESTS + row_of(w, card)] |= beating
            x &= x - 1
            least -= 1
    return True


@lean
def enter(w, t, f):
    """Settle a position at once (True, value in S.VALUE), or choose the card to try first."""
    need, low, high = w[f + F.NEED], w[f + F.DOWN], w[f + F.UP]
    for i in range(f + F.RESTS, f + F.RESTS + 2 * ROWS):
        w[i] = 0
    if need <= low:
        w[S.VALUE] = low
        return True
    if need > high:
        w[S.VALUE] = high
        return True
    w[f + F.HEAD] = 0
    w[f + F.HINT] = -1
    seat, lone = w[f + F.SEAT], w[S.LONE]
    w[f + F.FREE] = 0
    tt_card = np.int64(-1)
    if w[f + F.PLAYED] == 0:
        settled, tt_card = probe(w, t, f, need)
        if settled:
            return True
        if seat != lone:
            if w[L.H_TRUMP] < 0 and ducks(w, f):
                w[S.VALUE] = 0
                return True
            w[f + F.FREE] = 1
            legal = leads_of_any(w, f)
        else:
            legal = lead_cards(w, w[S.HANDS + seat], w[f + F.BROKEN], np.int64(0))
    else:
        legal = reply_cards(w, w[S.HANDS + seat], w[f + F.LED], w[f + F.BEST], np.int64(0))
    w[f + F.LEGAL] = legal
    w[f + F.FORCED] = legal & (legal - 1) == 0
    w[f + F.NOTE] = 0
    if w[f + F.FORCED]:
        w[f + F.HINT] = lowbit_index(legal)
    else:
        noted = np.int64(-1) if w[f + F.FREE] else notes.find_note(w, t, f)
        hint = tt_card if tt_card >= 0 else noted if noted >= 0 else w[f + F.HINT]
        w[f + F.HINT] = hint if hint >= 0 and legal >> hint & 1 else -1
    w[f + F.MOVES] = UNLISTED
    w[f + F.NEXT] = 0
    w[f + F.CUT] = -1
    w[f + F.VALUE] = low if w[S.MAX] >> seat & 1 else high
    return False


@lean
def next_card(w, f):
    """The next card to try, -1 if all were tried or ruled out."""
    if w[f + F.MOVES] == UNLISTED:
        if w[f + F.NEXT] == 0 and w[f + F.HINT] >= 0:
            return w[f + F.HINT]
        if not w[f + F.LEGAL]:
            return np.int64(-1)
        list_all(w, f)
    top = np.int64(-1)
    for i in range(f + F.LIST, f + F.LIST + w[f + F.MOVES]):
        if w[f + F.LEGAL] >> (w[i] & CARD_BITS) & 1 and (top < 0 or w[i] >> SCORE_SHIFT > w[top] >> SCORE_SHIFT):
            top = i
    if top >= 0:
        return w[top] & CARD_BITS
    return np.int64(lowbit_index(w[f + F.LEGAL])) if w[f + F.LEGAL] else np.int64(-1)


@lean
def descend(w, f, card):
    """Play a card and make the frame of the position after it."""
    g = f + F.SIZE
    if w[f + F.FREE]:
        w[f + F.SEAT] = owner_of(w, card)
    seat = w[f + F.SEAT]
    mask = bit(card)
    w[S.HANDS + seat] ^= mask
    w[S.REST] ^= mask
    w[g + F.COUNTS] = w[f + F.COUNTS] - w[S.ADD + card]
    w[g + F.COUNTS_MORE] = w[f + F.COUNTS_MORE] - w[S.ADD_MORE + card]
    price = w[play.W_COST + card]
    led, best, winner, played = w[f + F.LED], w[f + F.BEST], w[f + F.WINNER], w[f + F.PLAYED] + 1
    need, up = w[f + F.NEED], w[f + F.UP]
    gain, flags = np.int64(0), flags_after(w, w[f + F.BROKEN], mask)
    cost = w[f + F.COST] + price
    if played == 1:
        led, best, winner = card, card, seat
    elif w[play.W_BEAT + best] & mask:
        best, winner = card, seat
    won, table = np.int64(0), w[f + F.TABLE] | mask
    following = seat + 1 if seat + 1 < w[L.H_SEATS] else 0
    if played == w[L.H_SEATS]:
        each = w[L.H_TRICK_COST]
        up -= cost + each
        if w[S.REST] == 0:
            up = np.int64(0)
            each += w[L.H_LAST_BONUS]
        if w[S.SIDE] >> winner & 1:
            gain = cost + each
        mine = table & w[S.HOME + w[S.LONE]]
        if mine & w[play.W_CLASS + best]:
            won = table & w[play.W_CLASS + best] & ~mine if winner == w[S.LONE] else bit(best)
            w[g + F.ROW] = row_of(w, lowbit_index(mine)) + (ROWS if winner == w[S.LONE] else 0)
        table = np.int64(0)
        following, played, cost = winner, np.int64(0), np.int64(0)
    w[g + F.SEAT] = following
    w[g + F.PLAYED] = played
    w[g + F.LED] = led
    w[g + F.BEST] = best
    w[g + F.WINNER] = winner
    w[g + F.COST] = cost
    w[g + F.NEED] = need - gain
    w[g + F.UP] = up
    w[g + F.DOWN] = 0
    w[g + F.BROKEN] = flags
    w[g + F.FIRST] = 0
    w[g + F.GAIN] = gain
    w[g + F.CARD] = card
    w[g + F.TABLE] = table
    w[g + F.WON] = won


@lean
def rule_out(w, f, g, card, value):
    """Leave out what the failure of a card rules out as well."""
    seat, need, most = w[f + F.SEAT], w[f + F.NEED], w[S.MAX] >> w[f + F.SEAT] & 1
    last = w[f + F.PLAYED] + 1 == w[L.H_SEATS]
    left = w[f + F.LEGAL] & w[S.HANDS + seat] & w[play.W_CLASS + card]
    while left:
        other = np.int64(lowbit_index(left))
        left &= left - 1
        far = w[play.W_COST + other] - w[play.W_COST + card]
        if last:  # it knows who wins
            if w[g + F.SEAT] != w[S.LONE]:
                far = -far
            far = larger(far, 0) if most else smaller(far, 0)
        else:
            far = abs(far) if most else -abs(far)
        if (value + far >= need) == (most == 1) or not swappable(w, g, seat, card, other):
            continue
        if w[f + F.BROKEN] != L.BROKEN and (w[play.W_MARKS + card] ^ w[play.W_MARKS + other]) & MARK_LEAD:
            continue
        w[f + F.LEGAL] ^= bit(other)
        w[f + F.VALUE] = larger(w[f + F.VALUE], value + far) if most else smaller(w[f + F.VALUE], value + far)
        take_swapped(w, f, g, seat, card, other)


@lean
def absorb(w, f, card, value):
    """Take in the value of the position after ``card``. True if the question of this frame is answered."""
    g = f + F.SIZE
    if w[g + F.WON]:
        w[g + F.RESTS + w[g + F.ROW]] |= w[g + F.WON]
    most = w[S.MAX] >> w[f + F.SEAT] & 1
    if w[f + F.NEXT] == 0 or (value > w[f + F.VALUE] if most else value < w[f + F.VALUE]):
        w[f + F.VALUE] = value
    w[f + F.NEXT] += 1
    w[f + F.LEGAL] &= ~bit(card)
    if (value >= w[f + F.NEED]) == (most == 1):
        w[f + F.CUT] = card
        for i in range(2 * ROWS):
            w[f + F.RESTS + i] = w[g + F.RESTS + i]
        return True
    for i in range(2 * ROWS):
        w[f + F.RESTS + i] |= w[g + F.RESTS + i]
    if w[f + F.LEGAL]:
        rule_out(w, f, g, card, value)
    return False


@lean
def leave(w, t, f):
    """Keep the value of a frame."""
    w[S.VALUE] = w[f + F.VALUE]
    if w[f + F.CUT] >= 0 and w[f + F.NOTE]:
        notes.take_note(w, t, f, w[f + F.CUT])
    if w[f + F.PLAYED] == 0 and not w[f + F.FORCED]:
        keep(w, t, f, w[f + F.VALUE], np.int64(w[f + F.VALUE] >= w[f + F.NEED]), w[f + F.CUT])


@lean
def search(w, t, f, g, need):
    """Whether the opponents of the lone seat get at least ``need`` of frame f if any of them may lead."""
    start(w, f, g)
    bottom = g
    f = g
    w[f + F.NEED] = need
    while True:
        settled = enter(w, t, f)
        while True:
            if settled:
                if f == bottom:
                    w[S.REL] = all_cards(w, f)
                    return w[S.VALUE]
                value = w[S.VALUE] + w[f + F.GAIN]
                card = w[f + F.CARD]
                f -= F.SIZE
                mask = bit(card)
                w[S.HANDS + w[f + F.SEAT]] |= mask
                w[S.REST] |= mask
                settled = absorb(w, f, card, value)
                if settled:
                    leave(w, t, f)
                continue
            card = next_card(w, f)
            if card < 0:
                leave(w, t, f)
                settled = True
                continue
            if w[S.NODES] >= w[S.LIMIT]:
                w[S.STOPPED] = 1
                while f != bottom:  # give back the cards
                    card = w[f + F.CARD]
                    f -= F.SIZE
                    w[S.HANDS + w[f + F.SEAT]] |= bit(card)
                    w[S.REST] |= bit(card)
                return np.int64(0)
            w[S.NODES] += 1
            descend(w, f, card)
            f += F.SIZE
            break
