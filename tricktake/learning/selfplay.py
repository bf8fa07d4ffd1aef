"""Rows from self-play: the deals of a seed, played in chunks; the result depends neither on them nor on who plays."""

from __future__ import annotations

import functools
import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
from attrs import asdict, field, frozen

from tricktake import blocks
from tricktake._kernels._shelf import cache_root
from tricktake.archive import replacing
from tricktake.blocks import Keeping, Work
from tricktake.deal import STREAM, deal
from tricktake.errors import InputError
from tricktake.game import find_game
from tricktake.learning.question import find_question
from tricktake.learning.rows import RowArray, Rows
from tricktake.learning.table import LearnedTable
from tricktake.policy.policyfile import digest
from tricktake.pool import Jobs, Plain
from tricktake.records.record import GameRecord, record_of
from tricktake.search.limit import Limit
from tricktake.strategies.player import Player, game_roles
from tricktake.strategies.policy import find_policy
from tricktake.table import Table
from tricktake.tournament import listeners
from tricktake.tournament.referee import play
from tricktake.tournament.seat import LocalSeat

NO_LIMIT = Limit()

CHUNK = 1000  # deals of a player at a time, so that their rows are soon there
NARROW = ("<i1", "<i2", "<i4", "<u4", "<i8")  # 32 cards as a mask fill the fourth
BLOCK = 20_000  # deals of compiled play at a time: a second; of 1,000 a policy's preparations take most of the time
PLAYER_BLOCK = 200  # deals of a block of a player that is kept: some seconds


def self_play(
    rows: Rows,
    seed: int,
    first: int,
    n: int,
    tables: Mapping[str, Path] | None = None,
    *,
    player: str | None = None,
    limit: Limit = NO_LIMIT,
    jobs: Jobs = 1,
    stream: str = STREAM,
    policy: str | None = None,
) -> Iterator[RowArray]:
    """The rows of the deals ``first`` to ``first + n - 1`` of a seed, an array for each ``chunk_of`` deals, whoever
    plays them.

    tables: file of the table of each question, by its registered name. player: spec of a player for all seats, with
    its ``limit``, in which ``@plugin:question`` stands for the file of that table; else the rows' own ``play`` is used.
    stream: name of the deals, if not those of ``tricktake.deal`` some that the rows' own ``play`` knows. policy: name
    or file of what plays the cards in it.
    Raises InputError.
    """
    work = work_of(rows, seed, tables, player=player, limit=limit, stream=stream, policy=policy)
    size = chunk_of(jobs, player)
    chunks = ((start, min(size, first + n - start)) for start in range(first, first + n, size))
    yield from blocks.run(work, ((chunk, chunk) for chunk in chunks), jobs)


def work_of(
    rows: Rows,
    seed: int,
    tables: Mapping[str, Path] | None = None,
    *,
    player: str | None = None,
    limit: Limit = NO_LIMIT,
    stream: str = STREAM,
    policy: str | None = None,
) -> Work:
    """Self-play as work, with the arguments of ``self_play``: a task is a chunk of deals. Raises InputError."""
    carried = {name: Carried.of(path) for name, path in (tables or {}).items()}
    if player is None:
        rows.function("play")
    elif stream != STREAM:
        raise InputError(None, None, "stream", f"players are dealt {STREAM} only, not {stream}")
    else:
        with_tables(player, {name: table.origin for name, table in carried.items()})
    facts = {
        "rows": [rows.name, rows.version],
        "tables": {name: table.digest for name, table in carried.items()},
        "player": player,
        "limit": asdict(limit),
        "stream": stream,
        "policy": None if policy is None else digest(find_policy(policy)),
    }
    return Work(
        "self-play",
        seed,
        facts,
        functools.partial(Plain, functools.partial(play_chunk, rows, seed, carried, player, limit, stream, policy)),
        packed,
        functools.partial(unpacked, rows),
        blocks.files_in(text for text in (player, policy) if text is not None),
    )


def chunk_of(jobs: Jobs, player: str | None) -> int:
    """How many deals are played at a time."""
    if player is None:
        return BLOCK
    return PLAYER_BLOCK if isinstance(jobs, Keeping) else CHUNK


def packed(rows: RowArray) -> bytes:
    """Rows as bytes: a line with their number and the type of each field, the smallest that holds it, then the fields
    one after the other. A sixth of the memory they take, and equal bytes for equal rows.
    """
    columns = {name: rows[name].astype(_narrowest(rows[name])) for name in rows.dtype.names or ()}
    header = json.dumps([len(rows), {name: column.dtype.str for name, column in columns.items()}])
    return b"".join([header.encode() + b"\n", *(column.tobytes() for column in columns.values())])


def unpacked(rows: Rows, data: bytes) -> RowArray:
    """Rows from ``packed``."""
    at = data.index(b"\n") + 1
    n, kinds = json.loads(data[:at])
    found = rows.empty(n)
    for name, kind in kinds.items():
        column = np.frombuffer(data, kind, found[name].size, at)
        found[name] = column.reshape(found[name].shape)
        at += column.nbytes
    return found


def _narrowest(column: np.ndarray) -> np.dtype:
    """The smallest type for these whole numbers."""
    if column.dtype == bool:
        return column.dtype
    low, high = (int(column.min()), int(column.max())) if column.size else (0, 0)
    return next(np.dtype(kind) for kind in NARROW if np.iinfo(kind).min <= low and high <= np.iinfo(kind).max)


@frozen
class Carried:
    """A file with its content, for workers on machines where it may not lie at this place."""

    origin: str
    digest: str
    content: bytes = field(repr=False)

    @classmethod
    def of(cls, path: Path) -> Carried:
        content = path.read_bytes()
        return cls(str(path), hashlib.sha256(content).hexdigest(), content)

    def path(self) -> str:
        """Where it lies on this machine."""
        if _is_there(self.origin, self.digest):
            return self.origin
        path = cache_root() / "carried" / self.digest[:32] / Path(self.origin).name
        if not path.is_file():
            path.parent.mkdir(parents=True, exist_ok=True)
            with replacing(path) as beside:
                beside.write_bytes(self.content)
        return str(path)


@functools.lru_cache(maxsize=64)
def _is_there(path: str, digest: str) -> bool:
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest() == digest
    except OSError:
        return False


def with_tables(player: str, files: Mapping[str, str]) -> str:
    """The player's spec with a file for every ``@plugin:question``. Raises InputError for a table that is missing."""
    for name in sorted(files, key=len, reverse=True):
        player = player.replace(f"@{name}", files[name])
    if missing := re.search(r"@([\w.:+-]+)", player):
        raise InputError(None, None, "player", f"no table for {missing[1]!r}; known: {', '.join(files) or 'none'}")
    return player


def play_chunk(
    rows: Rows,
    seed: int,
    carried: Mapping[str, Carried],
    player: str | None,
    limit: Limit,
    stream: str,
    policy: str | None,
    chunk: tuple[int, int],
) -> RowArray:
    """The rows of one chunk of deals, given by its first deal and their number."""
    first, n = chunk
    files = {name: table.path() for name, table in carried.items()}
    if player is not None:
        return rows.of_records(records_of(rows.game, with_tables(player, files), seed, first, n, limit))
    tables = {name: loaded(name, file, Path(file).stat().st_mtime_ns) for name, file in files.items()}
    other: dict[str, object] = {} if stream == STREAM else {"stream": stream}
    if policy is not None:
        other["policy"] = find_policy(policy)
    return rows.check(rows.function("play")(seed, first, n, tables, **other), "self-play")


@functools.lru_cache(maxsize=16)
def loaded(question: str, file: str, changed: int) -> LearnedTable:
    """The table of a file for a registered question, read once a process as long as it has not ``changed``."""
    return LearnedTable.load(file, find_question(question))


def records_of(game: str, player: str, seed: int, first: int, n: int, limit: Limit = NO_LIMIT) -> list[GameRecord]:
    """The records of deals played by one player in every seat. Raises InputError, also where the player fails."""
    rules, seat = find_game(game), _seat(game, player, limit)
    records = []
    for number in range(first, first + n):
        table = Table.start(rules, deal(rules.layout, seed, number), number % rules.boards)
        listeners.begins(table, seed, str(number), [player] * rules.seats)
        faults = play(table, [seat] * rules.seats, seed=seed, game_id=str(number))
        listeners.ends(table, str(number), [player] * rules.seats)
        if faults:
            raise InputError(None, None, f"deal {number} of seed {seed}", f"{player}: {faults[0].reason}")
        records.append(record_of(table, str(number)))
    return records


@functools.lru_cache(maxsize=4)
def _seat(game: str, player: str, limit: Limit) -> LocalSeat:
    roles = game_roles(find_game(game))
    one = Player.from_spec(player).require(roles, roles)
    return LocalSeat(lambda: one, limit)
