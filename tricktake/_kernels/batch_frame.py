"""What a policy is asked with, and what the loop of ``batch`` takes and gives back. All int64."""

from typing import NamedTuple

import numpy as np

from tricktake._kernels.layout import MAX_SEATS

# The frame.
SEAT = 0  # to play
HAND = 1  # its cards
LEGAL = 2  # those it may play
LEADER = 3  # of the trick
PLAYED = 4  # cards on the table
TABLE = 5  # those cards, first played first, then -1
SUIT_CARD = TABLE + MAX_SEATS  # the one that says which suit is to be followed, -1
BEST = SUIT_CARD + 1  # the card that wins so far, -1
WINNER = BEST + 1  # the seat that played it
GONE = WINNER + 1  # cards played, those on the table included
KNOWN = GONE + 1  # cards this seat knows to be out of play
COUNT = KNOWN + 1  # cards played so far
VOID = COUNT + 1  # of each seat: the cards of the suits it did not follow; where it must, it holds none of them
LED = VOID + MAX_SEATS  # of each seat: the cards of the suits it has led
OPEN = LED + MAX_SEATS  # of each seat: its hand if it lies open
TAKEN = OPEN + MAX_SEATS  # of each seat: the cost of its tricks
TRICKS = TAKEN + MAX_SEATS  # of each seat: their number
FIRST = TRICKS + MAX_SEATS  # 1: the first trick
LAST = FIRST + 1  # 1: the last trick
FLAGS = LAST + 1  # ``layout.BROKEN`` and ``PENDING``
DATA = FLAGS + 1  # the seat's own number
WHY = DATA + 1  # what decided, written by the policy
FACTS = WHY + 1
FACTS_MAX = 8
FRAME = FACTS + FACTS_MAX

# How a game ended.
SOUND, NOT_HELD, NOT_ALLOWED = 0, 1, 2


class Games(NamedTuple):
    """Games to be played.

    rules: (n,) number of the packed rules. hands: (n, seats). leaders: (n,). policies, data: (n or 1, seats) address of
    each seat's policy (0: nobody, the game ends when no card is given) and its ``DATA``. facts: (n, FACTS_MAX).
    known: (n, seats) cards out of play each seat knows. shown: (n,) mask over seats whose hands lie open.
    sides, limits: (n,) a game ends with the trick in which this mask of seats takes more than this, in cost.
    """

    rules: np.ndarray
    hands: np.ndarray
    leaders: np.ndarray
    policies: np.ndarray
    data: np.ndarray
    facts: np.ndarray
    known: np.ndarray
    shown: np.ndarray
    sides: np.ndarray
    limits: np.ndarray


class Played(NamedTuple):
    """What came of them, filled in.

    cards: (n, cards) in order of play; given: a card that is not -1 is played as it stands. whys: the same shape, what
    decided each. winners: (n, tricks) seat, -1 for a trick not finished. taken: (n, seats) cost. faults: (n,) ``SOUND``
    or what is wrong with the last card.
    """

    cards: np.ndarray
    whys: np.ndarray
    winners: np.ndarray
    taken: np.ndarray
    faults: np.ndarray
