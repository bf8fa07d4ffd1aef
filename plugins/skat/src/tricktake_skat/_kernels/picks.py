"""Choosing cards of a set by what they are worth, for the rules of play; the first of equals."""

import numpy as np

from tricktake.jit import lowbit_index, njit
from tricktake_skat._kernels.cards import ABOVE, CLASS, EYES, GAMES, JACKS, NULL, POWER, TRUMPS

_JACK = np.array([JACKS >> card & 1 for card in range(32)], np.int64)
CHEAP = -16 * np.tile(EYES, (GAMES, 1)) - POWER  # few eyes, then weak
DEAR = 16 * np.tile(EYES, (GAMES, 1)) - POWER - 1000 * _JACK  # many eyes, then weak; jacks only without others
WEAK = -POWER


@njit
def most(worth, mask):
    """The card of a set that is worth most, -1 of none. worth: (32,)."""
    best = -1
    while mask:
        card = lowbit_index(mask)
        mask &= mask - 1
        if best < 0 or worth[card] > worth[best]:
            best = card
    return best


@njit
def lowest(game, mask):
    """The card of least eyes, the weakest of those."""
    return most(CHEAP[game], mask)


@njit
def fattest(game, mask):
    """The card of most eyes, the weakest of those; jacks only if there is nothing else."""
    return most(DEAR[game], mask)


@njit
def strongest(game, mask):
    """The strongest card, of one class or in Null."""
    return most(POWER[game], mask)


@njit
def weakest(game, mask):
    """The weakest card, of one class or in Null."""
    return most(WEAK[game], mask)


@njit
def masters_of(game, mask, out):
    """The cards of ``mask`` that nothing outstanding of their class beats."""
    found = 0
    while mask:
        card = lowbit_index(mask)
        mask &= mask - 1
        if ABOVE[game, card] & out == 0:
            found |= 1 << card
    return found


@njit
def winners_of(game, mask, best):
    """The cards of ``mask`` that take the trick from ``best``."""
    return mask & (ABOVE[game, best] | TRUMPS[game] & ~CLASS[game, best])


@njit
def under_of(mask, best):
    """The cards of ``mask`` that do not take a trick of Null from ``best``."""
    return mask & ~ABOVE[NULL, best]
