"""Games again with another opening lead: who never tries it cannot learn what it is worth."""

import numpy as np
from tricktake_skat._kernels.cards import GRAND, mix, result
from tricktake_skat._kernels.position import P_SIZE
from tricktake_skat._kernels.rows import (
    R_BID,
    R_CARDS,
    R_DECLARER,
    R_EYES,
    R_GAME,
    R_HAND,
    R_HANDS,
    R_ID,
    R_MATADORS,
    R_PUT,
    R_WON,
    complete,
)
from tricktake_skat._kernels.rule_games import CARDS, NO_SLIPS, play

from tricktake.jit import njit, popcount

SALT = 0x1EAD


@njit
def play_openings(seed, rows):
    """Play suit and grand games in which forehand defends again, with any card of his hand led; (n, R_SIZE) in place.

    All that follows is played by rule. The card depends on the seed and the number of the game only.
    """
    p = np.zeros(P_SIZE, np.int64)
    hands = np.zeros(3, np.int64)
    rules = np.zeros(CARDS, np.int64)
    for i in range(len(rows)):
        row = rows[i]
        declarer, game = row[R_DECLARER], row[R_GAME]
        if declarer < 1 or game > GRAND:
            continue
        hands[:] = row[R_HANDS : R_HANDS + 3]
        rest = hands[0]
        for _ in range(mix(mix(seed & 0xFFFFFFFF, SALT), row[R_ID] & 0xFFFFFFFF) % 10):
            rest &= rest - 1
        opening = popcount((rest & -rest) - 1)
        known = row[R_HAND] == 0
        cards = row[R_CARDS : R_CARDS + CARDS]
        eyes, tricks, _ = play(
            game, declarer, hands, row[R_PUT], known, False, p, cards, rules, NO_SLIPS, 0, np.int64(opening)
        )
        row[R_EYES] = eyes
        row[R_WON], _ = result(game, row[R_MATADORS], row[R_HAND], 0, row[R_BID], eyes, tricks)
        complete(row)
