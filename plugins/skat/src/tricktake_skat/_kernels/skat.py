"""The rules of Skat before and after the play of the cards, over ints; the only place where they are written.

Batches call these functions compiled; ``auction``, ``exchange``, ``value``, ``rules`` and ``scoring`` call the same
source as Python, so that a single game compiles nothing. RULE-4 to 11 and 17; ISkO 2.4, 4 and 5.
"""

import numpy as np

from tricktake.jit import njit, popcount
from tricktake_skat._kernels.cards import ACE, BASES, GRAND, JACK, NULL

FOREHAND, MIDDLEHAND, REARHAND = 0, 1, 2
NOBODY = -1
OVER = -1  # who calls when the auction is over
BEGIN = (MIDDLEHAND, FOREHAND, False, 0)  # an auction: caller, hearer, whether the hearer answers, the bid so far

NULL_VALUES = np.array([23, 35, 46, 59], np.int64)  # by hand + 2 * ouvert
MIN_BID = 18
BIDS = np.array(
    sorted({b * n for b in (9, 10, 11, 12) for n in range(2, 19)} | {24 * n for n in range(2, 12)} | {23, 35, 46, 59}),
    np.int64,
)
NO_BID = 999  # above the last

SCHNEIDER, SCHWARZ = 1, 2  # announced

WIN, SAVE = 61, 60  # eyes the declarer needs, and the defenders
OUT_OF_SCHNEIDER, MADE_SCHNEIDER = 31, 90
ALL_TRICKS = 10
IMPOSSIBLE = 121  # eyes nobody can reach

# ---- the auction ---------------------------------------------------------------------------------------------------


@njit
def next_bid(bid):
    """The lowest legal bid above ``bid``; ``NO_BID`` above the last."""
    for value in BIDS:
        if value > bid:
            return value
    return NO_BID


@njit
def asked(caller, answering, bid):
    """The lowest bid the seat in turn may make, or the one it is to hold."""
    return bid if answering else MIN_BID if caller == FOREHAND else next_bid(bid)


@njit
def auction_step(caller, hearer, answering, bid, said):
    """The auction after one word: (caller, hearer, answering, bid); see ``BEGIN``.

    The hearer is in turn if ``answering``, else the caller. said: the bid made or held, 0 for a pass. Middlehand bids
    to forehand, then rearhand to the survivor; last, forehand may take the game at 18. The auction is over when caller
    is ``OVER``: hearer is the declarer then, or ``NOBODY`` if the deal is passed in.
    """
    if said > 0:
        if caller == FOREHAND:
            return OVER, FOREHAND, False, said
        return caller, hearer, not answering, said
    if caller == FOREHAND:
        return OVER, NOBODY, False, bid
    survivor = caller if answering else hearer
    if caller == MIDDLEHAND:
        return REARHAND, survivor, False, bid
    if bid > 0:
        return OVER, survivor, False, bid
    return FOREHAND, FOREHAND, False, bid


# ---- the exchange ---------------------------------------------------------------------------------------------------


@njit
def may_discard(hand, skat, put, from_hand):
    """Whether these two cards can lie in the skat of a declarer with these ten cards and this skat as dealt."""
    if popcount(put) != 2 or put & ~(hand | skat) != 0:
        return False
    return put == skat or not from_hand


# ---- what a game is worth -------------------------------------------------------------------------------------------


@njit
def matadors(game, cards):
    """With (+) or without (-) so many top trumps in a row from the jack of clubs; 0 for Null. cards: hand and skat."""
    if game == NULL:
        return 0
    with_top = cards >> JACK & 1
    run = 0
    for suit in range(4):
        if cards >> (8 * suit + JACK) & 1 != with_top:
            return run if with_top else -run
        run += 1
    if game < GRAND:
        for rank in range(ACE, -1, -1):
            if cards >> (8 * game + rank) & 1 != with_top:
                break
            run += 1
    return run if with_top else -run


@njit
def base_of(game, hand, ouvert):
    """The base value of a suit or grand game; the value of a Null game."""
    return NULL_VALUES[hand + 2 * ouvert] if game == NULL else BASES[game]


@njit
def level_of(matador, hand, announced, ouvert, schneider, schwarz):
    """The factor of the base value of a suit or grand game. schneider, schwarz: reached by either side.

    What is announced counts as reached, since a missed announcement is lost at least at that level, and is not charged
    twice (5.2.5).
    """
    level = abs(matador) + 1 + hand + ouvert
    level += (schneider or schwarz or announced >= SCHNEIDER) + (announced >= SCHNEIDER)
    return level + (schwarz or announced >= SCHWARZ) + (announced >= SCHWARZ)


@njit
def overbid_value(game, base, bid):
    """What an overbid game is charged before doubling: the smallest multiple of the base value reaching the bid.

    House decision for Null: the next value of a Null game that reaches the bid, or the bid itself above them all.
    """
    if game == NULL:
        for value in NULL_VALUES:
            if value >= bid:
                return value
        return bid
    return (bid + base - 1) // base * base


@njit
def needed_eyes(base, matador, hand, announced, ouvert, bid):
    """The least eyes with which the declarer of a suit or grand game wins, ``IMPOSSIBLE`` if only Schwarz or nothing
    will do. More than 61 if Schneider is announced, or is needed to reach the bid.
    """
    if announced >= SCHWARZ or base * level_of(matador, hand, announced, ouvert, True, False) < bid:
        return IMPOSSIBLE
    enough = base * level_of(matador, hand, announced, ouvert, False, False) >= bid
    return WIN if announced == 0 and enough else MADE_SCHNEIDER


@njit
def settle(game, hand, announced, ouvert, matador, bid, eyes, tricks):
    """How a game ended: (won, value, level, overbid, schneider, schwarz); the value neither signed nor doubled.

    eyes: of the declarer with the skat; tricks: his. A game worth less than its bid is lost and charged at the smallest
    sufficient multiple; Schneider or Schwarz may lift it to the bid. Level is 0 for Null.
    """
    base = base_of(game, hand, ouvert)
    if game == NULL:
        overbid = base < bid
        value = overbid_value(game, base, bid) if overbid else base
        return tricks == 0 and not overbid, value, 0, overbid, False, False
    schwarz = tricks == 0 or tricks == ALL_TRICKS
    schneider = schwarz or eyes >= MADE_SCHNEIDER or eyes < OUT_OF_SCHNEIDER
    level = level_of(matador, hand, announced, ouvert, schneider, schwarz)
    overbid = base * level < bid
    value = overbid_value(game, base, bid) if overbid else base * level
    if announced >= SCHWARZ:
        made = tricks == ALL_TRICKS
    else:
        made = eyes >= (MADE_SCHNEIDER if announced == SCHNEIDER else WIN)
    return made and not overbid, value, value // base, overbid, schneider, schwarz


@njit
def points_of(won, value):
    """The declarer's plain points: the value, minus twice the value for a loss."""
    return value if won else -2 * value
