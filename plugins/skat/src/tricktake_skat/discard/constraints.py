"""The hard constraints on the skat (SKAT-6, 8, 20 to 24, 29, 30), ``constraints.toml``: a name, a source and a reason.

A rule gives every discard a penalty, mostly how many cards offend; of those left by the rules before it, the ones with
the smallest penalty stay. So no rule ever leaves nothing: one that cannot be kept is relaxed to what offends least, and
the rules after it still count (the backup of SKAT-24, which the paper only mentions). The order is that of the
configuration, by default the one here.

Some readings are ours, because the paper is short: a suit is *bare* with one card, a ten *once guarded* with one
smaller card; *lost* tricks are those of the worst case if the lead can be regained (``losses``).
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from enum import IntEnum
from pathlib import Path

import numpy as np
from attrs import frozen

from tricktake.arrays import IntArray
from tricktake.errors import UnknownName
from tricktake_skat._kernels import discard_rules as kernel


class HandType(IntEnum):
    """Types of hands that ask for different discards (SKAT-26, 27), by the twelve cards."""

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
GRANDS, SUITS = (TWO_JACKS, STANDARD, FOUR_JACKS), (HIGH_TRUMP, LOW_TRUMP)
FOR = {
    "every hand": (HIGH_CARD, *GRANDS, *SUITS),
    "all grands": (HIGH_CARD, *GRANDS),
    "grands of tricks": GRANDS,
    "suit games": SUITS,
    "all but high-card grands": (*GRANDS, *SUITS),
    "where tricks count": (*GRANDS, HIGH_TRUMP),
    "where eyes count": (HIGH_CARD, LOW_TRUMP),
}
"""What rules say of the hands they are for."""


@frozen
class Rule:
    """One constraint: its number in the kernel, name, the types of hands it is for, its source and what it says."""

    number: int
    name: str
    types: tuple[HandType, ...]
    source: str
    text: str


def _rules() -> Iterator[Rule]:
    stored = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    for name, said in stored.items():
        number = getattr(kernel, said.get("penalty", name.upper().replace("-", "_")))
        yield Rule(number, name, FOR[said["for"]], said["source"], said["text"])


RULES = tuple(_rules())
"""All rules, in the order of their default priority."""

NAMES: dict[str, Rule] = {rule.name: rule for rule in RULES}


def rule(name: str) -> Rule:
    """The rule of this name. Raises UnknownName."""
    if name not in NAMES:
        raise UnknownName("rule of discarding", name, NAMES)
    return NAMES[name]


def order(names: tuple[str, ...], without: tuple[str, ...] = ()) -> IntArray:
    """The rules by name, the most important first, as the kernels take them: (types, RULES), filled up with -1.

    without: rules that are left out. Raises UnknownName.
    """
    rows = np.full((kernel.TYPES, kernel.RULES), -1, np.int64)
    left_out = [rule(name) for name in without]
    rules = [found for found in map(rule, names) if found not in left_out]
    for kind in HandType:
        row = [r.number for r in rules if kind in r.types]
        rows[kind, : len(row)] = row
    return rows
