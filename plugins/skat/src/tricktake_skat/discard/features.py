"""What is weighed in a discard that the rules allow (SKAT-25), for n declarers of twelve cards at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from attrs import frozen

from tricktake.arrays import FloatArray, IntArray
from tricktake.factor import tables
from tricktake_skat._kernels import discard as kernel
from tricktake_skat._kernels import discard_rules as rules_kernel
from tricktake_skat._kernels.cards import PAIRS

NAMES = ("win", "free", "eyes", "good-tens", "bad-tens", "standing", "retaking", "straight", "led")
"""The features f1 to f9 by their names in configurations; ``_kernels.discard`` says what each counts."""


@frozen(eq=False)
class Declarers:
    """n declarers before they discard.

    games: (n,) 0 to 3 suits, 4 grand, 5 Null, 6 Null ouvert. cards: (n,) masks of twelve cards. seats: (n,).
    bids: (n, 3) highest bid or hold of each seat, 0 for none, -1 unknown.
    """

    games: IntArray
    cards: IntArray
    seats: IntArray
    bids: IntArray

    def __len__(self) -> int:
        return len(self.cards)

    @property
    def others_bid(self) -> IntArray:
        """The highest bid of the two others, (n,); -1 if both are unknown."""
        return np.asarray(np.where(np.arange(3) == self.seats[:, None], -1, self.bids).max(axis=1))

    @classmethod
    def one(cls, game: int, cards: int, seat: int, bids: tuple[int, int, int] = (0, 0, 0)) -> Declarers:
        """A single one."""
        return cls(np.array([game]), np.array([cards]), np.array([seat]), np.array([bids]))


@frozen(eq=False)
class Prepared:
    """What is known of the 66 discards of each of n declarers.

    kinds: (n,) types of hands. pairs: (n, 66) masks. features: (n, 66, 9), the first in percent, 0 until a chance is
    filled in. penalties: (n, 66, rules). counted: (n, 66, 4) of the high-card theorem.
    """

    declarers: Declarers
    kinds: IntArray
    pairs: IntArray
    features: FloatArray
    penalties: IntArray
    counted: IntArray

    def __len__(self) -> int:
        return len(self.declarers)


def prepare(declarers: Declarers, limits: Sequence[int]) -> Prepared:
    """Everything but the chance to win. limits: of the types of hands (``weights.SCHEME``)."""
    n, types = len(declarers), np.array(limits, np.int64)
    kinds, pairs = np.zeros(n, np.int64), np.zeros((n, PAIRS), np.int64)
    features = np.zeros((n, PAIRS, kernel.S_SIZE))
    penalties, counted = (np.zeros((n, PAIRS, size), np.int64) for size in (rules_kernel.RULES, kernel.T_SIZE))
    solved, d = tables(), declarers
    rules_kernel.prepare_many(
        solved.expected, solved.sure, d.games, d.cards, d.seats, types, kinds, pairs, features, penalties, counted
    )
    return Prepared(declarers, kinds, pairs, features, penalties, counted)
