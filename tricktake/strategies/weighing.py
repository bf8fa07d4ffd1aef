"""Choices by rules first and weighed features after (SKAT-20 to 27), and the files that say how.

Rules give each candidate a penalty. In the order of their priority each keeps the candidates with the least, so that no
rule ever leaves nothing: one that cannot be kept is relaxed to what offends least (``narrow``). What is left is
weighed: features times weights, which depend on the kind of position. A weight is a number, or a range
``[low, high, "driver"]``, where the driver, a number from 0 to 1, is computed from the position.

A file is TOML: ``types`` (whole numbers that tell the kinds apart), ``rules.order``, and a table of weights for each
kind. It may build on another (``base``) and change single values.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from tricktake._kernels import weighing as kernel
from tricktake.arrays import FloatArray, IntArray
from tricktake.errors import InputError, UnknownName, did_you_mean
from tricktake.settings import toml_of


def narrow(penalties: IntArray, kinds: IntArray, orders: IntArray) -> tuple[NDArray[np.bool_], IntArray]:
    """Which candidates stay, (n, candidates), and the least penalty of each rule that counted, (n, rules).

    penalties: (n, candidates, rules), not negative. kinds: (n,). orders: (kinds, rules) numbers of the rules that count
    for a kind, the most important first, then -1.
    """
    keep = np.ones(penalties.shape[:2], np.bool_)
    relaxed = np.zeros((len(penalties), penalties.shape[2]), np.int64)
    kernel.narrow_many(penalties, kinds, orders, keep, relaxed)
    return keep, relaxed


@frozen
class Weights:
    """A configuration that was read.

    limits: whole numbers in the order of ``Scheme.limits``. rules: their names, the most important first.
    low, high: (kinds, features) ends of the ranges, equal for plain numbers. driver: names in the same shape, "" for
    none.
    """

    name: str
    limits: tuple[int, ...]
    rules: tuple[str, ...]
    low: tuple[tuple[float, ...], ...]
    high: tuple[tuple[float, ...], ...]
    driver: tuple[tuple[str, ...], ...]

    def of(self, kinds: IntArray, drive: Callable[[str], FloatArray]) -> FloatArray:
        """The weights of n positions of these kinds, (n, features). drive(name): a driver of each, (n,)."""
        low, high, names = (np.array(column)[kinds] for column in (self.low, self.high, self.driver))
        share = np.zeros_like(low)
        for name in sorted({str(name) for name in names.flat} - {""}):
            share = np.where(names == name, drive(name)[:, None], share)
        return low + (high - low) * share


@frozen
class Scheme:
    """What configurations speak of: the names of kinds, features, rules, drivers and limits, and a folder of files."""

    folder: Path
    kinds: tuple[str, ...]
    features: tuple[str, ...]
    rules: Collection[str]
    drivers: Collection[str] = ()
    limits: tuple[str, ...] = ()

    def load(self, name: str = "default") -> Weights:
        """The configuration ``<name>.toml`` of the folder, or a file that ends in ``.toml``.

        Raises InputError naming the field, UnknownName.
        """
        path = Path(name) if name.endswith(".toml") else self.folder / f"{name}.toml"
        if path.parent == self.folder and not path.is_file():
            raise UnknownName("weights", name, sorted(p.stem for p in self.folder.glob("*.toml")))
        table = self._merged(path, ())
        limits, rules = table.get("types", {}), table.get("rules", {}).get("order", [])
        if not isinstance(rules, list) or len(set(map(str, rules))) < len(rules):
            raise _wrong(path, "rules.order", "must be a list of different names")
        for rule in rules:
            if rule not in self.rules:
                close = did_you_mean(str(rule), self.rules)
                raise _wrong(path, "rules.order", f"no rule {rule!r}" + (f"; did you mean {close}?" if close else ""))
        _known(path, "types.", limits, self.limits)
        for key in self.limits:
            if not isinstance(limits.get(key), int) or isinstance(limits[key], bool):
                raise _wrong(path, f"types.{key}", "must be a whole number")
        rows = [self._row(path, kind, table.get(kind, {})) for kind in self.kinds]
        low, high, driver = (tuple(column) for column in zip(*rows, strict=True))
        return Weights(path.stem, tuple(limits[key] for key in self.limits), tuple(rules), low, high, driver)

    def _merged(self, path: Path, seen: tuple[Path, ...]) -> dict[str, Any]:
        """The table of a file on top of that of its base."""
        table = toml_of(path)
        base = table.pop("base", None)
        _known(path, "", table, ("types", "rules", *self.kinds))
        for key, value in table.items():
            if not isinstance(value, Mapping):
                raise _wrong(path, key, "must be a table")
        if base is None:
            return table
        other = self.folder / f"{base}.toml"
        if not isinstance(base, str) or not other.is_file() or other in (path, *seen):
            raise _wrong(path, "base", f"no other weights {base!r}")
        below = self._merged(other, (path, *seen))
        return {key: {**below.get(key, {}), **table.get(key, {})} for key in {**below, **table}}

    def _row(self, path: Path, kind: str, own: Mapping[str, Any]) -> tuple[tuple[Any, ...], ...]:
        """Low ends, high ends and drivers of the features of one kind."""
        _known(path, f"{kind}.", own, self.features)
        return tuple(
            zip(*(self._cell(path, f"{kind}.{name}", own.get(name, 0)) for name in self.features), strict=True)
        )

    def _cell(self, path: Path, where: str, value: object) -> tuple[float, float, str]:
        match value:
            case bool():
                pass
            case int() | float():
                return float(value), float(value), ""
            case [int() | float() as low, int() | float() as high, str() as driver] if driver in self.drivers:
                return float(low), float(high), driver
        raise _wrong(path, where, f"must be a number or [low, high, driver], driver one of {', '.join(self.drivers)}")


def _known(path: Path, where: str, table: Mapping[str, Any], known: tuple[str, ...]) -> None:
    for key in table:
        if key not in known:
            raise _wrong(path, f"{where}{key}", f"unknown; known: {', '.join(known)}")


def _wrong(path: Path, field: str | None, reason: str) -> InputError:
    return InputError(str(path), None, field, reason)
