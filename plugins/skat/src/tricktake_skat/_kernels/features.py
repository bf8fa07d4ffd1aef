"""What decides a game of Skat before its first trick, in small whole numbers (GAP-2 to 5, OUTER-17, 18)."""

import numpy as np

from tricktake.jit import njit, popcount
from tricktake_skat._kernels.cards import ACES, ALL, BASES, GRAND, JACKS, NULL, PLAIN, TENS, TRUMPS
from tricktake_skat._kernels.factor import (
    FROM_TOP,
    RETAKING,
    class_of,
    project,
    sequence_of,
    tenaces,
)

# Jack groups (2.2) by the four bits clubs, spades, hearts, diamonds.
NONE, RED, SPADES, CLUBS, REDS, SPADES_RED, CLUBS_RED, BLACKS, THREE, BLACKS_RED, FOUR = range(11)
JACK_GROUPS = 11


def _jack_group(code):
    clubs, spades, reds = code & 1, code >> 1 & 1, (code >> 2 & 1) + (code >> 3 & 1)
    if reds == 2:
        return FOUR if clubs and spades else THREE if clubs or spades else REDS
    if reds == 1:
        return BLACKS_RED if clubs and spades else CLUBS_RED if clubs else SPADES_RED if spades else RED
    return BLACKS if clubs and spades else CLUBS if clubs else SPADES if spades else NONE


JACK_GROUP = np.array([_jack_group(code) for code in range(16)], np.int64)

UNKNOWN_BID = 4  # bid group of a log that does not say
BID_GROUPS = 5
SKAT_GROUPS = 4


@njit
def jack_code(mask):
    """The jacks as four bits: clubs 1, spades 2, hearts 4, diamonds 8."""
    return (mask >> 7 & 1) | (mask >> 15 & 1) << 1 | (mask >> 23 & 1) << 2 | (mask >> 31 & 1) << 3


@njit
def group_of(value, cuts):
    """How many of the cut points (lowest value of groups 1, 2, ...) ``value`` reaches."""
    found = 0
    for cut in cuts:
        found += value >= cut
    return found


@njit
def strongest_bid(bids, declarer):
    """The highest bid of the two others, -1 if one is unknown."""
    most = 0
    for seat in range(3):
        if seat != declarer:
            if bids[seat] < 0:
                return -1
            if bids[seat] > most:
                most = bids[seat]
    return most


@njit
def trump_tenaces(game, own, put):
    """Outstanding trumps directly between two own ones, 0 to 3 (2.3)."""
    return tenaces(project(game, TRUMPS[game], own), project(game, TRUMPS[game], ALL & ~own & ~put))


@njit
def lost(expected, game, own, put):
    """Tricks a suit or grand game is expected to lose, to the nearest, 0 to 10 (2.5).

    expected: thousandths of tricks by question and ``sequence``. put: 0 if the skat is unknown.
    """
    total = 500
    out = ALL & ~own & ~put
    for suit in range(5):
        if suit == game:
            continue
        group = class_of(game, np.int64(suit))
        mine = project(game, group, own)
        question = FROM_TOP if group == TRUMPS[game] else RETAKING
        total += 1000 * popcount(mine) - expected[question, sequence_of(mine, project(game, group, out))]
    return total // 1000


@njit
def free_suits(game, own):
    """Side suits without a card."""
    found = 0
    for suit in range(4):
        if suit != game and own & (PLAIN << 8 * suit) == 0:
            found += 1
    return found


@njit
def side_aces(game, own):
    return popcount(own & ACES & ~TRUMPS[game])


@njit
def side_tens(game, own):
    return popcount(own & TENS & ~TRUMPS[game])


# -- the opening lead of a defender -----------------------------------------------------------------------------------


@njit
def trump_strength(game, hand):
    """0 weak: at most one trump and no jack; 2 strong: four trumps or two jacks; else 1 (2.4)."""
    trumps, jacks = popcount(hand & TRUMPS[game]), popcount(hand & JACKS)
    if trumps >= 4 or jacks >= 2:
        return 2
    return 0 if trumps <= 1 and jacks == 0 else 1


@njit
def led_suit(game, card):
    """The side suit a card belongs to, -1 for a trump."""
    return -1 if TRUMPS[game] >> card & 1 else card // 8


@njit
def length_of(game, hand, suit):
    """Cards of a side suit."""
    return popcount(hand & (PLAIN << 8 * suit)) if game != NULL else popcount(hand & (0xFF << 8 * suit))


@njit
def bid_on(bid, suit):
    """Whether a bid is a value of games of this suit and of no suit worth more; 2 for an unknown bid."""
    if bid < 0:
        return 2
    if bid == 0 or bid % BASES[suit] != 0:
        return 0
    for better in range(suit):
        if bid % BASES[better] == 0:
            return 0
    return 1 if suit < GRAND else 0
