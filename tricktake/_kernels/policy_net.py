"""A policy's network: whole numbers in, whole numbers out, and the card they choose.

Weights of many networks of one shape lie in two arrays: ``first``, int16, a row of ``hidden`` numbers for each input,
and ``rest``, float32 that are whole numbers: 16 words of units, a layer of ``hidden`` to ``inner`` numbers, one of
``inner``
to ``outputs``, each with its bias behind it. Activations are 0 to 1023, which stands for 0 to 4. As in NNUE (Nasu
2018), but small enough to be summed afresh for every card.
"""

import numpy as np

from tricktake._kernels import policy_layout as P
from tricktake._kernels._jit import lean, lowbit_index
from tricktake._kernels.play import CARDS
from tricktake._kernels.policy_encode import encode, legal_cards
from tricktake._kernels.policy_simd import dense, dense_clipped, sum_rows

# Numbers that give the shape.
N_INPUTS = 0
N_HIDDEN = 1
N_INNER = 2
N_OUTPUTS = 3
N_FIRST = 4  # int16 of one network
N_REST = 5  # float32 of one network
SHAPE = 6

UNIT = 256  # of an activation: stands for 1
U_INNER = 0  # words of units: from sums of the second layer to activations
U_LOGIT = 1  # from sums of the third layer to logits
HEAD = 16

LOW31 = (1 << 31) - 1
SQUARINGS = 10  # exp(x) is (1 + x / 1024) ** 1024: the same bits everywhere
FEWEST = -500.0  # below that nothing is left of it


@lean
def small_exp(x):
    """About exp(x) for x <= 0, with nothing but products."""
    if x < FEWEST:
        return 0.0
    y = 1.0 + x / (1 << SQUARINGS)
    for _ in range(SQUARINGS):
        y = y * y
    return y


@lean
def forward(shape, first, rest, net, index, n, values):
    """The numbers of all cards in the last part of ``values``; where they begin."""
    hidden, inner, outputs = shape[N_HIDDEN], shape[N_INNER], shape[N_OUTPUTS]
    at = net * shape[N_REST]
    sum_rows(first, net * shape[N_FIRST], hidden, index, n, values)
    second, third = values[hidden:], values[hidden + inner :]
    dense_clipped(rest, at + HEAD, hidden, inner, values, second, rest[at + U_INNER])
    dense(rest, at + HEAD + (hidden + 1) * inner, inner, outputs, second, third)
    return hidden + inner


@lean
def best_card(w, legal, values, start):
    """The legal card of the highest number; of equal ones that with the lowest input."""
    view = P.W_TO_CARD + w[P.T_TURN] * CARDS
    found, top, place = np.int64(-1), np.float32(0), np.int64(0)
    while legal:
        card = np.int64(lowbit_index(legal))
        legal &= legal - 1
        shown = w[view + card]
        value = values[start + shown]
        if found < 0 or value > top or (value == top and shown < place):
            found, top, place = card, value, shown
    return found


@lean
def weigh(w, legal, values, start, warmth, chances):
    """Fill in what each legal card weighs in the softmax of numbers times ``warmth``, 1 for the best; the sum."""
    view = P.W_TO_CARD + w[P.T_TURN] * CARDS
    top, total = np.float64(values[start + w[view + best_card(w, legal, values, start)]]), 0.0
    while legal:
        card = np.int64(lowbit_index(legal))
        legal &= legal - 1
        chance = small_exp((values[start + w[view + card]] - top) * warmth)
        chances[card] = chance
        total += chance
    return total


@lean
def drawn_card(w, legal, values, start, warmth, x, chances):
    """A legal card drawn by the softmax of numbers times ``warmth``. chances: room for a number a card."""
    total = weigh(w, legal, values, start, warmth, chances)
    left, card = total * (x >> 32 & LOW31) / (LOW31 + 1), np.int64(0)
    while legal:
        card = np.int64(lowbit_index(legal))
        legal &= legal - 1
        left -= chances[card]
        if left < 0:
            break
    return card


@lean
def pick_card(w, shape, rest, net, legal, values, start, heat, x, chances):
    """The legal card a network's numbers choose: the best if ``heat`` is 0, else one drawn at that temperature."""
    if heat <= 0:
        return best_card(w, legal, values, start)
    return drawn_card(w, legal, values, start, rest[net * shape[N_REST] + U_LOGIT] / heat, x, chances)


@lean
def choose(w, shape, first, rest, net, heat, x, index, values, chances):
    """The card of a network for the seat to play (``pick_card``)."""
    legal = legal_cards(w)
    if not legal & (legal - 1):
        return np.int64(lowbit_index(legal))
    start = forward(shape, first, rest, net, index, encode(w, index), values)
    return pick_card(w, shape, rest, net, legal, values, start, heat, x, chances)
