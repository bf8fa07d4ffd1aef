"""Rollouts of a policy in many worlds: what every legal card of a decision is worth if all play on as the policy does.

All candidates of a world share their random numbers (Tesauro and Galperin 1996). Worlds come as rows of the first trick
(``policy_layout``) and are played up to the decision first: so every seat sees its suits in the order it had then.
"""

import numpy as np

from tricktake._kernels import policy_layout as P
from tricktake._kernels._jit import lean, lowbit_index, njit, popcount
from tricktake._kernels.layout import H_SEATS
from tricktake._kernels.play import CARDS
from tricktake._kernels.policy_encode import begin, encode, follow_card, legal_cards, setup, true_side
from tricktake._kernels.policy_net import N_HIDDEN, N_INNER, N_OUTPUTS, N_REST, U_LOGIT, forward, weigh
from tricktake._kernels.policy_play import MOST_INPUTS, decided, gain_of, keep, play_on, side_cost, take_back
from tricktake._kernels.position import P_FLAGS, P_HANDS, P_LEADER, P_SIDE, P_TAKEN

ENDED = 0  # the game was played to its end, or to where nothing mattered any more
OPEN = 1  # it stopped where its last cards are left to the solver


@lean
def write_ending(w, row, seat, end):
    """The position between tricks as a row of the solver, counted for the side of a seat; all but its sense."""
    for s in range(w[H_SEATS]):
        end[P_HANDS + s] = w[P.T_HANDS + s]
    end[P_LEADER] = w[P.T_LEADER]
    end[P_FLAGS] = w[P.T_FLAGS]
    end[P_SIDE] = true_side(w, row, seat)
    cost, _ = side_cost(w, row, seat)
    end[P_TAKEN] = cost


@njit
def roll_out_rows(
    header, suited, suits, plan, shape, first, rest, rows, cards, candidates, players, heat, seeds, worth, last,
    gains, costs, states, ends,
):  # fmt: skip
    """Play every candidate out in every row.

    rows: (n, width) how each world began. cards: played since then; after them the seat in turn decides. candidates:
    mask of its cards to try. players: (seats,) the network of each. seeds: (n,) numbers that are not 0. last: with no
    more cards than this in all hands a rollout stops. Filled in by world and card: gains (``gain_of``) and costs of the
    side of the seat at the end; states, ENDED or OPEN; ends, rows of the solver where it is OPEN.
    """
    w = np.zeros(P.WORK, np.int64)
    setup(header, suited, suits, plan, w)
    index, chances = np.zeros(MOST_INPUTS, np.int64), np.zeros(CARDS)
    values = np.zeros(shape[N_HIDDEN] + shape[N_INNER] + shape[N_OUTPUTS], np.float32)
    nothing = np.zeros(0, np.int64)
    for i in range(len(rows)):
        row = rows[i]
        begin(row, w)
        for card in cards:
            follow_card(w, card)
        seat = w[P.T_TURN]
        keep(w)
        left = candidates
        while left:
            card = np.int64(lowbit_index(left))
            left &= left - 1
            left_over = False
            if not (follow_card(w, card) and decided(w, row)):
                left_over = play_on(
                    w, row, players, shape, first, rest, heat, seeds[i], index, values, chances, nothing, last
                )
            states[i, card] = OPEN if left_over else ENDED
            if left_over:
                write_ending(w, row, seat, ends[i, card])
            else:
                gains[i, card] = gain_of(w, row, worth, seat)
                costs[i, card], _ = side_cost(w, row, seat)
            take_back(w)


@lean
def chance_of(w, card, shape, first, rest, net, heat, slip, index, values, chances):
    """How likely the seat in turn plays a card: as a network does at temperature ``heat``, or with chance ``slip`` any
    legal card.
    """
    legal = legal_cards(w)
    if not legal >> card & 1:
        return 0.0
    if not legal & (legal - 1):
        return 1.0
    start = forward(shape, first, rest, net, index, encode(w, index), values)
    total = weigh(w, legal, values, start, rest[net * shape[N_REST] + U_LOGIT] / heat, chances)
    return (1.0 - slip) * chances[card] / total + slip / popcount(legal)


@njit
def judge_rows(
    header, suited, suits, plan, shape, first, rest, rows, cards, players, heat, slip, likely
):  # fmt: skip
    """How likely the cards played are in every row, seat by seat: ``likely``, (n, seats), is filled in.

    rows, cards: as for ``roll_out_rows``. players: (seats,) the network of each, -1 for a seat that is not judged,
    whose cards have the likelihood 1. heat: above 0. slip: see ``chance_of``.
    """
    w = np.zeros(P.WORK, np.int64)
    setup(header, suited, suits, plan, w)
    index, chances = np.zeros(MOST_INPUTS, np.int64), np.zeros(CARDS)
    values = np.zeros(shape[N_HIDDEN] + shape[N_INNER] + shape[N_OUTPUTS], np.float32)
    for i in range(len(rows)):
        begin(rows[i], w)
        likely[i, :] = 1.0
        for card in cards:
            seat = w[P.T_TURN]
            if players[seat] >= 0 and likely[i, seat] > 0:
                likely[i, seat] *= chance_of(
                    w, card, shape, first, rest, players[seat], heat, slip, index, values, chances
                )
            follow_card(w, card)
