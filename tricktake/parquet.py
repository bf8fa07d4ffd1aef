"""Parquet: tables in columns, written when complete and read row group by row group; pyarrow is the extra ``records``.

What a table is stands as JSON under ``tricktake`` in the metadata of the file. Nothing here imports pyarrow before it
is needed. A folder of part files is read as one table.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

from tricktake.archive import replacing
from tricktake.errors import InputError
from tricktake.settings import json_in

SUFFIX = ".parquet"
MAGIC = b"PAR1"
KEY = "tricktake"
GROUP = 1 << 15  # rows of a row group: what is in memory at a time
MOST_BYTES = 1 << 28  # of a row group, so that a hostile file cannot fill the memory
COMPRESSION = "zstd"


def arrow() -> tuple[ModuleType, ModuleType]:
    """The modules pyarrow and pyarrow.parquet. Raises InputError that says how to install them."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        hint = "needs pyarrow: pip install 'tricktake[records]'"
        raise InputError(None, None, "Parquet", hint) from error
    return pyarrow, pyarrow.parquet


# -- reading ----------------------------------------------------------------------------------------------------------


def parts(path: str | Path) -> list[Path]:
    """The files of a table: the file itself, or those of a folder in the order of their names."""
    folder = Path(path)
    if not folder.is_dir():
        return [folder]
    return sorted(p for p in folder.glob(f"*{SUFFIX}") if not p.name.startswith(".") and p.is_file())


def is_parquet(path: str | Path) -> bool:
    """Whether a file begins as Parquet does, or a folder holds files of that suffix."""
    if Path(path).is_dir():
        return bool(parts(path))
    if not Path(path).is_file():  # what is read from a pipe is gone
        return False
    try:
        with open(path, "rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError:
        return False


@contextmanager
def told(path: Path, where: str | None = None) -> Iterator[None]:
    """What Arrow says of a damaged file becomes an InputError. where: the column or row group."""
    pa, _ = arrow()
    try:
        yield
    except InputError:
        raise
    except (pa.ArrowException, OSError, MemoryError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else None
        raise InputError(path, None, where, reason or f"damaged, or no Parquet file: {_line(error)}") from error


class Part:
    """One file of a table, open. Raises InputError for a damaged one, or one that is not ours.

    kind: what the table must be, such as ``tricktake-games``. described: the JSON of its metadata.
    """

    def __init__(self, path: Path, kind: str, version: int) -> None:
        self.path = path
        _, pq = arrow()
        with told(path):
            self._file = pq.ParquetFile(path, memory_map=False)
            self.groups: int = self._file.num_row_groups
            self.rows: int = self._file.metadata.num_rows
            self.schema = self._file.schema_arrow
        self.described = _described(path, self._file.metadata.metadata or {})
        if self.described.get("format") != kind:
            found = self.described.get("format", "another program")
            raise InputError(path, None, None, f"a Parquet file of {found}, not {kind}")
        if self.described.get("version") != version:
            raise InputError(path, None, "version", f"{self.described.get('version')} is not {version}")

    def close(self) -> None:
        self._file.close()

    def require(self, schema: Any) -> None:
        """Raises InputError for a column that is missing, of another type, or unknown."""
        for field in schema:
            place = self.schema.get_field_index(field.name)
            if place < 0:
                raise InputError(self.path, None, field.name, "this column is missing")
            if self.schema.field(place).type != field.type:
                raise InputError(
                    self.path, None, field.name, f"of type {self.schema.field(place).type}, not {field.type}"
                )
        if unknown := set(self.schema.names) - set(schema.names):
            raise InputError(self.path, None, min(unknown), "no column of such a table")

    def batches(self, columns: Sequence[str] | None = None, size: int = GROUP) -> Iterator[tuple[int, Any]]:
        """Number of the first row, counted from 1, and at most ``size`` rows as a record batch. Raises InputError."""
        first = 1
        for group in range(self.groups):
            where = f"row group {group + 1}"
            with told(self.path, where):
                found = self._file.metadata.row_group(group)
                rows, total = found.num_rows, found.total_byte_size
            if total > MOST_BYTES:
                raise InputError(self.path, None, where, f"{total} bytes, more than such a file has")
            batches = self._file.iter_batches(size, [group], columns, use_threads=False)
            seen = 0
            while True:
                with told(self.path, where):
                    batch = next(batches, None)
                    if batch is None:
                        break
                    batch.validate(full=True)
                yield first + seen, batch
                seen += batch.num_rows
            if seen != rows:
                raise InputError(self.path, None, where, f"{rows} rows are announced, {seen} are there")
            first += rows


@contextmanager
def opened(path: Path, kind: str, version: int) -> Iterator[Part]:
    """A part, closed afterwards. Raises InputError."""
    part = Part(path, kind, version)
    try:
        yield part
    finally:
        part.close()


def _line(error: BaseException) -> str:
    return str(error).partition("\n")[0] or type(error).__name__


def _described(path: Path, metadata: Mapping[bytes, bytes]) -> dict[str, Any]:
    text = metadata.get(KEY.encode())
    if text is None:
        return {}
    try:
        found = json_in(text)
    except ValueError as error:
        raise InputError(path, None, KEY, f"the metadata are no JSON: {_line(error)}") from error
    if not isinstance(found, dict):
        raise InputError(path, None, KEY, "the metadata are no JSON object")
    return found


def kind_of(path: str | Path) -> str:
    """What the table of a file or folder is, "" if it is not ours. Raises InputError for a damaged file."""
    _, pq = arrow()
    first = parts(path)[0]
    with told(first):
        return str(_described(first, pq.read_metadata(first).metadata or {}).get("format", ""))


# -- writing ----------------------------------------------------------------------------------------------------------


class Output:
    """A table being written: one file, or with ``partition`` a folder of files of so many rows each.

    It takes its place when complete, and is gone if that fails. A folder that holds something is not replaced. Equal
    rows make equal bytes, for one version of pyarrow.
    """

    def __init__(self, target: str | Path, partition: int | None = None) -> None:
        self.target, self.partition = Path(target), partition
        self.pa, self._pq = arrow()
        self._stack = ExitStack()
        self._beside = self.target
        self._writer: Any = None
        self._rows, self._number = 0, 0  # in the part that is open, and its number

    def __enter__(self) -> Output:
        if (
            self.partition is not None
            and self.target.exists()
            and any(self.target.iterdir() if self.target.is_dir() else [1])
        ):
            raise InputError(self.target, None, None, "is there already and not an empty folder")
        with self._errors():
            self._beside = self._stack.enter_context(_replacing(self.target, self.partition is not None))
        return self

    def __exit__(self, *error: Any) -> None:
        with self._errors():
            try:
                if self._writer is not None:
                    self._writer.close()
            finally:
                self._stack.__exit__(*error)

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise InputError(self.target, None, None, error.strerror or _line(error)) from error

    def write(self, table: Any, described: Mapping[str, Any], **options: Any) -> None:
        """Append a table as one row group (or two, where a part is full). described: of the file it begins.

        options: of ``pyarrow.parquet.ParquetWriter`` for the file it begins.
        """
        start = 0
        while start < len(table):
            room = len(table) if self.partition is None else self.partition - self._rows
            piece = table.slice(start, min(room, len(table) - start))
            with self._errors():
                if self._writer is None:
                    self._open(table.schema, described, options)
                self._writer.write_table(piece, row_group_size=max(1, len(piece)))
            start, self._rows = start + len(piece), self._rows + len(piece)
            if self._rows == self.partition:
                self.cut()

    def begin(self, schema: Any, described: Mapping[str, Any], **options: Any) -> None:
        """Open a file without rows, if none is open and none was written."""
        if self._writer is None and self._number == 0:
            with self._errors():
                self._open(schema, described, options)

    def describe(self, described: Mapping[str, Any]) -> None:
        """Say of the part that is open what is known only now."""
        if self._writer is not None:
            self._writer.add_key_value_metadata({KEY: json.dumps(described)})

    def cut(self) -> None:
        """End the part; the next row begins another."""
        if self._writer is not None:
            with self._errors():
                self._writer.close()
            self._writer, self._rows, self._number = None, 0, self._number + 1

    def _open(self, schema: Any, described: Mapping[str, Any], options: Mapping[str, Any]) -> None:
        file = self._beside
        if self.partition is not None:
            file = self._beside / f"part-{self._number:05}{SUFFIX}"
        self._writer = self._pq.ParquetWriter(file, schema, compression=COMPRESSION, **options)
        self._writer.add_key_value_metadata({KEY: json.dumps(described)})


@contextmanager
def _replacing(target: Path, folder: bool) -> Iterator[Path]:
    with replacing(target) as beside:
        if not folder:
            yield beside
            return
        beside.mkdir(parents=True)
        try:
            yield beside
            if target.is_dir():
                target.rmdir()
        except BaseException:
            shutil.rmtree(beside, ignore_errors=True)
            raise
