"""Elo's system for two players, and its extensions to more (ELO-2 to 4): only who beat whom counts."""

from __future__ import annotations

from typing import ClassVar

from attrs import field, frozen

from tricktake._kernels import rating as kernel
from tricktake.arrays import FloatArray
from tricktake.ratings.system import TableSystem, flag, number


@frozen
class EloSystem(TableSystem):
    """The base of these systems: a difference of ``scale`` rating points means odds of 10 to 1."""

    scale: float = field(default=400.0, kw_only=True, validator=number(0.0, above=True))

    def array(self) -> FloatArray:
        p = super().array()
        p[kernel.P_SCALE] = self.scale
        return p


@frozen
class PlacesSystem(EloSystem):
    """places: the result is the share of opponents beaten; else, as printed, there is one winner (ties share)."""

    places: bool = field(default=False, kw_only=True, validator=flag)

    def array(self) -> FloatArray:
        p = super().array()
        p[kernel.P_PLACES] = self.places
        return p


@frozen
class Elo(EloSystem):
    """Two players: ``E = 1 / (1 + 10^((R_other - R) / 400))``, ``R += K (S - E)`` with S 1, 1/2 or 0 (ELO-2)."""

    name: ClassVar[str] = "elo"
    number_of: ClassVar[int] = kernel.PAIRS
    tables: ClassVar[tuple[int, int]] = (2, 2)


@frozen
class EloAverage(PlacesSystem):
    """The table as one opponent of average rating (ELO-3a).

    With one winner a table of n players gets 1 point and expects about n / 2, so all ratings fall.
    """

    name: ClassVar[str] = "elo-average"
    number_of: ClassVar[int] = kernel.AVERAGE


@frozen
class EloPairs(EloSystem):
    """Every pair of the table as a game of two, in order of the seats: the order matters (ELO-3b)."""

    name: ClassVar[str] = "elo-pairs"
    number_of: ClassVar[int] = kernel.PAIRS


@frozen
class EloRepeated(EloSystem):
    """A game against each opponent, all assumed to have their average rating (ELO-3c)."""

    name: ClassVar[str] = "elo-repeated"
    number_of: ClassVar[int] = kernel.REPEATED


@frozen
class EloPool(PlacesSystem):
    """As ``elo-average``, but a table of n has n / 2 points to win (ELO-3d)."""

    name: ClassVar[str] = "elo-pool"
    number_of: ClassVar[int] = kernel.POOL


@frozen
class Softmax(PlacesSystem):
    """``E_i = 10^(R_i/400) / sum_j 10^(R_j/400)`` (ELO-4)."""

    name: ClassVar[str] = "softmax"
    number_of: ClassVar[int] = kernel.SOFTMAX
