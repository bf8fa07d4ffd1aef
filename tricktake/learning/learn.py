"""Learning: from records or rows to a table, in blocks, whatever their number and that of the workers."""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from attrs import define

from tricktake._kernels import hash as kernel
from tricktake.errors import InputError
from tricktake.learning.counts import Counter, Counts
from tricktake.learning.question import Question
from tricktake.learning.rows import RowArray, Rows
from tricktake.learning.store import is_rows_file, read_rows
from tricktake.learning.table import Table, sorted_sources

BLOCK = 1 << 16  # rows counted at a time
AHEAD = 2  # blocks waiting for each worker

OnError = Callable[[InputError], None]
Advance = Callable[[int], None]
Source = str | Path | RowArray


def learn(
    question: Question,
    sources: Source | Iterable[Source],
    *,
    jobs: int = 1,
    format: str | None = None,  # noqa: A002
    on_error: OnError | None = None,
    advance: Advance = lambda games: None,
) -> Table:
    """The table of a question over the games of ``sources``: record files, rows files, arrays of rows.

    jobs: workers; the table does not depend on their number. format: of record files, else told from lines or suffix.
    on_error: gets each refused record, which is left out and counted; without it the first one is raised.
    advance: told how many games have been counted.
    Raises InputError naming the file and the line of a bad record, or the feature, value and game of a bad feature.
    """
    several = [sources] if isinstance(sources, (str, Path, np.ndarray)) else list(sources)
    opened = (open_source(question.rows, s, jobs=jobs, format=format, on_error=on_error) for s in several)
    return _learned(question, opened, jobs, advance)


def _learned(question: Question, sources: Iterable[Opened], jobs: int, advance: Advance) -> Table:
    layers = [Counts.empty() for _ in question.form.layers]
    described = []
    for source in sources:
        tally = Tally(question)
        tally.add(source, jobs, advance)
        layers = [Counts.summed(pair) for pair in zip(layers, tally.layers(), strict=True)]
        described.append({**source.described(), "used": tally.used})
    return Table(question.form, question.code, tuple(layers), sorted_sources(described), question)


@define
class Opened:
    """The rows of one source. games, refused: how many came, known when all blocks were read."""

    name: str
    blocks: Iterator[RowArray]
    description: dict[str, Any]
    games: int = 0
    refused: int = 0

    def __iter__(self) -> Iterator[RowArray]:
        for block in self.blocks:
            self.games += len(block)
            yield block

    def described(self) -> dict[str, Any]:
        """What a manifest says of the source, complete when all blocks were read."""
        out = {**self.description, "games": self.games}
        return {**out, "refused": self.refused} if self.refused else out


def open_source(
    rows: Rows,
    source: Source,
    *,
    jobs: int = 1,
    format: str | None = None,  # noqa: A002
    on_error: OnError | None = None,
) -> Opened:
    """The rows of a record file, a rows file or an array, block by block. Raises InputError."""
    if isinstance(source, np.ndarray):
        return Opened("rows", _blocks(rows.check(source)), {"kind": "rows"})
    path = Path(source)
    if is_rows_file(path):
        stored, sources = read_rows(rows, path)
        return Opened(str(path), _blocks(stored), {"kind": "rows file", "name": path.name, "of": sources})
    from tricktake.learning.records import read_record_rows

    found = Opened(str(path), iter(()), {"kind": "records", "name": path.name})

    def refuse(error: InputError) -> None:
        if on_error is None:
            raise error
        found.refused += 1
        on_error(error)

    if not path.is_file():
        raise InputError(path, None, None, "no such file")
    found.description["sha256"] = _sha256(path)
    found.blocks = read_record_rows(rows, path, format, jobs, refuse)
    return found


def played(rows: Rows, seed: int, first: int, n: int, *, player: str | None = None, jobs: int = 1) -> Opened:
    """The rows of self-play on deals of a seed. Raises InputError."""
    from tricktake.learning.selfplay import self_play

    blocks = self_play(rows, seed, first, n, player=player, jobs=jobs)
    who = player or rows.name
    return Opened("self-play", blocks, {"kind": "self-play", "seed": seed, "first": first, "deals": n, "player": who})


def learn_played(
    question: Question,
    seed: int,
    n: int,
    *,
    player: str | None = None,
    jobs: int = 1,
    advance: Advance = lambda games: None,
) -> Table:
    """The table of a question over ``n`` deals of self-play. Raises InputError."""
    return _learned(question, [played(question.rows, seed, 0, n, player=player, jobs=jobs)], 1, advance)


def _sha256(path: Path) -> str:
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise InputError(path, None, None, error.strerror or str(error)) from error


def _blocks(rows: RowArray) -> Iterator[RowArray]:
    for start in range(0, len(rows), BLOCK):
        yield rows[start : start + BLOCK]


class Tally:
    """Counts of a question over blocks of rows, which threads may share."""

    def __init__(self, question: Question) -> None:
        self.question = question
        self.used = 0
        self._weights = question.form.weights()
        self._counters: list[list[Counter]] = []
        self._free: deque[list[Counter]] = deque()

    def add(self, blocks: Iterable[RowArray], jobs: int = 1, advance: Advance = lambda games: None) -> None:
        """Count the games of the blocks. Raises InputError for the first bad one in their order."""
        name = getattr(blocks, "name", "")
        if jobs == 1:
            for block in blocks:
                self.used += self._count(block, name)
                advance(len(block))
            return
        waiting: deque[tuple[Future[int], int]] = deque()
        with ThreadPoolExecutor(jobs) as pool:
            for block in blocks:
                waiting.append((pool.submit(self._count, block, name), len(block)))
                while len(waiting) > AHEAD * jobs:
                    self._finish(waiting, advance)
            while waiting:
                self._finish(waiting, advance)

    def _finish(self, waiting: deque[tuple[Future[int], int]], advance: Advance) -> None:
        future, games = waiting.popleft()
        self.used += future.result()
        advance(games)

    def layers(self) -> list[Counts]:
        """Counts of each layer."""
        number = range(len(self.question.form.layers))
        return [Counts.summed(counters[i].counts() for counters in self._counters) for i in number]

    def _count(self, rows: RowArray, where: str) -> int:
        values, won, _ = self.question.found(rows, where)
        try:
            counters = self._free.pop()  # each thread works on its own
        except IndexError:
            counters = [Counter() for _ in self.question.form.layers]
            self._counters.append(counters)
        keys = np.empty(len(values), np.int64)
        for counter, weights in zip(counters, self._weights, strict=True):
            kernel.rank(values, weights, keys)
            counter.add(keys, won)
        self._free.append(counters)
        return len(values)
