"""Q3: does a Null with one weak suit hold? Mined from games in which every other suit is safe (OUTER-19, KERMIT-3).

The result of such a game is the result of its weak suit. A game lost in another suit (the declarer led badly) contains
no information on it and is left out, as are games below their bid and conceded ones.
"""

from __future__ import annotations

from typing import Any

from tricktake_skat.kernels import CONFIGS, KINDS, NULL, PUTS, config_of, puts_in, weak_suit
from tricktake_skat.rows import GAMES

from tricktake.learning import Question, feature


@feature(domain=KINDS)
def kind(row: Any) -> Any:
    """0 Null, 1 Null Hand, 2 Null ouvert, 3 Null ouvert Hand."""
    return row.hand + 2 * row.ouvert


@feature(domain=2)
def leads(row: Any) -> Any:
    """Whether the declarer leads to the first trick."""
    return row.declarer == 0


@feature(domain=PUTS)
def puts(row: Any) -> Any:
    """Cards of the weak suit in the skat; 0 in hand games, whose declarer does not see it."""
    return 0 if row.hand == 1 else puts_in(row.put, weak_suit(row.own))


@feature(domain=CONFIGS)
def config(row: Any) -> Any:
    """The cards of the weak suit, a bit each: 7 8 9 10 J Q K A."""
    return config_of(row.own, weak_suit(row.own))


def last_led(row: Any) -> Any:
    """The suit led to the last trick, -1 if no card was played."""
    led = -1
    for trick in range(10):
        if row.cards[3 * trick] >= 0:
            led = row.cards[3 * trick] // 8
    return led


def held(row: Any) -> Any:
    return row.won == 1


def says_nothing(row: Any) -> Any:
    """No Null with one weak suit, or one whose result has another reason."""
    if row.game != NULL or weak_suit(row.own) < 0:
        return True
    if row.won == 1 or row.cards[0] < 0:  # without cards: a result that was computed
        return False
    return row.tricks == 0 or last_led(row) != weak_suit(row.own)


SUIT = Question(
    "null_tables:suit",
    rows=GAMES,
    features=(kind, leads, puts, config),
    layers={
        "foreground": "all",
        "without-puts": ("kind", "leads", "config"),
        "without-lead": ("kind", "config"),
        "cards": ("config",),
    },
    excluded=says_nothing,
    won=held,
)
"""Does the one weak suit of a Null hold?"""
