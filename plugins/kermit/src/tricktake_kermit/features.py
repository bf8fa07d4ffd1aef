"""The features of Kermit's evaluation as tables of a generalized linear model (KERMIT-6 to 9)."""

from __future__ import annotations

from functools import cache
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tricktake.arrays import FloatArray, IntArray
from tricktake_kermit._kernels import index as kernel
from tricktake_kermit._kernels import tally

Kind: TypeAlias = Literal["suit", "grand"]
KINDS: tuple[Kind, ...] = ("suit", "grand")
Secured: TypeAlias = Literal["printed", "link"]

SIDE, TRUMP = ("sidePoints", "sideTricks"), ("trumpPoints", "trumpTricks")
NAMES = (*SIDE, *TRUMP)
_COUNTS = {"suit": (kernel.TARGETS, kernel.VULNERABLE), "grand": (kernel.GRAND_TARGETS, kernel.GRAND_VULNERABLE)}


def side_axes(kind: Kind) -> tuple[tuple[str, int], ...]:
    """Context (``tc``, in a grand jacks and forehand), the suit's cards discarded, the suit's cards held."""
    contexts = kernel.CONTEXTS if kind == "suit" else kernel.GRAND_CONTEXTS
    return ("context", contexts), ("discarded", kernel.SIDES), ("held", kernel.SIDES)


def trump_axes(kind: Kind) -> tuple[tuple[str, int], ...]:
    """Trumps held (in a grand jacks and forehand), ``tt``, ``vt``."""
    first = ("trumps", kernel.TRUMPS) if kind == "suit" else ("context", kernel.GRAND_CONTEXTS)
    targets, vulnerable = _COUNTS[kind]
    return first, ("targets", targets), ("vulnerable", vulnerable)


def cells(positions: IntArray) -> tuple[IntArray, IntArray]:
    """Cells of positions, (n, 4) game, ten cards, two discarded, seat: of side suits (n, 4), of trumps (n,)."""
    sides, trumps = np.zeros((len(positions), 4), np.int64), np.zeros(len(positions), np.int64)
    kernel.fill_cells(np.ascontiguousarray(positions, np.int64), sides, trumps)
    return sides, trumps


def outcomes(sums: FloatArray, secured: Secured = "printed") -> FloatArray:
    """Points and tricks that cells are credited with, (cells, 2), of eyes, tricks and high cards won and lost.

    ``printed``: a trick counts 1 and each high card in it 1, won or lost. ``link``: Ron Link's rule (KERMIT-9), k high
    cards allow k + 1 lost tricks, so what counts is high cards won minus tricks lost.
    """
    points = sums[:, tally.EYES_WON] - sums[:, tally.EYES_LOST]
    tricks = sums[:, tally.HIGHS_WON] - sums[:, tally.TRICKS_LOST]
    if secured == "printed":
        tricks = tricks + sums[:, tally.TRICKS_WON] - sums[:, tally.HIGHS_LOST]
    return np.stack([points, tricks], axis=1)


def _bits(numbers: IntArray, width: int) -> IntArray:
    return np.asarray(numbers[:, None] >> np.arange(width) & 1)


def _one_hot(numbers: IntArray) -> NDArray[np.bool_]:
    return np.asarray(numbers[:, None] == np.unique(numbers))


Design: TypeAlias = tuple[IntArray, FloatArray]  # numbers of the cells that can be met, and what each is like


@cache
def side_design(kind: Kind) -> Design:
    """What cells of side suits are like: the context, each card discarded or held, how many are held."""
    context, put, held = np.unravel_index(np.arange(_size(side_axes(kind))), _shape(side_axes(kind)))
    met = np.flatnonzero((put & held == 0) & (_bits(put, 7).sum(axis=1) <= 2))
    context, put, held = context[met], put[met], held[met]
    many = _bits(held, 7).sum(axis=1)
    return met, _joined(_one_hot(context), _bits(put, 7), _bits(held, 7), _one_hot(many))


@cache
def trump_design(kind: Kind) -> Design:
    """What cells of trumps are like: each trump held and how many, or the jacks and forehand; ``tt`` and ``vt``."""
    met = np.arange(_size(trump_axes(kind)))
    first, targets, vulnerable = np.unravel_index(met, _shape(trump_axes(kind)))
    parts = [_bits(first, 11 if kind == "suit" else 5), _one_hot(targets), _one_hot(vulnerable)]
    if kind == "suit":
        parts.append(_one_hot(_bits(first, 11).sum(axis=1)))
    return met, _joined(*parts)


def _joined(*parts: NDArray) -> FloatArray:
    return np.column_stack([np.ones(len(parts[0])), *parts]).astype(np.float64)


def _shape(axes: tuple[tuple[str, int], ...]) -> tuple[int, ...]:
    return tuple(size for _, size in axes)


def _size(axes: tuple[tuple[str, int], ...]) -> int:
    return int(np.prod(_shape(axes)))
