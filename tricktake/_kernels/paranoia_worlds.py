"""Worlds for a paranoia search: dealt greedily, so that they can be made extreme."""

import numpy as np

from tricktake._kernels import paranoia_frame as F
from tricktake._kernels import paranoia_state as S
from tricktake._kernels._jit import njit
from tricktake._kernels.paranoia_hidden import fits
from tricktake._kernels.play import CARDS, bit


@njit
def deal_worlds(w, orders, wanted, out):
    """Fill ``out``, a row of masks of all places a world, for the question in ``w``.

    orders: for each world the cards of the deck, in the order in which they are laid down. wanted: where each goes if
    it can, as a number among the hidden places; else it goes to the next that can have it.
    """
    f = np.int64(S.FRAMES)
    g = f + (CARDS + 1) * F.SIZE  # the search may be under way below
    hidden = w[S.HIDDEN]
    for world in range(out.shape[0]):
        for i in range(F.SIZE):
            w[g + i] = w[f + i]
        for n in range(orders.shape[1]):
            card = bit(orders[world, n])
            if not w[g + F.UNSEEN] & card:
                continue
            for k in range(hidden):
                chosen = w[S.HIDE + (wanted[world, n] + k) % hidden]
                if not w[g + F.MASK + chosen] & card or w[g + F.ROOM + chosen] == 0:
                    continue
                taken = np.int64(0)
                for i in range(hidden):
                    place = w[S.HIDE + i]
                    if place != chosen and w[g + F.MASK + place] & card:
                        w[g + F.MASK + place] ^= card
                        taken |= bit(place)
                if fits(w, g):
                    break
                for i in range(hidden):
                    place = w[S.HIDE + i]
                    if taken >> place & 1:
                        w[g + F.MASK + place] |= card
        for place in range(w[S.PLACES]):
            out[world, place] = w[g + F.MASK + place]
