"""What a hand is like for inference from bids (KERMIT-17), and what a contract says of twelve cards (KERMIT-18)."""

import numpy as np
from tricktake_skat.kernels import NULL, bidding, cards

from tricktake.jit import njit, popcount
from tricktake_kermit._kernels.evaluate import CHOICES, best_discard, chance_of, null_of, odds_of, odds_with, prepare

LENGTHS, VOIDS, HELD_JACKS, ACES, TENS = range(5)  # features of ten cards
FEATURES = 5
SIZES = (64, 5, 16, 5, 5)
EDGE = 1e-9  # a chance is kept so far from 0 and 1


@njit
def fill_hand(hand, found):
    """The features of ten cards, (FEATURES,): the two longest suits without jacks (8 longest + second), how many suits
    are missing, the jacks, how many aces and tens.
    """
    longest, second, voids = 0, 0, 0
    for suit in range(4):
        length = popcount(hand >> 8 * suit & cards.PLAIN)
        if length == 0:
            voids += 1
        if length > longest:
            longest, second = length, longest
        elif length > second:
            second = length
    found[LENGTHS], found[VOIDS] = 8 * longest + second, voids
    found[HELD_JACKS] = bidding.jack_places(hand)
    found[ACES], found[TENS] = popcount(hand & cards.ACES), popcount(hand & cards.TENS)


@njit
def fill_hands(hands, found):
    """The same for hands (n,): found (n, FEATURES)."""
    for i in range(len(hands)):
        fill_hand(hands[i], found[i])


@njit
def odds(chance):
    """Log odds of a chance."""
    inside = min(max(chance, EDGE), 1 - EDGE)
    return np.log(inside / (1 - inside))


@njit
def chosen(tables, nulls, choice, own, put, seat, sharpness):
    """How likely a declarer with these twelve cards plays this game with this discard, among all games and discards:
    softmax of log odds times sharpness. Of the Nulls the best discard of each stands for all of them.
    """
    twelve = own | put
    changes, pairs = np.zeros(32), np.zeros(cards.PAIRS, np.int64)
    cards.fill_pairs(twelve, pairs)
    if choice >= NULL:
        mine = odds(null_of(tables, 0, choice, own, put, seat, False))
    else:
        mine = odds_of(tables, 0, choice, own, put, seat)
    among = 1.0 if choice >= NULL else 0.0
    for game in range(CHOICES):
        if game >= NULL:
            best, away = best_discard(tables, nulls, 0, game, twelve, seat)
            if game != choice or away != put:
                among += np.exp(sharpness * (odds(best) - mine))
            continue
        changes[:] = 0.0
        base, held = prepare(tables, 0, game, twelve, seat, changes)
        for other in pairs:
            among += np.exp(sharpness * (odds_with(tables, 0, game, twelve, other, seat, changes, base, held) - mine))
    return 1.0 / among


@njit
def weigh_contract(tables, nulls, choice, from_hand, owns, puts, seat, sharpness, weights):
    """Fill weights (n,) of worlds in which the declarer has these ten cards and two in the skat.

    The chance to win, times how likely he chooses this game and discard if sharpness is above 0.
    """
    for i in range(len(weights)):
        own, put = owns[i], puts[i]
        if choice >= NULL:
            weights[i] = null_of(tables, 0, choice, own, put, seat, from_hand)
        else:
            weights[i] = chance_of(odds_of(tables, 0, choice, own, put, seat))
        if sharpness > 0 and not from_hand:
            weights[i] *= chosen(tables, nulls, choice, own, put, seat, sharpness)
