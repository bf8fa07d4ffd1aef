"""Given contracts played by experts and rule players in one compiled loop."""

import numpy as np

from tricktake.jit import njit
from tricktake_skat._kernels.cards import EYES, NULL, beats, eyes_of
from tricktake_skat._kernels.expert_play import X_LOST, X_ON, X_SIZE, X_WON, choose
from tricktake_skat._kernels.position import P_DECLARER, P_HAND, P_LEADER, P_OPEN, P_SEAT, P_SKAT, P_TABLE
from tricktake_skat._kernels.rule_games import note_card, start


@njit
def play(game, declarer, hands, skat, known, ouvert, on, p, cards, rules):
    """Play a contract: eyes with the skat, tricks of the declarer, number of cards.

    on: (3,) for each seat the mask of the expert's rules in force, 0 for a rule player. hands: (3,), used up. known:
    whether the declarer has seen the skat. cards, rules: (30,), filled in order of play.
    """
    start(p, game, 0)
    p[P_DECLARER] = declarer
    leader, eyes, against, tricks, n = 0, 0, 0, 0, 0
    put = eyes_of(skat)
    for _ in range(10):
        best, winner, points = -1, leader, 0
        for k in range(3):
            seat = (leader + k) % 3
            sees = known and seat == declarer
            p[P_SEAT] = seat
            p[P_HAND] = hands[seat]
            p[P_SKAT] = skat if sees else 0
            p[P_OPEN] = hands[declarer] if ouvert and seat != declarer else 0
            p[X_ON] = on[seat]
            p[X_WON] = eyes + put if sees else eyes
            p[X_LOST] = against
            card, rule = choose(p)
            cards[n] = card
            rules[n] = rule
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
            if game == NULL:
                break
        else:
            against += points
    return eyes + put, tricks, n


@njit
def play_contracts(places, contracts, declarers, defenders, eyes, tricks, cards, rules):
    """Play given contracts, the declarer by the rules ``declarers``, both others by ``defenders`` (masks).

    places: (n, 4) masks of hands and skat after the exchange. contracts: (n, 5) declarer, game, hand, ouvert, bid.
    eyes, tricks: (n,) of the declarer, eyes with the skat; cards, rules: (n, 30), -1 where nothing was played; filled.
    """
    p = np.zeros(X_SIZE, np.int64)
    hands = np.zeros(3, np.int64)
    on = np.zeros(3, np.int64)
    for i in range(len(places)):
        cards[i, :] = -1
        rules[i, :] = -1
        declarer, game, hand, ouvert = contracts[i, 0], contracts[i, 1], contracts[i, 2], contracts[i, 3]
        hands[:] = places[i, :3]
        on[:] = defenders
        on[declarer] = declarers
        eyes[i], tricks[i], _ = play(
            game, declarer, hands, places[i, 3], hand == 0, ouvert != 0, on, p, cards[i], rules[i]
        )
