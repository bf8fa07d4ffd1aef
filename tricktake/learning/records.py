"""Rows of game records, whatever their format."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from tricktake import pool
from tricktake.errors import InputError, TricktakeError
from tricktake.learning.rows import RowArray, Rows
from tricktake.records.formats import Chunk, detect, get_format, get_game, parsed, readable_chunks
from tricktake.records.lines import open_lines

BATCH = 1000  # records in one array of rows, and in one message to a worker

Refuse = Callable[[InputError], None]


def read_record_rows(rows: Rows, path: Path, form: str | None, jobs: pool.Jobs, refuse: Refuse) -> Iterator[RowArray]:
    """The rows of a record file in its order. A bad record is given to ``refuse`` and left out. Raises InputError."""
    with open_lines(path) as lines:
        found = detect(path, lines, form)
        if (reader := rows.reader(found.name)) is None:
            batches = _batches(readable_chunks(found, lines))
            for block, errors in pool.in_order(partial(_parse, rows, found.name, str(path)), batches, jobs):
                for error in errors:
                    refuse(error)
                yield block
            return
    for block in reader(path, refuse):
        yield rows.check(block, str(path))


def _batches(chunks: Iterator[Chunk | InputError]) -> Iterator[list[Chunk | InputError]]:
    while batch := list(islice(chunks, BATCH)):
        yield batch


Parsed = tuple[RowArray, list[InputError]]


def _parse(rows: Rows, form: str, file: str, batch: Sequence[Chunk | InputError]) -> Parsed:
    game = get_game(rows.game or None)
    records, errors = [], []
    for chunk in batch:
        try:
            records.append(parsed(get_format(form), chunk, game, file))
        except InputError as error:
            errors.append(error)
    try:
        return rows.of_records(records), errors
    except (TricktakeError, ValueError):
        pass  # one by one, to know which it was
    good: list[Any] = []
    for record in records:
        try:
            rows.of_records([record])
            good.append(record)
        except (TricktakeError, ValueError) as error:
            reason = error.reason if isinstance(error, InputError) else str(error)
            place, _, line = record.source.rpartition(":")
            errors.append(InputError(place, int(line), f"game {record.id}", reason))
    errors.sort(key=lambda error: error.line or 0)
    return rows.of_records(good), errors
