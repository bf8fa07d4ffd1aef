"""Paranoia search: AND/OR search over knowledge instead of worlds (KBPS-5 to 10, GAP-8).

Is the searcher sure of some amount, whatever the hidden cards are and however all others play, who see everything?
At its own nodes one card must do. At all others' every card must be answered that the seat holds in some world; what
such a card tells of its hand is added to what is known, and cards are passed over that leave no world. The plan so
found depends on nothing but what was played, and every line of it belongs to a world: the value is the exact worst
case.

The search runs on an explicit stack of frames and can be interrupted at any node and resumed.
"""

import numpy as np

from tricktake._kernels import paranoia_frame as F
from tricktake._kernels import paranoia_state as S
from tricktake._kernels._jit import lean, njit
from tricktake._kernels.layout import (
    H_BREAKERS,
    H_CARDS,
    H_COPIES,
    H_FIRST_BAN,
    H_FIRST_LEAD,
    H_FOLLOW,
    H_LAST_BONUS,
    H_LEAD_LIMIT,
    H_SEATS,
    H_TRICK_COST,
    MAX_SEATS,
)
from tricktake._kernels.paranoia_bounds import sure_cost
from tricktake._kernels.paranoia_hidden import OPEN, credited, excluded_cards, fits, take_card, tighten
from tricktake._kernels.paranoia_order import CARD_BITS, list_cards, next_card, score_cards
from tricktake._kernels.paranoia_transposition import NOTHING, keep, probe
from tricktake._kernels.play import CARDS, W_BEAT, W_COST, bit, larger, pack, smaller

# A question as a row of numbers.
Q_MASK = 0  # of each place, see ``paranoia_frame``
Q_ROOM = Q_MASK + S.MAX_PLACES
Q_CAPS = Q_ROOM + S.MAX_PLACES
Q_PLACES = Q_CAPS + S.MAX_PLACES
Q_LEADER = Q_PLACES + 1
Q_PLAYED = Q_LEADER + 1
Q_TABLE = Q_PLAYED + 1
Q_BROKEN = Q_TABLE + MAX_SEATS
Q_FIRST = Q_BROKEN + 1
Q_LEFT = Q_FIRST + 1  # tricks not yet finished
Q_MINE = Q_LEFT + 1
Q_TEAM = Q_MINE + 1
Q_NEED = Q_TEAM + 1  # still needed
Q_EXACT = Q_NEED + 1  # and no more
Q_CAPPED = Q_EXACT + 1
Q_EQUALS = Q_CAPPED + 1
Q_USE_TABLE = Q_EQUALS + 1
Q_ROOT = Q_USE_TABLE + 1  # cards tried first
QUESTION = Q_ROOT + 1

R_DONE = 0  # 0: the limit came first
R_VALUE = 1  # a lower bound on the worst case if it is at least the need, else an upper bound
R_CARD = 2  # a card that secures the need, -1 if there is none or it is not the searcher's turn
R_NODES = 3
RESULT = 4

UNIT = 12  # mean cost of a trick in the units of the ordering


@lean
def load(w, q):
    """Put a question at the bottom of the stack."""
    f, seats = np.int64(S.FRAMES), w[H_SEATS]
    w[S.PLACES] = q[Q_PLACES]
    w[S.MINE], w[S.TEAM] = q[Q_MINE], q[Q_TEAM]
    w[S.EXACT], w[S.CAPPED], w[S.EQUALS], w[S.TABLE] = q[Q_EXACT], q[Q_CAPPED], q[Q_EQUALS], q[Q_USE_TABLE]
    w[S.ROOT] = q[Q_ROOT]
    w[S.HIDDEN] = 0
    unseen, rest = np.int64(0), np.int64(0)
    for place in range(S.MAX_PLACES):
        room = q[Q_ROOM + place] if place < q[Q_PLACES] else np.int64(OPEN)
        mask = q[Q_MASK + place] if place < q[Q_PLACES] else np.int64(0)
        w[f + F.MASK + place], w[f + F.ROOM + place], w[f + F.CAPS + place] = mask, room, q[Q_CAPS + place]
        rest |= mask
        if room != OPEN:
            w[S.HIDE + w[S.HIDDEN]] = place
            w[S.HIDDEN] += 1
            unseen |= mask
    w[f + F.UNSEEN] = unseen
    up, down = np.int64(0), np.int64(0)
    w[f + F.COST], w[f + F.PLUS], w[f + F.LED], w[f + F.BEST] = 0, 0, 0, 0
    leader, played = q[Q_LEADER], q[Q_PLAYED]
    w[f + F.WINNER] = leader
    for i in range(played):
        card = q[Q_TABLE + i]
        rest |= bit(card)
        w[f + F.COST] += w[W_COST + card]
        w[f + F.PLUS] += larger(w[W_COST + card], 0)
        if i == 0:
            w[f + F.LED] = card
        if i == 0 or w[W_BEAT + w[f + F.BEST]] & bit(card):
            w[f + F.BEST] = card
            w[f + F.WINNER] = (leader + i) % seats
    for card in range(w[H_CARDS]):
        if rest & bit(card):
            up += larger(w[W_COST + card], 0)
            down += smaller(w[W_COST + card], 0)
    left = q[Q_LEFT]
    if left:
        up += left * larger(w[H_TRICK_COST], 0) + larger(w[H_LAST_BONUS], 0)
        down += left * smaller(w[H_TRICK_COST], 0) + smaller(w[H_LAST_BONUS], 0)
    w[f + F.UP], w[f + F.DOWN], w[f + F.LEFT] = up, down, left
    w[f + F.SEAT] = (leader + played) % seats
    w[f + F.PLAYED] = played
    w[f + F.BROKEN] = q[Q_BROKEN] or not w[H_LEAD_LIMIT]
    w[f + F.FIRST] = q[Q_FIRST] and (w[H_FIRST_LEAD] | w[H_FIRST_BAN]) != 0
    w[f + F.GAIN], w[f + F.CARD], w[f + F.CUT] = 0, -1, -1
    w[f + F.NEED] = q[Q_NEED]
    w[S.BOUNDS] = w[H_FOLLOW] and not w[H_COPIES] and down == 0 and not w[S.EXACT]
    w[S.UNIT] = larger((UNIT * left) // larger(up - down, 1), 1)
    w[S.NODES], w[S.AT], w[S.DOWN] = 0, f, 1
    for i in range(2 * CARDS):
        w[S.HISTORY + i] = 0


@lean
def settle(w, f, low, high):
    """Whether bounds on the result answer the question; then the value in S.VALUE."""
    need = w[f + F.NEED]
    if w[S.EXACT]:
        if low == need and high == need:
            w[S.VALUE] = need
            return True
        if low > need or high < need:
            w[S.VALUE] = need - 1
            return True
        return False
    if low >= need:
        w[S.VALUE] = low
        return True
    if high < need:
        w[S.VALUE] = high
        return True
    return False


@lean
def enter(w, t, f):
    """Settle a position at once (True, value in S.VALUE), or list its cards to try."""
    w[f + F.START] = w[S.NODES]
    w[f + F.CUT] = -1
    # 1. Everything or nothing is enough.
    if settle(w, f, w[f + F.DOWN], w[f + F.UP]):
        return True
    tt_card = np.int64(-1)
    if w[f + F.PLAYED] == 0:
        # 2. All is played.
        if w[f + F.LEFT] == 0:
            value = credited(w, f, f + F.SIZE)
            return settle(w, f, value, value)
        tighten(w, f)
        # 3. Known from the table. (At the root a card is wanted, too.)
        if w[S.TABLE] and f != S.FRAMES:
            settled, tt_card = probe(w, t, f)
            if settled:
                return True
        # 4. Known without a search.
        if w[S.BOUNDS] and w[f + F.BROKEN] and not w[f + F.FIRST] and f != S.FRAMES:
            sure = sure_cost(w, f)
            if sure >= w[f + F.NEED]:
                w[S.VALUE] = sure
                return True
    # 5. The cards to try.
    list_cards(w, f)
    if f == S.FRAMES:
        only_root_cards(w, f)
    score_cards(w, f, tt_card)
    w[f + F.VALUE] = -NOTHING if w[S.MINE] >> w[f + F.SEAT] & 1 else NOTHING
    return False


@lean
def only_root_cards(w, f):
    """Leave out the cards the question rules out."""
    n = np.int64(0)
    for i in range(f + F.LIST, f + F.LIST + w[f + F.MOVES]):
        if w[S.ROOT] & bit(w[i] & CARD_BITS):
            w[f + F.LIST + n] = w[i]
            n += 1
    w[f + F.MOVES] = n


@lean
def descend(w, f, card):
    """Make the frame after a card. False if no hand to move may hold it."""
    g = f + F.SIZE
    seat, seats, played = w[f + F.SEAT], w[H_SEATS], w[f + F.PLAYED]
    w[g + F.UNSEEN] = w[f + F.UNSEEN]
    for i in range(F.MASK, F.SIZE):
        w[g + i] = w[f + i]
    broken, first = w[f + F.BROKEN], w[f + F.FIRST]
    if w[f + F.ROOM + seat] == OPEN:
        w[g + F.MASK + seat] &= ~bit(card)
    else:
        excluded = excluded_cards(w, card, played, w[f + F.LED], w[f + F.BEST], broken, first)
        if not take_card(w, g, seat, card, excluded):
            return False
    cost, plus = w[W_COST + card], larger(w[W_COST + card], 0)
    led, best, winner = card, card, seat
    if played:
        cost += w[f + F.COST]
        plus += w[f + F.PLUS]
        led = w[f + F.LED]
        if not w[W_BEAT + w[f + F.BEST]] & bit(card):
            best, winner = w[f + F.BEST], w[f + F.WINNER]
    up, down, left, gain = w[f + F.UP], w[f + F.DOWN], w[f + F.LEFT], np.int64(0)
    played += 1
    seat = seat + 1 if seat + 1 < seats else 0
    if played == seats:
        up -= plus
        down -= cost - plus
        extra = w[H_TRICK_COST]
        up -= larger(extra, 0)
        down -= smaller(extra, 0)
        if left == 1:
            up -= larger(w[H_LAST_BONUS], 0)
            down -= smaller(w[H_LAST_BONUS], 0)
            extra += w[H_LAST_BONUS]
        if w[S.TEAM] >> winner & 1:
            gain = cost + extra
        played, first, seat = np.int64(0), np.int64(0), winner
        left -= 1
    w[g + F.BROKEN] = 1 if broken or w[H_BREAKERS] & bit(card) else 0
    w[g + F.FIRST] = first
    w[g + F.UP], w[g + F.DOWN], w[g + F.LEFT] = up, down, left
    w[g + F.NEED], w[g + F.GAIN] = w[f + F.NEED] - gain, gain
    w[g + F.COST], w[g + F.PLUS] = cost, plus
    w[g + F.LED], w[g + F.BEST], w[g + F.WINNER] = led, best, winner
    w[g + F.SEAT], w[g + F.PLAYED], w[g + F.CARD] = seat, played, card
    return True


@lean
def absorb(w, f):
    """Take in what a card was worth. Whether that settles the position."""
    g = f + F.SIZE
    value = w[S.VALUE] + w[g + F.GAIN]
    mine = w[S.MINE] >> w[f + F.SEAT] & 1
    w[f + F.VALUE] = larger(w[f + F.VALUE], value) if mine else smaller(w[f + F.VALUE], value)
    if (value >= w[f + F.NEED]) != (mine == 1):
        return False
    w[f + F.CUT] = w[g + F.CARD]
    w[S.HISTORY + mine * CARDS + w[g + F.CARD]] += w[f + F.LEFT]
    return True


@lean
def leave(w, t, f):
    """Hand the value of a position to the one before."""
    w[S.VALUE] = w[f + F.VALUE]
    if w[S.TABLE] and w[f + F.PLAYED] == 0 and f != S.FRAMES:
        keep(w, t, f)


@njit
def start(header, cards, suits, q, w):
    """Prepare a work array for a question. Returns whether any world fits what is known."""
    pack(header, cards, suits, w)
    load(w, q)
    return fits(w, np.int64(S.FRAMES))


@njit
def run(w, t, nodes, out):
    """Search on until the answer is found or so many nodes were entered in all; ``out``: see the ``R_`` constants."""
    f, down = w[S.AT], w[S.DOWN]
    out[R_DONE], out[R_CARD] = 0, -1
    while True:
        if down:
            if w[S.NODES] >= nodes:
                break
            w[S.NODES] += 1
            if enter(w, t, f):
                if f == S.FRAMES:
                    out[R_DONE] = 1
                    break
                f -= F.SIZE
                down = np.int64(0)
                settled = absorb(w, f)
            else:
                down, settled = np.int64(0), False
        else:
            settled = absorb(w, f)
        card = np.int64(-1) if settled else next_card(w, f)
        while card >= 0 and not descend(w, f, card):
            card = next_card(w, f)
        if card >= 0:
            f += F.SIZE
            down = np.int64(1)
            continue
        leave(w, t, f)
        if f == S.FRAMES:
            out[R_DONE] = 1
            if w[S.MINE] >> w[f + F.SEAT] & 1 and w[S.VALUE] >= w[f + F.NEED]:
                out[R_CARD] = w[f + F.CUT]
            break
        f -= F.SIZE
    w[S.AT], w[S.DOWN] = f, down
    out[R_VALUE], out[R_NODES] = w[S.VALUE], w[S.NODES]
