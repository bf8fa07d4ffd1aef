"""Rows from self-play: the deals of a seed, played in chunks; the result does not depend on the number of workers."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from tricktake import pool
from tricktake.deal import STREAM, deal
from tricktake.errors import InputError
from tricktake.game import find_game
from tricktake.learning.question import find_question
from tricktake.learning.rows import RowArray, Rows
from tricktake.learning.table import LearnedTable
from tricktake.records.record import GameRecord, record_of
from tricktake.search.limit import Limit
from tricktake.strategies.player import Player, game_roles
from tricktake.strategies.policy import find_policy
from tricktake.table import Table
from tricktake.tournament import listeners
from tricktake.tournament.referee import play
from tricktake.tournament.seat import LocalSeat

NO_LIMIT = Limit()

CHUNK = 1000  # deals played by a worker at a time


def self_play(
    rows: Rows,
    seed: int,
    first: int,
    n: int,
    tables: Mapping[str, Path] | None = None,
    *,
    player: str | None = None,
    limit: Limit = NO_LIMIT,
    jobs: int = 1,
    stream: str = STREAM,
    policy: str | None = None,
) -> Iterator[RowArray]:
    """The rows of the deals ``first`` to ``first + n - 1`` of a seed, a block for each ``CHUNK`` deals, for any
    number of workers.

    tables: file of the table of each question, by its registered name. player: spec of a player for all seats, with
    its ``limit``, in which ``@plugin:question`` stands for the file of that table; else the rows' own ``play`` is used.
    stream: name of the deals, if not those of ``tricktake.deal`` some that the rows' own ``play`` knows. policy: name
    or file of what plays the cards in it.
    Raises InputError.
    """
    files = {name: str(path) for name, path in (tables or {}).items()}
    if player is None:
        rows.function("play")
    elif stream != STREAM:
        raise InputError(None, None, "stream", f"players are dealt {STREAM} only, not {stream}")
    else:
        player = with_tables(player, files)
    chunks = ((start, min(CHUNK, first + n - start)) for start in range(first, first + n, CHUNK))
    yield from pool.in_order(
        functools.partial(play_chunk, rows, seed, files, player, limit, stream, policy), chunks, jobs
    )


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
    files: Mapping[str, str],
    player: str | None,
    limit: Limit,
    stream: str,
    policy: str | None,
    chunk: tuple[int, int],
) -> RowArray:
    """The rows of one chunk of deals, given by its first deal and their number."""
    first, n = chunk
    if player is not None:
        return rows.of_records(records_of(rows.game, player, seed, first, n, limit))
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
