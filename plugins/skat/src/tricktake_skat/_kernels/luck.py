"""How strong the declarers' hands were, a game a row: for correcting scores for luck."""

import numpy as np

from tricktake.jit import njit
from tricktake_skat._kernels.cards import GRAND, NULL
from tricktake_skat._kernels.hand_features import F_SIZE
from tricktake_skat._kernels.rule_bid import BID, CHOICES, FINAL, HAND, OUVERT, chance, logit
from tricktake_skat._kernels.strength import kinback, von_stegen

# What is asked of a hand.
WIN = 0  # percent
STEGEN = 1
KINBACK = 2

BID_AGAINST = 18  # unknown bids: no half a point of von Stegen's


@njit
def strengths(measure, contracts, hands, out):
    """contracts: (n, 4) declarer's seat, game 0 to 5, hand, ouvert. hands: (n, 2) the ten cards, the two put or lying.

    out: (n,), nan where the measure has nothing to say (a count of a Null hand).
    """
    f = np.zeros(F_SIZE)
    for i in range(len(hands)):
        seat, game, from_hand, ouvert = contracts[i]
        cards, put = hands[i]
        if measure == WIN:
            asked = OUVERT if game == NULL and ouvert else game
            stage = HAND if from_hand and game <= GRAND else FINAL
            out[i] = 100.0 * chance(logit(asked, cards, 0 if from_hand else put, seat, stage, f))
        elif game == NULL:
            out[i] = np.nan
        elif measure == STEGEN:
            out[i] = von_stegen(game, cards, BID_AGAINST, 1)
        else:
            out[i] = kinback(game, cards, 1 if seat == 0 else 0, 0 if from_hand else put)


@njit
def best_odds(hands, seats, out):
    """The log odds of the best game of ten cards as dealt, into ``out`` (n,)."""
    f = np.zeros(F_SIZE)
    for i in range(len(hands)):
        best = -1e9
        for game in range(CHOICES):
            best = max(best, logit(game, hands[i], 0, seats[i], BID, f))
        out[i] = best
