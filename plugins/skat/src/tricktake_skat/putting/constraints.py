"""The hard constraints on the skat (SKAT-6, 8, 20 to 24, 29, 30): rules with a name, a source and a reason.

A rule gives every put a penalty, mostly how many cards offend; of the puts left by the rules before it, those with the
smallest penalty stay. So no rule ever leaves nothing: one that cannot be kept is relaxed to the puts that offend least,
and the rules after it still count (the backup of SKAT-24, which the paper only mentions). The order is that of the
configuration, by default the one here.

Some readings are ours, because the paper is short: a suit is *bare* with one card, a ten *once guarded* with one
smaller card; *lost* tricks are those of the worst case if the lead can be regained (``theorem``).
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from tricktake.errors import UnknownName
from tricktake_skat._kernels import putting_rules as kernel

IntArray = NDArray[np.int64]


class HandType(IntEnum):
    """Types of hands that ask for different skats (SKAT-26, 27), by the twelve cards."""

    HIGH_CARD_GRAND = kernel.HIGH_CARD
    TWO_JACK_GRAND = kernel.TWO_JACKS
    STANDARD_GRAND = kernel.STANDARD
    FOUR_JACK_GRAND = kernel.FOUR_JACKS
    HIGH_TRUMP_SUIT = kernel.HIGH_TRUMP
    LOW_TRUMP_SUIT = kernel.LOW_TRUMP
    NULL = kernel.NULL_GAME

    @property
    def label(self) -> str:
        """The name in the configuration: ``"two-jack-grand"``."""
        return self.name.lower().replace("_", "-")


HIGH_CARD, TWO_JACKS, STANDARD, FOUR_JACKS, HIGH_TRUMP, LOW_TRUMP = list(HandType)[:6]
ALL = (HIGH_CARD, TWO_JACKS, STANDARD, FOUR_JACKS, HIGH_TRUMP, LOW_TRUMP)
GRANDS = (TWO_JACKS, STANDARD, FOUR_JACKS)
SUITS = (HIGH_TRUMP, LOW_TRUMP)
TRICKS = (*GRANDS, HIGH_TRUMP)  # where tricks count more than eyes
EYES = (HIGH_CARD, LOW_TRUMP)


@frozen
class Rule:
    """One constraint: its number in the kernel, name, the types of hands it is for, its source and what it says."""

    number: int
    name: str
    types: tuple[HandType, ...]
    source: str
    text: str


def _rule(number: int, name: str, types: tuple[HandType, ...], source: str, text: str) -> Rule:
    return Rule(number, name, types, source, text)


RULES: tuple[Rule, ...] = (
    _rule(kernel.TRUMP, "trump", ALL, "SKAT-20", "no trump is put"),
    _rule(
        kernel.THEOREM,
        "theorem",
        (HIGH_CARD, *GRANDS),
        "SKAT-9, 21",
        "if a skat secures as many high cards as tricks are lost, without giving points, it must be such a one",
    ),
    _rule(kernel.NO_ACE, "ace", TRICKS, "SKAT-22, 23", "no ace is put where tricks count"),
    _rule(kernel.BARE_TEN, "bare-ten", ALL, "SKAT-21, 22", "bare tens are put, unless there are three"),
    _rule(kernel.LOWEST, "lowest", ALL, "SKAT-22", "of seven, eight and nine of a suit the lowest is put first"),
    _rule(
        kernel.ACE_AND_TEN,
        "ace-and-ten",
        EYES,
        "SKAT-21, 23",
        "ace and ten do not go together from a suit of three without the king",
    ),
    _rule(kernel.ACE_FIRST, "ace-first", EYES, "SKAT-21, 23", "of ace and ten the ace is put: one eye more"),
    _rule(
        kernel.TEN_FIRST,
        "ten-first",
        ALL,
        "SKAT-6, 30",
        "of ten and king the ten is put: the king wins as much",
    ),
    _rule(
        kernel.TEN_AND_LOW,
        "ten-and-low",
        (*GRANDS, *SUITS),
        "SKAT-22",
        "not ten and low card of one suit while another low card stays bare",
    ),
    _rule(
        kernel.KING_LOW,
        "king-low",
        (*GRANDS, *SUITS),
        "SKAT-22",
        "not the king of ten, king and low card, with a low card of another suit: ten and low card would stay",
    ),
    _rule(
        kernel.LOW_LOW,
        "low-low",
        (*GRANDS, *SUITS),
        "SKAT-22",
        "not the low card of ten, king and low card, with another low card: ten and king would stay",
    ),
    _rule(
        kernel.KING_KING,
        "king-king",
        (*GRANDS, *SUITS),
        "SKAT-22",
        "not the king of ten, king and low card, with another king: ten and low card would stay",
    ),
    _rule(
        kernel.LOW_KING,
        "low-king",
        (*GRANDS, *SUITS),
        "SKAT-22",
        "not the low card of ten, king and low card, with another king: ten and king would stay",
    ),
    _rule(
        kernel.KING_QUEEN,
        "king-queen",
        (*GRANDS, *SUITS),
        "SKAT-22",
        "not the king of ten, king and low card, with another queen (printed: while ten and king stay)",
    ),
    _rule(
        kernel.LOW_QUEEN,
        "low-queen",
        (*GRANDS, *SUITS),
        "SKAT-22",
        "not the low card of ten, king and low card, with another queen: ten and king would stay",
    ),
    _rule(
        kernel.TEN_GROUP,
        "ten-group",
        ALL,
        "SKAT-30",
        "if a card goes from ten, king and smaller ones without the ace, then the ten: the king takes the trick",
    ),
    _rule(
        kernel.STANDING_CARD,
        "standing",
        GRANDS,
        "SKAT-8, 29",
        "no card that surely stands is put, unless the game is played from above",
    ),
    _rule(
        kernel.FROM_ABOVE,
        "from-above",
        GRANDS,
        "SKAT-29",
        "in forehand, if at most three tricks are lost, the most eyes are put",
    ),
    _rule(
        kernel.TENS_OUT,
        "tens-out",
        GRANDS,
        "SKAT-8",
        "if two tricks are lost, only tens given into them can lose the game: they are put",
    ),
    _rule(
        kernel.COURT_OUT,
        "court-out",
        GRANDS,
        "SKAT-8",
        "if three tricks are lost and two high cards are sure, kings and queens are put",
    ),
    _rule(
        kernel.ALL_COURT_OUT,
        "all-court-out",
        GRANDS,
        "SKAT-8",
        "if four tricks are lost and four high cards are there, all kings and queens go",
    ),
    _rule(
        kernel.REAR_GUARD,
        "rear-guard",
        GRANDS,
        "SKAT-29",
        "in the rear with two entries a once-guarded ten is kept, and another suit is put",
    ),
    _rule(
        kernel.LONG_SUIT,
        "long-suit",
        GRANDS,
        "SKAT-29",
        "with two aces and a third long suit its cards are kept, to make them stand",
    ),
    _rule(
        kernel.GUARDED_TEN,
        "guarded-ten",
        SUITS,
        "SKAT-6",
        "a once-guarded ten is kept, but in the rear a free suit is better",
    ),
)
"""All rules, in the order of their default priority."""

NAMES: dict[str, Rule] = {rule.name: rule for rule in RULES}


def rule(name: str) -> Rule:
    """The rule of this name. Raises UnknownName."""
    if name not in NAMES:
        raise UnknownName("rule of putting", name, NAMES)
    return NAMES[name]


def order(names: tuple[str, ...]) -> IntArray:
    """The rules by name, the most important first, as the kernels take them: (types, RULES), filled up with -1.

    Raises UnknownName.
    """
    rows = np.full((kernel.TYPES, kernel.RULES), -1, np.int64)
    rules = [rule(name) for name in names]
    for kind in HandType:
        row = [r.number for r in rules if kind in r.types]
        rows[kind, : len(row)] = row
    return rows
