"""Options that subcommands share."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from attrs import field, frozen

from tricktake.cli.common import EXIT_DIFFERS, EXIT_OK, log
from tricktake.cli.names import FORMAT, SPEC

if TYPE_CHECKING:
    from tricktake.errors import InputError

F = TypeVar("F", bound=Callable[..., Any])

READABLE = click.Path(exists=True, dir_okay=False, readable=True, allow_dash=True, path_type=Path)
WRITABLE = click.Path(dir_okay=False, writable=True, allow_dash=True, path_type=Path)


def seed_option(function: F) -> F:
    """``--seed``: the same seed gives the same result."""
    return click.option(
        "--seed", type=click.IntRange(0, 2**64 - 1), default=0, show_default=True, help="Same seed, same result."
    )(function)


def json_option(function: F) -> F:
    """``--json``, passed as ``as_json``."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")(function)


def jobs_option(function: F) -> F:
    """``--jobs``: worker processes."""
    return click.option(
        "--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Worker processes on this machine."
    )(function)


def format_option(function: F) -> F:
    """``--format`` of records, passed as ``format_name``."""
    shown = "Format of the records; else told from lines or suffix."
    return click.option("--format", "format_name", type=FORMAT, help=shown)(function)


def reading_options(function: F) -> F:
    """``--format``, ``--strict``, ``--jobs`` and ``--json``: for a command that goes through files of records."""
    strict = click.option("--strict", is_flag=True, help="Stop at the first record that cannot be used.")
    return format_option(strict(jobs_option(json_option(function))))


@frozen
class Sources:
    """Where the games that are learned from come from: files of records or rows, and deals of self-play.

    refused: the records left out so far, if ``skip_bad``.
    """

    records: tuple[Path, ...]
    play: int | None
    player: str | None
    seed: int
    format: str | None
    skip_bad: bool
    jobs: int
    refused: list[InputError] = field(factory=list)

    def on_error(self, error: InputError) -> None:
        """Report and count a bad record. Raises it unless bad records are skipped."""
        if not self.skip_bad:
            raise error
        self.refused.append(error)
        log(f"refused: {error}")

    @property
    def expected(self) -> int | None:
        """How many games there will be, if that is known."""
        return None if self.records else self.play


def sources_options(command: Callable[..., None]) -> Callable[..., None]:
    """RECORDS, ``--play``, ``--player``, ``--seed``, ``--format``, ``--skip-bad`` and ``--jobs``, passed as
    ``sources``. Neither files nor self-play is a usage error; the exit code is 1 if a record was refused.
    """

    @functools.wraps(command)
    def gathered(
        *args: Any,
        records: tuple[Path, ...],
        play: int | None,
        player: str | None,
        seed: int,
        format_name: str | None,
        skip_bad: bool,
        jobs: int,
        **rest: Any,
    ) -> None:
        if not records and play is None:
            raise click.UsageError("name files of records, or a number of deals with --play")
        sources = Sources(records, play, player, seed, format_name, skip_bad, jobs)
        command(*args, sources=sources, **rest)
        click.get_current_context().exit(EXIT_DIFFERS if sources.refused else EXIT_OK)

    path = click.Path(dir_okay=False, path_type=Path)
    skipped = "Report and count bad records instead of stopping at the first."
    deals = "Also play and use N deals of self-play."
    players = "Who plays them, in every seat; else the game's fast self-play."
    options: tuple[Callable[[Callable[..., None]], Callable[..., None]], ...] = (
        click.argument("records", metavar="[RECORDS]...", nargs=-1, type=path),
        click.option("--play", type=click.IntRange(min=1), metavar="N", help=deals),
        click.option("--player", type=SPEC, help=players),
        seed_option,
        format_option,
        click.option("--skip-bad", is_flag=True, help=skipped),
        jobs_option,
    )
    for option in reversed(options):
        gathered = option(gathered)
    return gathered
