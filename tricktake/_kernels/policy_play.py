"""Games of policies from a given contract, and what every card would have been worth at some of their decisions.

One loop for every game the rules can state. Who plays a seat is a number: a network, or one of the plain players below.
"""

import numpy as np

from tricktake._kernels import policy_layout as P
from tricktake._kernels._jit import lean, lowbit_index, njit, popcount
from tricktake._kernels.layout import H_SEATS
from tricktake._kernels.manners import follow, lead
from tricktake._kernels.play import CARDS, bit
from tricktake._kernels.playout import next_random, pick
from tricktake._kernels.policy_encode import (
    allies,
    begin,
    encode,
    follow_card,
    legal_cards,
    of_team,
    setup,
    true_side,
)
from tricktake._kernels.policy_net import (
    LOW31,
    N_HIDDEN,
    N_INNER,
    N_OUTPUTS,
    N_REST,
    U_LOGIT,
    choose,
    forward,
    pick_card,
    weigh,
)

RANDOM = -1  # any legal card
WANTS = -2  # simple manners, for a side that wants cost
AVOIDS = -3  # the same for one that does not

MOST_INPUTS = 512  # that can be set at the same time
NONE_LEFT = np.int64(0)  # cards left by ``play_on``: it plays to the end
LOW32 = (1 << 32) - 1


@lean
def plain_card(w, player, x):
    """The card of a player without a network."""
    legal = legal_cards(w)
    card = pick(legal, x)
    if player == RANDOM:
        return card
    aim = 1 if player == WANTS else -1
    if w[P.T_COUNT] == 0:
        return lead(w, legal, card, aim)
    side, _ = allies(w, w[P.T_TURN])
    friendly = side >> w[P.T_WINNER] & 1 != 0
    return follow(w, legal, w[P.T_BEST], aim, friendly, w[P.T_COUNT] + 1 == w[H_SEATS])


@lean
def next_card(w, shape, first, rest, player, heat, x, index, values, chances):
    """The card of whoever plays the seat in turn."""
    if player < 0:
        return plain_card(w, player, x)
    return choose(w, shape, first, rest, player, heat, x, index, values, chances)


@lean
def side_cost(w, row, seat):
    """Cost and tricks of the side a seat really belongs to, with its credits."""
    n = w[H_SEATS]
    side, cost, tricks = true_side(w, row, seat), np.int64(0), np.int64(0)
    for s in range(n):
        if side >> s & 1:
            cost += row[P.R_SEATS + P.B_CREDIT * n + s] + w[P.T_TAKEN + s]
            tricks += w[P.T_WON + s]
    return cost, tricks


@lean
def worth_of(w, row, worth, seat):
    """What the result is worth to a seat, by its own side's cost, or by having no trick or all of them if that
    is not NaN.
    """
    n = w[H_SEATS]
    cost, tricks = side_cost(w, row, seat)
    number, span = row[P.R_SEATS + P.B_WORTH * n + of_team(w, seat)], w[P.W_PLAN + P.E_SPAN]
    every = np.int64(0)
    for s in range(n):
        every += w[P.T_WON + s]
    if tricks == 0 and worth[number, span] == worth[number, span]:
        return worth[number, span]
    if tricks == every and w[P.T_LEFT] == 0 and worth[number, span + 1] == worth[number, span + 1]:
        return worth[number, span + 1]
    place = cost - w[P.W_PLAN + P.E_LOW]
    place = place if place > 0 else np.int64(0)
    return worth[number, place if place < span else span - 1]


@lean
def gain_of(w, row, worth, seat):
    """What the result is worth to a seat, less the mean of what it is worth to the seats of other sides."""
    n = w[H_SEATS]
    side, total, count = true_side(w, row, seat), 0.0, 0
    for s in range(n):
        if not side >> s & 1:
            total += worth_of(w, row, worth, s)
            count += 1
    own = worth_of(w, row, worth, seat)
    return own - total / count if count else np.float64(own)


@lean
def decided(w, row):
    """Whether nothing that is still played changes what the game is worth. Asked after a trick."""
    stop = row[P.R_STOP]
    if stop == P.NO_STOP:
        return False
    cost, _ = side_cost(w, row, row[P.R_DECLARER])
    return cost >= stop


@lean
def play_on(w, row, players, shape, first, rest, heat, x, index, values, chances, cards, last):
    """Play a game on until it is decided, or between tricks no more than ``last`` cards are left.

    cards: filled in from where the game stands, if there is room. Whether cards were left in this way.
    """
    ply = popcount(w[P.T_GONE])
    while w[P.T_LEFT]:
        if w[P.T_LEFT] <= last and w[P.T_COUNT] == 0:
            return True
        x = next_random(x)
        card = next_card(w, shape, first, rest, players[w[P.T_TURN]], heat, x, index, values, chances)
        if ply < len(cards):
            cards[ply] = card
        ply += 1
        if follow_card(w, card) and decided(w, row):
            break
    return False


@njit
def play_rows(
    header, suited, suits, plan, shape, first, rest, rows, players, heat, seeds, worth, costs, won, gains, cards
):
    """Play every row once. players: (n, seats) who plays, see above. heat: temperature of networks, 0: the best card.

    seeds: (n,) numbers that are not 0. worth: (k, span + 2), see ``worth_of``. Filled in, each (n, seats): costs
    taken with credits, tricks, gains (``gain_of``); cards: (n, m) the first m cards, -1 beyond the end; those that are
    there before are played as they stand.
    """
    w = np.zeros(P.WORK, np.int64)
    setup(header, suited, suits, plan, w)
    index, chances = np.zeros(MOST_INPUTS, np.int64), np.zeros(CARDS)
    values = np.zeros(shape[N_HIDDEN] + shape[N_INNER] + shape[N_OUTPUTS], np.float32)
    seats = header[H_SEATS]
    for i in range(len(rows)):
        row = rows[i]
        begin(row, w)
        for k in range(cards.shape[1]):
            if cards[i, k] < 0:
                break
            follow_card(w, cards[i, k])
        play_on(w, row, players[i], shape, first, rest, heat, seeds[i], index, values, chances, cards[i], NONE_LEFT)
        for s in range(seats):
            costs[i, s] = row[P.R_SEATS + P.B_CREDIT * seats + s] + w[P.T_TAKEN + s]
            won[i, s] = w[P.T_WON + s]
            gains[i, s] = gain_of(w, row, worth, s)


@njit
def setup_row(header, suited, suits, plan, row, w):
    """A work array at the start of the game of a row."""
    setup(header, suited, suits, plan, w)
    begin(row, w)


@njit
def replay_cards(w, cards, left):
    """Play cards from the start of a game; ``left`` cards are in all hands then, known or not."""
    w[P.T_LEFT] = left + len(cards)
    for card in cards:
        follow_card(w, card)


@njit
def encode_work(w, index):
    """``encode`` for Python."""
    return encode(w, index)


@njit
def shown_cards(w):
    """Where the seat in turn sees each card."""
    start = P.W_TO_CARD + w[P.T_TURN] * CARDS
    return w[start : start + CARDS].copy()


@njit
def choose_work(w, shape, first, rest, net, heat, x):
    """The card of a network, and the numbers of all cards, by input."""
    index, chances = np.zeros(MOST_INPUTS, np.int64), np.zeros(CARDS)
    values = np.zeros(shape[N_HIDDEN] + shape[N_INNER] + shape[N_OUTPUTS], np.float32)
    legal = legal_cards(w)
    start = forward(shape, first, rest, net, index, encode(w, index), values)
    return pick_card(w, shape, rest, net, legal, values, start, heat, x, chances), values[start:]


@lean
def keep(w):
    """Remember the state of the game."""
    for i in range(P.CHANGING):
        w[P.SAVED + i] = w[P.T_HANDS + i]


@lean
def take_back(w):
    """Go back to the state remembered."""
    for i in range(P.CHANGING):
        w[P.T_HANDS + i] = w[P.SAVED + i]


@lean
def promising(w, shape, rest, net, legal, values, start, floor, tried, x, chances):
    """The legal cards worth playing out: those a network plays with a chance of at least ``floor`` at temperature 1,
    and each of the others with chance ``tried``. A mask of cards, and the next ``x``.
    """
    total = weigh(w, legal, values, start, rest[net * shape[N_REST] + U_LOGIT], chances)
    found = np.int64(0)
    while legal:
        card = np.int64(lowbit_index(legal))
        legal &= legal - 1
        likely = chances[card] >= floor * total
        if not likely:
            x = next_random(x)
            likely = (x >> 32 & LOW31) < tried * LOW31
        if likely:
            found |= bit(card)
    return found, x


@njit
def practise(
    header, suited, suits, plan, shape, first, rest, rows, players, learners, stops, heat, sober, floor, tried, seeds,
    worth, unit, which, seen, counts, legals, gains,
):  # fmt: skip
    """Play every row at temperature ``heat``, and ``stops`` times in each play out the promising cards of a learner
    (``promising``) from there on, at temperature ``sober``.

    The playouts of one decision share their random numbers. learners: networks below this number learn. unit: gains are
    multiplied by it. Filled in, one place a decision with two such cards at least: which, the network; seen (uint16)
    and counts, the inputs; legals, the cards played out as a mask over outputs; gains (float32) for each output. How
    many decisions, and cards played in all.
    """
    w = np.zeros(P.WORK, np.int64)
    setup(header, suited, suits, plan, w)
    index, chances = np.zeros(MOST_INPUTS, np.int64), np.zeros(CARDS)
    values = np.zeros(shape[N_HIDDEN] + shape[N_INNER] + shape[N_OUTPUTS], np.float32)
    nothing = np.zeros(0, np.int64)
    found, played = 0, 0
    for i in range(len(rows)):
        row, who, x = rows[i], players[i], seeds[i]
        begin(row, w)
        ply, plies = 0, w[P.T_LEFT]
        x = next_random(x)
        wanted = ((x >> 32 & LOW32) * plies // stops) >> 32
        while w[P.T_LEFT]:
            seat = w[P.T_TURN]
            legal = legal_cards(w)
            if ply >= wanted and who[seat] >= 0 and who[seat] < learners and legal & (legal - 1) and found < len(which):
                n = encode(w, index)
                start = forward(shape, first, rest, who[seat], index, n, values)
                mask, x = promising(w, shape, rest, who[seat], legal, values, start, floor, tried, x, chances)
                if mask & (mask - 1):
                    which[found] = who[seat]
                    counts[found] = n
                    for k in range(n):
                        seen[found, k] = index[k]
                    shown = np.int64(0)
                    keep(w)
                    while mask:
                        card = np.int64(lowbit_index(mask))
                        mask &= mask - 1
                        place = w[P.W_TO_CARD + seat * CARDS + card]
                        shown |= np.int64(1) << place
                        played += w[P.T_LEFT]
                        if not (follow_card(w, card) and decided(w, row)):
                            play_on(
                                w, row, who, shape, first, rest, sober, x, index, values, chances, nothing, NONE_LEFT
                            )
                        gains[found, place] = gain_of(w, row, worth, seat) * unit
                        take_back(w)
                    legals[found] = shown
                    found += 1
                    wanted = ply + 1 if wanted + plies // stops <= ply else wanted + plies // stops
            x = next_random(x)
            card = next_card(w, shape, first, rest, who[seat], heat, x, index, values, chances)
            ply += 1
            played += 1
            if follow_card(w, card) and decided(w, row):
                break
    return found, played
