"""Learning: from records or rows to a table, in blocks; the result does not depend on blocks and workers."""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from attrs import define

from tricktake._kernels import hash as kernel
from tricktake.deal import STREAM
from tricktake.errors import InputError
from tricktake.learning import columns
from tricktake.learning.columns import fields_read
from tricktake.learning.counts import Counter, Counts
from tricktake.learning.question import Question
from tricktake.learning.records import read_record_rows
from tricktake.learning.rows import RowArray, Rows
from tricktake.learning.selfplay import self_play
from tricktake.learning.store import is_rows_file, read_rows
from tricktake.learning.table import LearnedTable, sorted_sources
from tricktake.parquet import is_parquet, kind_of, parts
from tricktake.pool import Jobs, here

BLOCK = 1 << 16  # rows counted at a time
AHEAD = 2  # blocks waiting for each worker

OnError = Callable[[InputError], None]
Advance = Callable[[int], None]
Source = str | Path | RowArray


def learn(
    question: Question,
    sources: Source | Iterable[Source],
    *,
    jobs: Jobs = 1,
    format: str | None = None,  # noqa: A002
    on_error: OnError | None = None,
    advance: Advance = lambda games: None,
) -> LearnedTable:
    """The table of a question over the games of ``sources``: record files, rows files, arrays of rows.

    jobs: workers; the table does not depend on their number. format: of record files, else detected from the first
    lines or the suffix. on_error: called with each refused record, which is left out and counted; without it the first
    one is raised. advance: called with the number of games counted.
    Raises InputError naming the file and the line of a bad record, or the feature, value and game of a bad feature.
    """
    return learn_all([question], sources, jobs=jobs, format=format, on_error=on_error, advance=advance)[0]


def learn_all(
    questions: Sequence[Question],
    sources: Source | Iterable[Source],
    *,
    jobs: Jobs = 1,
    format: str | None = None,  # noqa: A002
    on_error: OnError | None = None,
    advance: Advance = lambda games: None,
) -> list[LearnedTable]:
    """``learn`` for several questions about the same rows; the games are read once. Raises InputError."""
    several = [sources] if isinstance(sources, (str, Path, np.ndarray)) else list(sources)
    rows = common_rows(questions)
    fields = fields_read(questions)
    opened = (open_source(rows, s, jobs=jobs, format=format, on_error=on_error, fields=fields) for s in several)
    return _learned(questions, opened, jobs, advance)


def common_rows(questions: Sequence[Question]) -> Rows:
    """The kind of rows of all these questions. Raises InputError if they differ."""
    first = questions[0]
    for other in questions[1:]:
        if other.rows != first.rows:
            reason = f"{other.name} looks at {other.rows.name}, {first.name} at {first.rows.name}"
            raise InputError(None, None, "questions", reason)
    return first.rows


def _learned(
    questions: Sequence[Question], sources: Iterable[Opened], jobs: Jobs, advance: Advance
) -> list[LearnedTable]:
    layers = [[Counts.empty() for _ in question.form.layers] for question in questions]
    described: list[list[dict[str, Any]]] = [[] for _ in questions]
    for source in sources:
        tallies = [Tally(question) for question in questions]
        count_all(tallies, source, jobs, advance)
        for number, tally in enumerate(tallies):
            pairs = zip(layers[number], tally.layers(), strict=True)
            layers[number] = [Counts.summed(pair) for pair in pairs]
            described[number].append({**source.described(), "used": tally.used})
    return [
        LearnedTable(question.form, question.code, tuple(counts), sorted_sources(found), question)
        for question, counts, found in zip(questions, layers, described, strict=True)
    ]


@define
class Opened:
    """The rows of one source. games, refused: their numbers, known when all blocks were read."""

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
        """The description of the source for a manifest, complete when all blocks were read."""
        out = {**self.description, "games": self.games}
        return {**out, "refused": self.refused} if self.refused else out


def open_source(
    rows: Rows,
    source: Source,
    *,
    jobs: Jobs = 1,
    format: str | None = None,  # noqa: A002
    on_error: OnError | None = None,
    fields: Sequence[str] | None = None,
) -> Opened:
    """The rows of a record file, a rows file or an array, block by block. fields: all that is needed of rows in
    Parquet; the others may be zero. Raises InputError.
    """
    if isinstance(source, np.ndarray):
        return Opened("rows", _blocks(rows.check(source)), {"kind": "rows"})
    path = Path(source)
    if is_rows_file(path):
        stored, sources = read_rows(rows, path)
        sound = (rows.compare(block, path, 1 + n * BLOCK) for n, block in enumerate(_blocks(stored)))
        return Opened(str(path), sound, {"kind": "rows file", "name": path.name, "of": sources})
    if is_parquet(path) and kind_of(path) == columns.FORMAT:
        described = {"kind": "rows file", "name": path.name, "of": columns.sources_of(path)}
        return Opened(str(path), columns.read_columns(rows, path, fields), described)
    found = Opened(str(path), iter(()), {"kind": "records", "name": path.name})

    def refuse(error: InputError) -> None:
        if on_error is None:
            raise error
        found.refused += 1
        on_error(error)

    if not (path.is_file() or is_parquet(path)):
        raise InputError(path, None, None, "no such file")
    found.description["sha256"] = _sha256(path)
    found.blocks = read_record_rows(rows, path, format, jobs, refuse)
    return found


def played(rows: Rows, seed: int, first: int, n: int, *, player: str | None = None, jobs: Jobs = 1) -> Opened:
    """The rows of self-play on deals of a seed. Raises InputError."""
    blocks = self_play(rows, seed, first, n, player=player, jobs=jobs)
    who = player or rows.name
    return Opened(
        "self-play",
        blocks,
        {"kind": "self-play", "stream": STREAM, "seed": seed, "first": first, "deals": n, "player": who},
    )


def learn_played(
    questions: Sequence[Question],
    seed: int,
    n: int,
    *,
    player: str | None = None,
    jobs: Jobs = 1,
    advance: Advance = lambda games: None,
) -> list[LearnedTable]:
    """The tables of questions about the same rows over ``n`` deals of self-play. Raises InputError."""
    return _learned(questions, [played(common_rows(questions), seed, 0, n, player=player, jobs=jobs)], 1, advance)


def _sha256(path: Path) -> str:
    """Of a file; of a folder that of the hashes of its parts."""
    try:
        if path.is_dir():
            return hashlib.sha256("".join(map(_sha256, parts(path))).encode()).hexdigest()
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise InputError(path, None, None, error.strerror or str(error)) from error


def _blocks(rows: RowArray) -> Iterator[RowArray]:
    for start in range(0, len(rows), BLOCK):
        yield rows[start : start + BLOCK]


class Tally:
    """Counts of a question over blocks of rows; may be shared by threads."""

    def __init__(self, question: Question) -> None:
        self.question = question
        self.used = 0
        self._weights = question.form.weights()
        self._counters: list[list[Counter]] = []
        self._free: deque[list[Counter]] = deque()

    def add(self, blocks: Iterable[RowArray]) -> None:
        """Count the games of the blocks. Raises InputError for the first bad one."""
        count_all([self], blocks)

    def layers(self) -> list[Counts]:
        """Counts of each layer."""
        number = range(len(self.question.form.layers))
        return [Counts.summed(counters[i].counts() for counters in self._counters) for i in number]

    def count(self, rows: RowArray, where: str) -> int:
        """Count the games of one block, in any thread; returns how many were not excluded."""
        values, won, _ = self.question.found(rows, where)
        try:
            counters = self._free.pop()  # each thread has counters of its own
        except IndexError:
            counters = [Counter() for _ in self.question.form.layers]
            self._counters.append(counters)
        keys = np.empty(len(values), np.int64)
        for counter, weights in zip(counters, self._weights, strict=True):
            kernel.rank(values, weights, keys)
            counter.add(keys, won)
        self._free.append(counters)
        return len(values)


def count_all(
    tallies: Sequence[Tally], blocks: Iterable[RowArray], jobs: Jobs = 1, advance: Advance = lambda games: None
) -> None:
    """Count every block for all of the tallies. Raises InputError for the first bad game in their order."""
    name = getattr(blocks, "name", "")

    def count(block: RowArray) -> list[int]:
        return [tally.count(block, name) for tally in tallies]

    def finish(used: list[int], games: int) -> None:
        for tally, more in zip(tallies, used, strict=True):
            tally.used += more
        advance(games)

    threads = here(jobs)
    if threads == 1:
        for block in blocks:
            finish(count(block), len(block))
        return
    waiting: deque[tuple[Future[list[int]], int]] = deque()
    with ThreadPoolExecutor(threads) as pool:
        for block in blocks:
            waiting.append((pool.submit(count, block), len(block)))
            while len(waiting) > AHEAD * threads:
                future, games = waiting.popleft()
                finish(future.result(), games)
        for future, games in waiting:
            finish(future.result(), games)
