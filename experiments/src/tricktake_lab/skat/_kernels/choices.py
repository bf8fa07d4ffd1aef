"""How often each kind of card is chosen, and what it was up against: one pass of learning ``skat:belief``'s weights."""

import math

import numpy as np
from tricktake_skat.kernels import belief, cards

from tricktake.jit import lowbit_index, njit


@njit
def learn(games, hands, played, declarers, logs, chosen, exposed):
    """One pass over played games: how often each kind of card was chosen, and what it was up against.

    games, declarers: (n,). hands: (n, 3) at the first trick. played: (n, 30) cards in order of play, -1 where none was.
    logs: (CONTEXTS, CATEGORIES), the weights so far. chosen, exposed: added to; the next weights are their quotient
    (Hunter's minorization-maximization for choices among changing sets).
    Returns the log likelihood per choice by ``logs``.
    """
    left = np.zeros(3, np.int64)
    total, choices = 0.0, 0
    for i in range(len(games)):
        game, declarer = games[i], declarers[i]
        left[:] = hands[i]
        gone = 0
        leader, led, best, winner = 0, -1, -1, 0
        for t in range(30):
            card = played[i, t]
            if card < 0:
                break
            place = t % 3
            if place == 0:
                leader, led, best = winner, -1, -1
            seat = (leader + place) % 3
            role = 0 if seat == declarer else 2 if (declarer - leader) % 3 < place else 1
            partners = best >= 0 and winner != declarer and seat != declarer
            where = belief.context(game, role, t == 0, led, place, partners)
            legal = left[seat]
            if led >= 0 and legal & cards.CLASS[game, led]:
                legal &= cards.CLASS[game, led]
            if legal & (legal - 1):
                among = 0.0
                mask = legal
                while mask:
                    among += math.exp(logs[where, belief.category(game, lowbit_index(mask), best, gone)])
                    mask &= mask - 1
                mask = legal
                while mask:
                    exposed[where, belief.category(game, lowbit_index(mask), best, gone)] += 1.0 / among
                    mask &= mask - 1
                kind = belief.category(game, card, best, gone)
                chosen[where, kind] += 1.0
                total += logs[where, kind] - math.log(among)
                choices += 1
            if best < 0:
                led, best, winner = card, card, seat
            elif cards.beats(game, card, best):
                best, winner = card, seat
            gone |= 1 << card
            left[seat] &= ~(1 << card)
    return total / max(choices, 1)
