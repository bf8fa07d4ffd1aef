"""What is weighed in a skat that the rules allow (SKAT-25), for n declarers of twelve cards at once."""

from __future__ import annotations

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from tricktake.factor import tables
from tricktake_skat._kernels import putting as kernel
from tricktake_skat._kernels import putting_rules as rules_kernel

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]


@frozen
class Feature:
    """One feature: its number from 0, its name in the configuration, and what it counts."""

    number: int
    name: str
    text: str


FEATURES: tuple[Feature, ...] = (
    Feature(kernel.S_WIN, "win", "f1: chance to win, in percent (SKAT-28: the scale is ours)"),
    Feature(kernel.S_FREE, "free", "f2: side suits without a card"),
    Feature(kernel.S_EYES, "eyes", "f3: eyes in the skat"),
    Feature(kernel.S_GOOD_TENS, "good-tens", "f4: tens with their ace"),
    Feature(kernel.S_BAD_TENS, "bad-tens", "f5: tens with their king but no ace, in the rear"),
    Feature(kernel.S_STANDING, "standing", "f6: side cards that stand from above in the worst case (GAP-6)"),
    Feature(kernel.S_RETAKING, "retaking", "f7: tricks the side suits win on average if the lead is regained"),
    Feature(kernel.S_STRAIGHT, "straight", "f8: the same up to the first trick that is lost"),
    Feature(kernel.S_LED, "led", "f9: side suits led by an ace, or soon retaken with ten and king"),
)
NAMES = tuple(feature.name for feature in FEATURES)
PAIRS = kernel.PAIRS


@frozen(eq=False)
class Declarers:
    """n declarers before they put two cards.

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
    """What is known of the 66 puts of each of n declarers.

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


def prepare(declarers: Declarers, types: IntArray) -> Prepared:
    """Everything but the chance to win. types: the limits of ``weights.Weights.limits``."""
    n = len(declarers)
    shape = (n, PAIRS)
    out = Prepared(
        declarers,
        np.zeros(n, np.int64),
        np.zeros(shape, np.int64),
        np.zeros((*shape, kernel.S_SIZE)),
        np.zeros((*shape, rules_kernel.RULES), np.int64),
        np.zeros((*shape, kernel.T_SIZE), np.int64),
    )
    solved = tables()
    rules_kernel.prepare_many(
        solved.expected,
        solved.sure,
        declarers.games,
        declarers.cards,
        declarers.seats,
        types,
        out.kinds,
        out.pairs,
        out.features,
        out.penalties,
        out.counted,
    )
    return out
