"""Systems whose ratings are points of a series: the proposed one, its predecessor, and the mean."""

from __future__ import annotations

import math
from typing import ClassVar, Literal

from attrs import Attribute, field, frozen

from tricktake._kernels import rating as kernel
from tricktake.arrays import FloatArray
from tricktake.errors import InputError
from tricktake.ratings.system import TableSystem, flag, number

FLOOR = 1.0  # rating points that a lower rating counts in a quotient


@frozen
class ScoreSystem(TableSystem):
    """The base of these systems. Ratings are scores of a full series; a short one counts in proportion.

    first: the number of first series in which a player's rating is the mean of his scores, while the others at the
    table are rated as usual (ELO-18, without its misprint).
    """

    start: float = field(default=800.0, kw_only=True, validator=number())
    first: int = field(default=0, kw_only=True, validator=number(0, integral=True))

    def array(self) -> FloatArray:
        p = super().array()
        p[kernel.P_FIRST] = self.first
        p[kernel.P_FLOOR] = FLOOR
        return p


def _check_below(instance: object, attribute: Attribute[str], value: str) -> None:
    if value not in ("even", "skip"):
        raise InputError(None, None, attribute.name, f"must be even or skip, not {value!r}")


@frozen
class Proportional(ScoreSystem):
    """The proposed system: ``E_i = R_i S / R`` with the table's sums S and R, ``R_i += K (S_i - E_i)`` (ELO-7).

    The sum of the scores of a table is the sum of its expectations, so with one K for all, the sum of ratings never
    changes. Our decisions where the paper is silent (ELO-10):

    * below: the expectation if a whole table has 0 points or fewer, where the formula would expect least from the
      best: "even" (default) the same from all, which continues the formula at 0; "skip" leaves the series out.
    * A rating below ``FLOOR`` (1 point) counts as ``FLOOR`` in the quotient; the rating itself may fall below.
    * A short series needs no rule: S and E are smaller in proportion.

    opponents: multiply the value of the games by own rating / mean of the opponents' before rating, as printed in one
    example (ELO-15). It takes points from players who face stronger ones, and ``E`` already contains the ratings.
    """

    name: ClassVar[str] = "proportional"
    number_of: ClassVar[int] = kernel.PROPORTIONAL

    k: float = field(default=0.02, validator=number(0.0, above=True))
    below: Literal["even", "skip"] = field(default="even", kw_only=True, validator=_check_below)
    opponents: bool = field(default=False, kw_only=True, validator=flag)

    def array(self) -> FloatArray:
        p = super().array()
        p[kernel.P_SKIP] = self.below == "skip"
        p[kernel.P_OPPONENTS] = self.opponents
        return p


@frozen
class Quotient(ScoreSystem):
    """``R = (R f + S root(Y)) / (f + 1)``, Y = (own score / others' mean) / (own rating / others' mean) (ELO-6).

    memory: f. root: false for Y itself, which fluctuates too much. If a score on either side is 0 or less there is no
    quotient, and Y is 1. The paper does not give f; 49 corresponds to K = 0.02.
    """

    name: ClassVar[str] = "quotient"
    number_of: ClassVar[int] = kernel.QUOTIENT

    k: float = field(default=1.0, init=False)
    memory: float = field(default=49.0, validator=number(0.0))
    root: bool = field(default=True, kw_only=True, validator=flag)

    def array(self) -> FloatArray:
        p = super().array()
        p[kernel.P_MEMORY] = self.memory
        p[kernel.P_ROOT] = self.root
        return p


@frozen
class Mean(ScoreSystem):
    """The mean score of all series, the usual ranking today (ELO-24)."""

    name: ClassVar[str] = "mean"
    number_of: ClassVar[int] = kernel.PROPORTIONAL
    tables: ClassVar[tuple[int, int]] = (1, 99)

    k: float = field(default=1.0, init=False)
    first: int = field(default=0, init=False)

    def array(self) -> FloatArray:
        p = super().array()
        p[kernel.P_FIRST] = math.inf
        return p
