"""Rating lists that are continued: a file with ratings, parameters and the series that were counted."""

from __future__ import annotations

import base64
import hashlib
import json
import os
from pathlib import Path
from typing import Any

import numpy as np
from attrs import define, field, frozen

from tricktake import settings
from tricktake.archive import replacing
from tricktake.errors import InputError
from tricktake.ratings.ratings import Ratings
from tricktake.ratings.results import Series
from tricktake.ratings.system import System
from tricktake.settings import json_in, text_of

FORMAT = "tricktake-ratings"
VERSION = 1


@frozen
class Rules:
    """The parameters of a list; a list is continued only with the same ones.

    game: spec, "" for tables of scores. series: games of a full one. luck: factors in order, and the version of the
    game's correction. names: "plain", or the fingerprint of the key by which they were hashed.
    """

    system: System
    game: str
    series: int
    luck: tuple[str, ...] = ()
    luck_version: str = ""
    names: str = "plain"

    def as_row(self) -> dict[str, Any]:
        return {
            "system": self.system.name,
            "system version": self.system.version,
            "parameters": self.system.parameters(),
            "game": self.game,
            "series": self.series,
            "luck": list(self.luck),
            "luck version": self.luck_version,
            "names": self.names,
        }


@define
class RatingList:
    """A list that can be continued: ratings and the keys of the series in it, 8 bytes each on disk."""

    rules: Rules
    ratings: Ratings
    counted: set[int] = field(factory=set)
    repeated: int = 0  # series seen before and not counted again
    read_as: bytes = b""  # digest of the file it came from

    def new(self, series: Series) -> bool:
        """Whether this series was not counted before; marks it as counted."""
        if series.key in self.counted:
            self.repeated += 1
            return False
        self.counted.add(series.key)
        return True

    def save(self, path: Path) -> None:
        """Replace the file as a whole. Raises InputError if another run has changed it since it was read."""
        if _digest(path) != self.read_as:
            raise InputError(path, None, None, "another run has changed this list meanwhile; nothing was written")
        r = self.ratings
        own = None if r.deviation is None else r.deviation.tolist()
        row = {
            "format": FORMAT,
            "version": VERSION,
            **self.rules.as_row(),
            "seed": r.seed,
            "replicates": r.replicates,
            "players": list(r.names),
            "rating": r.rating.tolist(),
            "seen": r.seen.tolist(),
            "games": r.games.tolist(),
            "points": r.points.tolist(),
            "deviation": own,
            "counted": base64.b64encode(np.array(sorted(self.counted), "<u8").tobytes()).decode(),
        }
        data = (json.dumps(row, ensure_ascii=False) + "\n").encode("utf-8", "surrogateescape")
        if len(data) > settings.MOST_BYTES:
            raise InputError(path, None, None, f"a list of {len(data)} bytes could not be read again")
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as beside, open(beside, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        self.read_as = hashlib.sha256(data).digest()


def _digest(path: Path) -> bytes:
    return hashlib.sha256(settings.bytes_of(path, settings.MOST_BYTES)).digest() if path.exists() else b""


def open_list(path: Path | None, rules: Rules, replicates: int = 0, seed: int = 0) -> RatingList:
    """The list of a file, or a new one. Raises InputError if the file is not a list, is damaged, or was made with
    another system, version, parameters, game, luck, seed or bootstrap.
    """
    if path is None or not path.exists():
        return RatingList(rules, Ratings.empty(replicates, seed))
    row = read_row(path)
    wanted = {**rules.as_row(), "seed": seed, "replicates": replicates}
    differ = _differences(row, wanted)
    if differ:
        reason = "; ".join(f"{key} is {old!r}, not {new!r}" for key, old, new in differ)
        raise InputError(path, None, differ[0][0], f"the list was made otherwise: {reason}")
    ratings, counted = _ratings(path, row)
    return RatingList(rules, ratings, counted, read_as=_digest(path))


def _differences(old: dict[str, Any], new: dict[str, Any]) -> list[tuple[str, Any, Any]]:
    """Name, old and new value of each difference; parameters one by one."""
    out: list[tuple[str, Any, Any]] = []
    for key, value in new.items():
        if isinstance(value, dict) and isinstance(old.get(key), dict):
            out += _differences(old[key], value)
        elif old.get(key) != value:
            out.append((key, old.get(key), value))
    return out


def read_row(path: Path) -> dict[str, Any]:
    """The JSON object of a list. Raises InputError."""
    try:
        row = json_in(text_of(path, "surrogateescape"))
    except ValueError as error:
        raise InputError(path, None, None, f"this is no rating list: {error}") from None
    if not isinstance(row, dict) or row.get("format") != FORMAT:
        raise InputError(path, None, "format", "this is no rating list")
    if row.get("version") != VERSION:
        raise InputError(path, None, "version", f"version {row.get('version')!r} is not {VERSION}")
    known = (
        "system",
        "system version",
        "parameters",
        "game",
        "series",
        "luck",
        "luck version",
        "names",
        "seed",
        "replicates",
    )
    for key in (*known, "players", "rating", "seen", "games", "points", "deviation", "counted"):
        if key not in row:
            raise InputError(path, None, key, "is missing")
    return row


def _ratings(path: Path, row: dict[str, Any]) -> tuple[Ratings, set[int]]:
    names, replicates = row["players"], row["replicates"]
    if not (isinstance(names, list) and all(isinstance(name, str) for name in names)):
        raise InputError(path, None, "players", "must be a list of names")
    names = tuple(names)
    if type(replicates) is not int or replicates < 0 or type(row["seed"]) is not int:
        raise InputError(path, None, "replicates", "damaged: replicates and seed are whole numbers")
    shapes = {"rating": (len(names), 1 + replicates), "games": (len(names),), "points": (len(names),)}
    shapes["seen"] = shapes["rating"]
    arrays: dict[str, Any] = {}
    for key, shape in shapes.items():
        try:
            arrays[key] = np.array(row[key], np.int64 if key == "games" else np.float64).reshape(shape)
        except (TypeError, ValueError, OverflowError) as error:
            raise InputError(path, None, key, f"damaged: {error}") from None
    try:
        keys = np.frombuffer(base64.b64decode(row["counted"], validate=True), "<u8").tolist()
        own = None if row["deviation"] is None else np.array(row["deviation"], np.float64).reshape(len(names))
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(path, None, "counted", f"damaged: {error}") from None
    return Ratings(names, **arrays, deviation=own, seed=row["seed"]), set(keys)
