"""Q2: should a defender open with the ace of his suit or under it? (OUTER-18)

A game counts if forehand defends and opens with a side suit; won means that the declarer lost. The answer compares
the two buckets that differ only in the last feature: the ace was held and played, or held and not played.
"""

from __future__ import annotations

from typing import Any

from tricktake.jit import popcount
from tricktake.learning import Question, feature
from tricktake_skat._kernels.cards import GRAND
from tricktake_skat._kernels.features import bid_on, jack_code, led_suit, length_of, trump_strength
from tricktake_skat.rows import GAMES

ACE, TEN = 6, 5  # ranks


@feature(domain=3)
def strength(row: Any) -> Any:
    """Trumps of the defender who leads: 0 weak, 1 medium, 2 strong (2.4)."""
    return trump_strength(row.game, row.hands[0])


@feature(domain=8)
def length(row: Any) -> Any:
    """Cards he has of the suit he leads, this one included; 0 if he leads a jack."""
    suit = led_suit(row.game, row.cards[0])
    return length_of(row.game, row.hands[0], suit) if suit >= 0 else 0


@feature(domain=2)
def ace(row: Any) -> Any:
    """Whether he has its ace."""
    suit = led_suit(row.game, row.cards[0])
    return row.hands[0] >> (8 * suit + ACE) & 1 if suit >= 0 else 0


@feature(domain=2)
def ten(row: Any) -> Any:
    """Whether he has its ten."""
    suit = led_suit(row.game, row.cards[0])
    return row.hands[0] >> (8 * suit + TEN) & 1 if suit >= 0 else 0


@feature(domain=2)
def declarer_last(row: Any) -> Any:
    """Whether the declarer plays last to the trick (1) or between the defenders (0)."""
    return row.declarer == 2


@feature(domain=3)
def partner_bid(row: Any) -> Any:
    """Whether the partner bid a value of this suit as trumps; 2 if the source does not say."""
    suit = led_suit(row.game, row.cards[0])
    return bid_on(row.bids[3 - row.declarer], suit) if suit >= 0 else 0


@feature(domain=16)
def jacks(row: Any) -> Any:
    """Which jacks he has: clubs 1, spades 2, hearts 4, diamonds 8."""
    return jack_code(row.hands[0])


@feature(domain=2)
def ace_played(row: Any) -> Any:
    """Whether he opens with the ace."""
    suit = led_suit(row.game, row.cards[0])
    return row.cards[0] == 8 * suit + ACE if suit >= 0 else 0


def declarer_lost(row: Any) -> Any:
    return row.won == 0


def no_side_suit_led(row: Any) -> Any:
    trump_game = 0 <= row.game < GRAND
    return not trump_game or row.declarer < 1 or row.cards[0] < 0 or row.trumps >> row.cards[0] & 1 == 1


def no_grand_led(row: Any) -> Any:
    return row.game != GRAND or row.declarer < 1 or row.cards[0] < 0 or popcount(row.hands[0]) != 10


LEAD_SUIT = Question(
    "skat:lead-suit",
    rows=GAMES,
    features=(strength, length, ace, ten, declarer_last, partner_bid, ace_played),
    layers={"foreground": "all", "background": ("length", "ace", "ten", "declarer_last", "ace_played")},
    excluded=no_side_suit_led,
    won=declarer_lost,
)
"""Does the declarer of a suit game lose after this opening?"""

LEAD_GRAND = Question(
    "skat:lead-grand",
    rows=GAMES,
    features=(declarer_last, length, partner_bid, jacks, ace, ten, ace_played),
    layers={"foreground": "all", "background": ("declarer_last", "length", "ace", "ten", "ace_played")},
    excluded=no_grand_led,
    won=declarer_lost,
)
"""Does the declarer of a grand lose after this opening?"""
