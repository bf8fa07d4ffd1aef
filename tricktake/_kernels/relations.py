"""What results of a relaxed search rest on, and the table of them.

A result rests on relations: an opponent's card takes a trick from the lone seat's, or the other way round. For each
card that the lone seat had in the deal a frame has two words: the opponents' cards that must beat it (F.RESTS), and
those that it must beat (ROWS words on). An entry of the table says for each of the lone seat's cards, in order, how
many cards of each opponent must be above it at least and may be at most. It stands for all positions with as many cards
of each suit in each hand where that is so. Ideas: partition search (Ginsberg 1996), with relations of pairs in place of
ranks; costs as in ``patterns``.

Entries lie in the lists of ``patterns``, behind heads of their own.
"""

import numpy as np

from tricktake._kernels import opencard_frame as F
from tricktake._kernels import opencard_state as S
from tricktake._kernels import tally
from tricktake._kernels._jit import highbit_index, lean, lowbit_index, popcount
from tricktake._kernels.layout import H_SEATS
from tricktake._kernels.patterns import (
    A_COUNT,
    A_LISTS,
    A_PLACE,
    CARD_OF,
    COUNT_OF,
    INFO_BITS,
    LIST,
    find_head,
    matching_card,
    new_entry,
)
from tricktake._kernels.play import W_CLASS, W_FROM, W_PRICES, W_UPTO, bit

T_RELAXED = 22  # of the table: with how many cards of a lone seat on its opponents are relaxed

ROWS = F.ROWS
OPPONENTS = 3  # of the lone seat
LONE_LEADS, ANY_LEADS = 6, 7  # in a head, in place of who leads

# An entry, behind its bound and the cards left:
E_LEAST = 2  # for each opponent how many cards must beat those of the lone seat,
E_MOST = E_LEAST + OPPONENTS  # and how many may
ENTRY = E_MOST + OPPONENTS

FIELD = 5  # bits of a number in these words; the highest is free, to compare all fields at once
MOST_CARDS = 12  # of the lone seat that a word has room for
FREELY = 15  # any number may
GUARDS = sum(16 << FIELD * i for i in range(MOST_CARDS))


@lean
def above(w, card):
    """The cards that are stronger than a card, of its suit."""
    return w[W_FROM + card] & ~w[W_UPTO + card]


@lean
def under(w, card):
    """The cards that are weaker than a card, of its suit."""
    return w[W_UPTO + card] & ~w[W_FROM + card]


@lean
def row_of(w, card):
    """Which row is about a card of the lone seat."""
    return popcount(w[S.HOME + w[S.LONE]] & (bit(card) - 1))


@lean
def owner_of(w, card):
    """Who was dealt a card."""
    owner = np.int64(0)
    while not w[S.HOME + owner] >> card & 1:
        owner += 1
    return owner


@lean
def count_above(w, f):
    """Note in the frame, a word for each opponent, how many of its cards beat each of the lone seat's, upwards."""
    word = f + F.PLANE
    for i in range(word, word + OPPONENTS):
        w[i] = 0
    for seat in range(w[H_SEATS]):
        if seat == w[S.LONE]:
            continue
        shift, mine = np.int64(0), w[S.HANDS + w[S.LONE]]
        while mine:
            w[word] |= popcount(w[S.HANDS + seat] & above(w, lowbit_index(mine))) << shift
            shift += FIELD
            mine &= mine - 1
        word += 1


@lean
def at_most(x, y):
    """Whether each field of a word is at most that of another."""
    return ((y | GUARDS) - x) & GUARDS == GUARDS


@lean
def holds(w, t, e, f):
    """Whether the relations of an entry hold in a frame."""
    for i in range(OPPONENTS):
        here = w[f + F.PLANE + i]
        if not (at_most(t[e + E_LEAST + i], here) and at_most(here, t[e + E_MOST + i])):
            return False
    return True


@lean
def probe(w, t, f, need):
    """Look the position of a frame up, as ``patterns.probe`` does; what the bound rests on gets into the rows."""
    leads = LONE_LEADS if w[f + F.SEAT] == w[S.LONE] else ANY_LEADS
    head = find_head(w, t, f, np.int64(leads), popcount(w[S.HANDS + w[S.LONE]]))
    card, like = np.int64(-1), np.int64(0)
    w[f + F.HEAD] = head
    if head == 0:
        return False, card
    count_above(w, f)
    for lower in range(2):
        at = head + A_LISTS + LIST * lower
        e = t[at + A_PLACE]
        end = e + (t[at + A_COUNT] & COUNT_OF) * ENTRY
        while e < end:
            known = t[e] & CARD_OF
            if holds(w, t, e, f):
                bound = bound_here(w, t, e, lower, need)
                if (bound >= need) == (lower == 1):
                    w[S.VALUE] = bound
                    recall(w, t, e, f)
                    return True, card
                if card < 0 and known:
                    card = matching_card(w, owner_of(w, known - 1), t[e + 1], known - 1)
            elif known:
                like = e
            e += ENTRY
    if card < 0 and like:
        known = t[like] & CARD_OF
        w[f + F.HINT] = matching_card(w, owner_of(w, known - 1), t[like + 1], known - 1)
    return False, card


@lean
def bound_here(w, t, e, lower, need):
    """The bound of an entry that holds, shifted by the difference in costs if it answers the question without."""
    bound, there = t[e] >> INFO_BITS, t[e + 1]
    if (bound >= need) != (lower == 1) or there == w[S.REST] or w[W_PRICES] == 1:
        return bound
    return bound + moved(w, there, w[S.REST], lower)


@lean
def moved(w, there, here, lower):
    """By how much a bound changes with the cards it is about. No tally is kept of it: it may count any of them."""
    return tally.carried(w, there, np.int64(0), there, here, np.int64(lower))


@lean
def recall(w, t, e, f):
    """Put what an entry rests on, as cards of this position, into the rows of a frame."""
    word = e + E_LEAST
    for seat in range(w[H_SEATS]):
        if seat == w[S.LONE]:
            continue
        least, most, mine = t[word], t[word + OPPONENTS], w[S.HANDS + w[S.LONE]]
        word += 1
        while mine:
            card = lowbit_index(mine)
            mine &= mine - 1
            must, may = least & FREELY, most & FREELY
            least >>= FIELD
            most >>= FIELD
            if must == 0 and may == FREELY:
                continue
            x, n, row = w[S.HANDS + seat] & w[W_CLASS + card], np.int64(0), f + F.RESTS + row_of(w, card)
            while x:  # all of them: an exchange of cards asks about each
                n += 1
                top = bit(highbit_index(x))
                x ^= top
                if n <= must:
                    w[row] |= top
                elif n > may:
                    w[row + ROWS] |= top


@lean
def fields(w, f, seat):
    """What the rows of a frame ask of the cards of an opponent, as the two words of an entry."""
    least, most, shift, mine = np.int64(0), np.int64(0), np.int64(0), w[S.HANDS + w[S.LONE]]
    hand = w[S.HANDS + seat]
    while mine:
        card = lowbit_index(mine)
        mine &= mine - 1
        row = f + F.RESTS + row_of(w, card)
        beating, beaten = w[row] & hand, w[row + ROWS] & hand
        if beating:
            least |= popcount(hand & w[W_FROM + lowbit_index(beating)]) << shift
        most |= (popcount(hand & above(w, highbit_index(beaten))) if beaten else FREELY) << shift
        shift += FIELD
    return least, most


@lean
def keep(w, t, f, bound, lower, card):
    """Enter a bound, with what it rests on."""
    if w[f + F.HEAD] == 0:
        return
    word = f + F.ASKED
    for seat in range(w[H_SEATS]):
        if seat != w[S.LONE]:
            w[word], w[word + OPPONENTS] = fields(w, f, seat)
            word += 1
    at = w[f + F.HEAD] + A_LISTS + LIST * lower
    drop_weaker(w, t, f, at, bound, lower)
    e = new_entry(w, t, at)
    if e:
        t[e] = bound << INFO_BITS | (card + 1)
        t[e + 1] = w[S.REST]
        for i in range(2 * OPPONENTS):
            t[e + E_LEAST + i] = w[f + F.ASKED + i]


@lean
def drop_weaker(w, t, f, at, bound, lower):
    """Remove the entries of a list that a new bound makes useless: they ask for more and say no more."""
    e, flat = t[at + A_PLACE], w[W_PRICES] == 1
    end = e + (t[at + A_COUNT] & COUNT_OF) * ENTRY
    while e < end:
        old = t[e] >> INFO_BITS
        weaker = (old <= bound) == (lower == 1) or old == bound
        for i in range(OPPONENTS):
            least, most = w[f + F.ASKED + i], w[f + F.ASKED + OPPONENTS + i]
            weaker = weaker and at_most(least, t[e + E_LEAST + i]) and at_most(t[e + E_MOST + i], most)
        if weaker and not flat and t[e + 1] != w[S.REST]:
            there = bound + moved(w, w[S.REST], t[e + 1], lower)
            weaker = there >= old if lower else there <= old
        if not weaker:
            e += ENTRY
            continue
        end -= ENTRY
        t[at + A_COUNT] -= 1
        for i in range(ENTRY):
            t[e + i] = t[end + i]


@lean
def swappable(w, g, seat, card, other):
    """Whether the relations in the rows of a frame hold with two cards of a hand and suit exchanged."""
    if seat == w[S.LONE]:
        k, i = g + F.RESTS + row_of(w, card), g + F.RESTS + row_of(w, other)
        if w[k] & ~above(w, other) or w[k + ROWS] & ~under(w, other):
            return False
        return not (w[i] & ~above(w, card) or w[i + ROWS] & ~under(w, card))
    c, d = bit(card), bit(other)
    mine, row = w[S.HOME + w[S.LONE]], g + F.RESTS
    while mine:
        beating, beaten = w[row], w[row + ROWS]
        if (beating | beaten) & (c | d):
            up, down = above(w, lowbit_index(mine)), under(w, lowbit_index(mine))
            if exchanged(beating, c, d) & (c | d) & ~up or exchanged(beaten, c, d) & (c | d) & ~down:
                return False
        mine &= mine - 1
        row += 1
    return True


@lean
def exchanged(cards, c, d):
    """A set of cards with two exchanged, given as masks."""
    return cards & ~(c | d) | (d if cards & c else 0) | (c if cards & d else 0)


@lean
def take_swapped(w, f, g, seat, card, other):
    """Add the relations of frame ``g`` with two cards of a hand exchanged to those of ``f``."""
    to, of = f + F.RESTS, g + F.RESTS
    if seat == w[S.LONE]:
        k, i = row_of(w, card), row_of(w, other)
        for half in range(0, 2 * ROWS, ROWS):
            w[to + half + k] |= w[of + half + i]
            w[to + half + i] |= w[of + half + k]
        return
    for i in range(2 * ROWS):
        if w[of + i] & (bit(card) | bit(other)):
            w[to + i] |= exchanged(w[of + i], bit(card), bit(other))


@lean
def all_cards(w, f):
    """The cards of all relations of a frame together."""
    cards, mine = np.int64(0), w[S.HOME + w[S.LONE]]
    for row in range(f + F.RESTS, f + F.RESTS + ROWS):
        if w[row] | w[row + ROWS]:
            cards |= mine & -mine | w[row] | w[row + ROWS]
        mine &= mine - 1
    return cards
