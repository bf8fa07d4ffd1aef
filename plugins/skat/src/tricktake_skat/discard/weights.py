"""How much each feature of a discard weighs, by type of hand: read from ``weights/<name>.toml`` (SKAT-26, 27).

A weight is a number, or a range ``[low, high, "driver"]`` where the paper prints one without saying what decides: the
driver, a number from 0 to 1, does (``DRIVERS``; ours). A file may build on another (``base``) and change single values.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from tricktake.errors import InputError, UnknownName, did_you_mean
from tricktake_skat._kernels.cards import ACES, GRAND, PLAIN, TRUMPS
from tricktake_skat.discard import constraints
from tricktake_skat.discard.constraints import HandType
from tricktake_skat.discard.features import NAMES, Declarers

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]

FOLDER = Path(__file__).with_name("weights")
LIMITS = ("high-trumps", "few-jacks", "many-lost")


def _trumps(d: Declarers) -> FloatArray:
    trumps = np.bitwise_count(d.cards & TRUMPS[np.minimum(d.games, GRAND)])
    return np.clip((trumps.astype(float) - 4) / 3, 0, 1)


def _length(d: Declarers) -> FloatArray:
    sides = [d.cards >> 8 * suit & PLAIN & ~np.where(d.games == suit, PLAIN, 0) for suit in range(4)]
    longest = np.max([np.bitwise_count(side) for side in sides], axis=0).astype(float)
    return np.clip((longest - 2) / 4, 0, 1)


DRIVERS: dict[str, Callable[[Declarers], FloatArray]] = {
    "front": lambda d: 1 - d.seats / 2,  # 1 in forehand, 0.5 in the middle, 0 in the rear
    "rear": lambda d: d.seats / 2,
    "aces": lambda d: np.bitwise_count(d.cards & ACES) / 4,
    "trumps": _trumps,  # 0 with four trumps, 1 from seven on
    "length": _length,  # 0 if the longest side suit has two cards, 1 from six on
}


@frozen
class Weights:
    """A read configuration.

    limits: (3,) of the hand types: trumps from which a suit game is high-trump, jacks up to which a grand is a
    high-card game, tricks lost from which it is one. rules: their names, the most important first.
    low, high: (types, 9) ends of the ranges, equal for plain numbers. driver: (types, 9) names, "" for none.
    """

    name: str
    limits: tuple[int, ...]
    rules: tuple[str, ...]
    low: tuple[tuple[float, ...], ...]
    high: tuple[tuple[float, ...], ...]
    driver: tuple[tuple[str, ...], ...]

    @property
    def limits_array(self) -> IntArray:
        return np.array(self.limits, np.int64)

    def order(self, without: tuple[str, ...] = ()) -> IntArray:
        """The rules as the kernels take them. Raises UnknownName for a rule left out that does not exist."""
        for name in without:
            constraints.rule(name)
        return constraints.order(tuple(name for name in self.rules if name not in without))

    def of(self, declarers: Declarers, kinds: IntArray) -> FloatArray:
        """The weights of n declarers, (n, 9)."""
        low, high, names = (np.array(column)[kinds] for column in (self.low, self.high, self.driver))
        share = np.zeros_like(low)
        for name in set(names.flat) - {""}:
            share = np.where(names == name, DRIVERS[name](declarers)[:, None], share)
        return low + (high - low) * share


@cache
def load(name: str = "default") -> Weights:
    """The configuration ``weights/<name>.toml``, or a file that ends in ``.toml``. Raises InputError, UnknownName."""
    path = Path(name) if name.endswith(".toml") else FOLDER / f"{name}.toml"
    if path.parent == FOLDER and not path.is_file():
        raise UnknownName("weights", name, sorted(p.stem for p in FOLDER.glob("*.toml")))
    return read(path)


def read(path: Path) -> Weights:
    """The configuration in a file. Raises InputError naming the field."""
    table = _merged(path, ())
    limits, rules = table.get("types", {}), table.get("rules", {}).get("order", [])
    if not isinstance(rules, list) or len(set(map(str, rules))) < len(rules):
        raise InputError(str(path), None, "rules.order", "must be a list of different names")
    for rule in rules:
        if rule not in constraints.NAMES:
            close = did_you_mean(str(rule), constraints.NAMES)
            note = f"; did you mean {close}?" if close else ""
            raise InputError(str(path), None, "rules.order", f"no rule {rule!r}{note}")
    _known(path, "types", limits, LIMITS)
    for key in LIMITS:
        if not isinstance(limits.get(key), int) or isinstance(limits[key], bool):
            raise InputError(str(path), None, f"types.{key}", "must be a whole number")
    rows = [_row(path, kind.label, table.get(kind.label, {})) for kind in HandType]
    low, high, driver = (tuple(column) for column in zip(*rows, strict=True))
    return Weights(path.stem, tuple(limits[key] for key in LIMITS), tuple(rules), low, high, driver)


def _known(path: Path, where: str, table: Mapping[str, Any], known: tuple[str, ...]) -> None:
    for key in table:
        if key not in known:
            field = f"{where}.{key}" if where else key
            raise InputError(str(path), None, field, f"unknown; known: {', '.join(known)}")


def _merged(path: Path, seen: tuple[Path, ...]) -> dict[str, Any]:
    """The table of a file on top of that of its base."""
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(str(path), None, None, getattr(error, "strerror", None) or str(error)) from error
    base = table.pop("base", None)
    _known(path, "", table, ("types", "rules", *(kind.label for kind in HandType)))
    for key, value in table.items():
        if not isinstance(value, Mapping):
            raise InputError(str(path), None, key, "must be a table")
    if base is None:
        return table
    other = FOLDER / f"{base}.toml"
    if not isinstance(base, str) or not other.is_file() or other in (path, *seen):
        raise InputError(str(path), None, "base", f"no other weights {base!r}")
    below = _merged(other, (path, *seen))
    return {key: {**below.get(key, {}), **table.get(key, {})} for key in {**below, **table}}


def _row(path: Path, label: str, own: Mapping[str, Any]) -> tuple[tuple[Any, ...], ...]:
    """Low ends, high ends and drivers of the features of one type of hand."""
    _known(path, label, own, NAMES)
    cells = [_cell(path, f"{label}.{name}", own.get(name, 0)) for name in NAMES]
    return tuple(zip(*cells, strict=True))


def _cell(path: Path, where: str, value: object) -> tuple[float, float, str]:
    match value:
        case bool():
            pass
        case int() | float():
            return float(value), float(value), ""
        case [int() | float() as low, int() | float() as high, str() as driver] if driver in DRIVERS:
            return float(low), float(high), driver
    reason = f"must be a number or [low, high, driver], driver one of {', '.join(DRIVERS)}"
    raise InputError(str(path), None, where, reason)
