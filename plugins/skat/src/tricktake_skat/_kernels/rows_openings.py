"""Games again with another opening lead: who never tries it cannot learn what it is worth."""

import numpy as np

from tricktake.jit import njit, popcount
from tricktake_skat._kernels.cards import EYES, GRAND, beats, eyes_of, mix, result
from tricktake_skat._kernels.position import P_DECLARER, P_HAND, P_LEADER, P_SEAT, P_SIZE, P_SKAT, P_TABLE
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
from tricktake_skat._kernels.rule_games import note_card, start
from tricktake_skat._kernels.rule_play import choose

SALT = 0x1EAD


@njit
def play_openings(seed, rows):
    """Play suit and grand games in which forehand defends again, with any card of his hand led; (n, R_SIZE) in place.

    All that follows is played by rule. The card depends on the seed and the number of the game only.
    """
    p = np.zeros(P_SIZE, np.int64)
    hands = np.zeros(3, np.int64)
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
        start(p, game, 0)
        p[P_DECLARER] = declarer
        leader, eyes, tricks, n = 0, eyes_of(row[R_PUT]), 0, 0
        for _ in range(10):
            best, winner, points = -1, leader, 0
            for k in range(3):
                seat = (leader + k) % 3
                card = opening
                if n > 0:
                    p[P_SEAT] = seat
                    p[P_HAND] = hands[seat]
                    p[P_SKAT] = row[R_PUT] if seat == declarer and row[R_HAND] == 0 else 0
                    card, _ = choose(p)
                row[R_CARDS + n] = card
                n += 1
                hands[seat] &= ~(1 << card)
                points += EYES[card]
                if best < 0 or beats(game, card, best):
                    best, winner = card, seat
                note_card(p, seat, card)
            p[P_TABLE] = -1
            p[P_TABLE + 1] = -1
            leader = winner
            p[P_LEADER] = leader
            if winner == declarer:
                eyes += points
                tricks += 1
        row[R_EYES] = eyes
        row[R_WON], _ = result(game, row[R_MATADORS], row[R_HAND], 0, row[R_BID], eyes, tricks)
        complete(row)
