"""Rows as Parquet: a column for each field, an array as a list, in the types the rows name for storing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tricktake import parquet
from tricktake.errors import InputError
from tricktake.learning.code import names_in
from tricktake.learning.question import Question
from tricktake.learning.rows import RowArray, Rows

FORMAT = "tricktake-rows"
VERSION = 1
BLOCK = 1 << 11  # rows made at a time: they are still in the processor's cache when they are counted


def schema(rows: Rows) -> Any:
    """The columns of rows: integers, booleans, and lists of fixed length for arrays. Raises InputError."""
    pa, _ = parquet.arrow()
    found = []
    for name in rows.fields:
        kind = rows.dtype[name]
        inner = pa.from_numpy_dtype(_stored(rows, name))
        found.append(pa.field(name, pa.list_(inner, kind.shape[0]) if kind.shape else inner, nullable=False))
    return pa.schema(found)


def _stored(rows: Rows, name: str) -> np.dtype[Any]:
    return np.dtype(rows.stored.get(name, rows.dtype[name].base))


def write_columns(
    rows: Rows,
    blocks: Iterable[RowArray],
    path: str | Path,
    sources: Iterable[Mapping[str, Any]] = (),
    partition: int | None = None,
) -> int:
    """Write arrays of rows as Parquet; returns the number of rows. The file appears when it is complete.

    ``sources`` is read after the last block. partition: rows of each file of a folder. Raises InputError, also for a
    number that does not fit the type it is stored in.
    """
    form = schema(rows)
    about: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "rows": rows.name,
        "rows_version": rows.version,
        "fields": {name: text for name, (_, text) in rows.fields.items()},
    }
    count = 0
    with parquet.Output(path, partition) as out:
        for block in _grouped(rows, blocks):
            out.write(_table(rows, form, block, path), about)
            count += len(block)
        out.begin(form, about)
        out.describe({**about, "sources": list(sources)})
    return count


def _grouped(rows: Rows, blocks: Iterable[RowArray]) -> Iterator[RowArray]:
    """The same rows, ``parquet.GROUP`` at a time, so that the file does not depend on how they came."""
    held: list[RowArray] = []
    size = 0
    for block in blocks:
        rest = rows.check(block)
        while len(rest):
            piece, rest = rest[: parquet.GROUP - size], rest[parquet.GROUP - size :]
            held.append(piece)
            size += len(piece)
            if size == parquet.GROUP:
                yield np.concatenate(held)
                held, size = [], 0
    if held:
        yield np.concatenate(held)


def _table(rows: Rows, form: Any, block: RowArray, path: str | Path) -> Any:
    pa, _ = parquet.arrow()
    columns = []
    for name, field in zip(rows.fields, form, strict=True):
        wide = block[name]
        values = np.ascontiguousarray(wide).astype(_stored(rows, name))
        if not np.array_equal(values, wide):
            row = int(np.flatnonzero((values != wide).reshape(len(block), -1).any(axis=1))[0])
            game = f"game {block['id'][row]}: " if "id" in rows.fields else ""
            raise InputError(path, None, name, f"{game}{wide[row]} does not fit {values.dtype}")
        flat = pa.array(values.reshape(-1))
        columns.append(pa.FixedSizeListArray.from_arrays(flat, type=field.type) if wide.ndim > 1 else flat)
    return pa.table(columns, schema=form)


def sources_of(path: str | Path) -> list[dict[str, Any]]:
    """What the rows of a file or folder were made of. Raises InputError."""
    found = []
    for part in parquet.parts(path):
        with parquet.opened(part, FORMAT, VERSION) as file:
            found += _listed(file.described.get("sources", []))
    return found


def _listed(value: Any) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def read_columns(rows: Rows, path: str | Path, fields: Sequence[str] | None = None) -> Iterator[RowArray]:
    """The rows of a file or folder, in blocks; the fields that are not asked for may be zero.

    Raises InputError for a file that is damaged or holds other rows, naming the column or row group, and for a row that
    no game could have.
    """
    form = schema(rows)
    needed = None if fields is None else [name for name in rows.fields if name in {"id", *fields, *rows.given}]
    for part in parquet.parts(path):
        with parquet.opened(part, FORMAT, VERSION) as file:
            kind = (file.described.get("rows"), file.described.get("rows_version"))
            if kind != (rows.name, rows.version):
                reason = f"of {kind[0]} version {kind[1]}, not {rows.name} version {rows.version}"
                raise InputError(part, None, "rows", reason)
            file.require(form)
            for first, batch in file.batches(needed):
                for block in _rows(rows, batch, part, first):
                    yield rows.compare(block, part, first)
                    first += len(block)


def _rows(rows: Rows, batch: Any, part: Path, first: int) -> Iterator[RowArray]:
    columns = {}
    for name in batch.schema.names:
        column, shape = batch.column(name), rows.dtype[name].shape
        whole = column.null_count == 0
        if whole and shape:
            column = column.flatten()
            whole = column.null_count == 0 and len(column) == batch.num_rows * shape[0]
        if not whole:
            raise InputError(part, first, name, "this row or one of its row group has no value")
        columns[name] = column.to_numpy(zero_copy_only=False).reshape(-1, *shape)
    for start in range(0, batch.num_rows, BLOCK):
        out = rows.empty(min(BLOCK, batch.num_rows - start))
        for name, values in columns.items():
            out[name] = values[start : start + BLOCK]
        yield out


def fields_read(questions: Iterable[Question]) -> list[str] | None:
    """The fields that the functions of questions can read, with ``id`` for messages; None if that is not sure."""
    found: set[str] = {"id"}
    rows: Rows | None = None
    for question in questions:
        rows = question.rows
        functions = [f.function for f in question.features] + [question.won]
        for function in [*functions, *([question.excluded] if question.excluded is not None else [])]:
            names = names_in(function)
            if names is None:
                return None
            found |= names
    return [name for name in rows.fields if name in found] if rows is not None else None
