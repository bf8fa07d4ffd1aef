"""The transposition table of patterns: what is known of all positions between two tricks that look alike.

Two positions of a deal look alike if the same seat leads, every hand has as many cards of each suit, and the ranks that
mattered are spread over the hands in the same way. A pattern is, for each suit, the owners of its cards from the top
down; an entry compares only as much of it as its result rests on (F.REL: cards that won by rank; everything in a suit
from the top down to the lowest of them). What remains different then are costs: the cards of a hand are paired in
order, and a bound carries over with the sum of the differences as slack, because the same play brings the same tricks.
Ideas: partition search (Ginsberg 1996), the winning ranks of double dummy solver DDS (Haglund), and for the slack the
quasi-symmetry of Kupferschmid and Helmert (2006), here between positions.

It fails where legality looks at single cards (lead limits not yet broken, duties, rules of the first trick,
overtaking), by rare rules, or if two cards are equal: such positions are kept one by one (``transposition``).

Heads are found by the counts of cards and the leader; each has a chain of blocks of ``BLOCK`` entries.
"""

import numpy as np

from tricktake._kernels import opencard_frame as F
from tricktake._kernels import opencard_state as S
from tricktake._kernels._jit import highbit_index, lean, lowbit_index, popcount
from tricktake._kernels.layout import H_COPIES, H_OVERTAKE, H_RARE, H_SEATS, H_SUITS
from tricktake._kernels.play import W_COST, W_PRICES, W_SUITS, bit, smaller
from tricktake._kernels.position import P_HANDS
from tricktake._kernels.transposition import LOW31, MIX_HIGH, MIX_LOW, MIX_TAG, T_EPOCH

# Of the table: its header goes on behind that of the table of positions.
T_HEADS = 2  # where the heads begin, 0: there are none
T_HEAD_MASK = 3  # number of heads - 1
T_POOL = 4  # where the blocks begin
T_POOL_END = 5
T_USED_HEADS = 6
T_FREE = 7  # where the next block goes

# A head.
A_COUNTS = 0
A_MORE = 1  # further counts, the number of tricks left, the leader
A_EPOCH = 2
A_FIRST = 3  # block
A_LAST = 4
A_COUNT = 5  # entries
A_RING = 6  # the block to be written over next,
A_TURN = 7  # and its entry
HEAD = 8

# An entry: bound, rank depth per suit, cards, then word and mask for each word of a pattern.
E_INFO = 0  # bound << 8 | (card that cut + 1) << 1 | 1 for a lower bound
E_DEPTH = 1  # six bits a suit: how many of its cards from the top the bound rests on
E_REST = 2
E_WORDS = 3
BLOCK = 4  # a block is that many entries and the place of the next block

# Entries of one head: many where they match often (all cards cost the same), else few. Experiment in docs/solver.md.
LONG_CHAIN = 1000
SHORT_CHAIN = 64

COUNT_BITS = 4
COUNT_SLOTS = 15  # in the first word
MORE_SLOTS = 13
FIELD_BITS = 62


@lean
def forget(t):
    """Forget everything (with a new epoch)."""
    t[T_USED_HEADS] = 0
    t[T_FREE] = t[T_POOL]


@lean
def prepare(w, t, row):
    """Learn the deal that positions are going to come from: who owns what, and where suits lie in a pattern."""
    seats, suits = w[H_SEATS], w[H_SUITS]
    owner_bits = np.int64(2) if seats <= 4 else np.int64(3)
    w[S.OWNER_BITS] = owner_bits
    dealt = np.int64(0)
    for seat in range(seats):
        w[S.HOME + seat] = row[P_HANDS + seat]
        dealt |= row[P_HANDS + seat]
    works = t[T_HEADS] > 0 and not w[H_OVERTAKE] and not w[H_COPIES] and not w[H_RARE]
    if (suits - 1) * seats > COUNT_SLOTS + MORE_SLOTS:
        works = False
    word, used, chunk = np.int64(0), np.int64(0), np.int64(0)
    for suit in range(suits):
        mine = dealt & w[W_SUITS + suit]
        size = popcount(mine)
        need = size * owner_bits
        if need > FIELD_BITS:
            works = False
        if used + need > FIELD_BITS:
            word, used = word + 1, np.int64(0)
        w[S.WORD + suit] = word
        w[S.FIELD + suit] = used
        w[S.SIZE + suit] = size
        w[S.CHUNK + suit] = chunk
        used += need
        w[S.LOWEST + suit] = 0
        if mine:
            w[S.LOWEST + suit] = lowbit_index(mine)
            chunk += (highbit_index(mine) - lowbit_index(mine)) // 8 + 1
        for seat in range(seats):
            if popcount(mine & w[S.HOME + seat]) >> COUNT_BITS:
                works = False
    w[S.CHUNK + suits] = chunk
    w[S.WORDS] = word + 1
    w[S.ENTRY] = E_WORDS + 2 * (word + 1)
    if word >= S.PATTERN_WORDS or chunk > S.CHUNK_COUNT:
        works = False
    w[S.PATTERNS] = works
    if works:
        for suit in range(suits):
            for i in range(w[S.CHUNK + suit], w[S.CHUNK + suit + 1]):
                fill_chunk(w, suit, dealt & w[W_SUITS + suit], i)


@lean
def fill_chunk(w, suit, mine, chunk):
    """For all subsets of a byte of a suit: owners from the top, number, and what they add to the counts."""
    seats, owner_bits, last = w[H_SEATS], w[S.OWNER_BITS], w[H_SUITS] - 1
    shift = w[S.LOWEST + suit] + 8 * (chunk - w[S.CHUNK + suit])
    byte = mine >> shift & 255
    base = S.CHUNKS + chunk * S.CHUNK_WORDS
    w[base] = 0
    w[base + 1] = 0
    w[base + 2] = 0
    x = np.int64(0)
    while True:
        x = (x - byte) & byte
        if x == 0:
            return
        low = lowbit_index(x)
        above = base + (x & (x - 1)) * 3
        count = w[above] >> 32
        owner = np.int64(0)
        for seat in range(seats):
            if w[S.HOME + seat] >> (shift + low) & 1:
                owner = np.int64(seat)
        at = base + x * 3
        w[at] = w[above] + (owner << owner_bits * count) + (np.int64(1) << 32)
        w[at + 1] = w[above + 1]
        w[at + 2] = w[above + 2]
        if suit < last:
            slot = suit * seats + owner
            if slot < COUNT_SLOTS:
                w[at + 1] += np.int64(1) << COUNT_BITS * slot
            else:
                w[at + 2] += np.int64(1) << COUNT_BITS * (slot - COUNT_SLOTS)


@lean
def find_head(w, t, f):
    """The head of the position of a frame, made if there is none; 0 if there is no room. Fills in F.WORDS."""
    counts, more = np.int64(0), np.int64(0)
    for i in range(w[S.WORDS]):
        w[f + F.WORDS + i] = 0
    rest, owner_bits = w[S.REST], w[S.OWNER_BITS]
    for suit in range(w[H_SUITS]):
        if not w[S.SIZE + suit]:
            continue
        mine = rest & w[W_SUITS + suit]
        if not mine:
            continue
        shift = w[S.LOWEST + suit]
        owners, n = np.int64(0), np.int64(0)
        chunk = w[S.CHUNK + suit + 1] - 1
        first = w[S.CHUNK + suit]
        while chunk >= first:
            x = mine >> (shift + 8 * (chunk - first)) & 255
            if x:
                at = S.CHUNKS + chunk * S.CHUNK_WORDS + x * 3
                owners |= (w[at] & 0xFFFFFFFF) << owner_bits * n
                n += w[at] >> 32
                counts += w[at + 1]
                more += w[at + 2]
            chunk -= 1
        w[f + F.WORDS + w[S.WORD + suit]] |= owners << w[S.FIELD + suit]
    seat = w[f + F.SEAT]
    more = more << 10 | popcount(w[S.HANDS + seat]) << 3 | seat
    h = (counts & LOW31) * MIX_LOW + (counts >> 31) * MIX_HIGH + (more & LOW31) * MIX_TAG + (more >> 31) * MIX_LOW
    h ^= h >> 32
    h = (h & LOW31) * MIX_HIGH
    h ^= h >> 29
    i = h & t[T_HEAD_MASK]
    while True:
        head = t[T_HEADS] + i * HEAD
        if t[head + A_EPOCH] != t[T_EPOCH]:
            if t[T_USED_HEADS] * 8 >= (t[T_HEAD_MASK] + 1) * 7:
                return np.int64(0)
            t[T_USED_HEADS] += 1
            t[head + A_COUNTS] = counts
            t[head + A_MORE] = more
            t[head + A_EPOCH] = t[T_EPOCH]
            t[head + A_COUNT] = 0
            return head
        if t[head + A_COUNTS] == counts and t[head + A_MORE] == more:
            return head
        i = (i + 1) & t[T_HEAD_MASK]


@lean
def top_cards(w, suit, n):
    """The ``n``-th highest card left of a suit, as a mask."""
    mine = w[S.REST] & w[W_SUITS + suit]
    while n > 1:
        mine ^= bit(highbit_index(mine))
        n -= 1
    return bit(highbit_index(mine))


@lean
def slack(w, there, here):
    """How much less and how much more the cards ``here`` cost than those ``there`` (cards of one hand in order).

    Less in the low 32 bits, more above.
    """
    less, more = np.int64(0), np.int64(0)
    for seat in range(w[H_SEATS]):
        x, y = there & w[S.HOME + seat], here & w[S.HOME + seat]
        if x == y:
            continue
        while x:
            d = w[W_COST + lowbit_index(y)] - w[W_COST + lowbit_index(x)]
            if d > 0:
                more += d
            else:
                less -= d
            x &= x - 1
            y &= y - 1
    return more << 32 | less


@lean
def probe(w, t, f, need):
    """Look the position of a frame up: (whether ``need`` is settled, card to try first or -1).

    Settled: the bound is in S.VALUE, what it rests on in S.REL. The card is that which cut in a position that matches,
    else in the last one kept of the same counts.
    """
    head = find_head(w, t, f)
    tt_card, like = np.int64(-1), np.int64(0)
    w[f + F.HEAD] = head
    w[f + F.SAME_LOW] = 0
    w[f + F.SAME_HIGH] = 0
    if head == 0:
        return False, tt_card
    rest, words, entry, flat = w[S.REST], w[S.WORDS], w[S.ENTRY], w[W_PRICES] == 1
    left, block = t[head + A_COUNT], t[head + A_FIRST]
    while left > 0:
        e = block
        for _ in range(smaller(left, BLOCK)):
            same = True
            for i in range(words):
                if (t[e + E_WORDS + 2 * i] ^ w[f + F.WORDS + i]) & t[e + E_WORDS + 2 * i + 1]:
                    same = False
                    break
            if same:
                info = t[e + E_INFO]
                bound, lower = info >> 8, info & 1
                there = t[e + E_REST]
                if there == rest:
                    if lower:
                        w[f + F.SAME_LOW] = e
                    else:
                        w[f + F.SAME_HIGH] = e
                if tt_card < 0 and info >> 1 & 127:
                    tt_card = matching_card(w, f, there, (info >> 1 & 127) - 1)
                if (bound >= need) == (lower == 1):
                    if there != rest and not flat:
                        both = slack(w, there, rest)
                        if lower:
                            bound -= both & 0xFFFFFFFF
                        else:
                            bound += both >> 32
                    if (bound >= need) == (lower == 1):
                        w[S.VALUE] = bound
                        rel, depth, suit = np.int64(0), t[e + E_DEPTH], 0
                        while depth:
                            if depth & 63:
                                rel |= top_cards(w, suit, depth & 63)
                            depth >>= 6
                            suit += 1
                        w[S.REL] = rel
                        return True, tt_card
            elif t[e + E_INFO] >> 1 & 127:
                like = e
            e += entry
        left -= BLOCK
        block = t[block + BLOCK * entry]
    if tt_card < 0 and like:
        tt_card = matching_card(w, f, t[like + E_REST], (t[like + E_INFO] >> 1 & 127) - 1)
    return False, tt_card


@lean
def matching_card(w, f, there, card):
    """The card of the seat to move that has the place in his hand here that ``card`` has there."""
    home = w[S.HOME + w[f + F.SEAT]]
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
    short, depth = np.int64(0), np.int64(0)
    for suit in range(w[H_SUITS]):
        mine = rel & rest & w[W_SUITS + suit]
        if mine:
            low = bit(lowbit_index(mine))
            short |= low
            depth |= popcount(rest & w[W_SUITS + suit] & ~(low - 1)) << 6 * suit
    head = w[f + F.HEAD]
    if head == 0:
        return short
    e = w[f + F.SAME_LOW] if lower else w[f + F.SAME_HIGH]
    if e == 0:
        e = new_entry(w, t, head)
        if e == 0:
            return short
    t[e + E_INFO] = bound << 8 | (card + 1) << 1 | lower
    t[e + E_DEPTH] = depth
    t[e + E_REST] = rest
    owner_bits = w[S.OWNER_BITS]
    for i in range(w[S.WORDS]):
        t[e + E_WORDS + 2 * i] = w[f + F.WORDS + i]
        t[e + E_WORDS + 2 * i + 1] = 0
    suit = 0
    while depth:
        if depth & 63:
            at = e + E_WORDS + 2 * w[S.WORD + suit] + 1
            t[at] |= (bit(owner_bits * (depth & 63)) - 1) << w[S.FIELD + suit]
        depth >>= 6
        suit += 1
    return short


@lean
def new_entry(w, t, head):
    """Room for an entry of a head: a new one, else one of its old ones in turn; 0 if it has none."""
    count, entry = t[head + A_COUNT], w[S.ENTRY]
    longest = LONG_CHAIN if w[W_PRICES] == 1 else SHORT_CHAIN
    slot, size = count & (BLOCK - 1), BLOCK * entry + 1
    if count < longest and (slot or t[T_FREE] + size <= t[T_POOL_END]):
        if slot == 0:
            block = t[T_FREE]
            t[T_FREE] = block + size
            if count:
                t[t[head + A_LAST] + size - 1] = block
            else:
                t[head + A_FIRST] = block
            t[head + A_LAST] = block
            t[block + size - 1] = t[head + A_FIRST]
            t[head + A_RING] = t[head + A_FIRST]
            t[head + A_TURN] = 0
        t[head + A_COUNT] = count + 1
        return t[head + A_LAST] + slot * entry
    if count == 0:
        return np.int64(0)
    # write over the oldest: only whole blocks take part in the ring
    if slot:
        return t[head + A_LAST] + (slot - 1) * entry
    block, turn = t[head + A_RING], t[head + A_TURN]
    t[head + A_TURN] = turn + 1
    if turn + 1 == BLOCK:
        t[head + A_RING] = t[block + size - 1]
        t[head + A_TURN] = 0
    return block + turn * entry
