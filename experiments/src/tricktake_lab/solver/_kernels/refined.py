"""A plain alpha-beta search whose refinements can be switched on one by one, to count what each is worth (KERMIT-14).

It is no rival of the solver: it shares with it only the rules of play (``position``), so that one refinement at a time
stands beside a search without any.
"""

import numpy as np

from tricktake.jit import lowbit_index, njit, popcount
from tricktake.kernels import layout as L
from tricktake.kernels import play, position

# What is switched on.
S_GROUP = 0  # 0: every card, 1: of adjacent cards that cost the same one, 2: of such that cost one more or less, too
S_ORDER = 1  # 1: cards that take tricks and eyes first
S_FAST = 2  # how much each reply the next seats have counts against a card: fastest cut first
S_DELAY = 3  # 1: in Null a trick costs the more the earlier it is taken
S_NULL = 4  # 1: the search ends with the side's first trick
SWITCHES = 5

# Remembered positions between tricks: the cards left, who leads and when it was, bounds of what the side still gets.
M_REST = 0
M_TAG = 1
M_LOW = 2
M_HIGH = 3
MEMO = 4
EPOCH_SHIFT = 8
MIX = 0x9E3779B1
FAR = 1 << 20


@njit
def rest_of(w, row):
    """All cards in the hands."""
    rest = np.int64(0)
    for seat in range(w[L.H_SEATS]):
        rest |= row[position.P_HANDS + seat]
    return rest


@njit
def leaders(w, row, legal, group):
    """One of each group of legal cards, as a mask. Cards on the table count as in play."""
    seat = position.turn_of(w, row)
    others = rest_of(w, row) & ~row[position.P_HANDS + seat]
    for i in range(row[position.P_PLAYED]):
        others |= play.bit(row[position.P_TABLE + i])
    found, mask = np.int64(0), legal
    while mask:
        card = lowbit_index(mask)
        mask &= mask - 1
        below = legal & w[play.W_UPTO + card] & ~play.bit(card)
        if below:
            near = 63 - _zeros(below)
            between = w[play.W_FROM + near] & w[play.W_UPTO + card] & others
            cost = w[play.W_COST + card] - w[play.W_COST + near]
            if between == 0 and abs(cost) <= group - 1:
                continue
        found |= play.bit(card)
    return found


@njit
def _zeros(mask):
    """Leading zeros of 64 bits, of a mask that is not 0."""
    count = 0
    while not mask >> (63 - count) & 1:
        count += 1
    return count


@njit
def replies(w, row, card):
    """How many cards the seats after this one can answer with, as far as suits tell."""
    seats = w[L.H_SEATS]
    turn, total = position.turn_of(w, row), 0
    led = card if row[position.P_PLAYED] == 0 else row[position.P_TABLE]
    for i in range(1, seats - row[position.P_PLAYED]):
        hand = row[position.P_HANDS + (turn + i) % seats]
        following = popcount(hand & w[play.W_CLASS + led])
        total += following if following else popcount(hand)
    return total


@njit
def score_of(w, row, card, how):
    """The higher, the sooner a card is tried."""
    score = -how[S_FAST] * replies(w, row, card)
    if how[S_ORDER] == 0:
        return score
    turn = position.turn_of(w, row)
    mine = row[position.P_SIDE] >> turn & 1
    wants = (mine == 1) == (row[position.P_SENSE] > 0)
    cost, sign = w[play.W_COST + card], 1 if wants else -1
    if row[position.P_PLAYED] == 0:
        others = rest_of(w, row) & ~row[position.P_HANDS + turn]
        stands = others & w[play.W_FROM + card] == 0
        return score + (sign * (20 + cost) if stands else -cost)
    best = position.best_seat(w, row)
    winner = (row[position.P_LEADER] + best) % w[L.H_SEATS]
    if w[play.W_BEAT + row[position.P_TABLE + best]] & play.bit(card):
        return score + sign * (20 + cost)
    friendly = (row[position.P_SIDE] >> winner & 1) == mine
    return score + (cost if friendly == (sign > 0) else -cost)


@njit
def put_in_order(w, row, cards, how, order):
    """Fill with cards, the first to be tried first; how many."""
    scores = np.zeros(play.CARDS)
    count = 0
    while cards:
        card = np.int64(lowbit_index(cards))
        cards &= cards - 1
        score = score_of(w, row, card, how)
        at = count
        while at > 0 and scores[at - 1] < score:
            scores[at], order[at] = scores[at - 1], order[at - 1]
            at -= 1
        scores[at], order[at] = score, card
        count += 1
    return count


@njit
def place_of(memo, rest, tag):
    h = (rest ^ rest >> 29 ^ tag) * MIX
    return (h ^ h >> 17) & (len(memo) - 1)


# What the search keeps of each depth.
D_ALPHA = 0
D_BETA = 1
D_LOW = 2  # bounds that were remembered
D_HIGH = 3
D_BEST = 4
D_COUNT = 5  # cards to try
D_NEXT = 6  # number of the next one
D_FIRST = 7  # alpha and beta as they were asked
D_LAST = 8
DEPTH = 9


@njit
def begin(w, row, at, how, memo, epoch, order):
    """Look a position up, or put its cards in order; (whether its value is known, the value)."""
    if position.over(w, row):
        return True, np.int64(0)
    at[D_LOW], at[D_HIGH] = -FAR, FAR
    if row[position.P_PLAYED] == 0:
        rest, tag = rest_of(w, row), epoch << EPOCH_SHIFT | row[position.P_LEADER]
        kept = memo[place_of(memo, rest, tag)]
        if kept[M_REST] == rest and kept[M_TAG] == tag:
            at[D_LOW], at[D_HIGH] = kept[M_LOW], kept[M_HIGH]
            if at[D_LOW] >= at[D_BETA] or at[D_LOW] == at[D_HIGH]:
                return True, at[D_LOW]
            if at[D_HIGH] <= at[D_ALPHA]:
                return True, at[D_HIGH]
    legal = position.legal_cards(w, row)
    at[D_COUNT] = put_in_order(w, row, leaders(w, row, legal, how[S_GROUP]) if how[S_GROUP] else legal, how, order)
    at[D_NEXT], at[D_FIRST], at[D_LAST] = 0, at[D_ALPHA], at[D_BETA]
    at[D_BEST] = -FAR if maximizes(w, row) else FAR
    return False, np.int64(0)


@njit
def maximizes(w, row):
    """Whether the seat to play wants what is counted."""
    return (row[position.P_SIDE] >> position.turn_of(w, row) & 1 == 1) == (row[position.P_SENSE] > 0)


@njit
def take(w, row, at, value):
    """A card turned out to be worth this."""
    if maximizes(w, row):
        at[D_BEST] = max(at[D_BEST], value)
        at[D_ALPHA] = max(at[D_ALPHA], value)
    else:
        at[D_BEST] = min(at[D_BEST], value)
        at[D_BETA] = min(at[D_BETA], value)


@njit
def keep(w, row, at, memo, epoch):
    """Remember a position between tricks."""
    if row[position.P_PLAYED] == 0:
        rest, tag, best = rest_of(w, row), epoch << EPOCH_SHIFT | row[position.P_LEADER], at[D_BEST]
        kept = memo[place_of(memo, rest, tag)]
        kept[M_REST], kept[M_TAG] = rest, tag
        kept[M_LOW] = best if best > at[D_FIRST] else at[D_LOW]
        kept[M_HIGH] = best if best < at[D_LAST] else at[D_HIGH]


@njit
def search(w, rows, alpha, beta, how, memo, epoch, nodes):
    """What the side still gets from ``rows[0]`` on, exact between the bounds; the rows below are scratch. nodes: (1,),
    counted up.
    """
    orders, stack = np.zeros((len(rows), play.CARDS), np.int64), np.zeros((len(rows), DEPTH), np.int64)
    stack[0, D_ALPHA], stack[0, D_BETA] = alpha, beta
    depth, value, enter = 0, np.int64(0), True
    while True:
        row, at = rows[depth], stack[depth]
        if enter:
            nodes[0] += 1
            known, value = begin(w, row, at, how, memo, epoch, orders[depth])
        else:
            known = False
            take(w, row, at, value + rows[depth + 1, position.P_TAKEN] - row[position.P_TAKEN])
        enter = False
        while not known and not enter:
            if at[D_ALPHA] >= at[D_BETA] or at[D_NEXT] == at[D_COUNT]:
                keep(w, row, at, memo, epoch)
                known, value = True, at[D_BEST]
                continue
            below = rows[depth + 1]
            below[:] = row
            position.advance(w, below, orders[depth, at[D_NEXT]])
            at[D_NEXT] += 1
            got = below[position.P_TAKEN] - row[position.P_TAKEN]
            if how[S_NULL] and got > 0:
                nodes[0] += 1
                take(w, row, at, got + how[S_DELAY] * popcount(rest_of(w, below)))
                continue
            stack[depth + 1, D_ALPHA], stack[depth + 1, D_BETA] = at[D_ALPHA] - got, at[D_BETA] - got
            enter = True
        if known:
            if depth == 0:
                return value
            depth -= 1
        else:
            depth += 1


@njit
def searched(header, cards, suits, row, alpha, beta, how, memo, epoch, nodes):
    """``search`` from a position on. epoch: another one for each call."""
    w = np.zeros(play.W_FREE, np.int64)
    play.pack(header, cards, suits, w)
    rows = np.zeros((play.CARDS + 2, position.ROW), np.int64)
    rows[0, :] = row
    return search(w, rows, alpha, beta, how, memo, epoch, nodes)
