"""The high-card theorem (SKAT-9): a grand is won if as many high cards are secured as tricks are lost.

High cards are aces and tens. Secured are those discarded and those at the top of their suit. Lost is, suit by suit,
what the suit does not win against every split when it is led on and the lead comes back (``tricktake.factor``); of each
suit the lowest cards go. No points may be given into these tricks.

The count behind it: four lost tricks hold at most four high cards and four kings, 60 eyes, if all four aces are against
four tens; every other case stays below 60. That one case is left out, so ``bound`` is always below 60. KERMIT-9 allows
one trick more, which is no theorem.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

import numpy as np

from tricktake.cards import bits
from tricktake.factor import tables
from tricktake_skat._kernels import discard as kernel
from tricktake_skat.contract import GAMES


class HighCards(NamedTuple):
    """What is counted for ten cards and the two discarded.

    secured: aces and tens that come home, with the skat. lost: tricks. given: own eyes in those.
    bound: the most eyes the others can have. holds: whether the theorem says that the game is won.
    """

    secured: int
    lost: int
    given: int
    bound: int
    holds: bool

    def __str__(self) -> str:
        return f"{self.secured} high cards secured, {self.lost} tricks lost, the others below {self.bound + 1}"


def high_cards(game: str, hand: int, discard: int) -> HighCards:
    """The count for a game (C, S, H, D, G) with the masks of hand and skat. Raises ValueError for Null."""
    if game not in GAMES or game == "N":
        raise ValueError(f"the theorem is about grands and suit games, not {game!r}")
    counted = np.zeros(kernel.T_SIZE, np.int64)
    kernel.losses(tables().sure, GAMES.index(game), hand, discard, counted)
    secured, lost, given, bound = counted.tolist()
    return HighCards(secured, lost, given, bound, bool(kernel.theorem_holds(counted)))


def fulfilling(game: str, cards: int) -> Iterator[tuple[int, HighCards]]:
    """The discards of twelve cards, as masks, that fulfil the theorem, each with its count."""
    for a, b in combinations(bits(cards), 2):
        discard = 1 << a | 1 << b
        found = high_cards(game, cards & ~discard, discard)
        if found.holds:
            yield discard, found
