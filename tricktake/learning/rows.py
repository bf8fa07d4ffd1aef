"""Rows: recorded games as a structured array, one row per game, the input of features."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from tricktake.errors import InputError

RowArray = NDArray[np.void]
FromRecords = Callable[[Sequence[Any]], RowArray]
Reader = Callable[[Path, Callable[[InputError], None]], Iterator[RowArray]]
Play = Callable[..., RowArray]
OpenCard = Callable[[RowArray], NDArray[np.int64]]
Unlike = Callable[[RowArray], tuple[int, str, str] | None]
T = TypeVar("T")
COMPARED = 1 << 11  # rows compared at a time, which the processor's cache holds


@frozen
class Rows:
    """The information on a game used for learning: the fields of a row.

    name: ``plugin:rows``. version: raised when a field changes its meaning. fields: name -> (type, description in one
    line); a type is a numpy type or (type, shape) for an array, integers or bool, int64 for masks of cards. A field
    ``id`` is named in messages. game: spec of the game of the records. stored: the narrower types of fields in Parquet,
    since small numbers are read faster; a number that does not fit is refused.

    Rows of files are compared with the rules before features index anything by them. limits: the least and the
    greatest number of a field. unlike(rows): place, field and fault of the first row that no game could have, None
    if there is none; it reads the fields ``given``, and is called where all are within their limits.

    The other fields make rows, each a function or ``"module:function"``. from_records(records) returns rows of
    ``GameRecord`` values (none for those without a row; an InputError refuses a record). readers: faster readers of
    files, by name of the format; reader(path, refuse) yields arrays of rows and passes each bad record to
    ``refuse`` as an InputError. play(seed, first, n, tables) returns the rows of the deals first to first + n - 1
    of a seed in self-play; tables are those learned so far, by name of the question, and the rows depend on nothing
    but these arguments. open_card(rows) returns the open-card solver's results: 1 won, 0 lost, -1 unknown
    (OUTER-20).
    """

    name: str
    fields: Mapping[str, tuple[Any, str]] = field(hash=False)
    version: int = 1
    game: str = ""
    stored: Mapping[str, Any] = field(factory=dict, eq=False)
    limits: Mapping[str, tuple[int, int]] = field(factory=dict, eq=False)
    given: Sequence[str] = field(default=(), eq=False)
    unlike: Unlike | str | None = field(default=None, eq=False)
    from_records: FromRecords | str | None = field(default=None, eq=False)
    readers: Mapping[str, Reader | str] = field(factory=dict, eq=False)
    play: Play | str | None = field(default=None, eq=False)
    open_card: OpenCard | str | None = field(default=None, eq=False)

    @fields.validator
    def _check_fields(self, attribute: object, value: Mapping[str, tuple[Any, str]]) -> None:
        for name, (kind, _) in value.items():
            base = np.dtype(kind).base
            if base.kind not in "ib":
                raise ValueError(f"{self.name}: field {name!r} must be of signed whole numbers or bool, not {base}")
            if not name.isidentifier() or name.startswith("_"):
                raise ValueError(f"{self.name}: {name!r} is no name for a field")

    @stored.validator
    def _check_stored(self, attribute: object, value: Mapping[str, Any]) -> None:
        for name, kind in value.items():
            if name not in self.fields or np.dtype(kind).kind not in "iub":
                raise ValueError(f"{self.name}: {name!r} is no field that could be stored as {kind}")

    @limits.validator
    def _check_limits(self, attribute: object, value: Mapping[str, tuple[int, int]]) -> None:
        if unknown := [name for name in value if name not in self.fields]:
            raise ValueError(f"{self.name}: limits of {unknown[0]!r}, which is no field")

    @property
    def dtype(self) -> np.dtype[np.void]:
        """The type of a row."""
        return np.dtype([(name, kind) for name, (kind, _) in self.fields.items()], align=True)

    def empty(self, n: int) -> RowArray:
        """``n`` rows of zeros."""
        return np.zeros(n, self.dtype)

    def row(self, **values: Any) -> RowArray:
        """An array of one row with these fields, the others zero. Raises InputError for an unknown field."""
        rows = self.empty(1)
        for name, value in values.items():
            if name not in self.fields:
                raise InputError(None, None, self.name, f"has no field {name!r}; fields: {', '.join(self.fields)}")
            rows[name] = value
        return rows

    def check(self, rows: Any, where: str = "") -> RowArray:
        """``rows`` if they are an array of these rows. Raises InputError."""
        if not isinstance(rows, np.ndarray) or rows.ndim != 1 or rows.dtype != self.dtype:
            found = getattr(rows, "dtype", type(rows).__name__)
            raise InputError(where or None, None, "rows", f"not rows of {self.name} version {self.version}: {found}")
        return rows

    def compare(self, rows: RowArray, path: str | Path, first: int = 1) -> RowArray:
        """``rows`` if games could have them. first: number of the first one in the file, counted from 1.

        Raises InputError with the number of the row as its line, the field and what is wrong with it.
        """
        for start in range(0, len(rows), COMPARED):
            part = rows[start : start + COMPARED]
            found = self._outside(part) or (self.function("unlike")(part) if self.unlike is not None else None)
            if found is not None:
                place, name, reason = found
                game = f"game {part['id'][place]}: " if "id" in self.fields else ""
                raise InputError(path, first + start + place, name, game + reason)
        return rows

    def _outside(self, rows: RowArray) -> tuple[int, str, str] | None:
        """Place, field and fault of a row with a number outside of its limits."""
        for name, (low, high) in self.limits.items():
            values = rows[name]
            if values.min() < low or values.max() > high:
                outside = ((values < low) | (values > high)).reshape(len(rows), -1)
                place = int(outside.any(axis=1).argmax())
                number = np.atleast_1d(values[place])[outside[place].argmax()]
                return place, name, f"{number} is not within {low} to {high}"
        return None

    def of_records(self, records: Iterable[Any]) -> RowArray:
        """The rows of game records. Raises InputError."""
        return self.check(self.function("from_records")(list(records)), self.name)

    def function(self, name: str) -> Callable[..., Any]:
        """One of the functions by the name of its field. Raises InputError if there is none."""
        given = getattr(self, name)
        if given is None:
            raise InputError(None, None, self.name, f"these rows have no {name}")
        return _imported(given)

    def reader(self, form: str) -> Reader | None:
        """The fast reader of a format, if there is one."""
        return _imported(self.readers[form]) if form in self.readers else None


def _imported(given: Callable[..., Any] | str) -> Callable[..., Any]:
    if not isinstance(given, str):
        return given
    module, _, name = given.partition(":")
    found: Callable[..., Any] = getattr(importlib.import_module(module), name)
    return found
