"""Open-card search: what a coalition of seats gets of the cost still to come if all cards lie open.

``search`` is alpha-beta with a null window, fail-soft: does the side still get at least ``need``? Exact values are a
sequence of such searches over one transposition table, as in MTD(f). The steps are numbered as in docs/solver.md.
Positions come as rows (``position``), rules as compiled arrays; ``w`` is the work array, ``t`` the transposition table.
"""

import numpy as np

from tricktake._kernels import layout as L
from tricktake._kernels import notes, patterns, play, position, relations, relaxed, shape, tally
from tricktake._kernels import opencard_frame as F
from tricktake._kernels import opencard_state as S
from tricktake._kernels._jit import highbit_index, lean, lowbit_index, njit, popcount
from tricktake._kernels.bounds import (
    coalition_of,
    ducks_all,
    lone_seat,
    quick_tricks,
    sure_cost,
    top_trump_cost,
)
from tricktake._kernels.later import later_tricks, others_of
from tricktake._kernels.order import (
    CARD_BITS,
    GROUP_BITS,
    GROUP_SHIFT,
    SCORE_SHIFT,
    STYLE_TRICKS,
    legal_of,
    list_cards,
    role_of,
    score_cards,
    score_tricks,
    set_weights,
    style_of,
)
from tricktake._kernels.play import bit, flags_after, flags_between, larger, pack, smaller, suit_card, takes
from tricktake._kernels.position import advance, best_seat, flags_of, kept, led_card, legal_cards, over, turn_of
from tricktake._kernels.taking import taken
from tricktake._kernels.transposition import E_HIGH, E_LOW, E_REST, E_TAG, MOVE_BITS, TAG_SHIFT, find, new_epoch, tag_of

WORK = S.FRAMES + (play.CARDS + 2) * F.SIZE  # words of a work array; one frame more where a relaxed search begins

UNIT = 12  # mean cost of a trick in Skat, on which the weights of the ordering were learned

# What a row of results says.
R_KNOWN = 0  # 1: the answer is exact, 0: the node limit came first
R_LOW = 1  # bounds on the final cost of the side, equal if known
R_HIGH = 2
R_CARD = 3  # a best card, -1 if nothing was found
R_NODES = 4
R_WINDOWS = 5
RESULT = 6

UNLISTED = -1  # instead of a number of cards to try
NO_GUESS = -(1 << 62)  # instead of a first guess: find one


@lean
def load_trick(w, row):
    """Put the cards on the table of a position into the frame at the bottom of the stack."""
    f, played = np.int64(S.FRAMES), row[position.P_PLAYED]
    w[f + F.PLAYED] = played
    w[f + F.COST] = 0
    w[f + F.PLUS] = 0
    w[f + F.LED] = 0
    w[f + F.BEST] = 0
    w[f + F.WINNER] = row[position.P_LEADER]
    w[f + F.TABLE] = 0
    if played:
        best = best_seat(w, row)
        w[f + F.LED] = led_card(w, row)
        w[f + F.BEST] = row[position.P_TABLE + best]
        w[f + F.WINNER] = (row[position.P_LEADER] + best) % w[L.H_SEATS]
    for i in range(played):
        card = row[position.P_TABLE + i]
        w[f + F.TABLE] |= bit(card)
        if not w[L.H_STAYS] & bit(card):
            w[f + F.COST] += w[play.W_COST + card]
            w[f + F.PLUS] += larger(w[play.W_COST + card], 0)


@lean
def load(w, row):
    """Put a position at the bottom of the stack."""
    seats = w[L.H_SEATS]
    side = row[position.P_SIDE]
    w[S.SIDE] = side
    w[S.MAX] = side if row[position.P_SENSE] > 0 else ~side & (bit(seats) - 1)
    rest, tricks = np.int64(0), np.int64(0)
    for seat in range(seats):
        hand = row[position.P_HANDS + seat]
        w[S.HANDS + seat] = hand
        rest |= hand
        tricks = larger(tricks, popcount(hand))
    w[S.REST] = rest
    load_trick(w, row)
    f = np.int64(S.FRAMES)
    up, down = w[f + F.PLUS], w[f + F.COST] - w[f + F.PLUS]
    while rest:
        card = lowbit_index(rest)
        rest ^= bit(card)
        cost = w[play.W_COST + card]
        up += larger(cost, 0)
        down += smaller(cost, 0)
    if tricks:
        up += tricks * larger(w[L.H_TRICK_COST], 0) + larger(w[L.H_LAST_BONUS], 0)
        down += tricks * smaller(w[L.H_TRICK_COST], 0) + smaller(w[L.H_LAST_BONUS], 0)
    w[f + F.UP] = up
    w[f + F.DOWN] = down
    w[f + F.SEAT] = turn_of(w, row)
    w[f + F.BROKEN] = flags_of(w, row)
    w[f + F.FIRST] = row[position.P_FIRST] and (w[L.H_FIRST_LEAD] | w[L.H_FIRST_BAN]) != 0
    w[f + F.WON] = 0
    w[S.STYLE] = style_of(w)
    w[S.BOUNDS] = w[L.H_FOLLOW] and down == 0 and not w[L.H_OVERTAKE] and not w[L.H_RARE]
    if w[L.H_COPIES] and w[S.STYLE] == STYLE_TRICKS:
        w[S.BOUNDS] = 0
    if w[L.H_TRUMP_WHEN_VOID] and w[L.H_TRUMP] >= 0:  # a partner may have to ruff
        w[S.BOUNDS] = 0
    w[S.UNIT] = larger((UNIT * tricks) // larger(up, 1), 1)
    for seat in range(seats):
        w[S.ROLE + seat] = role_of(w, seat)
    w[f + F.GAIN] = 0
    w[f + F.CARD] = -1
    w[f + F.CUT] = -1
    shape.start(w, f)


@lean
def enter(w, t, f):
    """Steps 1 to 5: settle a position at once (True, value in S.VALUE), or choose the card to try first."""
    need, low, high = w[f + F.NEED], w[f + F.DOWN], w[f + F.UP]
    # 1. Everything or nothing is enough.
    w[S.REL] = 0
    left = w[S.REST] | w[f + F.TABLE]
    if need <= low:
        w[S.VALUE] = low
        tally.put_least(w, S.TALLY, left)
        return True
    if need > high:
        w[S.VALUE] = high
        tally.put_most(w, S.TALLY, left)
        return True
    tt_card = np.int64(-1)
    tally.begin(w, f, left)
    w[f + F.REL] = 0
    w[f + F.REL_LOW] = 0
    w[f + F.REL_HIGH] = 0
    w[f + F.HEAD] = 0
    w[f + F.ENTRY] = 0
    w[f + F.HINT] = -1
    w[f + F.LOW] = low
    w[f + F.HIGH] = high
    if w[f + F.PLAYED] == 0:
        seat = w[f + F.SEAT]
        # 2. The last trick plays itself.
        if popcount(w[S.HANDS + seat]) == 1 and not w[L.H_RARE]:
            w[S.VALUE] = last_trick(w, seat)
            return True
        settled, tt_card = look_up(w, t, f)
        if settled:
            return True
        if w[S.BOUNDS] and not w[f + F.BROKEN] & L.PENDING and not w[f + F.FIRST] and estimate(w, t, f, seat):
            return True
    elif w[f + F.PLAYED] == 1 and w[S.BOUNDS] and w[f + F.BROKEN] == L.BROKEN and not w[f + F.FIRST]:
        if answered(w, f):
            return True
    # 5. The card to try before any is listed.
    legal = legal_of(w, f)
    w[f + F.LEGAL] = legal
    w[f + F.FORCED] = legal & (legal - 1) == 0
    w[f + F.NOTE] = 0
    if w[f + F.FORCED]:
        w[f + F.HINT] = lowbit_index(legal)
    else:
        noted = notes.find_note(w, t, f)
        hint = tt_card if tt_card >= 0 else noted if noted >= 0 else w[f + F.HINT]
        w[f + F.HINT] = hint if hint >= 0 and legal >> hint & 1 else -1
    w[f + F.EXCHANGE] = w[S.PATTERNS] >> w[f + F.BROKEN] & 1 and not w[f + F.FIRST]
    w[f + F.MOVES] = UNLISTED
    w[f + F.GROUPS] = 0
    w[f + F.NEXT] = 0
    w[f + F.CUT] = -1
    w[f + F.VALUE] = w[f + F.LOW] if w[S.MAX] >> w[f + F.SEAT] & 1 else w[f + F.HIGH]
    return False


@lean
def list_scored(w, f):
    """List the cards to try with their scores; the hint, if there is one, was tried already."""
    hint, first = w[f + F.HINT], w[f + F.NEXT]
    list_cards(w, f, w[f + F.LEGAL], w[f + F.PLAYED] + 1 == w[L.H_SEATS], hint)
    if w[f + F.MOVES] > first + 1:
        if w[S.STYLE] == STYLE_TRICKS:
            score_tricks(w, f, first)
        else:
            score_cards(w, f, first)


@lean
def look_up(w, t, f):
    """Step 3: what a table knows of the position. Whether that settles it, and the card to try first, -1 if none."""
    if w[S.PATTERNS] >> w[f + F.BROKEN] & 1 and not w[f + F.FIRST]:
        return patterns.probe(w, t, f, w[f + F.NEED])
    tag = tag_of(t, w[f + F.SEAT], w[f + F.BROKEN])
    entry = find(t, w[S.REST], tag)
    w[f + F.TAG] = tag
    w[f + F.ENTRY] = 1
    if entry <= 0:
        return False, np.int64(-1)
    low, high = larger(w[f + F.LOW], t[entry + E_LOW]), smaller(w[f + F.HIGH], t[entry + E_HIGH])
    w[f + F.LOW] = low
    w[f + F.HIGH] = high
    w[S.VALUE] = low if low >= w[f + F.NEED] else high
    tally.put(w, S.TALLY, np.int64(0), w[S.REST])
    tally.copy(w, f + F.TALLY_LOW, S.TALLY)
    tally.copy(w, f + F.TALLY_HIGH, S.TALLY)
    settled = low >= w[f + F.NEED] or high < w[f + F.NEED]
    return settled, (t[entry + E_TAG] & MOVE_BITS) - 1


@lean
def estimate(w, t, f, seat):
    """Step 4: what the bounds know between two tricks, ``seat`` being on lead. True if that settles the position."""
    free = w[f + F.BROKEN] == L.BROKEN  # to lead any card
    if w[S.STYLE] == STYLE_TRICKS:
        return free and bound_tricks(w, f, seat)
    mine = w[S.SIDE] >> seat & 1 == 1
    wanted = (w[S.MAX] >> seat & 1 == 1) == mine  # the leader's coalition wants cost
    if wanted and free and narrow(w, f, mine, sure_cost(w, seat)):
        return True
    if w[L.H_TRUMP] >= 0:
        others = others_of(w, w[S.SIDE])
        if narrow(w, f, True, top_trump_cost(w, w[S.SIDE])) or narrow(w, f, False, top_trump_cost(w, others)):
            return True
    elif not mine and not wanted:
        lone = lone_seat(w)
        if lone >= 0 and ducks_all(w, lone):
            w[S.VALUE] = 0
            tally.put(w, S.TALLY, np.int64(0), np.int64(0))
            return True
    if (mine and not w[S.GUESSES]) or not relaxed.knows(w, f):
        return False
    settled = relaxed.refuses(w, t, f, w[f + F.NEED]) or w[S.GUESSES]
    tally.put(w, S.TALLY, np.int64(0), w[S.REST])
    return settled


@lean
def answered(w, f):
    """Step 4 behind a lead: what those who did not lead are sure to get. True if that settles the position."""
    if w[S.MAX] != w[S.SIDE]:
        return False
    coalition = (bit(w[L.H_SEATS]) - 1) ^ coalition_of(w, w[f + F.WINNER])
    return narrow(w, f, w[S.SIDE] == coalition, taken(w, f, coalition))


@lean
def narrow(w, f, ours, sure):
    """Take in that a coalition, that of the side or the other, gets so much at least. True if that is enough."""
    if ours:
        if sure > w[f + F.LOW]:
            w[f + F.LOW] = sure
            w[f + F.REL_LOW] = w[S.REL]
            tally.copy(w, f + F.TALLY_LOW, S.TALLY)
        if w[f + F.LOW] < w[f + F.NEED]:
            return False
        w[S.VALUE] = w[f + F.LOW]
        w[S.REL] = w[f + F.REL_LOW]
        tally.copy(w, S.TALLY, f + F.TALLY_LOW)
        return True
    if w[f + F.UP] - sure < w[f + F.HIGH]:
        w[f + F.HIGH] = w[f + F.UP] - sure
        w[f + F.REL_HIGH] = w[S.REL]
        left = w[S.REST] | w[f + F.TABLE]
        tally.put(w, f + F.TALLY_HIGH, left & ~w[S.TALLY + 1], left & ~w[S.TALLY])
    if w[f + F.HIGH] >= w[f + F.NEED]:
        return False
    w[S.VALUE] = w[f + F.HIGH]
    w[S.REL] = w[f + F.REL_HIGH]
    tally.copy(w, S.TALLY, f + F.TALLY_HIGH)
    return True


@lean
def bound_tricks(w, f, seat):
    """Step 4 where only tricks count: what the leader's coalition takes at once, and what both get whoever leads."""
    coalition = coalition_of(w, seat)
    ours = w[S.SIDE] == coalition
    each = w[L.H_TRICK_COST] + w[L.H_SEATS] * w[play.W_PRICE]
    if narrow(w, f, ours, each * quick_tricks(w, seat, coalition)):
        return True
    wanted = tricks_wanted(w, f, not ours, each)
    if narrow(w, f, not ours, each * later_tricks(w, others_of(w, coalition), seat, wanted)):
        return True
    wanted = tricks_wanted(w, f, ours, each)
    return narrow(w, f, ours, each * later_tricks(w, coalition, seat, wanted))


@lean
def tricks_wanted(w, f, ours, each):
    """How many tricks, ``each`` of which costs the same, a coalition, that of the side or the other, needs to settle
    the question.
    """
    if ours:
        return (w[f + F.NEED] + each - 1) // each
    return (w[f + F.UP] - w[f + F.NEED]) // each + 1


@lean
def last_trick(w, leader):
    """What the side gets of the last trick, led by ``leader``."""
    seats = w[L.H_SEATS]
    best = np.int64(lowbit_index(w[S.HANDS + leader]))
    winner, cost, seat = leader, w[L.H_TRICK_COST] + w[L.H_LAST_BONUS] + w[play.W_COST + best], leader
    for _ in range(seats - 1):
        seat = seat + 1 if seat + 1 < seats else 0
        card = np.int64(lowbit_index(w[S.HANDS + seat]))
        cost += w[play.W_COST + card]
        if w[play.W_BEAT + best] & bit(card):
            best, winner = card, seat
    rivals = w[S.REST] & w[play.W_CLASS + best]
    w[S.REL] = bit(best) if rivals & (rivals - 1) else 0
    if not w[S.SIDE] >> winner & 1:
        tally.put(w, S.TALLY, np.int64(0), np.int64(0))
        return np.int64(0)
    tally.put(w, S.TALLY, w[S.REST], w[S.REST])
    return cost


@lean
def exchangeable(w, f, card, group, other):
    """Whether a card would do the same as one that was tried: the ``other``-th of the list.

    It is of its group; or both lie below every rank of their suit on which the bound of the other one rests. Then the
    cards may be exchanged in the proof, and the results differ by no more than their costs (docs/solver.md).
    """
    move = w[f + F.LIST + other]
    if move >> GROUP_SHIFT & GROUP_BITS == group:
        return True
    first = move & CARD_BITS
    if w[play.W_CLASS + card] != w[play.W_CLASS + first]:
        return False
    if w[f + F.SEEN_REL + other] & w[play.W_UPTO + larger(card, first)]:
        return False
    return w[f + F.BROKEN] == L.BROKEN or not (w[play.W_MARKS + card] ^ w[play.W_MARKS + first]) & play.MARK_LEAD


@lean
def next_card(w, f):
    """Step 6: the best card not tried yet, leaving out those that one that was tried rules out; -1 if none."""
    if w[f + F.MOVES] == UNLISTED:
        if w[f + F.NEXT] == 0 and w[f + F.HINT] >= 0:
            w[f + F.LIST] = w[f + F.HINT]
            return w[f + F.HINT]
        if w[f + F.FORCED]:
            return np.int64(-1)
        list_scored(w, f)
    most = w[S.MAX] >> w[f + F.SEAT] & 1
    count = w[f + F.MOVES]
    need = w[f + F.NEED]
    while w[f + F.NEXT] < count:
        i = f + F.LIST + w[f + F.NEXT]
        top = i
        for j in range(i + 1, f + F.LIST + count):
            if w[j] >> SCORE_SHIFT > w[top] >> SCORE_SHIFT:
                top = j
        move = w[top]
        while top > i:
            w[top] = w[top - 1]
            top -= 1
        w[i] = move
        card, group = move & CARD_BITS, move >> GROUP_SHIFT & GROUP_BITS
        ruled_out = False
        for j in range(w[f + F.NEXT]):
            if not exchangeable(w, f, card, group, j):
                continue
            bound = w[f + F.SEEN + j] + tally.exchanged_cost(w, f, card, j, most)
            if (bound < need) == (most == 1):
                tally.take_exchanged(w, f, card, j)
                w[f + F.VALUE] = larger(w[f + F.VALUE], bound) if most else smaller(w[f + F.VALUE], bound)
                w[f + F.SEEN + w[f + F.NEXT]] = bound
                w[f + F.SEEN_REL + w[f + F.NEXT]] = np.int64(-1)  # its bound rests on its group as well
                ruled_out = True
                break
        if not ruled_out:
            return card
        w[f + F.NEXT] += 1
    return np.int64(-1)


@lean
def descend(w, f, card):
    """Step 7: play a card and make the frame of the position after it."""
    g = f + F.SIZE
    seat = w[f + F.SEAT]
    mask = bit(card)
    w[S.HANDS + seat] ^= mask
    w[S.REST] ^= mask
    shape.without(w, f, g, card)
    price = w[play.W_COST + card]
    led, best, winner, played = w[f + F.LED], w[f + F.BEST], w[f + F.WINNER], w[f + F.PLAYED] + 1
    need, up, down, first = w[f + F.NEED], w[f + F.UP], w[f + F.DOWN], w[f + F.FIRST]
    gain, flags = np.int64(0), flags_after(w, w[f + F.BROKEN], mask)
    if w[L.H_RARE] and w[L.H_STAYS] & mask:
        if w[S.SIDE] >> seat & 1:
            gain = price
        up -= larger(price, 0)
        down -= smaller(price, 0)
        price = np.int64(0)
    cost, plus = w[f + F.COST] + price, w[f + F.PLUS] + larger(price, 0)
    if played == 1:
        led, best, winner = card, card, seat
    elif w[L.H_RARE]:
        led = suit_card(w, led, card)
        if takes(w, best, card, w[S.HANDS + seat] == 0):
            best, winner = card, seat
    elif w[play.W_BEAT + best] & mask:
        best, winner = card, seat
    won, table, took = np.int64(0), w[f + F.TABLE] | mask, np.int64(0)
    following = seat + 1 if seat + 1 < w[L.H_SEATS] else 0
    if played == w[L.H_SEATS]:
        each = w[L.H_TRICK_COST]
        up -= plus + larger(each, 0)
        down -= cost - plus + smaller(each, 0)
        if w[S.REST] == 0:  # only from a start within the last trick
            each += w[L.H_LAST_BONUS]
            up, down = np.int64(0), np.int64(0)
        if w[S.SIDE] >> winner & 1:
            gain += cost + each
            took = table
        flags = flags_between(w, flags, led)
        rivals = table & w[play.W_CLASS + best]
        if rivals & (rivals - 1):
            won = bit(best)
        table = np.int64(0)
        following, played, cost, plus, first = winner, np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    w[g + F.SEAT] = following
    w[g + F.PLAYED] = played
    w[g + F.LED] = led
    w[g + F.BEST] = best
    w[g + F.WINNER] = winner
    w[g + F.COST] = cost
    w[g + F.PLUS] = plus
    w[g + F.NEED] = need - gain
    w[g + F.UP] = up
    w[g + F.DOWN] = down
    w[g + F.BROKEN] = flags
    w[g + F.FIRST] = first
    w[g + F.GAIN] = gain
    w[g + F.CARD] = card
    w[g + F.TABLE] = table
    w[g + F.WON] = won
    w[g + F.TOOK] = took


@lean
def absorb(w, f, card, value, rel, always, ever):
    """Step 8: take in the value of the position after ``card``. True if the question of this frame is answered."""
    w[f + F.SEEN + w[f + F.NEXT]] = value
    w[f + F.SEEN_REL + w[f + F.NEXT]] = rel if w[f + F.EXCHANGE] else np.int64(-1)
    tally.put(w, f + F.SEEN_TALLY + 2 * w[f + F.NEXT], always, ever)
    w[f + F.NEXT] += 1
    most = w[S.MAX] >> w[f + F.SEAT] & 1
    if w[f + F.NEXT] == 1 or (value > w[f + F.VALUE] if most else value < w[f + F.VALUE]):
        w[f + F.VALUE] = value
    if (value >= w[f + F.NEED]) == (most == 1):
        w[f + F.CUT] = card
        w[f + F.REL] = rel  # this card alone answers it
        tally.put(w, f + F.TALLY, always, ever)
        return True
    w[f + F.REL] |= rel
    tally.join(w, f + F.TALLY, always, ever)
    return False


@lean
def leave(w, t, f):
    """Step 9: the value of a frame, within what was known before, is kept in a table."""
    value, rel = w[f + F.VALUE], w[f + F.REL]
    if w[f + F.CUT] < 0:
        # What was left out of a group is proved by exchanging cards of the group, so all of it counts.
        for i in range(f + F.GROUP, f + F.GROUP + w[f + F.GROUPS]):
            if rel & w[play.W_UPTO + highbit_index(w[i])]:
                rel |= w[i] & -w[i]
            tally.take_group(w, f, w[i])
    elif w[f + F.NOTE]:
        notes.take_note(w, t, f, w[f + F.CUT])
    if value >= w[f + F.NEED]:
        if w[f + F.LOW] > value:
            value = w[f + F.LOW]
            rel |= w[f + F.REL_LOW]
            tally.copy(w, f + F.TALLY, f + F.TALLY_LOW)
    elif w[f + F.HIGH] < value:
        value = w[f + F.HIGH]
        rel |= w[f + F.REL_HIGH]
        tally.copy(w, f + F.TALLY, f + F.TALLY_HIGH)
    w[S.VALUE] = value
    w[S.REL] = rel
    tally.copy(w, S.TALLY, f + F.TALLY)
    if w[f + F.PLAYED]:
        return
    if not w[f + F.ENTRY]:
        if not w[f + F.FORCED]:
            w[S.REL] = patterns.keep(w, t, f, value, np.int64(value >= w[f + F.NEED]), w[f + F.CUT], rel)
        return
    # The search below may have moved the entry found on entering.
    entry, tag = find(t, w[S.REST], w[f + F.TAG]), w[f + F.TAG]
    if entry < 0:
        entry = -entry
        t[entry + E_REST] = w[S.REST]
        t[entry + E_TAG] = tag
        t[entry + E_LOW] = w[f + F.LOW]
        t[entry + E_HIGH] = w[f + F.HIGH]
    if value >= w[f + F.NEED]:
        t[entry + E_LOW] = larger(t[entry + E_LOW], value)
    else:
        t[entry + E_HIGH] = smaller(t[entry + E_HIGH], value)
    if w[f + F.CUT] >= 0:
        t[entry + E_TAG] = t[entry + E_TAG] >> TAG_SHIFT << TAG_SHIFT | (w[f + F.CUT] + 1)


@lean
def search(w, t, need):
    """Whether the side gets at least ``need`` from the loaded position on, as a bound on what it gets.

    A result >= need is a lower bound, one below an upper bound. Void if S.STOPPED is set afterwards.
    """
    f = np.int64(S.FRAMES)  # not a literal: numba would compile every step twice
    w[f + F.NEED] = need
    w[S.STOPPED] = 0
    while True:
        settled = enter(w, t, f)
        while True:
            if settled:
                if f == S.FRAMES:
                    return w[S.VALUE]
                value, rel = w[S.VALUE] + w[f + F.GAIN], w[S.REL] | w[f + F.WON]
                always, ever = w[S.TALLY] | w[f + F.TOOK], w[S.TALLY + 1] | w[f + F.TOOK]
                card = w[f + F.CARD]
                f -= F.SIZE
                mask = bit(card)
                w[S.HANDS + w[f + F.SEAT]] |= mask
                w[S.REST] |= mask
                settled = absorb(w, f, card, value, rel, always, ever)
                if settled:
                    leave(w, t, f)
                continue
            card = next_card(w, f)
            if card < 0:
                leave(w, t, f)
                settled = True
                continue
            if w[S.NODES] >= w[S.LIMIT]:
                w[S.STOPPED] = 1
                return np.int64(0)
            w[S.NODES] += 1
            descend(w, f, card)
            f += F.SIZE
            break


@lean
def first_line(w):
    """What the side gets from the loaded position if every seat plays the card it would try first."""
    f = np.int64(S.FRAMES)
    gain = np.int64(0)
    while w[S.REST]:
        list_cards(w, f, legal_of(w, f), w[f + F.PLAYED] + 1 == w[L.H_SEATS], np.int64(-1))
        if w[f + F.MOVES] > 1:
            score_cards(w, f, np.int64(0))
        top = f + F.LIST
        for i in range(top + 1, f + F.LIST + w[f + F.MOVES]):
            if w[i] >> SCORE_SHIFT > w[top] >> SCORE_SHIFT:
                top = i
        w[f + F.NEED] = 0
        descend(w, f, w[top] & CARD_BITS)
        f += F.SIZE
        gain += w[f + F.GAIN]
    return gain


@lean
def bounds(w, t, row, number, once, result):
    """Bounds on the final cost of the side: the exact value, or with ``once`` only on which side of ``number`` it is.

    The first question is whether it reaches ``number``. Then comes always the next best one; where a side wants cost
    and cards differ in it, numbers one, two, four ... further until the value lies between two, then the middle of
    these. Without a number those that try to take from a lone seat are asked first what they get in the relaxed game,
    which is mostly the value. Fills ``result``.
    """
    load(w, row)
    taken = row[position.P_TAKEN] + kept(w, row)
    low, high = w[S.FRAMES + F.DOWN], w[S.FRAMES + F.UP]
    need = number - taken
    card, windows, start, known = np.int64(-1), 0, w[S.NODES], 1
    loose = low  # what the relaxed game is worth at least
    relaxing = number == NO_GUESS and relaxed.knows(w, np.int64(S.FRAMES))
    w[S.GUESSES] = relaxing
    if number == NO_GUESS:
        need = (low + high + 1) // 2
        if w[S.MAX] != w[S.SIDE]:
            need = low + 1  # who avoids cost mostly succeeds
        elif w[play.W_PRICES] > 1:
            need = first_line(w)
            load(w, row)
    least, most, step, one_by_one = low, high, np.int64(1), w[play.W_PRICES] == 1 or w[S.MAX] != w[S.SIDE]
    while low < high:
        if once and (need <= low or need > high):
            break
        if w[S.GUESSES] and loose >= high:
            w[S.GUESSES] = 0
        need = smaller(larger(need, low + 1), high)
        w[S.FRAMES + F.CUT] = -1
        value = search(w, t, need)
        if w[S.STOPPED]:
            known = 0
            break
        windows += 1
        if w[S.FRAMES + F.CUT] >= 0:  # the closest question so far that the seat to move could answer its way
            card = w[S.FRAMES + F.CUT]
        elif relaxing and value < need:  # a bound that says more than the relaxed search did, but names no card
            card = np.int64(-1)
        granted = value >= need
        if granted and w[S.GUESSES]:
            loose = value
        elif granted:
            low = value
        else:
            high = value
        if once:
            break
        if one_by_one:
            need = value + 1 if granted else value
        elif least < low and high < most:
            need = (low + high + 1) // 2
        else:
            need = low + step if granted else high + 1 - step
            step *= 2
    result[R_KNOWN] = known
    result[R_LOW] = low + taken
    result[R_HIGH] = high + taken
    result[R_CARD] = card
    result[R_NODES] = w[S.NODES] - start
    result[R_WINDOWS] = windows


@njit
def solve_cards(w, t, row, number, once, result, lows, highs):
    """``bounds`` after every legal card of a row; ``result`` gets those of the best card."""
    child = np.zeros(position.ROW, np.int64)
    mover = row[position.P_SENSE] if row[position.P_SIDE] >> turn_of(w, row) & 1 else -row[position.P_SENSE]
    known, windows, start = 1, 0, w[S.NODES]
    best, low, high = np.int64(-1), np.int64(0), np.int64(0)
    legal = legal_cards(w, row)
    while legal:
        card = np.int64(lowbit_index(legal))
        legal ^= bit(card)
        for i in range(position.ROW):  # an array as a whole would bring numba's message, with its file, into the code
            child[i] = row[i]
        advance(w, child, card)
        bounds(w, t, child, number, once, result)
        lows[card], highs[card] = result[R_LOW], result[R_HIGH]
        windows += result[R_WINDOWS]
        if not result[R_KNOWN]:
            known = 0
        if best < 0 or (result[R_LOW] - low if mover > 0 else high - result[R_HIGH]) > 0:
            best, low, high = card, result[R_LOW], result[R_HIGH]
        if not once:
            number = result[R_LOW]
    result[R_KNOWN] = known
    result[R_LOW] = low
    result[R_HIGH] = high
    result[R_CARD] = best
    result[R_NODES] = w[S.NODES] - start
    result[R_WINDOWS] = windows


@njit
def follow_line(w, t, row, result, line, lows, highs):
    """The play that yields the exact value in ``result``: from each position a card that keeps it.

    ``line`` gets up to 64 cards, -1 beyond its end; if it is empty only a first card is found. lows, highs: scratch.
    """
    at = row.copy()
    value, card, start = result[R_LOW], result[R_CARD], w[S.NODES]
    length = line.size if line.size else 1
    n = 0
    while n < length and not over(w, at):
        if card < 0:
            mover = at[position.P_SENSE] if at[position.P_SIDE] >> turn_of(w, at) & 1 else -at[position.P_SENSE]
            solve_cards(w, t, at, value if mover > 0 else value + 1, np.int64(1), result, lows, highs)
            if not result[R_KNOWN]:
                break
            card = result[R_CARD]
        if n == 0:
            first = card
        if line.size:
            line[n] = card
        advance(w, at, card)
        card = np.int64(-1)
        n += 1
    result[R_KNOWN] = 1
    result[R_LOW] = value
    result[R_HIGH] = value
    result[R_CARD] = first if n else -1
    result[R_NODES] = w[S.NODES] - start


@lean
def same_deal(row, other):
    """Whether two rows are one question but for the leader, so that they can share a table."""
    for i in range(position.ROW):
        if i != position.P_LEADER and i != position.P_TAKEN and row[i] != other[i]:
            return False
    return row[position.P_PLAYED] == 0


@lean
def prepare(w, t, row):
    """Learn the deal of a row, and whether the opponents of a lone seat can be relaxed."""
    patterns.prepare(w, t, row)
    w[S.LONE] = relaxed.lone_of(w, t, row)
    if w[S.LONE] >= 0:
        w[S.ENTRY] = relations.ENTRY  # for all lists


@lean
def begin(w, t, rows, i, limit, fresh):
    """Make ready for a row; one that differs from the row before in the leader only goes on with its tables, and so
    does the first one unless ``fresh``: it was the last one asked about.
    """
    if i == 0 or not same_deal(rows[i], rows[i - 1]):
        if i or fresh:
            new_epoch(t)
            patterns.forget(t)
        prepare(w, t, rows[i])
    w[S.NODES] = 0
    w[S.LIMIT] = limit


# Three entrances instead of one with a mode: what is not asked for need not be compiled.


@njit
def ask_rows(header, cards, suits, weights, rows, numbers, once, fresh, limit, t, results):
    """Fill ``results`` with the values of many rows (numbers: first guesses), or with ``once`` with the answers to
    whether they reach ``numbers``. fresh: see ``begin``. limit: nodes a row.
    """
    w = np.zeros(WORK, np.int64)
    pack(header, cards, suits, w)
    set_weights(w, weights)
    for i in range(rows.shape[0]):
        begin(w, t, rows, i, limit, fresh)
        number = numbers[i]
        if number == NO_GUESS and i and results[i - 1, R_KNOWN] and same_deal(rows[i], rows[i - 1]):
            number = results[i - 1, R_LOW] - rows[i - 1, position.P_TAKEN] + rows[i, position.P_TAKEN]
        bounds(w, t, rows[i], number, once, results[i])


@njit
def ask_cards(header, cards, suits, weights, rows, numbers, once, fresh, limit, t, results, lows, highs):
    """The same after every legal card of the rows: lows, highs of shape (rows, 64) get the bounds."""
    w = np.zeros(WORK, np.int64)
    pack(header, cards, suits, w)
    set_weights(w, weights)
    for i in range(rows.shape[0]):
        begin(w, t, rows, i, limit, fresh)
        solve_cards(w, t, rows[i], numbers[i], once, results[i], lows[i], highs[i])


@njit
def ask_line(header, cards, suits, weights, row, fresh, limit, t, result, line, scratch):
    """A best card, and a line of play as long as ``line``, to the exact value that is in ``result`` already.

    Unless ``fresh``, the row was the last one asked about, and its tables are of use.
    """
    w = np.zeros(WORK, np.int64)
    pack(header, cards, suits, w)
    set_weights(w, weights)
    if fresh:
        new_epoch(t)
        patterns.forget(t)
    prepare(w, t, row)
    w[S.NODES] = 0
    w[S.LIMIT] = limit
    nodes = result[R_NODES]
    follow_line(w, t, row, result, line, scratch[0], scratch[1])
    result[R_NODES] += nodes
