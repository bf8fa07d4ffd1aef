"""The store of a tournament: one JSON object per line, appended and never rewritten.

The first line is the header with the configuration and its hash; then follows a line per game, keyed by ``id``, in the
order in which the games ended; lines with a ``session`` give the cost of one run, lines with a ``plan`` what was wanted
from there on: how many deals, and until what is decided. These may change from run to run, all else may not. Every line
is passed to the operating system at once, so killing the program loses only unfinished games, and written to disk every
second. An incomplete last line, left by a crash, is removed on opening.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from attrs import define, field

from tricktake.archive import naming
from tricktake.errors import InputError
from tricktake.settings import json_in

FORMAT = "tricktake-tournament"
VERSION = 1
LONGEST_LINE = 1 << 24  # bytes; a configuration of a thousand players has some 300,000
SYNC_SECONDS = 1.0  # a power failure loses at most this much play
PLANNED = "deals"  # the field of a configuration that may change: no game depends on it

Row = dict[str, Any]


def canonical(value: Mapping[str, Any]) -> str:
    """JSON with sorted keys and no blanks: equal values give equal text."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def config_hash(config: Mapping[str, Any]) -> str:
    """The identity of a tournament: 16 hex digits of blake2b over the canonical configuration, but not the number of
    deals, which may grow.
    """
    return hashlib.blake2b(canonical(fixed(config)).encode(), digest_size=8).hexdigest()


def fixed(config: Mapping[str, Any]) -> Row:
    """All that the games depend on."""
    return {name: value for name, value in config.items() if name != PLANNED}


class Store:
    """An open store. ``rows`` are the games already in it, by id; ``until``: what this run shall decide, as a row.

    Raises InputError if the file is not a store, belongs to another configuration (the fields that differ are named),
    is damaged before its last line, or is in use by another run.
    """

    def __init__(self, path: str | Path, config: Mapping[str, Any], until: Row | None = None) -> None:
        self.path = Path(path)
        self.rows: dict[str, Row] = {}
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._fd = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        try:
            fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self._open(dict(config), until)
        except BlockingIOError:
            os.close(self._fd)
            raise InputError(self.path, None, None, "another run is writing to this store") from None
        except BaseException:
            os.close(self._fd)
            raise
        self._synced = time.monotonic()

    def _open(self, config: Row, until: Row | None) -> None:
        plan = {PLANNED: config.get(PLANNED), "until": until}
        found = _read(self.path)
        torn = found.torn
        if found.header is None:
            header: Row = {"format": FORMAT, "version": VERSION, "hash": config_hash(config), "config": config}
            if torn and not (canonical(header) + "\n").encode().startswith(torn):
                raise InputError(self.path, 1, None, "this is no store of a tournament")
            os.ftruncate(self._fd, 0)
            self._write(header)
            if until is not None:
                self._write({"plan": plan})
            os.fsync(self._fd)
            return
        header, self.rows = found.header, found.rows
        differ = _differences(fixed(header["config"]), json.loads(canonical(fixed(config))))
        if differ:
            raise InputError(self.path, 1, "config", f"the store belongs to another tournament: {'; '.join(differ)}")
        if torn:
            os.ftruncate(self._fd, self.path.stat().st_size - len(torn))
        if plan != header["plan"]:
            self._write({"plan": plan})

    def _write(self, row: Mapping[str, Any]) -> None:
        data = (canonical(row) + "\n").encode()
        with naming(self.path):
            while data:
                data = data[os.write(self._fd, data) :]

    def add(self, row: Row) -> None:
        """Append a game. Raises ValueError if its id is already there."""
        if row["id"] in self.rows:
            raise ValueError(f"game {row['id']} is already in the store")
        self._write(row)
        self.rows[row["id"]] = row
        if time.monotonic() - self._synced >= SYNC_SECONDS:
            self.sync()

    def add_session(self, facts: Row) -> None:
        """Append the cost of this run (seconds, decisions), which is not part of the result."""
        self._write({"session": facts})

    def sync(self) -> None:
        """Wait until everything is on the disk."""
        os.fsync(self._fd)
        self._synced = time.monotonic()

    def close(self) -> None:
        if self._fd >= 0:
            self.sync()
            os.close(self._fd)
            self._fd = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def load(path: str | Path) -> tuple[Row, dict[str, Row], list[Row]]:
    """Header, games by id and sessions of a store, read only. Raises InputError.

    The header has ``plan`` besides, the last one: ``deals``, which is that of ``config`` too, and ``until``, or None.
    """
    found = _read(Path(path))
    if found.header is None:
        raise InputError(path, 1, None, "an empty store")
    return found.header, found.rows, found.sessions


def packed(rows: Iterable[Mapping[str, Any]]) -> bytes:
    """Rows as bytes, a line each: the same for equal rows."""
    return "".join(canonical(row) + "\n" for row in rows).encode()


def unpacked(data: bytes) -> list[Row]:
    """Rows from ``packed``."""
    return [json.loads(line) for line in data.splitlines()]


def require_games(path: str | Path, rows: Mapping[str, Row], players: int) -> None:
    """Raises InputError for a game of a store that a match of so many players cannot have written."""
    for name, row in rows.items():
        seats = row.get("players")
        whole = isinstance(seats, list) and all(type(seat) is int and 0 <= seat < players for seat in seats)
        if type(row.get("deal")) is not int or not whole:
            raise InputError(path, None, f"game {name}", "deal is a whole number, players a list of such")
        for key in ("points", "series"):
            found = row.get(key)
            if (
                not isinstance(found, list)
                or not all(type(x) in (int, float) for x in found)
                or len(found) != len(seats or ())
            ):
                raise InputError(path, None, f"game {name}: {key}", "is no list of a number for each seat")


@define
class _Found:
    """What a file holds. torn: what a crash left after the last whole line."""

    header: Row | None = None
    rows: dict[str, Row] = field(factory=dict)
    sessions: list[Row] = field(factory=list)
    torn: bytes = b""


def _lines(path: Path) -> Iterator[bytes]:
    """Line by line, with their ends. Raises InputError, also at a line that is longer than any game."""
    if not path.is_file():  # not a device, which may have no end
        raise InputError(path, None, None, "no such file")
    number = 0
    with path.open("rb") as file:
        while line := file.readline(LONGEST_LINE):
            number += 1
            if len(line) == LONGEST_LINE and not line.endswith(b"\n"):
                raise InputError(path, number, None, f"a line longer than {LONGEST_LINE} bytes")
            yield line


def _read(path: Path) -> _Found:
    found = _Found()
    header, rows = found.header, found.rows
    for number, line in enumerate(_lines(path), 1):
        if not line.endswith(b"\n"):
            found.torn = line
            break
        row = _parsed(path, number, line)
        if header is None:
            if row.get("format") != FORMAT:
                raise InputError(path, number, "format", "this is no store of a tournament")
            if row.get("version") != VERSION:
                raise InputError(path, number, "version", f"version {row.get('version')} is not {VERSION}")
            if not isinstance(row.get("config"), dict):
                raise InputError(path, number, "config", "is missing, or no object")
            if not isinstance(row.get("hash"), str):
                raise InputError(path, number, "hash", "is missing, or no text")
            header = {**row, "plan": {PLANNED: row["config"].get(PLANNED), "until": None}}
        elif "plan" in row:
            plan = row["plan"]
            if not (isinstance(plan, dict) and {PLANNED, "until"} <= plan.keys()):
                raise InputError(path, number, "plan", f"does not say {PLANNED} and until")
            header["plan"] = plan
        elif "session" in row:
            found.sessions.append(row["session"])
        else:
            name = row.get("id")
            if not isinstance(name, str):
                raise InputError(path, number, "id", "a game without an id")
            if name in rows:
                raise InputError(path, number, "id", f"game {name} is there twice")
            rows[name] = row
    if header is not None and PLANNED in header["config"]:
        header["config"] = {**header["config"], PLANNED: header["plan"][PLANNED]}
    found.header = header
    return found


def _parsed(path: Path, number: int, line: bytes) -> Row:
    try:
        row = json_in(line)
    except ValueError as error:
        raise InputError(path, number, None, f"no JSON: {error}") from None
    if not isinstance(row, dict):
        raise InputError(path, number, None, "not a JSON object")
    return {sys.intern(name): value for name, value in row.items()}  # a new text for each line is 40% of its memory


def _differences(old: Any, new: Any, name: str = "") -> list[str]:
    """Which fields differ, as ``name: old, not new``."""
    if isinstance(old, dict) and isinstance(new, dict):
        out = []
        for key in sorted(old.keys() | new.keys()):
            out += _differences(old.get(key), new.get(key), f"{name}.{key}" if name else key)
        return out
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        pairs = enumerate(zip(old, new, strict=True), 1)
        return [text for n, (a, b) in pairs for text in _differences(a, b, f"{name}[{n}]")]
    return [] if old == new else [f"{name} is {canonical_text(old)} there, {canonical_text(new)} here"]


def canonical_text(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False)
