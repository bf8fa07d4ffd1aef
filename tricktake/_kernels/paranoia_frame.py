"""The state of a paranoia search in the work array, behind the rules; and what is known of hidden cards.

A *place* is a seat or, from number ``seats`` on, another place with hidden cards (skat, talon, undealt cards). Its
mask holds the cards of an open hand, or the unseen cards that may lie in a hidden place; it is hidden if ``F_ROOM``
says how many cards it still has, and open if that is ``OPEN``.
"""

import numpy as np

from tricktake._kernels._jit import lean, lowbit_index, popcount
from tricktake._kernels.layout import (
    H_FIRST_BAN,
    H_FIRST_LEAD,
    H_FOLLOW,
    H_LEAD_EXCUSE,
    H_LEAD_LIMIT,
    H_OVERTAKE,
    H_SEATS,
    H_SUITS,
    H_TRUMP_WHEN_VOID,
)
from tricktake._kernels.play import (
    CARDS,
    W_BEAT,
    W_CLASS,
    W_COST,
    W_FREE,
    W_PRICE,
    W_PRICED,
    W_PRICES,
    W_SUITS,
    W_TRUMPS,
    bit,
    smaller,
)

PLACES = 12
MAX_HIDDEN = 8  # Hall's condition is tested for every set of hidden places
OPEN = -1
CAP_BITS = 6  # of the most cards a hidden place may hold of a suit
CAP_MASK = 63

S_PLACES = W_FREE
S_HIDDEN = S_PLACES + 1  # how many hidden places there are, and which
S_HIDE = S_HIDDEN + 1
S_MINE = S_HIDE + MAX_HIDDEN  # seats the searcher plays
S_TEAM = S_MINE + 1  # places whose cost counts for it: seats and credited places
S_WIDTH = S_TEAM + 1  # how far above what is needed the result may lie
S_EXACT = S_WIDTH + 1  # 1: results above the need fail, too
S_CAPPED = S_EXACT + 1  # 1: the caps of the frames bind
S_EQUALS = S_CAPPED + 1  # 1: equivalent cards are tried once
S_TABLE = S_EQUALS + 1  # 1: the table is used
S_BOUNDS = S_TABLE + 1  # 1: the rules allow static bounds
S_UNIT = S_BOUNDS + 1  # weight of a unit of cost in the ordering
S_NODES = S_UNIT + 1
S_AT = S_NODES + 1  # where an interrupted search goes on
S_DOWN = S_AT + 1
S_VALUE = S_DOWN + 1  # what the last position was worth
S_ROOT = S_VALUE + 1  # cards tried at the root
S_HISTORY = S_ROOT + 1  # how often each card settled a position, for the others and for the searcher
S_FRAMES = S_HISTORY + 2 * CARDS

F_SEAT = 0
F_PLAYED = 1  # cards on the table
F_LED = 2
F_BEST = 3  # the card that wins the trick so far
F_WINNER = 4  # whose it is
F_COST = 5  # cost on the table
F_NEED = 6  # the question: is the side sure of this much from here on?
F_UP = 7  # all positive cost not yet credited
F_DOWN = 8  # all negative cost not yet credited
F_BROKEN = 9
F_FIRST = 10
F_GAIN = 11  # what the trick finished just before brought
F_CARD = 12  # the card that led here
F_LEFT = 13  # tricks not yet finished
F_MOVES = 14
F_VALUE = 15
F_CUT = 16  # the card that settled it
F_START = 17  # nodes when it was entered
F_PLUS = 18  # the positive part of the cost on the table
F_UNSEEN = 19
F_LIST = 20
F_MASK = F_LIST + CARDS
F_ROOM = F_MASK + PLACES
F_CAPS = F_ROOM + PLACES  # of each place, the most cards of each suit, packed
FRAME = F_CAPS + PLACES
WORK = S_FRAMES + (CARDS + 2) * FRAME  # the last one is scratch


@lean
def cap_of(caps, suit):
    """The most cards of a suit, out of a packed word."""
    return caps >> (CAP_BITS * suit) & CAP_MASK


@lean
def confined(w, f, chosen):
    """How many cards the chosen hidden places hold, and the unseen cards that lie nowhere else."""
    room, elsewhere = np.int64(0), np.int64(0)
    for i in range(w[S_HIDDEN]):
        place = w[S_HIDE + i]
        if chosen >> i & 1:
            room += w[f + F_ROOM + place]
        else:
            elsewhere |= w[f + F_MASK + place]
    return room, w[f + F_UNSEEN] & ~elsewhere


@lean
def fits(w, f):
    """Whether any world is left: no set of hidden places has to hold more cards than it can (Hall; SPEC 2.8)."""
    for chosen in range(1 << w[S_HIDDEN]):
        room, cards = confined(w, f, chosen)
        if popcount(cards) > room:
            return False
        if w[S_CAPPED] and not fits_capped(w, f, chosen, room):
            return False
    return True


@lean
def fits_capped(w, f, chosen, room):
    """The same for one set of places, the others being limited suit by suit: what is cut off must not be too little.

    All cuts of the network cards -> (place, suit) -> place: a suit not confined to the chosen places passes through
    the caps of some of the others, or its cards are counted one by one, whichever is less.
    """
    hidden = w[S_HIDDEN]
    through = room
    for suit in range(w[H_SUITS]):
        cards = w[f + F_UNSEEN] & w[W_SUITS + suit]
        if not cards:
            continue
        least = popcount(cards)
        for some in range(1 << hidden):
            if some & chosen:
                continue
            amount, elsewhere = np.int64(0), np.int64(0)
            for i in range(hidden):
                place = w[S_HIDE + i]
                if some >> i & 1:
                    amount += cap_of(w[f + F_CAPS + place], suit)
                elif not chosen >> i & 1:
                    elsewhere |= w[f + F_MASK + place]
            least = smaller(least, amount + popcount(cards & elsewhere))
        through += least
    return through >= popcount(w[f + F_UNSEEN])


@lean
def tighten(w, f):
    """Draw every consequence of Hall's condition: places filled by cards that lie nowhere else hold no others."""
    hidden = w[S_HIDDEN]
    for chosen in range(1, 1 << hidden):
        room, cards = confined(w, f, chosen)
        if popcount(cards) == room:
            for i in range(hidden):
                if chosen >> i & 1:
                    w[f + F_MASK + w[S_HIDE + i]] &= cards
    if w[S_CAPPED]:
        for i in range(hidden):
            place = w[S_HIDE + i]
            caps = np.int64(0)
            for suit in range(w[H_SUITS]):
                most = popcount(w[f + F_MASK + place] & w[W_SUITS + suit])
                caps |= smaller(cap_of(w[f + F_CAPS + place], suit), most) << (CAP_BITS * suit)
            w[f + F_CAPS + place] = caps


@lean
def excluded_cards(w, card, played, led, best, broken, first):
    """The cards a hand cannot hold if ``card`` is legal from it: the dual of ``lead_cards`` and ``reply_cards``."""
    b, out, allowed = bit(card), np.int64(0), np.int64(-1)
    if played == 0:
        if first:
            if b & w[H_FIRST_LEAD]:
                return out
            out = w[H_FIRST_LEAD]
        if not broken and b & w[H_LEAD_LIMIT]:
            out |= ~(w[H_LEAD_LIMIT] | w[H_LEAD_EXCUSE])
        return out
    if w[H_FOLLOW]:
        following = w[W_CLASS + led]
        if b & following:
            allowed = following
        else:
            out = following
            if w[H_TRUMP_WHEN_VOID]:
                if w[W_TRUMPS] & b:
                    allowed = w[W_TRUMPS]
                else:
                    out |= w[W_TRUMPS]
    if w[H_OVERTAKE]:
        over = w[W_BEAT + best]
        if b & over:
            allowed &= over
        else:
            out |= allowed & over
    if first and b & w[H_FIRST_BAN]:
        out |= allowed & ~w[H_FIRST_BAN]
    return out


@lean
def take_card(w, f, seat, card, excluded):
    """Find a card in a hidden hand that holds none of ``excluded``. False if that is so in no world."""
    gone = ~bit(card)
    w[f + F_MASK + seat] &= ~excluded
    for i in range(w[S_HIDDEN]):
        w[f + F_MASK + w[S_HIDE + i]] &= gone
    w[f + F_UNSEEN] &= gone
    w[f + F_ROOM + seat] -= 1
    if w[S_CAPPED]:
        for suit in range(w[H_SUITS]):
            if w[W_SUITS + suit] & bit(card):
                if cap_of(w[f + F_CAPS + seat], suit) == 0:
                    return False
                w[f + F_CAPS + seat] -= np.int64(1) << (CAP_BITS * suit)
    return fits(w, f)


@lean
def alive(w, f):
    """All cards not yet played that may be in a hand."""
    cards = w[f + F_UNSEEN]
    for seat in range(w[H_SEATS]):
        cards |= w[f + F_MASK + seat]
    return cards


@lean
def cost_of(w, mask):
    """Sum of the costs of a set."""
    total = np.int64(0)
    for i in range(w[W_PRICES]):
        total += w[W_PRICE + i] * popcount(mask & w[W_PRICED + i])
    return total


@lean
def least_cost(w, mask, count):
    """Sum of the costs of the ``count`` cheapest cards of a set."""
    total = np.int64(0)
    i = w[W_PRICES] - 1
    while count > 0 and i >= 0:
        n = smaller(count, popcount(mask & w[W_PRICED + i]))
        total += w[W_PRICE + i] * n
        count -= n
        i -= 1
    return total


@lean
def credited(w, f, scratch):
    """What the cards bring that were never played, at worst: of those in hidden places the side is credited with.

    Which sets of cards can fill the credited places is a matroid, so the cheapest are given to them one by one
    as long as a world is left. ``scratch``: a frame to try that in.
    """
    unseen = w[f + F_UNSEEN]
    if not unseen:
        return np.int64(0)
    ours, others = np.int64(0), np.int64(0)
    for i in range(w[S_HIDDEN]):
        place = w[S_HIDE + i]
        if w[f + F_ROOM + place] > 0:
            if w[S_TEAM] >> place & 1:
                ours += 1
            else:
                others += 1
    if ours == 0:
        return np.int64(0)
    if others == 0:
        return cost_of(w, unseen)
    for i in range(FRAME):
        w[scratch + i] = w[f + i]
    total = np.int64(0)
    for price in range(w[W_PRICES] - 1, -1, -1):
        left = unseen & w[W_PRICED + price]
        while left:
            gone = left & -left
            left ^= gone
            if give(w, scratch, gone, True):
                total += w[W_COST + lowbit_index(gone)]
            else:
                give(w, scratch, gone, False)
    return total


@lean
def give(w, f, card, ours):
    """Keep a card out of the places that are not ours (or those that are), if a world is left then."""
    before = np.int64(0)
    for i in range(w[S_HIDDEN]):
        place = w[S_HIDE + i]
        if (w[S_TEAM] >> place & 1 == 1) != ours and w[f + F_MASK + place] & card:
            w[f + F_MASK + place] ^= card
            before |= bit(place)
    if fits(w, f):
        return True
    for i in range(w[S_HIDDEN]):
        place = w[S_HIDE + i]
        if before >> place & 1:
            w[f + F_MASK + place] |= card
    return False
