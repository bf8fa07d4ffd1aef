"""What a seat sees as the numbers of the inputs that are set: the first layer of a policy is a sum of their rows.

``setup`` puts rules and plan in place, ``begin`` a game, ``follow_card`` plays a card, ``encode`` lists the inputs of
the
seat to play. Like suits are shown to each seat in the order of its own hand at the first trick, longest first, so that
games that differ by names of suits alone are one game.
"""

import numpy as np

from tricktake._kernels import policy_layout as P
from tricktake._kernels._jit import lean, lowbit_index, popcount
from tricktake._kernels.layout import (
    BROKEN,
    C_SUIT,
    H_CARDS,
    H_FOLLOW,
    H_LAST_BONUS,
    H_NEED_NOT_FOLLOW,
    H_NEVER_WINS,
    H_SEATS,
    H_STAYS,
    H_SUITS,
    H_TRICK_COST,
    MAX_SUITS,
)
from tricktake._kernels.play import (
    CARDS,
    W_BEAT,
    W_CLASS,
    W_COST,
    W_FROM,
    W_SUITS,
    bit,
    flags_after,
    flags_between,
    lead_cards,
    legal_replies,
    pack,
    smaller,
    suit_card,
    takes,
)


@lean
def setup(header, cards, suits, plan, w):
    """Fill the part of the work array that is the same for all games of these rules."""
    pack(header, cards, suits, w)
    for i in range(P.E_SIZE):
        w[P.W_PLAN + i] = plan[i]
    for c in range(header[H_CARDS]):
        w[P.W_SUIT + c] = cards[C_SUIT, c]
    for s in range(header[H_SUITS]):
        w[P.W_LOWEST + s] = lowbit_index(suits[s])


@lean
def begin(row, w):
    """Start the game of a row."""
    n = w[H_SEATS]
    at = P.R_SEATS
    w[P.T_SHOWN] = row[P.R_SHOWN]
    w[P.T_LEADER] = w[P.T_TURN] = row[P.R_LEADER]
    w[P.T_FLAGS] = row[P.R_FLAGS]
    w[P.T_FIRST] = row[P.R_FIRST]
    w[P.T_CALLER], w[P.T_ALLIED], w[P.T_APART] = row[P.R_CALLER], row[P.R_ALLIED], row[P.R_APART]
    w[P.T_PARTNER] = P.SOUGHT if w[P.W_PLAN + P.E_FOUND_BY] else P.NOBODY
    w[P.T_COUNT] = w[P.T_COST] = w[P.T_LED] = w[P.T_LEFT] = w[P.T_GONE] = w[P.T_BEST] = w[P.T_WINNER] = 0
    for s in range(n):
        w[P.T_HANDS + s] = row[at + P.B_HANDS * n + s]
        w[P.T_ASIDE + s] = row[at + P.B_ASIDE * n + s]
        w[P.T_SIDE + s] = row[at + P.B_SIDE * n + s]
        w[P.T_MAYBE + s] = row[at + P.B_MAYBE * n + s]
        w[P.T_MINE + s] = row[at + P.B_MINE * n + s]
        w[P.T_OTHERS + s] = row[at + P.B_OTHERS * n + s]
        w[P.T_GOAL + s] = row[at + P.B_GOAL * n + s]
        w[P.T_ACTOR + s] = row[at + P.B_ACTOR * n + s]
        for o in range(n):
            w[P.T_OPEN + o * P.SEATS + s] = row[at + P.BLOCKS * n + o * n + s]
        w[P.T_PLAYED + s] = w[P.T_TABLE + s] = w[P.T_VOID + s] = w[P.T_TAKEN + s] = w[P.T_WON + s] = 0
        w[P.T_LEFT] += popcount(w[P.T_HANDS + s])
        order_suits(w, s, w[P.T_HANDS + s])


@lean
def order_suits(w, seat, hand):
    """Note where the inputs of a seat show each suit and card; ``hand`` is what it held at the first trick."""
    suits = w[H_SUITS]
    for s in range(suits):
        like = w[P.W_PLAN + P.E_LIKE + s]
        own = hand & w[W_SUITS + s]
        held, ranks = popcount(own), (own >> w[P.W_LOWEST + s]) & ~(np.int64(-1) << popcount(w[W_SUITS + s]))
        before, place, found = 0, np.int64(-1), 0
        for t in range(suits):  # how many like suits come first
            if t == s or w[P.W_PLAN + P.E_LIKE + t] != like:
                continue
            other = hand & w[W_SUITS + t]
            size, faces = popcount(other), (other >> w[P.W_LOWEST + t]) & ~(np.int64(-1) << popcount(w[W_SUITS + t]))
            if size > held or (size == held and (faces > ranks or (faces == ranks and t < s))):
                before += 1
        for t in range(suits):
            if w[P.W_PLAN + P.E_LIKE + t] == like:
                if found == before:
                    place = np.int64(t)
                found += 1
        w[P.W_TO_SUIT + seat * MAX_SUITS + s] = place
        shift = w[P.W_LOWEST + place] - w[P.W_LOWEST + s]
        mask = w[W_SUITS + s]
        while mask:
            c = np.int64(lowbit_index(mask))
            mask &= mask - 1
            w[P.W_TO_CARD + seat * CARDS + c] = c + shift


@lean
def legal_cards(w):
    """The cards the seat to play may play."""
    hand = w[P.T_HANDS + w[P.T_TURN]]
    if w[P.T_COUNT] == 0:
        return lead_cards(w, hand, w[P.T_FLAGS], w[P.T_FIRST])
    return legal_replies(w, hand, w[P.T_LED], w[P.T_BEST], w[P.T_FIRST], w[P.T_FLAGS], w[P.T_TURN], w[P.T_WINNER])


@lean
def follow_card(w, card):
    """Play a card of the seat to play. Whether it finished a trick."""
    n, seat, count = w[H_SEATS], w[P.T_TURN], w[P.T_COUNT]
    mask = bit(card)
    w[P.T_HANDS + seat] &= ~mask
    w[P.T_GONE] |= mask
    w[P.T_LEFT] -= 1
    w[P.T_TABLE + count] = card
    if w[H_STAYS] & mask:
        w[P.T_TAKEN + seat] += w[W_COST + card]
    else:
        w[P.T_COST] += w[W_COST + card]
    w[P.T_FLAGS] = flags_after(w, w[P.T_FLAGS], mask)
    if count == 0:
        w[P.T_LED] = card
        w[P.T_BEST] = card
        w[P.T_WINNER] = seat
    else:
        led = w[P.T_LED]
        if w[H_FOLLOW] and not (w[W_CLASS + led] | w[H_NEVER_WINS]) & mask and not w[H_NEVER_WINS] >> led & 1:
            w[P.T_VOID + seat] |= bit(w[P.W_SUIT + led])
        w[P.T_LED] = suit_card(w, led, card)
        if takes(w, w[P.T_BEST], card, w[P.T_LEFT] < n):
            w[P.T_BEST] = card
            w[P.T_WINNER] = seat
    if count + 1 < n:
        w[P.T_COUNT] = count + 1
        w[P.T_TURN] = seat + 1 if seat + 1 < n else 0
        return False
    winner = w[P.T_WINNER]
    w[P.T_TAKEN + winner] += w[P.T_COST] + w[H_TRICK_COST]
    if w[P.T_LEFT] == 0:
        w[P.T_TAKEN + winner] += w[H_LAST_BONUS]
    w[P.T_WON + winner] += 1
    if w[P.T_PARTNER] == P.SOUGHT:
        find_partner(w, winner)
    for k in range(n):
        s = w[P.T_LEADER] + k
        s = s - n if s >= n else s
        w[P.T_PLAYED + s] |= bit(w[P.T_TABLE + k])
    w[P.T_FLAGS] = flags_between(w, w[P.T_FLAGS], w[P.T_LED])
    w[P.T_COUNT] = w[P.T_COST] = w[P.T_FIRST] = 0
    w[P.T_LEADER] = w[P.T_TURN] = winner
    return True


@lean
def find_partner(w, winner):
    """Whether the trick that was just won makes its winner the partner, or was the last that could."""
    number, led, p = np.int64(0), w[P.W_PLAN + P.E_FOUND_LED], P.W_PLAN + P.E_FOUND_BY
    for s in range(w[H_SEATS]):
        number += w[P.T_WON + s]
    if winner != w[P.T_CALLER] and (led == 0 or led >> w[P.T_TABLE] & 1):
        w[P.T_PARTNER] = winner
    elif number >= w[p]:
        w[P.T_PARTNER] = P.NOBODY


@lean
def true_side(w, row, seat):
    """The side a seat really belongs to, as far as that is decided."""
    side = row[P.R_SEATS + P.B_TRUE * w[H_SEATS] + seat]
    if w[P.T_PARTNER] < 0:
        return side
    pair = bit(w[P.T_PARTNER]) | bit(w[P.T_CALLER])
    return pair if pair >> seat & 1 else (bit(w[H_SEATS]) - 1) & ~pair


@lean
def of_team(w, seat):
    """The seat whose goal and worth are those of a seat: a partner who was found takes over the declarer's."""
    return w[P.T_CALLER] if seat == w[P.T_PARTNER] else seat


@lean
def allies(w, seat):
    """The seats that for all that ``seat``, in turn, knows are surely on its side, and those that may be; both with
    itself.

    Where cards decide: whoever is known to have been dealt one is on the declarer's side; on the other is who can hold
    none, since all are placed, or did not follow their suit, or said so; a card that only one seat can hold is there.
    """
    p, n, me, everyone = P.W_PLAN, w[H_SEATS], w[P.T_ACTOR + seat], bit(w[H_SEATS]) - 1
    cards = w[p + P.E_ALLIED_BY]
    if cards == 0 and w[p + P.E_FOUND_BY] == 0:
        return w[P.T_SIDE + me], w[P.T_MAYBE + me]
    ours, holders = w[P.T_ALLIED], np.int64(0)
    if w[P.T_CALLER] >= 0:
        ours |= bit(w[P.T_CALLER])
    if cards == 0:
        if w[P.T_PARTNER] == P.SOUGHT:
            return bit(me), everyone
        if w[P.T_PARTNER] >= 0:
            ours |= bit(w[P.T_PARTNER])
    else:
        left = cards & ~w[P.T_GONE] & ~w[P.T_ASIDE + me]
        for s in range(n):
            known = w[P.T_HANDS + s] if s == me else open_cards(w, seat, s)
            left &= ~known
            if cards & (known | w[P.T_PLAYED + s]):
                ours |= bit(s)
        for k in range(w[P.T_COUNT]):
            s = w[P.T_LEADER] + k
            if cards >> w[P.T_TABLE + k] & 1:
                ours |= bit(s - n if s >= n else s)
        # Nothing unknown lies aside: each card left is in a hand.
        dealt = w[P.T_LEFT] + popcount(w[P.T_GONE]) + popcount(w[P.T_ASIDE + me]) == w[H_CARDS]
        while left:
            c = np.int64(lowbit_index(left))
            left &= left - 1
            can = everyone & ~bit(me) & ~w[P.T_APART]
            if not w[H_NEED_NOT_FOLLOW] >> c & 1:
                for s in range(n):
                    if w[P.T_VOID + s] >> w[P.W_SUIT + c] & 1:
                        can &= ~bit(s)
            if dealt and not can & (can - 1):
                ours |= can
            holders |= can
    theirs = everyone & ~ours & ~holders
    if ours >> me & 1:
        return ours, everyone & ~theirs
    return theirs, everyone & ~ours


@lean
def put_cards(w, index, n, start, mask, view):
    """List the inputs of a block for a set of cards as the seat sees it; how many are listed now."""
    while mask:
        index[n] = start + w[view + lowbit_index(mask)]
        mask &= mask - 1
        n += 1
    return n


@lean
def level(x, low, span, levels):
    """An amount as one of so many levels."""
    x -= low
    if x < 0:
        return np.int64(0)
    x = x * levels // span
    return x if x < levels else np.int64(levels - 1)


@lean
def need_level(need, step):
    """How far a goal is, as a level: 0 passed, 1 just reached, then further and further."""
    if need < 0:
        return np.int64(0)
    return smaller(np.int64(P.NEEDS - 1), 1 + (need + step - 1) // step)


@lean
def open_cards(w, seat, other):
    """The cards ``seat``, in turn, surely knows in the hand of another."""
    hand = w[P.T_HANDS + other]
    actor = w[P.T_ACTOR + seat]
    if actor == other or (w[P.T_GONE] and w[P.T_SHOWN] >> other & 1):
        return hand
    return w[P.T_OPEN + actor * P.SEATS + other] & hand


@lean
def encode(w, index):
    """List the inputs that are set for the seat to play; how many there are."""
    p, n, seats, suits, seat = P.W_PLAN, 1, w[H_SEATS], w[H_SUITS], w[P.T_TURN]
    cards = w[H_CARDS]
    view, suit_view = P.W_TO_CARD + seat * CARDS, P.W_TO_SUIT + seat * MAX_SUITS
    hand, me = w[P.T_HANDS + seat], w[P.T_ACTOR + seat]
    index[0] = 0  # always set
    n = put_cards(w, index, n, w[p + P.E_HAND], hand, view)
    unseen = (bit(cards) - 1 if cards < 64 else np.int64(-1)) & ~hand & ~w[P.T_GONE] & ~w[P.T_ASIDE + me]
    mine, others, my_tricks, their_tricks = w[P.T_MINE + me], w[P.T_OTHERS + me], np.int64(0), np.int64(0)
    side, maybe = allies(w, seat)
    for r in range(seats):
        s = seat + r
        s = s - seats if s >= seats else s
        n = put_cards(w, index, n, w[p + P.E_PLAYED] + r * cards, w[P.T_PLAYED + s], view)
        taken = w[P.T_TAKEN + s]
        index[n] = w[p + P.E_TAKEN] + r * P.OWN + level(taken, w[p + P.E_LOW], w[p + P.E_SPAN], P.OWN)
        n += 1
        if side >> s & 1:
            mine += taken
            my_tricks += w[P.T_WON + s]
        else:
            others += taken
            their_tricks += w[P.T_WON + s]
        if r == 0:
            continue
        shown = open_cards(w, seat, s)
        unseen &= ~shown
        n = put_cards(w, index, n, w[p + P.E_KNOWN] + (r - 1) * cards, shown, view)
        void = w[P.T_VOID + s]
        while void:
            index[n] = w[p + P.E_VOID] + (r - 1) * suits + w[suit_view + lowbit_index(void)]
            void &= void - 1
            n += 1
        if side >> s & 1:
            index[n] = w[p + P.E_ALLY] + r - 1
            n += 1
        if w[p + P.E_THEIR_NEED]:
            need = need_level(w[P.T_GOAL + s] - taken, w[p + P.E_STEP])
            index[n] = w[p + P.E_THEIR_NEED] + (r - 1) * P.OWN + smaller(need, P.OWN - 1)
            n += 1
        if maybe >> s & 1:
            index[n] = w[p + P.E_MAYBE] + r - 1
            n += 1
    n = put_cards(w, index, n, w[p + P.E_ASIDE], w[P.T_ASIDE + me], view)
    n = encode_trick(w, index, n, hand, view, suit_view)
    for s in range(suits):
        suit, to = w[W_SUITS + s], w[suit_view + s]
        own, out = hand & suit, unseen & suit
        index[n] = w[p + P.E_COUNT] + to * P.COUNTS + smaller(popcount(own), P.COUNTS - 1)
        index[n + 1] = w[p + P.E_UNSEEN] + to * P.COUNTS + smaller(popcount(out), P.COUNTS - 1)
        n += 2
        while own:
            c = np.int64(lowbit_index(own))
            own &= own - 1
            if not out & w[W_FROM + c]:
                index[n] = w[p + P.E_MASTER] + w[view + c]
                n += 1
    low, span = w[p + P.E_LOW], w[p + P.E_SPAN]
    index[n] = w[p + P.E_MINE] + level(mine, low, span, P.FINE)
    index[n + 1] = w[p + P.E_MINE] + P.FINE + level(mine, low, span, P.COARSE)
    index[n + 2] = w[p + P.E_OTHERS] + level(others, low, span, P.FINE)
    index[n + 3] = w[p + P.E_OTHERS] + P.FINE + level(others, low, span, P.COARSE)
    index[n + 4] = w[p + P.E_LEFT] + popcount(hand)
    n += 5
    goal = w[P.T_GOAL + of_team(w, me)]
    if goal != P.NO_GOAL:
        index[n] = w[p + P.E_NEED] + need_level(goal - mine, w[p + P.E_STEP])
        n += 1
    for flag in range(4):
        on = (my_tricks == 0, their_tricks == 0, w[P.T_FIRST] != 0, w[P.T_FLAGS] & BROKEN != 0)[flag]
        if on:
            index[n] = (w[p + P.E_NO_TRICK] + flag) if flag < 2 else (w[p + P.E_FLAGS] + flag - 2)
            n += 1
    return n


@lean
def encode_trick(w, index, n, hand, view, suit_view):
    """The inputs of the trick on the table; how many are listed now."""
    p, seats, count = P.W_PLAN, w[H_SEATS], w[P.T_COUNT]
    index[n] = w[p + P.E_POSITION] + count
    n += 1
    if count == 0:
        return n
    for k in range(count):  # the seat that led sits ``count`` before the one to play
        r = seats - count + k
        index[n] = w[p + P.E_TABLE] + (r - 1) * w[H_CARDS] + w[view + w[P.T_TABLE + k]]
        n += 1
    if not w[H_NEVER_WINS] >> w[P.T_LED] & 1:
        index[n] = w[p + P.E_LED] + w[suit_view + w[P.W_SUIT + w[P.T_LED]]]
        n += 1
    ahead = w[P.T_WINNER] - w[P.T_TURN]
    index[n] = w[p + P.E_BEST] + (ahead if ahead > 0 else ahead + seats) - 1
    index[n + 1] = w[p + P.E_POT] + level(w[P.T_COST], w[p + P.E_POT_LOW], w[p + P.E_POT_SPAN], P.POT)
    n += 2
    return put_cards(w, index, n, w[p + P.E_WINS], hand & w[W_BEAT + w[P.T_BEST]], view)
