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
def strengths(measure, rows, out):
    """How strong the declarers of rows were, (n,); nan where the measure has nothing to say: of a deal that was passed
    in, and in a count of a Null hand.
    """
    f = np.zeros(F_SIZE)
    for i in range(len(rows)):
        row = rows[i]
        seat, game, from_hand, own = row["declarer"], row["game"], row["hand"] != 0, row["own"]
        gone = 0 if from_hand else row["put"]
        out[i] = np.nan
        if seat < 0:
            continue
        if measure == WIN:
            asked = OUVERT if game == NULL and row["ouvert"] != 0 else game
            stage = HAND if from_hand and game <= GRAND else FINAL
            out[i] = 100.0 * chance(logit(asked, own, gone, seat, stage, f))
        elif measure == STEGEN and game != NULL:
            out[i] = von_stegen(game, own, BID_AGAINST, 1)
        elif game != NULL:
            out[i] = kinback(game, own, 1 if seat == 0 else 0, gone)


@njit
def best_odds(hands, seats, out):
    """The log odds of the best game of ten cards as dealt, into ``out`` (n,)."""
    f = np.zeros(F_SIZE)
    for i in range(len(hands)):
        best = -1e9
        for game in range(CHOICES):
            best = max(best, logit(game, hands[i], 0, seats[i], BID, f))
        out[i] = best
