"""How much each feature of a skat weighs, by type of hand: read from ``weights/<name>.toml`` (SKAT-26, 27).

A weight is a number, or a range ``[low, high, "driver"]`` where the paper prints one without saying what decides: the
driver, a number from 0 to 1, does (``DRIVERS``; ours). A file may build on another (``base``) and change single values.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from tricktake.errors import InputError, UnknownName, did_you_mean
from tricktake_skat._kernels.cards import ACES, GRAND, PLAIN, TRUMPS
from tricktake_skat.putting import constraints
from tricktake_skat.putting.constraints import HandType
from tricktake_skat.putting.features import NAMES, Declarers

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]

FOLDER = Path(__file__).with_name("weights")
LIMITS = ("high-trumps", "few-jacks", "many-lost")
DRIVERS = {
    "front": "1 in forehand, 0.5 in the middle, 0 in the rear",
    "rear": "the reverse",
    "aces": "a quarter for each ace among the twelve cards",
    "trumps": "0 with four trumps, 1 from seven on",
    "length": "0 if the longest side suit has two cards, 1 from six on",
}


@frozen
class Weights:
    """A read configuration.

    limits: (3,) of the hand types: trumps from which a suit game is high-trump, jacks up to which a grand is a
    high-card game, tricks lost from which it is one. order: (types, rules) as ``constraints.order`` gives it.
    low, high: (types, 9) ends of the ranges, equal for plain numbers. driver: (types, 9) names, "" for none.
    """

    name: str
    limits: tuple[int, int, int]
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
        low, high = np.array(self.low)[kinds], np.array(self.high)[kinds]
        share = np.zeros_like(low)
        names = np.array(self.driver)[kinds]
        for name in DRIVERS:
            wanted = names == name
            if wanted.any():
                share = np.where(wanted, _drive(name, declarers)[:, None], share)
        return low + (high - low) * share


def _drive(name: str, declarers: Declarers) -> FloatArray:
    cards = declarers.cards
    match name:
        case "front":
            return 1 - declarers.seats / 2
        case "rear":
            return declarers.seats / 2
        case "aces":
            return np.bitwise_count(cards & ACES) / 4
        case "trumps":
            trumps = np.bitwise_count(cards & TRUMPS[np.minimum(declarers.games, GRAND)])
            return np.clip((trumps.astype(float) - 4) / 3, 0, 1)
        case _:
            sides = [cards >> 8 * suit & PLAIN & ~np.where(declarers.games == suit, PLAIN, 0) for suit in range(4)]
            longest = np.max([np.bitwise_count(side) for side in sides], axis=0).astype(float)
            return np.clip((longest - 2) / 4, 0, 1)


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
    limits = table.get("types", {})
    rules = table.get("rules", {}).get("order", [])
    for key in limits:
        if key not in LIMITS:
            raise InputError(str(path), None, f"types.{key}", f"unknown; known: {', '.join(LIMITS)}")
    if not isinstance(rules, list) or len(set(rules)) < len(rules):
        raise InputError(str(path), None, "rules.order", "must be a list of different names")
    for rule in rules:
        if rule not in constraints.NAMES:
            close = did_you_mean(str(rule), constraints.NAMES)
            raise InputError(
                str(path), None, "rules.order", f"no rule {rule!r}" + (f"; did you mean {close}?" if close else "")
            )
    rows = [_row(path, table, kind) for kind in HandType]
    found = []
    for key in LIMITS:
        value = limits.get(key)
        if not isinstance(value, int) or isinstance(value, bool):
            raise InputError(str(path), None, f"types.{key}", "must be a whole number")
        found.append(value)
    low, high, driver = zip(*rows, strict=True)
    return Weights(path.stem, (found[0], found[1], found[2]), tuple(rules), low, high, driver)


def _merged(path: Path, seen: tuple[Path, ...]) -> dict[str, Any]:
    """The table of a file on top of that of its base."""
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(str(path), None, None, str(error.strerror)) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(str(path), None, None, str(error)) from error
    base = table.pop("base", None)
    known = {"types", "rules", *(kind.label for kind in HandType)}
    for key, value in table.items():
        if key not in known:
            raise InputError(str(path), None, key, f"unknown; known: {', '.join(sorted(known))}")
        if not isinstance(value, Mapping):
            raise InputError(str(path), None, key, "must be a table")
    if base is None:
        return table
    other = FOLDER / f"{base}.toml"
    if not isinstance(base, str) or not other.is_file() or other in (path, *seen):
        raise InputError(str(path), None, "base", f"no other weights {base!r}")
    below = _merged(other, (path, *seen))
    return {key: {**below.get(key, {}), **table.get(key, {})} for key in {**below, **table}}


def _row(
    path: Path, table: dict[str, Any], kind: HandType
) -> tuple[tuple[float, ...], tuple[float, ...], tuple[str, ...]]:
    own = table.get(kind.label, {})
    for key in own:
        if key not in NAMES:
            raise InputError(str(path), None, f"{kind.label}.{key}", f"no feature; known: {', '.join(NAMES)}")
    cells = [_cell(str(path), f"{kind.label}.{name}", own.get(name, 0)) for name in NAMES]
    low, high, driver = zip(*cells, strict=True)
    return low, high, driver


def _cell(file: str, where: str, value: object) -> tuple[float, float, str]:
    match value:
        case bool():
            pass
        case int() | float():
            return float(value), float(value), ""
        case [int() | float() as low, int() | float() as high, str() as driver] if driver in DRIVERS:
            return float(low), float(high), driver
    raise InputError(file, None, where, f"must be a number or [low, high, driver], driver one of {', '.join(DRIVERS)}")
