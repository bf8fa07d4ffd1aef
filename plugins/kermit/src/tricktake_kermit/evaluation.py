"""The 10+2 evaluation (KERMIT-2): how likely ten cards with two discarded win a game from a seat.

>>> from tricktake_kermit.evaluation import evaluation
>>> evaluation().chance(own, put, "C", seat=0)   # masks of ten cards and of two; clubs, forehand
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
from attrs import frozen
from numpy.typing import NDArray
from tricktake_skat.bidding.choice import check_cards
from tricktake_skat.bidding.model import null_chances
from tricktake_skat.contract import GAME_NAMES
from tricktake_skat.kernels import CONFIG, bidding

from tricktake.arrays import FloatArray, IntArray
from tricktake.errors import InputError
from tricktake.learning.glem import Glem, Glems
from tricktake_kermit._kernels import evaluate as kernel
from tricktake_kermit.features import KINDS

MODEL = Path(__file__).with_name("kermit.glem")
SHIPPED = "kermit"  # the name of that model


@frozen(eq=False)
class Model:
    """One evaluation. suit, grand: of four tables (``features.NAMES``) or of two, sides and trumps. nulls: chances of
    suits of a Null, (4, 2, 3, 256) by kind, lead, discarded cards of the suit and its eight deck bits; without them no
    Null is thought to be won.
    """

    suit: Glem
    grand: Glem
    nulls: FloatArray

    @classmethod
    def of(cls, glems: Glems) -> Model:
        """Raises ValueError if one of the two models is missing."""
        if missing := set(KINDS) - set(glems.models):
            raise ValueError(f"there is no model {missing.pop()!r}")
        return cls(glems.models["suit"], glems.models["grand"], null_tables())


@cache
def null_tables() -> FloatArray:
    """The answer of a plugin to ``skat:null``, by deck bits; zeros if there is none."""
    return np.ascontiguousarray(null_chances()[..., CONFIG])


def _added(model: Glem) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """What side suits and trumps add to the score."""
    half = len(model.features) // 2
    weighed = [w * f.values for w, f in zip(model.weights, model.features, strict=True)]
    sides, trumps = (np.asarray(sum(part)).astype(np.float32) for part in (weighed[:half], weighed[half:]))
    return sides, trumps


@frozen(eq=False)
class Evaluation:
    """Models that lie side by side, for the kernels: ``tables``, and the best discards of Null of each."""

    tables: kernel.Tables
    nulls: tuple[bidding.Nulls, ...]

    @classmethod
    def of(cls, models: Sequence[Model]) -> Evaluation:
        parts = [(*_added(model.suit), *_added(model.grand)) for model in models]
        constants = np.array([[model.suit.constant, model.grand.constant] for model in models])
        nulls = np.stack([model.nulls for model in models])
        sides, trumps, grand_sides, grand_trumps = (np.stack(part) for part in zip(*parts, strict=True))
        tables = kernel.Tables(sides, trumps, grand_sides, grand_trumps, constants, nulls)
        return cls(tables, tuple(bidding.nulls_of(each) for each in nulls))

    def chance(self, own: int, put: int, game: str, *, seat: int) -> float:
        """How likely ten cards (mask) with two discarded win ``game``: C, S, H, D, G, N or NO. Raises ValueError."""
        if own.bit_count() != 10 or put.bit_count() != 2 or own & put or not 0 <= own | put < 1 << 32:
            raise ValueError(f"{own:#x} and {put:#x} are not ten cards and two others")
        if game not in GAME_NAMES or seat not in (0, 1, 2):
            raise ValueError(f"no game {game!r} of seat {seat}")
        return float(kernel.evaluation(self.tables, 0, GAME_NAMES.index(game), own, put, seat))

    def tree(self, hand: int, seat: int) -> kernel.Tree:
        """The bidding tree of ten cards (mask). Raises ValueError."""
        check_cards(hand, 10, seat)
        found = kernel.tree()
        kernel.sweep(self.tables, self.nulls[0], 0, hand, seat, found)
        return found

    def discards(self, twelve: int, seat: int) -> tuple[FloatArray, IntArray]:
        """Of each game of twelve cards (mask) the chance and the best discard (mask), (7,). Raises ValueError."""
        check_cards(twelve, 12, seat)
        chances, found = np.zeros(kernel.CHOICES), np.zeros(kernel.CHOICES, np.int64)
        kernel.choose(self.tables, self.nulls[0], 0, twelve, seat, 0, kernel.CHOICES, chances, found)
        return chances, found


@cache
def evaluation(model: str = SHIPPED) -> Evaluation:
    """The evaluation that comes along, or of a ``.glem`` file. Raises InputError."""
    return Evaluation.of([load(model)])


@cache
def load(model: str = SHIPPED) -> Model:
    """A model by the name ``kermit`` or its file. Raises InputError."""
    path = MODEL if model == SHIPPED else Path(model)
    try:
        return Model.of(Glems.load(path))
    except ValueError as error:
        if isinstance(error, InputError):
            raise
        raise InputError(path, None, None, str(error)) from error
