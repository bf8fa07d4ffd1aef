"""Q1: does the declarer win? Nine features of a suit game, seven of a grand (OUTER-17, SKAT-16, ELO-22).

Hand and ouvert games and announcements are left out (SKAT-4): their skat was not chosen. Won means 61 eyes; whether
the game is worth the bid is known without a table. Games in which somebody gave up count as they were scored.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tricktake.factor import tables
from tricktake.jit import popcount
from tricktake.learning import Question, feature
from tricktake_skat._kernels.cards import GRAND, TRUMPS, eyes_of
from tricktake_skat._kernels.features import (
    BID_GROUPS,
    JACK_GROUP,
    JACK_GROUPS,
    SKAT_GROUPS,
    UNKNOWN_BID,
    group_of,
    jack_code,
    strongest_bid,
    trump_tenaces,
)
from tricktake_skat._kernels.features import free_suits as free_suits_of
from tricktake_skat._kernels.features import lost as lost_of
from tricktake_skat._kernels.features import side_aces as side_aces_of
from tricktake_skat._kernels.features import side_tens as side_tens_of
from tricktake_skat.questions.cuts import BID_CUTS, SKAT_CUTS
from tricktake_skat.rows import GAMES

# Thousandths of tricks by question and sequence of a suit, against two hands of ten; whole numbers are the same on all
# machines.
EXPECTED = np.rint(tables().expected[:, 10] * 1000).astype(np.int64)


@feature(domain=11)
def trumps(row: Any) -> Any:
    """Trumps in hand."""
    return popcount(row.own & TRUMPS[row.game])


@feature(domain=JACK_GROUPS)
def jacks(row: Any) -> Any:
    """Jack group: which jacks, as far as it matters (2.2)."""
    return JACK_GROUP[jack_code(row.own)]


@feature(domain=4)
def tenaces(row: Any) -> Any:
    """Outstanding trumps between two own ones, at most 3 (2.3)."""
    return trump_tenaces(row.game, row.own, row.put)


@feature(domain=5)
def aces(row: Any) -> Any:
    """Aces that are no trumps."""
    return side_aces_of(row.game, row.own)


@feature(domain=5)
def tens(row: Any) -> Any:
    """Tens that are no trumps."""
    return side_tens_of(row.game, row.own)


@feature(domain=11)
def lost(row: Any) -> Any:
    """Tricks expected to be lost, to the nearest (2.5)."""
    return lost_of(EXPECTED, row.game, row.own, row.put)


@feature(domain=BID_GROUPS)
def bid(row: Any) -> Any:
    """Group of the strongest bid of the two others (2.4); 4 if the source does not say."""
    strongest = strongest_bid(row.bids, row.declarer)
    return group_of(strongest, BID_CUTS) if strongest >= 0 else UNKNOWN_BID


@feature(domain=SKAT_GROUPS)
def skat(row: Any) -> Any:
    """Group of the eyes put (2.4)."""
    return group_of(eyes_of(row.put), SKAT_CUTS)


@feature(domain=5)
def free_suits(row: Any) -> Any:
    """Side suits without a card."""
    return free_suits_of(row.game, row.own)


@feature(domain=3)
def position(row: Any) -> Any:
    """0 forehand, 1 middlehand, 2 rearhand."""
    return row.declarer


def won(row: Any) -> Any:
    return row.eyes >= 61


def not_a_suit_game(row: Any) -> Any:
    plain = row.hand == 0 and row.ouvert == 0 and row.announced == 0
    return not plain or row.game < 0 or row.game >= GRAND or row.eyes < 0


def not_a_grand(row: Any) -> Any:
    plain = row.hand == 0 and row.ouvert == 0 and row.announced == 0
    return not plain or row.game != GRAND or row.eyes < 0


SUIT = Question(
    "skat:suit",
    rows=GAMES,
    features=(trumps, jacks, tenaces, aces, tens, lost, bid, skat, free_suits),
    layers={
        "foreground": "all",
        "background": ("trumps", "jacks", "lost", "skat"),
        "last": ("trumps", "lost"),
    },
    excluded=not_a_suit_game,
    won=won,
)
"""Does the declarer of a suit game win?"""

GRAND_GAME = Question(
    "skat:grand",
    rows=GAMES,
    features=(jacks, aces, tens, lost, bid, position, skat),
    layers={
        "foreground": "all",
        "background": ("jacks", "aces", "lost", "position"),
        "last": ("aces", "lost"),
    },
    excluded=not_a_grand,
    won=won,
)
"""Does the declarer of a grand win?"""
