"""Games from given contracts between networks and compiled policies, each seeing the game in its own way.

A network reads sums over all that was played (``policy_play``), a policy called by its address the frame of ``batch``:
both are kept.
"""

import numpy as np

from tricktake._kernels import batch
from tricktake._kernels import batch_frame as F
from tricktake._kernels import policy_layout as P
from tricktake._kernels._jit import call, lean, lowbit_index, njit
from tricktake._kernels.layout import H_SEATS, MAX_SEATS
from tricktake._kernels.play import CARDS, bit
from tricktake._kernels.policy_encode import begin, follow_card, setup
from tricktake._kernels.policy_net import N_HIDDEN, N_INNER, N_OUTPUTS, choose
from tricktake._kernels.policy_play import MOST_INPUTS, decided, gain_of

BY_ADDRESS = -1  # plays a seat that has no network


@lean
def in_deck(mask, deck):
    """A set of the networks' cards as one of the policies' cards."""
    found = np.int64(0)
    while mask:
        found |= bit(deck[lowbit_index(mask)])
        mask &= mask - 1
    return found


@lean
def block(row, number, seats, seat):
    """What a row says of a seat in one of its blocks."""
    return row[P.R_SEATS + number * seats + seat]


@lean
def known_to_all(row, seats, seat):
    """The cards of a seat that all others know: its hand where it lies open."""
    found = np.int64(-1)
    for other in range(seats):
        if other != seat:
            found &= row[P.R_SEATS + P.BLOCKS * seats + other * seats + seat]
    return found


@njit
def play_mixed(
    header, suited, suits, plan, shape, first, rest, rows, players, worth, decks, packed, which, policies, data, facts,
    gains,
):  # fmt: skip
    """Play every row once. players: (n, seats) networks by number, or ``BY_ADDRESS``: then who is named by
    ``policies`` (n, seats), with its ``data`` and the ``facts`` (n, FACTS_MAX) of the game.

    decks: (n, cards) the policies' card for each of the networks'. packed, which: rules for the policies and the number
    of those of each game. worth: see ``policy_play.worth_of``. gains: (n, seats), filled in.
    """
    w = np.zeros(P.WORK, np.int64)
    setup(header, suited, suits, plan, w)
    index, chances = np.zeros(MOST_INPUTS, np.int64), np.zeros(CARDS)
    values = np.zeros(shape[N_HIDDEN] + shape[N_INNER] + shape[N_OUTPUTS], np.float32)
    frame, hands, shown_of = np.zeros(F.FRAME, np.int64), np.zeros(MAX_SEATS, np.int64), np.zeros(CARDS, np.int64)
    seats = header[H_SEATS]
    for i in range(len(rows)):
        row, rules, deck = rows[i], packed[which[i]], decks[i]
        begin(row, w)
        batch.begin(rules, frame, row[P.R_LEADER])
        for k in range(F.FACTS_MAX):
            frame[F.FACTS + k] = facts[i, k]
        for c in range(decks.shape[1]):
            shown_of[deck[c]] = c
        for s in range(seats):
            hands[s] = in_deck(block(row, P.B_HANDS, seats, s), deck)
            frame[F.OPEN + s] = in_deck(known_to_all(row, seats, s), deck)
        while w[P.T_LEFT]:
            seat = w[P.T_TURN]
            if players[i, seat] >= 0:
                shown = choose(w, shape, first, rest, players[i, seat], 0.0, 1, index, values, chances)
                card = deck[shown]
            else:
                frame[F.SEAT], frame[F.HAND], frame[F.DATA] = seat, hands[seat], data[i, seat]
                frame[F.KNOWN] = in_deck(block(row, P.B_ASIDE, seats, seat), deck)
                frame[F.LEGAL] = batch.may_play(rules, frame)
                card = call(policies[i, seat], frame)
                shown = shown_of[card]
            hands[seat] &= ~bit(card)
            frame[F.OPEN + seat] &= hands[seat]
            if frame[F.PLAYED] == 0:
                frame[F.LAST] = hands[seat] == 0
            winner = batch.note(rules, frame, seat, card)
            if winner >= 0:
                batch.end_trick(rules, frame, winner)
            if follow_card(w, shown) and decided(w, row):
                break
        for s in range(seats):
            gains[i, s] = gain_of(w, row, worth, s)
