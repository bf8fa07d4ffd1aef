"""The two cards to discard of twelve: what each of the 66 pairs leaves, as features (SKAT-25) and as tricks lost.

Games are 0 to 3 for a trump suit, GRAND, and where said NULL and 6 for Null ouvert; ``expected`` and ``sure`` are
tables of ``factor``.
"""

import numpy as np

from tricktake.jit import njit, popcount
from tricktake_skat._kernels.cards import (
    ACE,
    ACES,
    ALL,
    GRAND,
    JACK,
    JACKS,
    KING,
    KINGS,
    PAIRS,
    PLAIN,
    QUEENS,
    TEN,
    TENS,
    eyes_of,
)
from tricktake_skat._kernels.factor import RETAKING, STRAIGHT, class_of, project, sequence_of, standing
from tricktake_skat._kernels.hand_features import F_SIZE
from tricktake_skat._kernels.rule_bid import FINAL, chance, logit
from tricktake_skat._kernels.strength import kinback, von_stegen

STEGEN, KINBACK = 0, 1  # systems of hand strength
HAND = 10  # cards of each of the others when the play begins

# The features, f1 to f9 of SKAT-25.
S_WIN = 0  # chance to win, in percent, from elsewhere (SKAT-28: the scale is ours)
S_FREE = 1  # side suits without a card
S_EYES = 2  # discarded
S_GOOD_TENS = 3  # tens with their ace
S_BAD_TENS = 4  # tens with their king but no ace, in the rear
S_STANDING = 5  # side cards that stand from above in the worst case (GAP-6)
S_RETAKING = 6  # tricks the side suits win on average if the lead is regained
S_STRAIGHT = 7  # the same up to the first trick that is lost
S_LED = 8  # side suits led by an ace, or soon retaken with ten and king
S_SIZE = 9

# What the high-card theorem says of a discard (SKAT-9).
T_SECURED = 0  # aces and tens that surely come home, the skat among them
T_LOST = 1  # tricks
T_GIVEN = 2  # own eyes in those
T_BOUND = 3  # the most eyes the others can have
T_SIZE = 4

HIGH = ACES | TENS


@njit
def dearest_eyes(mask, count):
    """The eyes of the ``count`` cards of a set that have most."""
    total = 0
    for value, cards in ((11, ACES), (10, TENS), (4, KINGS), (3, QUEENS), (2, JACKS)):
        some = popcount(mask & cards)
        some = some if some < count else count
        total += value * some
        count -= some
    return total


@njit
def discard_features(expected, game, hand, put, seat, f):
    """Fill ``f`` (S_SIZE), but for the chance to win. Standing cards are those of side suits: no trump is discarded."""
    f[S_FREE:S_SIZE] = 0.0
    f[S_EYES] = eyes_of(put)
    out = ALL & ~(hand | put)
    for suit in range(4):
        if suit == game:
            continue
        own = hand >> 8 * suit & PLAIN
        if own == 0:
            f[S_FREE] += 1
            continue
        others = out >> 8 * suit & PLAIN
        ace, ten, king = own >> ACE & 1, own >> TEN & 1, own >> KING & 1
        f[S_GOOD_TENS] += ace & ten
        f[S_LED] += ace | (ten & king)
        if seat == 2:
            f[S_BAD_TENS] += ten & king & ~ace
        index = sequence_of(own, others)
        f[S_STANDING] += standing(own, others)
        f[S_RETAKING] += expected[RETAKING, HAND, index]
        f[S_STRAIGHT] += expected[STRAIGHT, HAND, index]


@njit
def losses(sure, game, hand, put, t):
    """Fill ``t`` (T_SIZE): tricks lost in the worst case if the lead can be regained, and the high cards secured.

    Of each suit as many of the lowest cards are lost as it surely wins fewer; secured are those at the top.
    """
    out = ALL & ~(hand | put)
    t[T_SECURED] = popcount(put & HIGH)
    t[T_LOST] = 0
    t[T_GIVEN] = 0
    for suit in range(5):
        if suit == game and game < GRAND:
            continue
        group = class_of(game, np.int64(suit))
        own = project(game, group, hand)
        others = project(game, group, out)
        lost = popcount(own) - sure[sequence_of(own, others)]
        t[T_LOST] += lost
        safe = popcount(own) - lost
        top = standing(own, others)
        for place in range(10, -1, -1):
            if not own >> place & 1:
                continue
            if place > ACE:
                card = 1 << 8 * (10 - place) + JACK
            else:
                card = 1 << 8 * (game if suit == 4 else suit) + place
            if top > 0 and card & HIGH:
                t[T_SECURED] += 1
            if safe <= 0:
                t[T_GIVEN] += eyes_of(card)
            top -= 1
            safe -= 1
    t[T_BOUND] = t[T_GIVEN] + dearest_eyes(out, 2 * t[T_LOST])


@njit
def theorem_holds(t):
    """As many high cards secured as tricks lost, no points given (SKAT-9), and by count the others stay below 60."""
    return t[T_SECURED] >= t[T_LOST] and t[T_GIVEN] == 0 and t[T_BOUND] < 60


@njit
def chances(games, hands, puts, seats, found):
    """Fill (n,) with the rule player's chances to win; game 6 is Null ouvert."""
    f = np.zeros(F_SIZE)
    for i in range(len(found)):
        found[i] = chance(logit(games[i], hands[i], puts[i], seats[i], np.int64(FINAL), f))


@njit
def strengths(system, games, cards, pairs, seats, bids, grand_jacks, found):
    """Fill (n, 66) with the points ``system`` (STEGEN or KINBACK) gives what is left; 0 for Null.

    pairs: (n, 66). bids: (n,) the highest bid of the others.
    """
    for i in range(len(found)):
        for k in range(PAIRS):
            found[i, k] = 0.0
            if games[i] > GRAND:
                continue
            hand = cards[i] & ~pairs[i, k]
            if system == STEGEN:
                found[i, k] = von_stegen(games[i], hand, bids[i], grand_jacks)
            else:
                found[i, k] = kinback(games[i], hand, np.int64(seats[i] == 0), pairs[i, k])
