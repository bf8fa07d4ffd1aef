"""Rating systems: parameters in a frozen value, ratings in and out."""

from __future__ import annotations

import abc
from collections.abc import Callable
from typing import Any, ClassVar

import attrs
import numpy as np
from attrs import Attribute, evolve, field, frozen

from tricktake._kernels import rating as kernel
from tricktake.arrays import FloatArray
from tricktake.errors import InputError
from tricktake.plugins import manager
from tricktake.ratings.ratings import Ratings
from tricktake.ratings.results import Results
from tricktake.spec import Option, Spec

Check = Callable[[object, "Attribute[Any]", Any], None]


def number(least: float = -np.inf, *, above: bool = False, integral: bool = False) -> Check:
    """A validator: a finite number of at least ``least`` (``above``: more). Raises InputError naming the parameter."""
    what = f"a {'whole ' if integral else ''}number" + (
        f" {'above' if above else 'of at least'} {least:g}" if least > -np.inf else ""
    )

    def check(instance: object, attribute: Attribute[Any], value: Any) -> None:
        kinds = (int,) if integral else (int, float)
        fits = isinstance(value, kinds) and not isinstance(value, bool) and np.isfinite(value)
        if not fits or value < least or (above and value == least):
            raise InputError(None, None, attribute.name, f"must be {what}, not {value!r}")

    return check


def flag(instance: object, attribute: Attribute[Any], value: Any) -> None:
    """A validator: true or false."""
    if not isinstance(value, bool):
        raise InputError(None, None, attribute.name, f"must be true or false, not {value!r}")


@frozen
class System(abc.ABC):
    """One way to rate players from series. A plugin registers a subclass by ``register_ratings``.

    Parameters are the fields of the value; ``start`` is the rating of a player not seen before. A change of what a
    system computes changes its ``version``, so that no list is continued with other rules.
    """

    name: ClassVar[str]
    version: ClassVar[str] = "1"
    bootstraps: ClassVar[bool] = True  # else the system computes errors itself

    start: float = field(default=1500.0, kw_only=True, validator=number())

    @abc.abstractmethod
    def rate(self, ratings: Ratings, results: Results, curve: FloatArray | None = None) -> Ratings:
        """The ratings after these series, one after another; ``ratings`` is not changed.

        curve: (n, seats), filled with the ratings after each series. The players of ``ratings`` must be the first ones
        of ``results.names``. Raises InputError for a table this system cannot rate.
        """

    @property
    def spec(self) -> str:
        """The text from which this system can be made: its name and the parameters that differ from the defaults."""
        usual = type(self)().parameters()
        return str(Spec(self.name, tuple((k, v) for k, v in self.parameters().items() if v != usual[k])))

    def parameters(self) -> dict[str, Option]:
        """All parameters that can be set, by name."""
        return {a.alias or a.name: getattr(self, a.name) for a in attrs.fields(type(self)) if a.init}

    def rated(self, results: Results, replicates: int = 0) -> Ratings:
        """``rate``, starting without players."""
        return self.rate(Ratings.empty(replicates), results)

    def curves(self, results: Results, ratings: Ratings | None = None) -> tuple[Ratings, FloatArray]:
        """The final ratings and those after each series, of shape (n, seats)."""
        curve = np.full(results.players.shape, np.nan)
        return self.rate(ratings or Ratings.empty(), results, curve), curve


@frozen
class TableSystem(System):
    """A system that updates one table at a time in a kernel.

    k: how far one full series can change a rating. newcomer_k, newcomer: K of a player's first series, decreasing
    linearly to k in the first ``newcomer`` ones (ELO-19); 0 series for none. If players of a table have different K,
    the sum of their ratings changes.
    """

    number_of: ClassVar[int]
    tables: ClassVar[tuple[int, int]] = (2, 99)  # players at a table it can rate

    k: float = field(default=16.0, validator=number(0.0, above=True))
    newcomer_k: float = field(default=0.0, kw_only=True, validator=number(0.0))
    newcomer: int = field(default=0, kw_only=True, validator=number(0, integral=True))

    def array(self) -> FloatArray:
        """The parameters as the kernel takes them."""
        p = np.zeros(kernel.P_SIZE)
        p[kernel.P_K] = self.k
        p[kernel.P_NEWCOMER_K] = self.newcomer_k
        p[kernel.P_NEWCOMER] = self.newcomer if self.newcomer_k else 0
        return p

    def rate(self, ratings: Ratings, results: Results, curve: FloatArray | None = None) -> Ratings:
        self.check(results)
        known = ratings.known(results.names, self.start).counted(results)
        rating, seen = known.rating.copy(), known.seen.copy()
        steps = np.zeros((0, results.players.shape[1])) if curve is None else curve
        kernel.rate_tables(
            self.number_of,
            self.array(),
            np.ascontiguousarray(results.players),
            np.ascontiguousarray(results.scores),
            np.ascontiguousarray(results.values),
            results.shares,
            known.drawn_by(results.keys),
            rating,
            seen,
            steps,
        )
        return evolve(known, rating=rating, seen=seen)

    def check(self, results: Results) -> None:
        """Raises InputError naming the first table with too few or too many players."""
        least, most = self.tables
        sizes = (results.players >= 0).sum(axis=1)
        wrong = np.flatnonzero((sizes < least) | (sizes > most))
        if len(wrong):
            wanted = f"{least} or more" if most > least else str(least)
            reason = f"{self.name} rates tables of {wanted} players, not of {sizes[wrong[0]]} (series {wrong[0] + 1})"
            raise InputError(None, None, "players", reason)


def get_system(text: str, **options: Option) -> System:
    """The system of a spec such as ``proportional(k=0.05)``; ``options`` override those of the spec.

    Raises UnknownName with suggestions, InputError naming a wrong option.
    """
    spec = Spec.from_text(text, "rating", "proportional(k=0.05)")
    registry = manager().ratings
    system = registry.make(spec.name, **{**dict(spec.options), **options})
    if not isinstance(system, System):
        raise InputError(
            None,
            None,
            "system",
            f"{spec.name!r} is no rating system but corrects luck; systems: {', '.join(systems())}",
        )
    return system


def systems() -> list[str]:
    """The names of all registered systems."""
    return [name for name in manager().ratings.names() if "." not in name]
