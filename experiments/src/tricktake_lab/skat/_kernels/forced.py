"""Hands that are made to play a game, for fitting what hands are worth."""

import numpy as np
from tricktake_skat._kernels.games import declare
from tricktake_skat._kernels.hand_features import F_SIZE
from tricktake_skat._kernels.rows import clear
from tricktake_skat._kernels.rule_bid import BID, FINAL, HAND, best_put, logit

from tricktake.jit import njit


@njit
def forced(places, game, stage, floor, features, rows):
    """Each seat of each deal in turn plays ``game`` if its odds exceed ``floor``: fills (3 n,) rows to be played.

    stage: FINAL records the features after the exchange, BID those of the ten cards before it, HAND a hand game.
    places: (n, 4). features: (3 n, F_SIZE). Returns how many games there are.
    """
    f = np.zeros(F_SIZE)
    count = 0
    for i in range(len(places)):
        for seat in range(3):
            hand, put = places[i, seat], places[i, 3]
            if logit(game, hand, 0, seat, HAND if stage == HAND else BID, f) < floor:
                continue
            features[count] = f
            if stage != HAND:
                together = hand | put
                _, put, _ = best_put(together, seat, 0, game)
                if stage == FINAL:
                    logit(game, together & ~put, put, seat, FINAL, features[count])
            row = rows[count]
            clear(row)
            for place in range(4):
                row["deal"][place] = places[i, place]
            row["declarer"] = seat
            declare(row, game, put, stage == HAND, 0)
            count += 1
    return count
