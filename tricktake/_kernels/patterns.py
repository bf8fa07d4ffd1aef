"""The transposition table of patterns: what is known of all positions between two tricks that look alike.

Two positions of a deal look alike if the same seat leads, every hand has as many cards of each suit, and the ranks
that mattered are spread over the hands in the same way. An entry holds the owners of all cards in order (``shape``)
and compares only as much of them as its result rests on (F.REL: cards that won by rank; everything in a suit from the
top down to the lowest of them). What remains different then are costs: the cards of a hand are paired in order, and a
bound carries over with the differences in cost of the cards it counts (``tally``), because the same play brings the
same tricks. Ideas: partition search (Ginsberg 1996), and the winning ranks of double dummy solver DDS (Haglund).

Lead limits and duties in force belong to the head, with the places of the cards they name (``shape.names``). Copies of
a card count all or none, and the third plane says where they lie. Patterns fail in the first trick if it has rules of
its own, where cards must be overtaken, and by rare rules: such positions are kept one by one (``transposition``).

Heads are found by the counts of cards and the leader. Each has two lists of entries, lower and upper bounds, that lie
one behind the other and move to a larger place when full; what a new entry says better is dropped.
"""

import numpy as np

from tricktake._kernels import opencard_frame as F
from tricktake._kernels import opencard_state as S
from tricktake._kernels import shape, tally
from tricktake._kernels._jit import highbit_index, lean, lowbit_index, popcount
from tricktake._kernels.layout import BROKEN, H_COPIES, H_SUITS
from tricktake._kernels.play import W_PRICES, W_SUITS, bit
from tricktake._kernels.transposition import T_EPOCH

# Of the table: its header goes on behind that of the table of positions.
T_HEADS = 2  # where the heads begin, 0: there are none
T_HEAD_MASK = 3  # number of heads - 1
T_POOL = 4  # where the lists begin
T_POOL_END = 5
T_USED_HEADS = 6
T_FREE = 7  # where the pool is not used yet
T_LEFT = 8  # places that lists have left, by their size: the first of a chain

# A head.
A_COUNTS = 0
A_MORE = 1  # further counts, the number of tricks left, the leader
A_EPOCH = 2
A_LISTS = 3  # of each list, the upper bounds first: where it begins, and
A_PLACE = 0
A_COUNT = 1  # entries | (entry to be written over next) << TURN | (1 + exponent of its room, 0: none) << ROOM
LIST = 2
A_NAMES = 7  # where the named cards lie while limits or duties are in force
HEAD = 8  # a line of the cache
TURN, ROOM = 24, 48
COUNT_OF = (1 << TURN) - 1

# An entry.
E_INFO = 0  # bound << 7 | card that cut + 1
E_REST = 1  # the cards left
E_MASK = 2  # the places of the planes on which the bound rests
E_OWNERS = 3  # the planes there
E_TALLY = E_OWNERS + 3  # where costs differ, what the bound counts (``tally``)
COSTLY = E_TALLY + 2  # size of such an entry

INFO_BITS = 7
CARD_OF = (1 << INFO_BITS) - 1

# Entries of one list: many where they match often (all cards cost the same), else few. Experiment in docs/solver.md.
LONG_LIST = 512
SHORT_LIST = 64
SIZES = 12  # of lists: 2^0 to 2^11 entries


@lean
def forget(t):
    """Forget everything (with a new epoch)."""
    t[T_USED_HEADS] = 0
    t[T_FREE] = t[T_POOL]
    for size in range(SIZES):
        t[T_LEFT + size] = 0


@lean
def prepare(w, t, row):
    """Learn the deal that positions are going to come from."""
    flags = shape.prepare(w, row)
    w[S.PATTERNS] = flags if t[T_HEADS] > 0 else np.int64(0)
    w[S.ENTRY] = E_OWNERS + w[S.PLANES] if w[W_PRICES] == 1 else np.int64(COSTLY)


@lean
def find_head(w, t, f, leads, tricks):
    """The head of the position of a frame with so many tricks left, made if there is none; 0 if there is no room."""
    flags, names = w[f + F.BROKEN] ^ BROKEN, np.int64(0)
    counts, more = w[f + F.COUNTS], w[f + F.COUNTS_MORE] << 10 | flags << 8 | tricks << 3 | leads
    i = shape.mixed(counts, more)
    if flags and w[S.NAMED]:
        names = shape.names(w)
        i = shape.mixed(names, i)
    i &= t[T_HEAD_MASK]
    while True:
        head = t[T_HEADS] + i * HEAD
        if t[head + A_EPOCH] != t[T_EPOCH]:
            if t[T_USED_HEADS] * 8 >= (t[T_HEAD_MASK] + 1) * 7:
                return np.int64(0)
            t[T_USED_HEADS] += 1
            t[head + A_COUNTS] = counts
            t[head + A_MORE] = more
            t[head + A_EPOCH] = t[T_EPOCH]
            t[head + A_NAMES] = names
            for i in range(2):
                t[head + A_LISTS + LIST * i + A_COUNT] = 0
            return head
        if t[head + A_COUNTS] == counts and t[head + A_MORE] == more and t[head + A_NAMES] == names:
            return head
        i = (i + 1) & t[T_HEAD_MASK]


@lean
def matches(w, t, e, f):
    """Whether the owners of the cards on which an entry rests are those of a frame."""
    mask = t[e + E_MASK]
    differ = (w[f + F.PLANE] & mask) ^ t[e + E_OWNERS]
    differ |= (w[f + F.PLANE + 1] & mask) ^ t[e + E_OWNERS + 1]
    if w[S.PLANES] > 2:
        differ |= (w[f + F.PLANE + 2] & mask) ^ t[e + E_OWNERS + 2]
    return differ == 0


@lean
def probe(w, t, f, need):
    """Look the position of a frame up: (whether ``need`` is settled, card to try first or -1).

    Settled: the bound is in S.VALUE, what it rests on in S.REL. The card is that which cut in a position that matches;
    F.HINT gets that which cut in the last one kept of the same counts.
    """
    seat = w[f + F.SEAT]
    head = find_head(w, t, f, seat, popcount(w[S.HANDS + seat]))
    tt_card, like = np.int64(-1), np.int64(0)
    w[f + F.HEAD] = head
    if head == 0:
        return False, tt_card
    rest, entry, flat = w[S.REST], w[S.ENTRY], w[W_PRICES] == 1
    for lower in range(2):
        at = head + A_LISTS + LIST * lower
        e = t[at + A_PLACE]
        end = e + (t[at + A_COUNT] & COUNT_OF) * entry
        while e < end:
            info = t[e + E_INFO]
            bound = info >> INFO_BITS
            if matches(w, t, e, f):
                if not flat:
                    bound += tally.carried(w, t[e + E_REST], t[e + E_TALLY], t[e + E_TALLY + 1], rest, np.int64(lower))
                if (bound >= need) == (lower == 1):
                    w[S.VALUE] = bound
                    w[S.REL] = lowest_cards(w, t[e + E_MASK])
                    return True, tt_card
                if tt_card < 0 and info & CARD_OF:
                    tt_card = matching_card(w, seat, t[e + E_REST], (info & CARD_OF) - 1)
            elif info & CARD_OF:
                like = e
            e += entry
    if tt_card < 0 and like:
        w[f + F.HINT] = matching_card(w, seat, t[like + E_REST], (t[like + E_INFO] & CARD_OF) - 1)
    return False, tt_card


@lean
def lowest_cards(w, mask):
    """Of each suit the lowest card whose place is in ``mask``."""
    rel = np.int64(0)
    for suit in range(w[H_SUITS]):
        depth = popcount(mask & shape.places(w, suit))
        if depth:
            mine = w[S.REST] & w[W_SUITS + suit]
            while depth > 1:
                mine ^= bit(highbit_index(mine))
                depth -= 1
            rel |= bit(highbit_index(mine))
    return rel


@lean
def matching_card(w, seat, there, card):
    """The card of a seat that has the place in its hand here that ``card`` has there."""
    home = w[S.HOME + seat]
    below = there & home & (bit(card) - 1)
    mine = w[S.REST] & home
    while below:
        below &= below - 1
        mine &= mine - 1
    return np.int64(lowbit_index(mine))


@lean
def keep(w, t, f, bound, lower, card, rel):
    """Enter a bound. Returns ``rel`` in its shortest form: the lowest card of each suit."""
    rest = w[S.REST]
    short, mask = np.int64(0), np.int64(0)
    for suit in range(w[H_SUITS]):
        mine = rel & rest & w[W_SUITS + suit]
        if mine:
            low = mine & -mine
            if w[H_COPIES]:
                copies = rest & shape.twins(w, lowbit_index(low))
                low = copies & -copies
            short |= low
            mask |= shape.places(w, suit) & -bit(popcount(rest & (low - 1)))
    head = w[f + F.HEAD]
    if head == 0:
        return short
    at = head + A_LISTS + LIST * lower
    drop_weaker(w, t, f, at, bound, lower, mask)
    e = new_entry(w, t, at)
    if e:
        t[e + E_INFO] = bound << INFO_BITS | (card + 1)
        t[e + E_REST] = rest
        t[e + E_MASK] = mask
        for i in range(w[S.PLANES]):
            t[e + E_OWNERS + i] = w[f + F.PLANE + i] & mask
        if w[W_PRICES] > 1:
            t[e + E_TALLY] = w[S.TALLY]
            t[e + E_TALLY + 1] = w[S.TALLY + 1]
    return short


@lean
def drop_weaker(w, t, f, at, bound, lower, mask):
    """Remove the entries of a list that a new bound for the position of the frame, resting on ``mask``, makes useless:
    they compare more and say no more, whatever the costs.
    """
    entry, flat = w[S.ENTRY], w[W_PRICES] == 1
    e = t[at + A_PLACE]
    end = e + (t[at + A_COUNT] & COUNT_OF) * entry
    while e < end:
        old = t[e + E_INFO] >> INFO_BITS
        weaker = (old <= bound) == (lower == 1) or old == bound
        if weaker and not mask & ~t[e + E_MASK]:
            differ = (w[f + F.PLANE] ^ t[e + E_OWNERS]) | (w[f + F.PLANE + 1] ^ t[e + E_OWNERS + 1])
            if w[S.PLANES] > 2:
                differ |= w[f + F.PLANE + 2] ^ t[e + E_OWNERS + 2]
            weaker = not differ & mask
            if weaker and not flat and t[e + E_REST] != w[S.REST]:
                always, ever = w[S.TALLY], w[S.TALLY + 1]
                there = bound + tally.carried(w, w[S.REST], always, ever, t[e + E_REST], lower)
                tally.put(w, S.TALLY, always, ever)
                weaker = (there >= old) == (lower == 1) or there == old
            if weaker:
                end -= entry
                t[at + A_COUNT] -= 1
                for i in range(entry):
                    t[e + i] = t[end + i]
                continue
        e += entry


@lean
def new_entry(w, t, at):
    """Room for an entry of a list: a new one, else one of its old ones in turn; 0 if it has none."""
    state, entry = t[at + A_COUNT], w[S.ENTRY]
    count, turn = state & COUNT_OF, state >> TURN & COUNT_OF
    room = bit(state >> ROOM) >> 1
    if count < room or (count < longest_list(w) and grow(w, t, at, count)):
        t[at + A_COUNT] += 1
        return t[at + A_PLACE] + count * entry
    if count == 0:
        return np.int64(0)
    following = turn + 1 if turn + 1 < count else np.int64(0)
    t[at + A_COUNT] = state + ((following - turn) << TURN)
    return t[at + A_PLACE] + following * entry


@lean
def longest_list(w):
    """How many entries a list may have."""
    return LONG_LIST if w[W_PRICES] == 1 else SHORT_LIST


@lean
def grow(w, t, at, count):
    """Move a list to a place of twice the size. False if there is none."""
    size, entry = t[at + A_COUNT] >> ROOM, w[S.ENTRY]
    place = t[T_LEFT + size]
    if place:
        t[T_LEFT + size] = t[place]
    else:
        place = t[T_FREE]
        if place + bit(size) * entry > t[T_POOL_END]:
            return False
        t[T_FREE] = place + bit(size) * entry
    old = t[at + A_PLACE]
    for i in range(count * entry):
        t[place + i] = t[old + i]
    if size > 0:
        t[old] = t[T_LEFT + size - 1]
        t[T_LEFT + size - 1] = old
    t[at + A_PLACE] = place
    t[at + A_COUNT] += np.int64(1) << ROOM
    return True
