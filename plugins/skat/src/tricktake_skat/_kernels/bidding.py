"""All games, skats and discards of a hand in one sweep: how likely each game is won (SKAT-5, KERMIT-11).

What a table of winning chances asks of ten cards and the two put away is a sum over the classes (side suits, trumps)
of what is kept and put in each. So every class has its sums ready as int64 ``codes``, and a discard of two cards costs
one addition and one look into the table. A code, from the low bit:

    6 bits  aces and tens kept, in a suit game free suits too: as they stand in the index of a cell
    5 bits  eyes put
    36 + 4  tricks lost, fraction and whole; half a trick more in the trumps, so that cutting off rounds
    rest    block: what the trumps are (their number, jack group and tenaces; in a grand the jack group)

A cell of the table is (block, lost 4 bits, skat group 2, aces and tens 6). Discards with the same code are
weighed once.
"""

from typing import NamedTuple

import numpy as np

from tricktake.jit import lowbit_index, njit, popcount
from tricktake_skat._kernels.cards import ACE, ALL, GRAND, NULL, PLAIN, TEN, fill_pairs
from tricktake_skat._kernels.factor import FROM_TOP, RETAKING, TERNARY, sequence_of, tenaces
from tricktake_skat._kernels.features import JACK_GROUP, group_of, strongest_bid
from tricktake_skat._kernels.rule_bid import value_of
from tricktake_skat._kernels.value import Values, chances_of, heard_by, room

SKATS = 231  # pairs of the 22 cards a hand does not hold
CHOICES = 7  # suits, grand, Null, Null ouvert

EYES_AT = 6
LOST_AT = 11
WHOLE_AT = 47
BLOCK_AT = 51
CELLS = 1 << 12  # of a block
HALF = 1 << WHOLE_AT - 1

# Kinds of classes, and where the rows of each begin: a row is a class and the cards of it before anything is put.
SIDE, GRAND_SIDE, TRUMP, GRAND_TRUMP = 0, 1, 2, 3
ROWS = np.array([0, 128, 256, 256 + 2048, 256 + 2048 + 16], np.int64)
# Where the codes of each kind begin, by ternary code of kept and put cards.
CODES = np.array([0, 3**7, 2 * 3**7, 2 * 3**7 + 3**11, 2 * 3**7 + 3**11 + 3**4], np.int64)
JACK_SHIFT = 7

CLASS_EYES = np.array([0, 0, 0, 3, 4, 10, 11, 2, 2, 2, 2], np.int64)  # by place in a class


class Sums(NamedTuple):
    """What the classes add up to. All arrays int64; ``fill_sums`` makes them.

    codes: by CODES. keep: (rows,) the code with nothing put. one, two: changes of the code by putting one or two cards
    of a row, without repetition, those of a row from ``one_at[row]`` to ``one_at[row + 1]``; one_put, two_put: such
    cards, as places of the class.
    blocks: (12, 16, 4) block of a number of trumps, jacks (four bits, clubs highest) and tenaces of a suit game.
    """

    codes: np.ndarray
    keep: np.ndarray
    one_at: np.ndarray
    one: np.ndarray
    one_put: np.ndarray
    two_at: np.ndarray
    two: np.ndarray
    two_put: np.ndarray
    blocks: np.ndarray


class Nulls(NamedTuple):
    """Best ways to keep a suit of Null, by its eight cards: chance, and the cards put (-1: there are not so many).

    keep, one, two: (variants, 256) float64; one_put, two_put: the same shape, int64.
    """

    keep: np.ndarray
    one: np.ndarray
    one_put: np.ndarray
    two: np.ndarray
    two_put: np.ndarray


@njit
def jack_places(mask):
    """The jacks of a card mask as places: diamonds bit 0, clubs bit 3."""
    return (mask >> 31 & 1) | (mask >> 23 & 1) << 1 | (mask >> 15 & 1) << 2 | (mask >> 7 & 1) << 3


@njit
def jack_group_of(places):
    """The jack group (2.2) of jacks as places."""
    return JACK_GROUP[(places >> 3 & 1) | (places >> 2 & 1) << 1 | (places >> 1 & 1) << 2 | (places & 1) << 3]


@njit
def fixed(thousandths):
    """Thousandths of tricks as 2**-36 of tricks, rounded up: sums of five reach no half before they should."""
    return ((thousandths << WHOLE_AT - LOST_AT) + 999) // 1000 << LOST_AT


@njit
def code_of(expected, blocks, kind, kept, put):
    """The code of a class: cards kept and put as places. expected: thousandths of tricks by
    question and sequence, as the questions of the declarer have them.
    """
    full = 15 if kind == GRAND_TRUMP else 2047 if kind == TRUMP else PLAIN
    own, out = kept, full & ~kept & ~put
    eyes = 0
    rest = put
    while rest:
        place = lowbit_index(rest)
        rest &= rest - 1
        eyes += 2 if kind == GRAND_TRUMP else CLASS_EYES[place]
    lost = np.int64(0)  # of jacks in a grand: the questions do not count them, they have the jack group
    if kind != GRAND_TRUMP:
        question = FROM_TOP if kind == TRUMP else RETAKING
        lost = 1000 * popcount(kept) - expected[question, sequence_of(own, out)]
    code = eyes << EYES_AT | fixed(lost)
    if kind == SIDE:
        code += (kept >> ACE & 1) + ((kept >> TEN & 1) << 2) + (np.int64(kept == 0) << 4)
    elif kind == GRAND_SIDE:
        code += (kept >> ACE & 1) + ((kept >> TEN & 1) << 3)
    elif kind == TRUMP:
        code += HALF + (blocks[popcount(kept), kept >> JACK_SHIFT, tenaces(own, out)] << BLOCK_AT)
    else:
        code += HALF + (jack_group_of(kept) << BLOCK_AT)
    return code


@njit
def fill_codes(expected, blocks, codes):
    """Fill ``codes`` for all classes with at most two cards put."""
    for kind in range(4):
        places = 4 if kind == GRAND_TRUMP else 11 if kind == TRUMP else 7
        for mask in range(1 << places):
            if popcount(mask) > 12:
                continue
            put = mask
            while True:
                if popcount(put) <= 2:
                    kept = mask & ~put
                    codes[CODES[kind] + TERNARY[kept] + 2 * TERNARY[put]] = code_of(expected, blocks, kind, kept, put)
                if put == 0:
                    break
                put = (put - 1) & mask


@njit
def fill_lists(codes, keep, at, delta, puts, count):
    """List the changes of code by putting ``count`` cards of each row; returns how many. Lists may be too long."""
    n = 0
    for kind in range(4):
        for mask in range(ROWS[kind + 1] - ROWS[kind]):
            row = ROWS[kind] + mask
            at[row] = n
            keep[row] = codes[CODES[kind] + TERNARY[mask]]
            put = mask
            while put:
                if popcount(put) == count:
                    change = codes[CODES[kind] + TERNARY[mask & ~put] + 2 * TERNARY[put]] - keep[row]
                    known = False
                    for i in range(at[row], n):
                        known = known or delta[i] == change
                    if not known:
                        delta[n] = change
                        puts[n] = put
                        n += 1
                put = (put - 1) & mask
    at[len(at) - 1] = n
    return n


# -- one game of twelve cards ------------------------------------------------------------------------------------------


@njit
def cell_of(code, groups):
    """The cell of the table that a sum of codes names. groups: (32,) skat group of the eyes put."""
    return (code >> WHOLE_AT) << 8 | groups[code >> EYES_AT & 31] << 6 | code & 63


@njit
def lost_of(code):
    """The tricks lost of a sum of codes, not rounded, in units of 2**-36."""
    return (code - HALF) >> LOST_AT & (1 << BLOCK_AT - LOST_AT) - 1


@njit
def cards_at(game, kind, suit, places):
    """The card mask of places of a class."""
    if kind < TRUMP:
        return places << 8 * suit
    jacks = places
    mask = 0
    if kind == TRUMP:
        jacks = places >> JACK_SHIFT
        mask = (places & PLAIN) << 8 * game
    for bit in range(4):
        if jacks >> bit & 1:
            mask |= 1 << (8 * (3 - bit) + 7)
    return mask


@njit
def fill_rows(game, cards, rows):
    """Fill (5,) with the rows of a game, the trumps last; how many there are."""
    n = 0
    kind = GRAND_SIDE if game == GRAND else SIDE
    for suit in range(4):
        if suit != game:
            rows[n] = ROWS[kind] + (cards >> 8 * suit & PLAIN)
            n += 1
    if game == GRAND:
        rows[n] = ROWS[GRAND_TRUMP] + jack_places(cards)
    else:
        rows[n] = ROWS[TRUMP] + ((cards >> 8 * game & PLAIN) | jack_places(cards) << JACK_SHIFT)
    return n + 1


@njit
def best_discard(sums, rows, n, kinds, groups, win):
    """The discard that wins most often: (chance, code, row number and list entry of each of its halves).

    The second half is -1 if both cards are of one row. Of equal chances the one that loses fewer tricks. kinds: how
    many of the n rows cards may be put from. win: (cells,).
    """
    base = 0
    for a in range(n):
        base += sums.keep[rows[a]]
    most, best, first, second, at_first, at_second = np.float32(-1.0), base, 0, -1, 0, 0
    for a in range(kinds):
        row = rows[a]
        for i in range(sums.two_at[row], sums.two_at[row + 1]):
            code = base + sums.two[i]
            w = win[cell_of(code, groups)]
            if w > most or (w == most and lost_of(code) < lost_of(best)):
                most, best, first, second, at_first = w, code, a, -1, i
        for i in range(sums.one_at[row], sums.one_at[row + 1]):
            half = base + sums.one[i]
            for b in range(a + 1, kinds):
                other = rows[b]
                for j in range(sums.one_at[other], sums.one_at[other + 1]):
                    code = half + sums.one[j]
                    w = win[cell_of(code, groups)]
                    if w > most or (w == most and lost_of(code) < lost_of(best)):
                        most, best, first, second, at_first, at_second = w, code, a, b, i, j
    return most, best, first, at_first, second, at_second


@njit
def discard_from(game, rows, kinds_n, cards, trumps):
    """From how many of the rows cards are put: trumps only if asked for or if there is nothing else (SKAT-20, 24)."""
    if trumps:
        return kinds_n
    own = popcount(rows[kinds_n - 1] - (ROWS[GRAND_TRUMP] if game == GRAND else ROWS[TRUMP]))
    return kinds_n - 1 if popcount(cards) - own >= 2 else kinds_n


@njit
def side_of(game, number):
    """The suit of a row number."""
    return number + 1 if game <= number else number


@njit
def discard_of(sums, game, cards, trumps, groups, win, rows):
    """The two cards to put of twelve for a suit or grand game: (chance, code, card mask)."""
    n = fill_rows(game, cards, rows)
    kinds = discard_from(game, rows, n, cards, trumps)
    most, code, a, i, b, j = best_discard(sums, rows, n, kinds, groups, win)
    return most, code, put_at(sums, game, n, a, i, b, j)


@njit
def put_at(sums, game, n, a, i, b, j):
    """The card mask of a discard of ``best_discard`` from n rows."""
    places_a = sums.two_put[i] if b < 0 else sums.one_put[i]
    side, top = (GRAND_SIDE, GRAND_TRUMP) if game == GRAND else (SIDE, TRUMP)
    put = cards_at(game, top if a == n - 1 else side, side_of(game, a), places_a)
    if b >= 0:
        put |= cards_at(game, top if b == n - 1 else side, side_of(game, b), sums.one_put[j])
    return put


@njit
def code_with(sums, game, hand, put):
    """The code of ten cards and two put, whoever chose them."""
    side, top = (GRAND_SIDE, GRAND_TRUMP) if game == GRAND else (SIDE, TRUMP)
    kept, away = jack_places(hand), jack_places(put)
    if game < GRAND:
        kept = kept << JACK_SHIFT | (hand >> 8 * game & PLAIN)
        away = away << JACK_SHIFT | (put >> 8 * game & PLAIN)
    code = sums.codes[CODES[top] + TERNARY[kept] + 2 * TERNARY[away]]
    for suit in range(4):
        if suit != game:
            kept, away = hand >> 8 * suit & PLAIN, put >> 8 * suit & PLAIN
            code += sums.codes[CODES[side] + TERNARY[kept] + 2 * TERNARY[away]]
    return code


# -- Null --------------------------------------------------------------------------------------------------------------


@njit
def nulls_of(table):
    """The best discards of each suit: ``Nulls`` by 2 * ouvert + lead. table: (kinds, leads, puts, 256)."""
    found = Nulls(
        np.full((4, 256), -1.0),
        np.full((4, 256), -1.0),
        np.full((4, 256), np.int64(-1)),
        np.full((4, 256), -1.0),
        np.full((4, 256), np.int64(-1)),
    )
    for variant in range(4):
        chance = table[variant & 2, variant & 1]
        for mask in range(256):
            found.keep[variant, mask] = chance[0, mask]
            put = mask
            while put:
                kept = mask & ~put
                if popcount(put) == 1 and chance[1, kept] > found.one[variant, mask]:
                    found.one[variant, mask] = chance[1, kept]
                    found.one_put[variant, mask] = put
                elif popcount(put) == 2 and chance[2, kept] > found.two[variant, mask]:
                    found.two[variant, mask] = chance[2, kept]
                    found.two_put[variant, mask] = put
                put = (put - 1) & mask
    return found


@njit
def best_null(nulls, variant, cards):
    """The two cards to put of twelve for a Null game: (chance, card mask)."""
    most, best = -1.0, 0
    for a in range(4):
        mask_a = cards >> 8 * a & 255
        for b in range(a, 4):
            mask_b = cards >> 8 * b & 255
            if (
                nulls.one[variant, mask_a] < 0
                or nulls.one[variant, mask_b] < 0
                or (a == b and nulls.two[variant, mask_a] < 0)
            ):
                continue  # there are not so many cards
            w = nulls.two[variant, mask_a] if a == b else nulls.one[variant, mask_a] * nulls.one[variant, mask_b]
            for c in range(4):
                if c != a and c != b:
                    w *= nulls.keep[variant, cards >> 8 * c & 255]
            if w > most:
                put = nulls.two_put[variant, mask_a] << 8 * a
                if a != b:
                    put = nulls.one_put[variant, mask_a] << 8 * a | nulls.one_put[variant, mask_b] << 8 * b
                most, best = w, put
    return most, best


# -- all of a hand -----------------------------------------------------------------------------------------------------


class Chances(NamedTuple):
    """Chances of models that lie side by side, float32: suit (models, positions, bid groups, cells), grand the same.

    A game whose position does not matter has one position. nulls: (models, kinds, leads, puts, 256) float64 by the
    eight deck bits of a suit, the kinds of ``features_null`` (hand + 2 * ouvert); leads 1 if the declarer leads.
    schneider: (models, 2, 11) float64, share of won suit and grand games with Schneider by tricks lost.
    by_hand: (models, 2) what is left of a chance if the skat is not seen, suit and grand. values: networks that judge
    what the tables chose.
    groups: (32,) skat group of the eyes put. cuts: (3,) where the groups of the others' bids begin.
    """

    suit: np.ndarray
    grand: np.ndarray
    nulls: np.ndarray
    schneider: np.ndarray
    by_hand: np.ndarray
    values: Values
    groups: np.ndarray
    cuts: np.ndarray


class Weighed(NamedTuple):
    """A hand with every skat, or with some; the games are the choices of ``rule_bid``: suits, grand, Null, Null ouvert.

    wins: (7, skats) chances with the best discard. ups: chance of Schneider if the game is won. values: (7, skats) of
    the game without Schneider and Hand. hand_wins, hand_ups: from the hand. skats: (skats,) masks. puts: (7, skats)
    the best discards.
    """

    wins: np.ndarray
    ups: np.ndarray
    values: np.ndarray
    hand_wins: np.ndarray
    hand_ups: np.ndarray
    skats: np.ndarray
    puts: np.ndarray


@njit
def weighed(skats=SKATS):
    """An empty one for so many of the skats, to be filled by ``weigh``."""
    return Weighed(
        np.zeros((CHOICES, skats)),
        np.zeros((CHOICES, skats)),
        np.zeros((CHOICES, skats), np.int64),
        np.zeros((CHOICES, skats)),
        np.zeros((CHOICES, skats)),
        np.zeros(skats, np.int64),
        np.zeros((CHOICES, skats), np.int64),
    )


@njit
def position_of(table, seat):
    return seat if table.shape[1] == 3 else 0


@njit
def weigh(sums, nulls, chances, model, hand, seat, group, trumps, found):
    """Fill ``found`` (Weighed) with the chances of each game for each skat, by the tables.

    If there is room for fewer than all skats, they are taken at equal distances.

    nulls: of this model. group: of the others' bids. trumps: whether trumps may be put without need.
    """
    wins, ups, values, hand_wins, hand_ups, skats, puts = found
    rows = np.zeros(5, np.int64)
    lead = 1 if seat == 0 else 0
    pairs = np.zeros(SKATS, np.int64)
    fill_pairs(ALL & ~hand, pairs)
    for s in range(len(skats)):
        skats[s] = pairs[s * SKATS // len(skats)]
        cards = hand | skats[s]
        for open_hand in range(2):
            wins[NULL + open_hand, s], puts[NULL + open_hand, s] = best_null(nulls, 2 * open_hand + lead, cards)
            values[NULL + open_hand, s] = value_of(NULL + open_hand, cards)
        for game in range(GRAND + 1):
            values[game, s] = value_of(game, cards)
            table = chances.grand if game == GRAND else chances.suit
            win = table[model, position_of(table, seat), group]
            schneider = chances.schneider[model, 1 if game == GRAND else 0]
            n = fill_rows(game, cards, rows)
            kinds = discard_from(game, rows, n, cards, trumps)
            most, code, a, i, b, j = best_discard(sums, rows, n, kinds, chances.groups, win)
            wins[game, s] = most
            puts[game, s] = put_at(sums, game, n, a, i, b, j)
            ups[game, s] = schneider[code >> WHOLE_AT & 15]
            code = code_with(sums, game, hand, skats[s])
            hand_wins[game, s] = win[cell_of(code, chances.groups)] * chances.by_hand[model, 1 if game == GRAND else 0]
            hand_ups[game, s] = schneider[code >> WHOLE_AT & 15]
    for open_hand in range(2):
        w = 1.0
        for suit in range(4):
            w *= chances.nulls[model, 1 + 2 * open_hand, lead, 0, hand >> 8 * suit & 255]
        hand_wins[NULL + open_hand, :] = w


@njit
def judge(values, model, hand, seat, heard, found):
    """Let the networks of a model say the chances of what ``weigh`` found."""
    index, work = room(values)
    for choice in range(CHOICES):
        for s in range(len(found.skats)):
            put = found.puts[choice, s]
            own = (hand | found.skats[s]) & ~put
            found.wins[choice, s], found.ups[choice, s] = chances_of(
                values, model, choice, own, put, False, seat, heard, index, work
            )
        found.hand_wins[choice, :], found.hand_ups[choice, :] = chances_of(
            values, model, choice, hand, 0, True, seat, heard, index, work
        )


@njit
def sound_of(chances, model, bids, seat):
    """A number that is the same where others' bids make no difference to a model."""
    group = np.int64(group_of(strongest_bid(bids, seat), chances.cuts))
    return group << 8 | heard_by(bids, seat) if chances.values.of[model] >= 0 else group


@njit
def weigh_heard(sums, nulls, chances, model, hand, seat, bids, trumps, found):
    """``weigh`` at bids (3,), and ``judge`` where the model has networks."""
    weigh(sums, nulls, chances, model, hand, seat, group_of(strongest_bid(bids, seat), chances.cuts), trumps, found)
    if chances.values.of[model] >= 0:
        judge(chances.values, model, hand, seat, heard_by(bids, seat), found)
