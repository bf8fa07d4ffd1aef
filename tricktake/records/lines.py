"""Numbered lines of text from a file, a stream or stdin, plain or gzipped, in bounded memory."""

from __future__ import annotations

import gzip
import io
import itertools
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import IO, NamedTuple, TextIO, cast

from tricktake import parquet
from tricktake.archive import replacing
from tricktake.errors import InputError

Source = str | Path | TextIO | IO[bytes]

LONGEST_LINE = 1 << 20  # characters; the longest record line known has 1,300
LONGEST_RECORD = 1 << 20  # characters of a record of several lines
_GZIP = b"\x1f\x8b"
ERRORS = "surrogateescape"  # player names come in any encoding; undecodable bytes survive a round trip


class Line(NamedTuple):
    """One line without its end. number: counted from 1."""

    number: int
    text: str


class LineReader(Iterator[Line]):
    """The lines of a stream, with a look ahead. Raises InputError on a line that is longer than any record.

    columns: the file or folder of Parquet that is read instead, and has no lines.
    """

    def __init__(self, stream: TextIO, name: str, columns: Path | None = None) -> None:
        self.name, self.columns = name, columns
        self._stream = stream
        self._number = 0
        self._ahead: list[Line] = []

    def __next__(self) -> Line:
        if self._ahead:
            return self._ahead.pop(0)
        try:
            text = self._stream.readline(LONGEST_LINE)
        except (OSError, EOFError, zlib.error) as error:  # a damaged gzip file
            raise InputError(self.name, self._number + 1, None, str(error)) from error
        if not text:
            raise StopIteration
        self._number += 1
        if len(text) == LONGEST_LINE and not text.endswith("\n"):
            raise InputError(self.name, self._number, None, f"a line longer than {LONGEST_LINE} characters")
        return Line(self._number, text.rstrip("\r\n"))

    def head(self, lines: int = 40) -> str:
        """The next lines as text; they will still be read."""
        ahead = list(itertools.islice(self, lines))
        self._ahead = ahead
        return "\n".join(line.text for line in ahead)


def within(size: int, number: int) -> int:
    """``size``, the characters of a record up to this line. Raises InputError if no record has so many."""
    if size > LONGEST_RECORD:
        raise InputError(None, number, None, f"no record ends within {LONGEST_RECORD} characters")
    return size


@contextmanager
def open_lines(source: Source) -> Iterator[LineReader]:
    """Read a path, ``-`` for stdin, or an open stream of text or bytes. Gzip and Parquet are seen by their first bytes.

    Only what this function opened is closed. Raises InputError if the file cannot be opened.
    """
    if isinstance(source, (str, Path)) and str(source) != "-":
        if parquet.is_parquet(source):
            yield LineReader(io.StringIO(parquet.MAGIC.decode()), str(source), Path(source))
            return
        with _open(source, "rb") as raw:
            yield LineReader(_text(raw, str(source)), str(source))
        return
    if isinstance(source, (str, Path)):
        source, name = sys.stdin.buffer, "<stdin>"
    else:
        name = str(getattr(source, "name", "<stream>"))
    text = source if isinstance(source, io.TextIOBase) else _text(cast(IO[bytes], source), name)
    yield LineReader(cast(TextIO, text), name)


def _open(path: str | Path, mode: str) -> IO[bytes]:
    try:
        return cast(IO[bytes], open(path, mode))
    except OSError as error:
        raise InputError(path, None, None, error.strerror or str(error)) from error


def _text(raw: IO[bytes], name: str) -> TextIO:
    buffered = raw if isinstance(raw, io.BufferedReader) else io.BufferedReader(cast(io.RawIOBase, raw))
    try:
        magic = buffered.peek(2)[:2]
    except OSError as error:  # a folder
        raise InputError(name, None, None, error.strerror or str(error)) from error
    packed = gzip.GzipFile(fileobj=buffered, mode="rb") if magic == _GZIP else buffered
    return io.TextIOWrapper(cast(IO[bytes], packed), encoding="utf-8", errors=ERRORS)


@contextmanager
def open_output(target: str | Path | TextIO) -> Iterator[TextIO]:
    """Write to a path (gzipped if it ends in .gz), ``-`` for stdout, or an open text stream."""
    if not isinstance(target, (str, Path)):
        yield target
        return
    if str(target) == "-":
        sys.stdout.flush()
        text = io.TextIOWrapper(sys.stdout.buffer, encoding="utf-8", errors=ERRORS, newline="\n")
        try:
            yield text
            text.flush()
        finally:
            text.detach()  # stdout stays open
        return
    # Written beside the target and put in its place when complete; a pipe or device is written as it is.
    path = Path(target)
    place = replacing(path) if path.is_file() or not path.exists() else nullcontext(path)
    with place as beside, _open(beside, "wb") as raw:
        # without a time stamp: the same records give the same file
        packed = gzip.GzipFile("", "wb", fileobj=raw, mtime=0) if path.suffix == ".gz" else raw
        with io.TextIOWrapper(cast(IO[bytes], packed), encoding="utf-8", errors=ERRORS, newline="\n") as text:
            yield text
