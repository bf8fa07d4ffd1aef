"""Files of recorded games as rows: by a compiled scanner if the notation has one, else by the parser of the format.

What a scanner (``tricktake.kernels.scan``) finds strange is left to the parser, which names what is wrong with it.
"""

from __future__ import annotations

import gzip
import io
import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import numpy as np
from attrs import evolve
from numpy.typing import NDArray

from tricktake.errors import InputError, TricktakeError
from tricktake.jit import interpreted
from tricktake.kernels import scan as kernel
from tricktake.records import formats
from tricktake.records.formats import Format, OnError
from tricktake.records.lines import LineReader, Source, open_lines
from tricktake.records.record import GameRecord

RowArray = NDArray[np.void]
Scanner = Callable[[NDArray[np.uint8], int, int, RowArray, int], tuple[int, int, int, int, int, int]]
"""scanner(text, at, line, rows, filled), see ``tricktake.kernels.scan``."""
Fill = Callable[[np.void, GameRecord, int], None]
"""fill(row, record, ordinal): one row of a record. Raises TricktakeError or ValueError if none can be made of it."""

BLOCK = 1 << 22  # bytes read at a time
LONGEST = 1 << 24  # bytes of a record; the longest known has some thousand
_GZIP = b"\x1f\x8b"
_SEEDED = re.compile(r"(-?\d+)-(-?\d+)")


def rows_of_records(
    records: Iterable[GameRecord], fill: Fill, empty: RowArray, on_error: OnError | None = None, first: int = 0
) -> Iterator[RowArray]:
    """Rows of game records, as many at a time as there are in ``empty``; records are counted from ``first``.

    A record no row can be made of is given to ``on_error`` and left out, or raises InputError without it.
    """
    rows, n = empty.copy(), 0
    for ordinal, record in enumerate(records, first):
        try:
            fill(rows[n], record, ordinal)
        except (TricktakeError, ValueError) as error:
            fault = error if isinstance(error, InputError) else InputError(record.source, None, None, str(error))
            if on_error is None:
                raise fault from error
            on_error(fault)
            continue
        n += 1
        if n == len(rows):
            yield rows
            rows, n = empty.copy(), 0
    if n:
        yield rows[:n]


def read_rows(
    source: Source,
    form_name: str | None,
    game: str,
    empty: RowArray,
    fill: Fill,
    scanner_of: Callable[[str], Scanner | None],
    on_error: OnError,
) -> Iterator[RowArray]:
    """The games of a file as rows, as many at a time as there are in ``empty``; gzipped or not.

    source, form_name: as ``formats.read`` takes them. game: for formats that do not say it. scanner_of: the scanner of
    a format by its name. A record that cannot be read, and the damage that ends a damaged file, is given to
    ``on_error``. Raises InputError if there is nothing to read or its format is unknown.
    """
    with open_lines(source) as lines:
        form = formats.detect(source, lines, form_name)
        scanner = scanner_of(form.name)
        if scanner is not None and isinstance(source, (str, Path)) and str(source) != "-":
            yield from _scanned(source, form, scanner, empty, fill, on_error)
        else:
            records = formats.readable(form, lines, formats.get_game(game), on_error)
            yield from rows_of_records(records, fill, empty, on_error)


def _scanned(
    path: str | Path, form: Format, scanner: Scanner, empty: RowArray, fill: Fill, on_error: OnError
) -> Iterator[RowArray]:
    blocks, name = _blocks(path, on_error), str(path)
    data, at, line, last = b"", 0, 1, False
    rows, n, count = empty.copy(), 0, 0  # of these n, and count before them
    text = np.frombuffer(data, np.uint8)
    while True:
        n, at, line, status, begin, begin_line = scanner(text, at, line, rows, n)
        if n == len(rows):
            yield rows
            rows, n, count = empty.copy(), 0, count + n
        if status == kernel.STRANGE or (status == kernel.MORE and last and data[begin:].strip()):
            strange = data[begin:at] if status == kernel.STRANGE else data[begin:]
            for record in _parsed_again(form, strange, begin_line, name, on_error):
                for made in rows_of_records([record], fill, empty[:1], on_error, count + n):
                    rows[n] = made[0]
                    n += 1
                    if n == len(rows):
                        yield rows
                        rows, n, count = empty.copy(), 0, count + n
        if status == kernel.MORE:
            if last:
                break
            if len(data) - at > LONGEST:
                on_error(InputError(name, begin_line, None, f"no record ends within {LONGEST} bytes"))
                break
            block = next(blocks, b"")
            last = not block
            data = data[at:] + block
            text, at = np.frombuffer(data, np.uint8), 0
    if n:
        yield rows[:n]


def _blocks(path: str | Path, on_error: OnError) -> Iterator[bytes]:
    """The bytes of a file, unpacked, block by block. A damaged file ends where the damage begins."""
    with open(path, "rb") as raw:
        stream = gzip.GzipFile(fileobj=raw) if raw.peek(2)[:2] == _GZIP else raw
        block = bytearray()
        try:
            while piece := stream.read1(BLOCK):
                block += piece
                if len(block) >= BLOCK:
                    yield bytes(block)
                    block.clear()
        except (OSError, EOFError, zlib.error) as error:
            on_error(InputError(path, None, None, str(error)))
        if block:
            yield bytes(block)


def _parsed_again(form: Format, text: bytes, line: int, name: str, on_error: OnError) -> Iterator[GameRecord]:
    """The records of some lines, the first of which is number ``line`` of the file."""
    own = LineReader(io.StringIO(text.decode("utf-8", "surrogateescape")), name)
    for piece in form.chunks(own):
        try:
            yield formats.parsed(form, evolve(piece, line=piece.line + line - 1), None, name)
        except InputError as error:
            on_error(error)


def number_of(ident: str, ordinal: int) -> int:
    """An id as a number: its digits, a seed and a number with a dash between as one, or else ``ordinal``."""
    if ident.isdecimal() and len(ident) <= 18:
        return int(ident)
    match = _SEEDED.fullmatch(ident)
    return interpreted(kernel.paired)(int(match[1]), int(match[2])) if match else ordinal
