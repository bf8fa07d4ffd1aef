"""Rows files: games stored as rows, one header line and then the rows, mapped into memory.

The header is JSON on one line: format, kind of rows and version, type, number of rows, and sources.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from tricktake.archive import replacing
from tricktake.errors import InputError
from tricktake.learning.rows import RowArray, Rows
from tricktake.settings import json_in

FORMAT = "tricktake-rows"
VERSION = 1
SUFFIX = ".rows"
HEADER = 1 << 14  # bytes; room for the sources, padded with blanks


def write_rows(
    rows: Rows, blocks: Iterable[RowArray], path: str | Path, sources: Iterable[Mapping[str, Any]] = ()
) -> int:
    """Write arrays of rows one after the other; returns the number of rows. The file appears when it is complete.

    ``sources`` is read after the last block. Raises InputError.
    """
    target = Path(path)
    count = 0
    try:
        with replacing(target) as beside, open(beside, "wb") as file:
            file.write(b" " * HEADER)
            for block in blocks:
                file.write(_plain(rows, rows.check(block)).tobytes())
                count += len(block)
            file.seek(0)
            file.write(_header(rows, count, sources, target))
    except OSError as error:
        raise InputError(target, None, None, error.strerror or str(error)) from error
    return count


def _plain(rows: Rows, block: RowArray) -> RowArray:
    """The same rows without padding between the fields, so that equal rows are equal bytes."""
    out = rows.empty(len(block))
    for name in rows.fields:
        out[name] = block[name]
    return out


def _header(rows: Rows, count: int, sources: Iterable[Mapping[str, Any]], path: Path) -> bytes:
    described = {
        "format": FORMAT,
        "version": VERSION,
        "rows": rows.name,
        "rows_version": rows.version,
        "type": repr(rows.dtype.descr),
        "count": count,
        "sources": list(sources),
    }
    text = json.dumps(described, ensure_ascii=True).encode()
    if len(text) >= HEADER:
        raise InputError(path, None, "sources", "are too many to be named in one file")
    return text.ljust(HEADER - 1) + b"\n"


def is_rows_file(path: str | Path) -> bool:
    """Whether a file begins like a rows file."""
    try:
        with open(path, "rb") as file:
            return file.read(64).startswith(f'{{"format": "{FORMAT}"'.encode())
    except OSError:
        return False


def read_rows(rows: Rows, path: str | Path) -> tuple[RowArray, list[dict[str, Any]]]:
    """The rows of a file, mapped into memory, and their sources. Raises InputError for another kind or a torn file."""
    try:
        with open(path, "rb") as file:
            header = json_in(file.read(HEADER))
        size = Path(path).stat().st_size
        same = header["format"] == FORMAT and header["version"] == VERSION
        kind = (header["rows"], header["rows_version"], header["type"])
        count, sources = int(header["count"]), list(header["sources"])
    except OSError as error:
        raise InputError(path, None, None, error.strerror or str(error)) from error
    except (ValueError, KeyError, TypeError, OverflowError) as error:
        raise InputError(path, None, None, "no rows file, or damaged") from error
    if not same:
        raise InputError(path, None, "version", "is not known to this version of tricktake")
    if kind != (rows.name, rows.version, repr(rows.dtype.descr)):
        raise InputError(path, None, "rows", f"of {kind[0]} version {kind[1]}, not {rows.name} version {rows.version}")
    if size != HEADER + count * rows.dtype.itemsize:
        raise InputError(path, None, "rows", f"damaged: {count} rows are announced, {size} bytes are there")
    if count == 0:
        return rows.empty(0), sources
    # copied on write, so that numba sees the type of array it was compiled for
    return np.memmap(path, rows.dtype, "c", HEADER, (count,)).view(np.ndarray), sources
