"""What a paranoia search knows of hidden cards, in the frame of a position.

A *place* is a seat or, from number ``seats`` on, another place with hidden cards (skat, talon, undealt cards). Its
mask holds the cards of an open hand, or the unseen cards that may lie in a hidden place; it is hidden if ``ROOM``
says how many cards it still has, and open if that is ``OPEN``.
"""

import numpy as np

from tricktake._kernels import paranoia_frame as F
from tricktake._kernels import paranoia_state as S
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
    W_BEAT,
    W_CLASS,
    W_COST,
    W_PRICE,
    W_PRICED,
    W_PRICES,
    W_SUITS,
    W_TRUMPS,
    bit,
    smaller,
)

OPEN = -1
CAP_BITS = 6  # of the most cards a hidden place may hold of a suit
CAP_MASK = 63


@lean
def cap_of(caps, suit):
    """The most cards of a suit, out of a packed word."""
    return caps >> (CAP_BITS * suit) & CAP_MASK


@lean
def confined(w, f, chosen):
    """How many cards the chosen hidden places hold, and the unseen cards that lie nowhere else."""
    room, elsewhere = np.int64(0), np.int64(0)
    for i in range(w[S.HIDDEN]):
        place = w[S.HIDE + i]
        if chosen >> i & 1:
            room += w[f + F.ROOM + place]
        else:
            elsewhere |= w[f + F.MASK + place]
    return room, w[f + F.UNSEEN] & ~elsewhere


@lean
def fits(w, f):
    """Whether any world is left: no set of hidden places has to hold more cards than it can (Hall; GAP-8)."""
    for chosen in range(1 << w[S.HIDDEN]):
        room, cards = confined(w, f, chosen)
        if popcount(cards) > room:
            return False
        if w[S.CAPPED] and not fits_capped(w, f, chosen, room):
            return False
    return True


@lean
def fits_capped(w, f, chosen, room):
    """The same for one set of places, the others being limited suit by suit: what is cut off must not be too little.

    All cuts of the network cards -> (place, suit) -> place: a suit not confined to the chosen places passes through
    the caps of some of the others, or its cards are counted one by one, whichever is less.
    """
    hidden = w[S.HIDDEN]
    through = room
    for suit in range(w[H_SUITS]):
        cards = w[f + F.UNSEEN] & w[W_SUITS + suit]
        if not cards:
            continue
        least = popcount(cards)
        for some in range(1 << hidden):
            if some & chosen:
                continue
            amount, elsewhere = np.int64(0), np.int64(0)
            for i in range(hidden):
                place = w[S.HIDE + i]
                if some >> i & 1:
                    amount += cap_of(w[f + F.CAPS + place], suit)
                elif not chosen >> i & 1:
                    elsewhere |= w[f + F.MASK + place]
            least = smaller(least, amount + popcount(cards & elsewhere))
        through += least
    return through >= popcount(w[f + F.UNSEEN])


@lean
def tighten(w, f):
    """Draw every consequence of Hall's condition: places filled by cards that lie nowhere else hold no others."""
    hidden = w[S.HIDDEN]
    for chosen in range(1, 1 << hidden):
        room, cards = confined(w, f, chosen)
        if popcount(cards) == room:
            for i in range(hidden):
                if chosen >> i & 1:
                    w[f + F.MASK + w[S.HIDE + i]] &= cards
    if w[S.CAPPED]:
        for i in range(hidden):
            place = w[S.HIDE + i]
            caps = np.int64(0)
            for suit in range(w[H_SUITS]):
                most = popcount(w[f + F.MASK + place] & w[W_SUITS + suit])
                caps |= smaller(cap_of(w[f + F.CAPS + place], suit), most) << (CAP_BITS * suit)
            w[f + F.CAPS + place] = caps


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
    w[f + F.MASK + seat] &= ~excluded
    for i in range(w[S.HIDDEN]):
        w[f + F.MASK + w[S.HIDE + i]] &= gone
    w[f + F.UNSEEN] &= gone
    w[f + F.ROOM + seat] -= 1
    if w[S.CAPPED]:
        for suit in range(w[H_SUITS]):
            if w[W_SUITS + suit] & bit(card):
                if cap_of(w[f + F.CAPS + seat], suit) == 0:
                    return False
                w[f + F.CAPS + seat] -= np.int64(1) << (CAP_BITS * suit)
    return fits(w, f)


@lean
def alive(w, f):
    """All cards not yet played that may be in a hand."""
    cards = w[f + F.UNSEEN]
    for seat in range(w[H_SEATS]):
        cards |= w[f + F.MASK + seat]
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
    unseen = w[f + F.UNSEEN]
    if not unseen:
        return np.int64(0)
    ours, others = np.int64(0), np.int64(0)
    for i in range(w[S.HIDDEN]):
        place = w[S.HIDE + i]
        if w[f + F.ROOM + place] > 0:
            if w[S.TEAM] >> place & 1:
                ours += 1
            else:
                others += 1
    if ours == 0:
        return np.int64(0)
    if others == 0:
        return cost_of(w, unseen)
    for i in range(F.SIZE):
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
    for i in range(w[S.HIDDEN]):
        place = w[S.HIDE + i]
        if (w[S.TEAM] >> place & 1 == 1) != ours and w[f + F.MASK + place] & card:
            w[f + F.MASK + place] ^= card
            before |= bit(place)
    if fits(w, f):
        return True
    for i in range(w[S.HIDDEN]):
        place = w[S.HIDE + i]
        if before >> place & 1:
            w[f + F.MASK + place] |= card
    return False
