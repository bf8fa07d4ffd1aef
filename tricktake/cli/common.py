"""What subcommands share: exit codes, and where output goes."""

from __future__ import annotations

import contextlib
import json
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import attrs
import click

EXIT_OK = 0
EXIT_DIFFERS = 1  # a comparison found differences
EXIT_ERROR = 2  # wrong input
EXIT_INTERRUPT = 130  # by Ctrl-C; 143 by SIGTERM, 129 by SIGHUP
EXIT_PIPE = 141  # the reader of stdout closed it; the result is not complete


class Stopped(KeyboardInterrupt):
    """A signal that asks to end, SIGTERM or SIGHUP; whoever cleans up after Ctrl-C does so after it."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.code = 128 + number


def raise_stops() -> None:
    """Have SIGTERM and SIGHUP raise ``Stopped`` from now on, unless they are ignored (``nohup``)."""

    def stop(number: int, frame: object) -> None:
        raise Stopped(number)

    for name in ("SIGTERM", "SIGHUP"):
        each = getattr(signal, name, None)
        if each is not None and signal.getsignal(each) is signal.SIG_DFL:
            signal.signal(each, stop)


def exit_code(interrupt: BaseException | None) -> int:
    """The exit code after an interruption."""
    return interrupt.code if isinstance(interrupt, Stopped) else EXIT_INTERRUPT


def print_json(value: Any, *, indent: int | None = 2) -> None:
    """A result as JSON on stdout; ``indent=None`` for one line per record."""
    click.echo(json.dumps(value, indent=indent, ensure_ascii=False, default=_plain))


def _plain(value: Any) -> Any:
    """JSON for types that json does not know: our values, paths, sets, numpy numbers."""
    if attrs.has(type(value)):
        return attrs.asdict(value, recurse=False)
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} has no form in JSON")


def print_columns(
    columns: Sequence[str], rows: Iterable[Sequence[object]], *, title: str = "", right: Sequence[str] = ()
) -> None:
    """A table on stdout; the columns in ``right`` are numbers. In a pipe it keeps its full width."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(file=sys.stdout, width=None if sys.stdout.isatty() else 10_000)
    table = Table(title=title or None, title_justify="left", box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for column in columns:
        table.add_column(column, justify="right" if column in right else "left")
    for row in rows:
        table.add_row(*(Text(str(cell)) for cell in row))
    console.print(table)


def wrapped(text: str, first: str = "", then: str | None = None) -> str:
    """Words broken into lines of the terminal's width (80 in a pipe). first, then: what the lines begin with."""
    import shutil
    import textwrap

    width = max(40, shutil.get_terminal_size().columns)
    indent = first if then is None else then
    return textwrap.fill(
        text, width, initial_indent=first, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def log(message: str) -> None:
    """A message to the user, on stderr."""
    click.echo(message, err=True)


@contextlib.contextmanager
def progress(label: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """A progress bar on stderr if that is a terminal; yields the function that advances it."""
    if not sys.stderr.isatty():
        yield lambda steps: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=total)
        yield lambda steps: bar.advance(task, steps)
