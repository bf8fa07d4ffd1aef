"""Formats of game records: the protocol, the registry by name and suffix, and reading and writing as streams.

A format cuts the lines of a file into chunks, one a game, which is cheap, and parses a chunk into a GameRecord. So a
file of any length is read in the memory of one game, a broken record costs only itself, and workers can share the
parsing.
"""

from __future__ import annotations

import abc
import io
import logging
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, ClassVar, TextIO, TypeVar

from attrs import evolve, frozen

from tricktake.errors import InputError, TricktakeError
from tricktake.game import Game, find_game
from tricktake.plugins import manager
from tricktake.records.lines import Line, LineReader, Source, open_lines, open_output
from tricktake.records.record import GameRecord
from tricktake.spec import Spec

log = logging.getLogger("tricktake.records")

OnError = Callable[[InputError], None]
T = TypeVar("T")


class RecordFault(InputError):
    """A record that contradicts itself or hides what it needs, so that no rules could confirm it."""


@frozen
class Chunk:
    """The text of one record. line: number of its first line. context: what earlier lines say about it. file: where it
    is, if not in the file that was named (in one of a folder).
    """

    line: int
    text: str
    context: Any = None
    file: str = ""


class Format(abc.ABC):
    """A notation of game records. A plugin registers an instance by ``register_formats``.

    name: as registered. suffixes: of its files, without ``.gz``. game: the only game it can hold, None for any.
    """

    name: ClassVar[str]
    summary: ClassVar[str] = ""
    suffixes: ClassVar[tuple[str, ...]] = ()
    game: ClassVar[str | None] = None

    def sniff(self, head: str) -> bool:
        """Whether the first lines of a file look like this format."""
        return False

    def chunks(self, lines: Iterator[Line]) -> Iterator[Chunk]:
        """Cut a file into records; one a line unless overridden. Broken ones are cut too, and fail in ``parse``."""
        for line in lines:
            if line.text.strip():
                yield Chunk(line.number, line.text)

    @abc.abstractmethod
    def parse(self, chunk: Chunk, game: Game | None = None) -> GameRecord:
        """The record of a chunk; ``game`` where the format needs to be told.

        Raises InputError (or another TricktakeError or ValueError); RecordFault if the record itself is to blame.
        """

    def ident(self, chunk: Chunk) -> str:
        """The id of a record that cannot be parsed, as far as it can be seen."""
        return ""

    @abc.abstractmethod
    def text(self, record: GameRecord) -> str:
        """The text of one record. Raises a TricktakeError for what the format cannot express."""

    def texts(self, records: Iterable[GameRecord], on_error: OnError | None = None) -> Iterator[str]:
        """The text of a file of these records, piece by piece.

        A record the format cannot express is given to ``on_error`` and left out, or raises InputError without it.
        """
        for record in records:
            text = attempted(self.text, record, on_error)
            if text is not None:
                yield text

    # -- load, loads, dump, dumps ---------------------------------------------------------------------------------

    def load(self, stream: TextIO, game: Game | None = None) -> Iterator[GameRecord]:
        """The records of an open text file; raises InputError at the first broken one."""
        lines = LineReader(stream, str(getattr(stream, "name", "<stream>")))
        for chunk in self.chunks(lines):
            yield parsed(self, chunk, game, lines.name)

    def loads(self, text: str, game: Game | None = None) -> list[GameRecord]:
        return list(self.load(io.StringIO(text), game))

    def dump(self, records: Iterable[GameRecord], stream: TextIO, on_error: OnError | None = None) -> None:
        for piece in self.texts(records, on_error):
            stream.write(piece)

    def save(
        self,
        records: Iterable[GameRecord],
        target: str | Path,
        on_error: OnError | None = None,
        partition: int | None = None,
    ) -> None:
        """Write a file, which appears when it is complete; ``-`` is stdout. partition: write a folder of files of so
        many records each, where the format can. Raises InputError.
        """
        if partition is not None:
            raise InputError(target, None, None, f"{self.name} is written as one file, only Parquet as a folder")
        with open_output(target) as stream:
            self.dump(records, stream, on_error)

    def dumps(self, records: Iterable[GameRecord]) -> str:
        return "".join(self.texts(records))


def readable_chunks(form: Format, lines: LineReader) -> Iterator[Chunk | InputError]:
    """The chunks of a file; if it cannot be read to its end (damaged gzip), the last one is the error."""
    try:
        yield from form.chunks(lines)
    except InputError as error:
        yield error


def parsed(form: Format, chunk: Chunk | InputError, game: Game | None, file: str, variants: bool = False) -> GameRecord:
    """``form.parse`` with every fault reported as an InputError that names the file and the line.

    variants: of a game named without options take records of it with any options.
    """
    if isinstance(chunk, InputError):
        raise chunk if chunk.file is not None else type(chunk)(file, chunk.line, chunk.field, chunk.reason) from chunk
    file = chunk.file or file
    try:
        record = form.parse(chunk, game)
        if game is not None and not (record.game == game.spec or (variants and is_variant(record.game, game))):
            raise InputError(None, None, "game", f"a record of {record.game}, not of {game.spec}")
    except InputError as error:
        error.at(file, error.line or chunk.line, error.field)
        raise
    except (TricktakeError, ValueError) as error:
        raise InputError(file, chunk.line, None, str(error)) from error
    except (LookupError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        # a parser that met what it did not expect: the record is refused, the reading goes on
        raise InputError(file, chunk.line, None, f"cannot be read ({type(error).__name__}: {error})") from error
    return evolve(record, source=f"{file}:{chunk.line}")


def attempted(make: Callable[[GameRecord], T], record: GameRecord, on_error: OnError | None = None) -> T | None:
    """``make(record)``; if it fails, the reason with the place of the record goes to ``on_error`` or is raised."""
    try:
        return make(record)
    except (TricktakeError, ValueError) as error:
        field, reason = (error.field, error.reason) if isinstance(error, InputError) else (None, str(error))
        fault = InputError(record.source or record.id, None, field, f"cannot be written: {reason}")
        if on_error is None:
            raise fault from error
        on_error(fault)
        return None


# -- which format, which game -----------------------------------------------------------------------------------------


def get_format(name: str) -> Format:
    """The format of this name. Raises UnknownName."""
    form = manager().formats.get(name)
    assert isinstance(form, Format)
    return form


def all_formats() -> list[Format]:
    """Every registered format, by name."""
    return [form for _, form in manager().formats.items()]


def get_game(game: Game | str | None) -> Game | None:
    """A game by its spec, such as ``oh_hell(players=5)``; None and games pass through. Raises as ``find_game``."""
    return find_game(game) if isinstance(game, str) else game


def is_variant(spec: str, game: Game) -> bool:
    """Whether a spec names the same game with options, where ``game`` was named without any."""
    return game.spec == game.name == Spec.from_text(spec, "game").name


def variant_of(record: GameRecord, game: Game) -> Game:
    """The game a record is of: ``game``, or a variant of it."""
    return game if record.game == game.spec else find_game(record.game)


def format_of(path: str | Path, name: str | None = None) -> Format:
    """The format named, or that of the suffix. Raises UnknownName, or InputError if the suffix belongs to none."""
    if name is not None:
        return get_format(name)
    form = _by_suffix(path)
    if form is None:
        known = ", ".join(f"{s} ({form.name})" for form in all_formats() for s in form.suffixes)
        raise InputError(path, None, None, f"no format has this suffix; known: {known}; or name the format")
    return form


def _by_suffix(path: object) -> Format | None:
    if not isinstance(path, (str, Path)):
        return None
    name = str(path).lower().removesuffix(".gz")
    fits = [form for form in all_formats() if name.endswith(form.suffixes)]
    return fits[0] if len(fits) == 1 else None


def detect(source: Source, lines: LineReader, name: str | None = None) -> Format:
    """The format of what is read: as named, by its first lines, or by its suffix. Raises InputError."""
    if name is not None:
        return get_format(name)
    head = lines.head()
    fits = [form for form in all_formats() if form.sniff(head)]
    if len(fits) == 1:
        return fits[0]
    form = _by_suffix(source)
    if form is None:
        known = ", ".join(form.name for form in all_formats())
        raise InputError(lines.name, None, None, f"cannot tell the format of these records; name it: {known}")
    return form


# -- reading and writing ----------------------------------------------------------------------------------------------


def readable(
    form: Format, lines: LineReader, game: Game | None, on_error: OnError, variants: bool = False
) -> Iterator[GameRecord]:
    """The records of lines; one that cannot be read is given to ``on_error`` and left out."""
    for chunk in readable_chunks(form, lines):
        try:
            yield parsed(form, chunk, game, lines.name, variants)
        except InputError as error:
            on_error(error)


def warn(error: InputError) -> None:
    """What ``read`` does with a broken record unless told otherwise: a warning in the log."""
    log.warning("broken record: %s", error)


def _refuse(error: InputError) -> None:
    raise error


def read(
    source: Source,
    game: Game | str | None = None,
    format: str | None = None,  # noqa: A002
    strict: bool = False,
    on_error: OnError = warn,
    variants: bool = False,
) -> Iterator[GameRecord]:
    """The records of a file, one by one.

    source: a path, ``-`` for stdin, or an open stream; gzipped or not. format: by name; else it is told from the
    first lines or the suffix. game: for formats that do not say it, and a check for those that do; with ``variants``
    a game named without options stands for all of its variants (``variant_of``).
    A broken record is given to ``on_error`` and left out; ``strict`` raises it instead.
    Raises InputError if there is nothing to read or its format is unknown.
    """
    rules = get_game(game)
    with open_lines(source) as lines:
        form = detect(source, lines, format)
        yield from readable(form, lines, rules, _refuse if strict else on_error, variants)


def write(
    records: Iterable[GameRecord],
    target: str | Path | TextIO,
    format: str | None = None,  # noqa: A002
    on_error: OnError | None = None,
    partition: int | None = None,
) -> int:
    """Write records to a path (``-``: stdout) and return how many were written.

    format: by name, else by the suffix (Parquet for a folder). partition: a folder of files of so many records each.
    A record the format cannot express is given to ``on_error`` and left out, or raises InputError without it.
    """
    if partition is not None:
        format = format or "parquet"  # noqa: A001
    form = format_of(target, format) if isinstance(target, (str, Path)) else get_format(format or "jsonl")
    count = 0

    def counted() -> Iterator[GameRecord]:
        nonlocal count
        for record in records:
            count += 1
            yield record

    def failed(error: InputError) -> None:
        nonlocal count
        count -= 1
        assert on_error is not None
        on_error(error)

    report = None if on_error is None else failed
    if isinstance(target, (str, Path)):
        form.save(counted(), target, report, partition)
    else:
        form.dump(counted(), target, report)
    return count
