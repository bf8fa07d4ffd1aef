"""Hands that are made to play a game, for fitting what hands are worth."""

import numpy as np
from tricktake_skat.kernels import games, hand_features
from tricktake_skat.kernels import rows as R
from tricktake_skat.kernels import rule_bid as B

from tricktake.jit import njit


@njit
def forced(places, game, stage, floor, features, rows):
    """Each seat of each deal in turn plays ``game`` if its odds exceed ``floor``: fills (3 n,) rows to be played.

    stage: FINAL records the features after the exchange, BID those of the ten cards before it, HAND a hand game.
    places: (n, 4). features: (3 n, hand_features.F_SIZE). Returns how many games there are.
    """
    f = np.zeros(hand_features.F_SIZE)
    count = 0
    for i in range(len(places)):
        for seat in range(3):
            hand, put = places[i, seat], places[i, 3]
            if B.logit(game, hand, 0, seat, B.HAND if stage == B.HAND else B.BID, f) < floor:
                continue
            features[count] = f
            if stage != B.HAND:
                together = hand | put
                _, put, _ = B.best_discard(together, seat, 0, game)
                if stage == B.FINAL:
                    B.logit(game, together & ~put, put, seat, B.FINAL, features[count])
            row = rows[count]
            R.clear(row)
            for place in range(4):
                row["deal"][place] = places[i, place]
            row["declarer"] = seat
            games.declare(row, game, put, stage == B.HAND, 0)
            count += 1
    return count
