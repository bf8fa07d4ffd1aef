"""The hard constraints on the discard: each rule gives every pair of cards a penalty (SKAT-24).

What the rules say stands in ``tricktake_skat.discard.constraints``; ``tricktake.strategies.weighing`` narrows by them.
"""

import numpy as np

from tricktake.jit import njit, popcount
from tricktake_skat._kernels.cards import (
    ACE,
    ACES,
    ALL,
    GRAND,
    JACKS,
    KING,
    KINGS,
    PAIRS,
    PLAIN,
    QUEEN,
    QUEENS,
    TEN,
    TENS,
    TRUMPS,
    eyes_of,
    fill_pairs,
)
from tricktake_skat._kernels.discard import (
    S_EYES,
    T_LOST,
    T_SIZE,
    discard_features,
    losses,
    theorem_holds,
)
from tricktake_skat._kernels.factor import project, standing

# Types of hands (SKAT-26, 27); Null has neither rules nor features.
TYPES = 7
HIGH_CARD, TWO_JACKS, STANDARD, FOUR_JACKS, HIGH_TRUMP, LOW_TRUMP, NULL_GAME = range(TYPES)

# The rules. From KING_LOW to LOW_QUEEN: a king or small card from a suit of three with the ten, and what is
# discarded from another suit.
RULES = 24
# fmt: off
(
    TRUMP, THEOREM, NO_ACE, BARE_TEN, LOWEST, ACE_AND_TEN, ACE_FIRST, TEN_FIRST, TEN_AND_LOW,
    KING_LOW, LOW_LOW, KING_KING, LOW_KING, KING_QUEEN, LOW_QUEEN,
    STANDING_CARD, FROM_ABOVE, TENS_OUT, COURT_OUT, ALL_COURT_OUT, REAR_GUARD, LONG_SUIT, GUARDED_TEN, TEN_GROUP,
) = range(RULES)
# fmt: on

LOW = 0x07  # seven, eight, nine
FULL = 22  # the eyes of ace and ace, which no discard exceeds
MANY_BARE = 3  # so many bare tens need not be discarded
NEVER = 99


@njit
def hand_type(sure, game, cards, high_trumps, few_jacks, many_lost, t):
    """The type of the twelve cards.

    High trump: from ``high_trumps`` on. High card: up to ``few_jacks`` jacks, or if at best ``many_lost`` are lost.
    """
    if game < GRAND:
        return HIGH_TRUMP if popcount(cards & TRUMPS[game]) >= high_trumps else LOW_TRUMP
    jacks = popcount(cards & JACKS)
    losses(sure, game, cards, np.int64(0), t)
    if jacks <= few_jacks or (t[T_LOST] - 2 >= many_lost and jacks < 4):
        return HIGH_CARD
    return FOUR_JACKS if jacks == 4 else TWO_JACKS if jacks == 2 else STANDARD


@njit
def is_bare(cards, rank):
    return cards == 1 << rank


@njit
def pair_rule(own, put, other):
    """Of a suit of ten, king and a small card all but the ten and one stay: the rule this breaks, -1 for none.

    own, put: the suit before and what of it is discarded. other: the ranks (any suit) of the second card discarded.
    """
    if popcount(own) != 3 or popcount(put) != 1 or not own >> TEN & 1 or not own >> KING & 1 or not own & LOW:
        return -1
    king = put >> KING & 1
    if not king and not put & LOW:
        return -1
    if other & LOW:
        return KING_LOW if king else LOW_LOW
    if other >> KING & 1:
        return KING_KING if king else LOW_KING
    if other >> QUEEN & 1:
        return KING_QUEEN if king else LOW_QUEEN
    return -1


@njit
def suit_penalties(game, kind, cards, put, p):
    """Fill the rules that look at one suit after the other (TRUMP to LOW_QUEEN but the theorem, TEN_GROUP)."""
    high_card = kind == HIGH_CARD or kind == LOW_TRUMP
    p[TRUMP] = popcount(put & TRUMPS[game])
    if not high_card:
        p[NO_ACE] = popcount(put & ACES & ~TRUMPS[game])
    bare, bare_left, bare_low, both = 0, 0, 0, -1
    for suit in range(4):
        own, gone = cards >> 8 * suit & PLAIN, put >> 8 * suit & PLAIN
        stays = own & ~gone
        small = gone & LOW
        while small:
            if stays & ((small & -small) - 1):
                p[LOWEST] += 1
            small &= small - 1
        if suit == game:
            continue
        bare += is_bare(own, TEN)
        bare_left += is_bare(stays, TEN)
        if popcount(stays) == 1 and stays & LOW:
            bare_low += 1
        if popcount(gone) == 2:
            both = gone
        ace, ten, king = gone >> ACE & 1, gone >> TEN & 1, gone >> KING & 1
        if high_card:
            if ace and ten and popcount(own) == 3 and not own >> KING & 1:
                p[ACE_AND_TEN] = 1
            if ten and stays >> ACE & 1:
                p[ACE_FIRST] += 1
        if king and stays >> TEN & 1:
            p[TEN_FIRST] += 1
        if gone and stays >> TEN & 1 and stays >> KING & 1 and not own >> ACE & 1:
            p[TEN_GROUP] += 1
        if kind != HIGH_CARD:
            rest = 0
            for k in range(4):
                if k != suit:
                    rest |= put >> 8 * k & PLAIN
            rule = pair_rule(own, gone, rest)
            if rule >= 0:
                p[rule] += 1
    if bare < MANY_BARE:
        p[BARE_TEN] = bare_left
    if kind != HIGH_CARD and both > 0 and both >> TEN & 1 and both & LOW and bare_low > 0:
        p[TEN_AND_LOW] = 1


@njit
def standing_cards(game, hand, put):
    """The side cards that stand whatever the others hold: the top ones of each suit, or all of it."""
    out = ALL & ~(hand | put)
    found = 0
    for suit in range(4):
        if suit == game:
            continue
        own = hand >> 8 * suit & PLAIN
        count = standing(own, out >> 8 * suit & PLAIN)
        for rank in range(ACE, -1, -1):
            if count > 0 and own >> rank & 1:
                found |= 1 << 8 * suit + rank
                count -= 1
    return found


@njit
def grand_penalties(cards, put, seat, lost, least, p):
    """Fill the expert rules of a grand that is no high-card game (SKAT-8, 29).

    lost, least: tricks lost by this discard and by the best.
    """
    above = seat == 0 and least <= 3
    stand = standing_cards(np.int64(GRAND), cards, np.int64(0))
    kept = cards & ~put
    if above:
        p[FROM_ABOVE] = FULL - eyes_of(put) if lost <= 3 else NEVER
    else:
        p[STANDING_CARD] = popcount(put & stand)
    court = (KINGS | QUEENS) & ~stand
    if least == 2:
        p[TENS_OUT] = popcount(kept & TENS & ~stand)
    elif least == 3 and popcount(stand & (ACES | TENS)) >= 2:
        p[COURT_OUT] = popcount(kept & court)
    elif least == 4 and popcount(cards & (ACES | TENS)) >= 4:
        p[ALL_COURT_OUT] = popcount(kept & court)
    own = project(np.int64(GRAND), JACKS, cards)
    entries = standing(own, project(np.int64(GRAND), JACKS, JACKS & ~cards)) + popcount(cards & ACES)
    aces = popcount(cards & ACES)
    for suit in range(4):
        side, gone = cards >> 8 * suit & PLAIN, put >> 8 * suit & PLAIN
        if seat == 2 and entries >= 2 and guarded_once(side) and gone:
            p[REAR_GUARD] += 1
        if aces == 2 and not side >> ACE & 1 and popcount(side) >= 4:
            p[LONG_SUIT] += popcount(gone)


@njit
def guarded_once(side):
    """Whether a side suit is the ten and one smaller card."""
    return popcount(side) == 2 and side >> TEN & 1 != 0 and not side >> ACE & 1


@njit
def guard_penalty(game, cards, put, seat):
    """Suit games (SKAT-6): a once-guarded ten is kept in front and in the middle; in the rear a free suit is better."""
    broken, guarded, free = 0, 0, 0
    for suit in range(4):
        if suit == game:
            continue
        side, gone = cards >> 8 * suit & PLAIN, put >> 8 * suit & PLAIN
        if guarded_once(side):
            guarded += 1
            broken += gone != 0
        free += side != 0 and side == gone
    if seat == 2:
        return 1 if guarded > 0 and free == 0 else 0
    return broken


@njit
def prepare(expected, sure, game, cards, seat, types, pairs, features, penalties, found):
    """All that is asked of the 66 discards of twelve cards for a suit or grand game; returns the type of the hand.

    types: high_trumps, few_jacks, many_lost of ``hand_type``. Filled are pairs (66,), features (66, S_SIZE) but for
    the chance to win, penalties (66, RULES), found (66, T_SIZE): tricks lost and high cards secured.
    """
    fill_pairs(cards, pairs)
    if game > GRAND:
        features[:] = 0.0
        penalties[:] = 0
        found[:] = 0
        for i in range(PAIRS):
            features[i, S_EYES] = eyes_of(pairs[i])
        return NULL_GAME
    kind = hand_type(sure, game, cards, types[0], types[1], types[2], np.zeros(T_SIZE, np.int64))
    least = 10
    theorem = False
    for i in range(PAIRS):
        put = pairs[i]
        hand = cards & ~put
        losses(sure, game, hand, put, found[i])
        if put & TRUMPS[game] == 0:
            least = found[i, T_LOST] if found[i, T_LOST] < least else least
        discard_features(expected, game, hand, put, seat, features[i])
        theorem = theorem or theorem_holds(found[i])
    for i in range(PAIRS):
        put = pairs[i]
        p = penalties[i]
        p[:] = 0
        suit_penalties(game, kind, cards, put, p)
        if game < GRAND:
            p[GUARDED_TEN] = guard_penalty(game, cards, put, seat)
            continue
        if theorem and not theorem_holds(found[i]):
            p[THEOREM] = 1
        if kind != HIGH_CARD:
            grand_penalties(cards, put, seat, found[i, T_LOST], least, p)
    return kind


@njit
def prepare_many(expected, sure, games, cards, seats, types, kinds, pairs, features, penalties, found):
    """``prepare`` for n hands; every array has one axis more."""
    for i in range(len(cards)):
        kinds[i] = prepare(
            expected, sure, games[i], cards[i], seats[i], types, pairs[i], features[i], penalties[i], found[i]
        )
