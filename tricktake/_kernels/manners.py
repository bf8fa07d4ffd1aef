"""The card of a player with simple manners, for playouts: who wants cost wins and feeds its partner, others duck.

Such players are weak, but what they make of a position says much more than random cards do (rollouts of a base policy:
Tesauro and Galperin 1996).
"""

import numpy as np

from tricktake._kernels._jit import lean, lowbit_index
from tricktake._kernels.play import W_BEAT, W_CLASS, W_POWER, bit, most_cheap, most_dear


@lean
def strongest(w, mask):
    """The card of highest power of a set that is not empty; the lowest bit of equal ones."""
    found = np.int64(lowbit_index(mask))
    while mask:
        card = np.int64(lowbit_index(mask))
        mask ^= bit(card)
        if w[W_POWER + card] > w[W_POWER + found]:
            found = card
    return found


@lean
def weakest(w, mask):
    """The card of lowest power of a set that is not empty; the lowest bit of equal ones."""
    found = np.int64(lowbit_index(mask))
    while mask:
        card = np.int64(lowbit_index(mask))
        mask ^= bit(card)
        if w[W_POWER + card] < w[W_POWER + found]:
            found = card
    return found


@lean
def lead(w, legal, drawn, aim):
    """``drawn`` is a random legal card: who avoids cost leads the lowest of its suit instead."""
    if aim < 0:
        return np.int64(lowbit_index(legal & w[W_CLASS + drawn]))
    return drawn


@lean
def follow(w, legal, best, aim, friendly, last):
    """A reply to the best card so far. friendly: a partner played it. last: nobody plays after this seat."""
    over = legal & w[W_BEAT + best]
    under = legal & ~over
    if aim < 0:
        if under:
            return strongest(w, most_dear(w, under))
        cheap = most_cheap(w, over)
        return strongest(w, cheap) if last else weakest(w, cheap)
    if friendly:
        return weakest(w, most_dear(w, under)) if under else weakest(w, over)
    if over:
        return weakest(w, most_dear(w, over)) if last else strongest(w, over)
    return weakest(w, most_cheap(w, under))
