"""Given contracts between policies, experts and rule players in one compiled loop."""

import numpy as np

from tricktake.jit import njit
from tricktake.policy.kernels import (
    MOST_INPUTS,
    N_HIDDEN,
    N_INNER,
    N_OUTPUTS,
    begin,
    choose,
    decided,
    follow_card,
    gain_of,
    setup,
)
from tricktake.policy.kernels import layout as P
from tricktake_skat._kernels.cards import EYES
from tricktake_skat._kernels.expert_play import X_LOST, X_ON, X_SIZE, X_WON
from tricktake_skat._kernels.expert_play import choose as expert_choose
from tricktake_skat._kernels.position import P_DECLARER, P_HAND, P_LEADER, P_OPEN, P_SEAT, P_SKAT, P_TABLE
from tricktake_skat._kernels.rule_games import note_card, start

RULES = -1  # an expert or a rule player: whoever is no network
CARDS = 64


@njit
def match(
    header, suited, suits, plan, shape, first, rest, rows, decks, games, places, closed, players, on, worth, gains
):  # fmt: skip
    """Play contracts, each seat by a network (its number in ``players``, (n, 3)) or by the rules of the mask in ``on``.

    rows: positions of the policy. decks: (n, 32) deck card of each of its cards. games: (n,) 0 to 3 suits, 4 grand, 5
    Null.
    places: (n, 4) masks in deck order after the exchange. closed: (n, 2) whether the declarer has seen the skat, and
    whether its hand lies open. gains: (n,) of the declarer on each defender, filled in.
    """
    w = np.zeros(P.WORK, np.int64)
    setup(header, suited, suits, plan, w)
    index, chances = np.zeros(MOST_INPUTS, np.int64), np.zeros(CARDS)
    values = np.zeros(shape[N_HIDDEN] + shape[N_INNER] + shape[N_OUTPUTS], np.float32)
    p, hands, from_deck = np.zeros(X_SIZE, np.int64), np.zeros(3, np.int64), np.zeros(32, np.int64)
    for i in range(len(rows)):
        row, skat, declarer = rows[i], places[i, 3], rows[i, P.R_DECLARER]
        begin(row, w)
        start(p, games[i], 0)
        p[P_DECLARER] = declarer
        for c in range(32):
            from_deck[decks[i, c]] = c
        for s in range(3):
            hands[s] = places[i, s]
        put, against, mine, pot = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
        for c in range(32):
            if skat >> c & 1:
                put += EYES[c]
        while w[P.T_LEFT]:
            seat = w[P.T_TURN]
            if players[i, seat] >= 0:
                shown = choose(w, shape, first, rest, players[i, seat], 0.0, 1, index, values, chances)
                card = decks[i, shown]
            else:
                sees = closed[i, 0] and seat == declarer
                p[P_SEAT], p[P_HAND], p[P_LEADER] = seat, hands[seat], w[P.T_LEADER]
                p[P_SKAT] = skat if sees else 0
                p[P_OPEN] = hands[declarer] if closed[i, 1] and seat != declarer else 0
                p[X_ON], p[X_WON], p[X_LOST] = on[i, seat], mine + put if sees else mine, against
                card, _ = expert_choose(p)
                shown = from_deck[card]
            hands[seat] &= ~(np.int64(1) << card)
            pot += EYES[card]
            note_card(p, seat, card)
            if follow_card(w, shown):
                if w[P.T_LEADER] == declarer:
                    mine += pot
                else:
                    against += pot
                pot = np.int64(0)
                p[P_TABLE] = p[P_TABLE + 1] = -1
                if decided(w, row):
                    break
        gains[i] = gain_of(w, row, worth, declarer)
