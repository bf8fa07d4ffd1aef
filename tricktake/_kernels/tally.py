"""What a bound counts: the cards whose cost makes it up, so that it can be carried over to other costs.

A bound is proven by lines of play, each of which ends with a count: the cost of some cards that the side gets. Of these
a tally says which are in the count of every line, and which are in that of some line: two words, ``always`` and
``ever``. The first may hold fewer cards than that, the second more. Proofs: docs/solver.md. An idea beyond the quasi-
symmetry of Kupferschmid and Helmert (2006), whose slack is the difference in cost of all cards.
"""

import numpy as np

from tricktake._kernels import opencard_frame as F
from tricktake._kernels import opencard_state as S
from tricktake._kernels._jit import lean, lowbit_index
from tricktake._kernels.layout import H_SEATS
from tricktake._kernels.order import CARD_BITS
from tricktake._kernels.play import W_COST, W_PRICE, W_PRICES, bit, larger, smaller


@lean
def put(w, at, always, ever):
    """Write a tally."""
    w[at] = always
    w[at + 1] = ever


@lean
def copy(w, at, source):
    """Write a tally that lies elsewhere."""
    w[at] = w[source]
    w[at + 1] = w[source + 1]


@lean
def join(w, at, always, ever):
    """Let a tally be about the lines of another one, too."""
    w[at] &= always
    w[at + 1] |= ever


@lean
def some_cost_less(w):
    """Whether a card costs less than nothing. One that is gone counts, too: it may be left in a position alike."""
    return w[W_PRICE + w[W_PRICES] - 1] < 0


@lean
def put_least(w, at, left):
    """The tally of the least that the side can get of the cards left: nothing, unless some cost less than nothing."""
    put(w, at, np.int64(0), left if some_cost_less(w) else np.int64(0))


@lean
def put_most(w, at, left):
    """The tally of the most it can get: all, unless some cost less than nothing."""
    put(w, at, np.int64(0) if some_cost_less(w) else left, left)


@lean
def begin(w, f, left):
    """No line yet for the value of a frame; what is known without a search are the least and the most."""
    put(w, f + F.TALLY, np.int64(-1), np.int64(0))
    put_least(w, f + F.TALLY_LOW, left)
    put_most(w, f + F.TALLY_HIGH, left)


@lean
def exchanged(cards, c, d):
    """A set of cards with two exchanged, given as masks."""
    return cards & ~(c | d) | (d if cards & c else 0) | (c if cards & d else 0)


@lean
def exchanged_cost(w, f, card, other, most):
    """How much more, or less, a card may bring than one that was tried, the ``other``-th of the list, for which it is
    exchanged: where a line counts one of them and not the other, it counts that one instead.
    """
    first = w[f + F.LIST + other] & CARD_BITS
    far = w[W_COST + card] - w[W_COST + first]
    always, ever = w[f + F.SEEN_TALLY + 2 * other], w[f + F.SEEN_TALLY + 2 * other + 1]
    least = (always >> first & 1) - (ever >> card & 1)
    greatest = (ever >> first & 1) - (always >> card & 1)
    return larger(least * far, greatest * far) if most else smaller(least * far, greatest * far)


@lean
def take_exchanged(w, f, card, other):
    """Take in the lines for a card that was ruled out by the ``other``-th of the list."""
    seen, c, d = f + F.SEEN_TALLY + 2 * other, bit(card), bit(w[f + F.LIST + other] & CARD_BITS)
    here = f + F.SEEN_TALLY + 2 * w[f + F.NEXT]
    put(w, here, exchanged(w[seen], c, d), exchanged(w[seen + 1], c, d))
    join(w, f + F.TALLY, w[here], w[here + 1])


@lean
def take_group(w, f, group):
    """Take in the lines for cards of a group that were not listed, since they can be exchanged for one that was."""
    if group & ~w[f + F.TALLY]:
        w[f + F.TALLY] &= ~group
    if group & w[f + F.TALLY + 1]:
        w[f + F.TALLY + 1] |= group


@lean
def carried(w, there, always, ever, here, lower):
    """By how much a bound changes with the cards it is about, those of each hand being paired in order.

    there, here: the cards it was proven for, and those of the other position. always, ever: its tally there; S.TALLY
    gets that of here. lower: 1 for a lower bound.
    """
    put(w, S.TALLY, always, ever)
    if there == here:
        return np.int64(0)
    total, always_here, ever_here = np.int64(0), np.int64(0), np.int64(0)
    for seat in range(w[H_SEATS]):
        x, y = there & w[S.HOME + seat], here & w[S.HOME + seat]
        if x == y:
            always_here |= always & x
            ever_here |= ever & x
            continue
        while x:
            a, b = x & -x, y & -y
            if ever & a:
                ever_here |= b
                more = w[W_COST + lowbit_index(y)] - w[W_COST + lowbit_index(x)]
                if always & a:
                    always_here |= b
                    total += more
                elif (more < 0) == (lower == 1):
                    total += more
            x ^= a
            y ^= b
    put(w, S.TALLY, always_here, ever_here)
    return total
