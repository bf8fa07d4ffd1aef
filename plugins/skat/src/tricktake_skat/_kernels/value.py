"""Value networks: how likely ten cards with two put win a game, and win it with Schneider, by the seat and the bids.

The networks are those of policies (``tricktake.policy.kernels``); a model has four, for suit games, grand, Null and
Null ouvert. Suits are shown in four slots: trumps first, then the longest (of cards held and put) first. Inputs:

    OWN, PUT    8 bits a slot in deck order; jacks are in their slots in Null only
    JACKS       the jacks held (16 sets), and those put (4 bits); none in Null
    LENGTHS     cards held of each slot, 0 to 11; trumps with jacks
    SEAT        of the declarer; HEARD: how high each of the two others, to the left and then the other, has bid
    BY_HAND     the skat was not seen: nothing is shown as put
"""

from typing import NamedTuple

import numpy as np

from tricktake.jit import njit, popcount
from tricktake.policy.kernels import N_HIDDEN, N_INNER, N_OUTPUTS, N_REST, U_LOGIT, forward, small_exp
from tricktake_skat._kernels.cards import GRAND, NULL
from tricktake_skat._kernels.cards import JACKS as JACK_CARDS
from tricktake_skat._kernels.features import group_of

SLOTS = 4
OWN = 0
PUT = OWN + 8 * SLOTS
JACKS = PUT + 8 * SLOTS
JACKS_PUT = JACKS + 16
LENGTHS = JACKS_PUT + 4
SEAT = LENGTHS + 12 * SLOTS
HEARD = SEAT + 3
LEVELS = 8
BY_HAND = HEARD + 2 * LEVELS
INPUTS = BY_HAND + 1
MOST = 48  # inputs that can be set at once

STEPS = np.array([18, 20, 23, 30, 36, 48, 60], np.int64)  # bids at which a level begins
NETS = 4  # of a model, by ``net_of``
WON, SCHNEIDER = 0, 1  # outputs: log odds of winning, and of Schneider if won


class Values(NamedTuple):
    """Networks of models that lie side by side. of: (models,) int64, number of the model's first network, -1: it has
    none. shape, first, rest: as in ``tricktake.policy.policy.Packed``.
    """

    of: np.ndarray
    shape: np.ndarray
    first: np.ndarray
    rest: np.ndarray


@njit
def level_of(bid):
    """How high a bid is, 0 (none) to 7."""
    return np.int64(group_of(bid, STEPS))


@njit
def heard_by(bids, seat):
    """The levels of the two others' bids as one number, below 64."""
    return level_of(bids[(seat + 1) % 3]) * LEVELS + level_of(bids[(seat + 2) % 3])


@njit
def net_of(choice):
    """The network of a choice (suits, grand, Null, Null ouvert)."""
    return np.int64(max(0, choice - GRAND + 1))


@njit
def fill_inputs(choice, own, put, by_hand, seat, heard, index):
    """List the inputs that are set; how many. own: ten cards, put: two (masks), looked at only if not ``by_hand``."""
    null = choice >= NULL
    plain = 255 if null else 127
    shown = 0 if by_hand else put
    n, used = 0, 0
    for slot in range(SLOTS):
        best, most = 0, -1
        for suit in range(4):
            if used >> suit & 1:
                continue
            cards = (own | shown) >> 8 * suit & plain
            rank = 1 << 20 if suit == choice else popcount(cards) << 8 | cards
            if rank > most:
                best, most = suit, rank
        used |= 1 << best
        held, away = own >> 8 * best & plain, shown >> 8 * best & plain
        length = popcount(held)
        if best == choice:
            length += popcount(own & JACK_CARDS)
        for rank in range(8):
            if held >> rank & 1:
                index[n] = OWN + 8 * slot + rank
                n += 1
            if away >> rank & 1:
                index[n] = PUT + 8 * slot + rank
                n += 1
        index[n] = LENGTHS + 12 * slot + length
        n += 1
    if not null:
        jacks = 0
        for suit in range(4):
            jacks |= (own >> (8 * suit + 7) & 1) << suit
            if shown >> (8 * suit + 7) & 1:
                index[n] = JACKS_PUT + suit
                n += 1
        index[n] = JACKS + jacks
        n += 1
    index[n] = SEAT + seat
    index[n + 1] = HEARD + heard // LEVELS
    index[n + 2] = HEARD + LEVELS + heard % LEVELS
    n += 3
    if by_hand:
        index[n] = BY_HAND
        n += 1
    return n


@njit
def chance_of(x):
    """The chance of log odds, by ``small_exp``: the same everywhere."""
    e = small_exp(-abs(x))
    return 1 / (1 + e) if x >= 0 else e / (1 + e)


@njit
def room(values):
    """Numbers that ``chances_of`` needs to work with: inputs and activations."""
    shape = values.shape
    return np.zeros(MOST, np.int64), np.zeros(shape[N_HIDDEN] + shape[N_INNER] + shape[N_OUTPUTS], np.float32)


@njit
def chances_of(values, model, choice, own, put, by_hand, seat, heard, index, sums):
    """The chance to win, and of Schneider if it is won (0 in Null)."""
    n = fill_inputs(choice, own, put, by_hand, seat, heard, index)
    net = values.of[model] + net_of(choice)
    start = forward(values.shape, values.first, values.rest, net, index, n, sums)
    unit = np.float64(values.rest[net * values.shape[N_REST] + U_LOGIT])
    up = 0.0 if choice >= NULL else chance_of(sums[start + SCHNEIDER] * unit)
    return chance_of(sums[start + WON] * unit), up


@njit
def fill_chances(values, model, choices, own, put, by_hand, seats, bids, out):
    """The chance to win, and of Schneider if it is won, of n hands and skats: (n, 2). bids: (n, 3), -1 if unknown."""
    index, work = room(values)
    for i in range(len(own)):
        heard = heard_by(bids[i], seats[i])
        out[i, 0], out[i, 1] = chances_of(
            values, model, choices[i], own[i], put[i], by_hand, seats[i], heard, index, work
        )


@njit
def fill_rows(rows, seen):
    """The inputs of rows that have a contract, as ones in ``seen`` (n, INPUTS)."""
    index = np.zeros(MOST, np.int64)
    for i in range(len(rows)):
        row = rows[i]
        seat = row["declarer"]
        choice = row["game"] + row["ouvert"]
        n = fill_inputs(choice, row["own"], row["put"], row["hand"] == 1, seat, heard_by(row["bids"], seat), index)
        for k in range(n):
            seen[i, index[k]] = 1
