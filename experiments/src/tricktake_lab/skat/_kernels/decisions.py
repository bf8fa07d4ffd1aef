"""What whoever plays a recorded game could see at each of its decisions, and the card that was played."""

import numpy as np

from tricktake.jit import lowbit_index, njit
from tricktake.policy.kernels import CARDS, MOST_INPUTS, begin, encode, follow_card, legal_cards, setup
from tricktake.policy.kernels import layout as P


@njit
def decisions(header, suited, suits, plan, rows, cards, roles, which, seen, counts, legals, played):
    """Replay games and note their decisions between several cards. rows: as for policies. cards: (n, m) in order of
    play, as cards of the encoding, -1 beyond the end. roles: (n, seats).

    Filled in, a place a decision: which, the role; seen (uint16) and counts, the inputs; legals and played, as masks
    over outputs. How many there are; -1 if a card was not legal.
    """
    w = np.zeros(P.WORK, np.int64)
    setup(header, suited, suits, plan, w)
    index = np.zeros(MOST_INPUTS, np.int64)
    found = 0
    for i in range(len(rows)):
        begin(rows[i], w)
        for card in cards[i]:
            if card < 0:
                break
            seat, legal = w[P.T_TURN], legal_cards(w)
            if not legal >> card & 1:
                return -1
            if legal & (legal - 1):
                start = P.W_TO_CARD + seat * CARDS
                n = encode(w, index)
                for k in range(n):
                    seen[found, k] = index[k]
                which[found], counts[found], legals[found] = roles[i, seat], n, 0
                while legal:
                    legals[found] |= np.int64(1) << w[start + lowbit_index(legal)]
                    legal &= legal - 1
                played[found] = np.int64(1) << w[start + card]
                found += 1
            follow_card(w, card)
    return found
