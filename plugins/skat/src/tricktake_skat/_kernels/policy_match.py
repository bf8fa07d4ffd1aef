"""Given contracts between policies, experts and rule players in one compiled loop."""

import numpy as np

from tricktake.jit import njit
from tricktake.kernels import batch
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
from tricktake_skat._kernels import position as F
from tricktake_skat._kernels.expert_play import choose as expert_choose

RULES = -1  # an expert or a rule player: whoever is no network
CARDS = 64


@njit
def match(
    header, suited, suits, plan, shape, first, rest, rows, decks, packed, games, places, closed, players, on, worth,
    gains,
):  # fmt: skip
    """Play contracts, each seat by a network (its number in ``players``, (n, 3)) or by the rules of the mask in ``on``.

    rows: positions of the policy. decks: (n, 32) deck card of each of its cards. packed: rules by game, cards as in the
    deck. games: (n,) 0 to 3 suits, 4 grand, 5 Null. places: (n, 4) masks in deck order after the exchange. closed:
    (n, 2) whether the declarer has seen the skat, and whether its hand lies open. gains: (n,) of the declarer on each
    defender, filled in.
    """
    w = np.zeros(P.WORK, np.int64)
    setup(header, suited, suits, plan, w)
    index, chances = np.zeros(MOST_INPUTS, np.int64), np.zeros(CARDS)
    values = np.zeros(shape[N_HIDDEN] + shape[N_INNER] + shape[N_OUTPUTS], np.float32)
    frame, hands, from_deck = np.zeros(F.SIZE, np.int64), np.zeros(3, np.int64), np.zeros(32, np.int64)
    for i in range(len(rows)):
        row, rules, declarer = rows[i], packed[games[i]], rows[i, P.R_DECLARER]
        begin(row, w)
        batch.begin(rules, frame, row[P.R_LEADER])
        frame[F.GAME], frame[F.DECLARER] = games[i], declarer
        for c in range(32):
            from_deck[decks[i, c]] = c
        for s in range(3):
            hands[s] = places[i, s]
        while w[P.T_LEFT]:
            seat = w[P.T_TURN]
            if players[i, seat] >= 0:
                shown = choose(w, shape, first, rest, players[i, seat], 0.0, 1, index, values, chances)
                card = decks[i, shown]
            else:
                frame[F.SEAT], frame[F.HAND], frame[F.DATA] = seat, hands[seat], on[i, seat]
                frame[F.SKAT] = places[i, 3] if closed[i, 0] and seat == declarer else 0
                frame[F.OPEN + declarer] = hands[declarer] if closed[i, 1] else 0
                frame[F.LEGAL] = batch.may_play(rules, frame)
                card, _ = expert_choose(frame)
                shown = from_deck[card]
            hands[seat] &= ~(np.int64(1) << card)
            if frame[batch.PLAYED] == 0:
                frame[batch.LAST] = hands[seat] == 0
            winner = batch.note(rules, frame, seat, card)
            if winner >= 0:
                batch.end_trick(rules, frame, winner)
            if follow_card(w, shown) and decided(w, row):
                break
        gains[i] = gain_of(w, row, worth, declarer)
