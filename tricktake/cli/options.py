"""Options that subcommands share."""

from __future__ import annotations

import contextlib
import functools
import shlex
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click
from attrs import field, frozen

from tricktake.cli.common import EXIT_DIFFERS, EXIT_OK, exit_code, log
from tricktake.cli.faults import Faults
from tricktake.cli.names import COUNT, FORMAT, SPEC, FilePath
from tricktake.pool import MOST_JOBS

if TYPE_CHECKING:
    from tricktake.errors import InputError
    from tricktake.pool import Jobs

F = TypeVar("F", bound=Callable[..., Any])

READABLE = FilePath(exists=True, readable=True, allow_dash=True, path_type=Path)  # a folder of Parquet, too
WRITABLE = FilePath(writable=True, allow_dash=True, path_type=Path)


def seed_option(function: F) -> F:
    """``--seed``: the same seed gives the same result."""
    return click.option(
        "--seed", type=click.IntRange(0, 2**64 - 1), default=0, show_default=True, help="Same seed, same result."
    )(function)


def json_option(function: F) -> F:
    """``--json``, passed as ``as_json``."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")(function)


JOBS = click.IntRange(1, MOST_JOBS)
"""Processes of one machine."""


def jobs_option(function: F) -> F:
    """``--jobs``: worker processes."""
    return click.option("--jobs", type=JOBS, default=1, show_default=True, help="Worker processes on this machine.")(
        function
    )


def crew_options(function: F) -> F:
    """``--cluster`` and ``--blocks``, passed as ``crew``: who works if not processes of this machine, and where every
    block of the work is kept.
    """

    @functools.wraps(function)
    def gathered(*args: Any, cluster: str | None, blocks: Path | None, share: str | None, **rest: Any) -> Any:
        return function(*args, crew=CrewOptions(cluster, blocks, share), **rest)

    options = (
        click.option("--cluster", metavar="ADDRESS", help="Work there: tcp://HOST:8786 (Dask), or local:N."),
        click.option("--blocks", type=FilePath(file_okay=False, path_type=Path), metavar="DIR",
                     help="Keep all blocks of the work there, and take those that are."),
        click.option("--share", hidden=True),  # of ``tricktake blocks run``
    )  # fmt: skip
    for option in reversed(options):
        gathered = option(gathered)
    return cast(F, gathered)


@frozen
class CrewOptions:
    """What ``crew_options`` were given."""

    cluster: str | None = None
    blocks: Path | None = None
    share: str | None = None

    def words(self) -> list[str]:
        """These options, to be given again."""
        given = {"--cluster": self.cluster, "--blocks": self.blocks}
        return [word for name, value in given.items() if value is not None for word in (name, str(value))]

    @contextlib.contextmanager
    def at_work(self, jobs: int, folder: Path | None = None, *, resumes: bool = False) -> Iterator[Jobs]:
        """Who works, as long as the context lasts; a number of processes if nothing was asked for.

        folder: where blocks are kept if ``--blocks`` does not say it; it goes when the work is done; None for work that
        is not in blocks. resumes: have Ctrl-C end the command with the line that continues it.
        """
        if folder is None and self.blocks is not None:
            raise click.UsageError("--blocks: this command keeps its results by itself")
        if self.cluster is None and self.blocks is None:
            yield jobs
            return
        from tricktake.blocks import BlockStore, Keeping, Share, ShareDone
        from tricktake.blocks.cluster import Cluster

        if folder is None:
            with Cluster(self.cluster or "", log) as by:
                yield by
            return
        share = None if self.share is None else Share(*map(int, self.share.split("/")))
        store = BlockStore(self.blocks or folder)
        try:
            with contextlib.nullcontext(jobs) if self.cluster is None else Cluster(self.cluster, log) as by:
                yield Keeping(store, by, share)
        except ShareDone as done:
            log(f"{done}, in {store.folder}")
            click.get_current_context().exit(EXIT_OK)
        except KeyboardInterrupt as stop:
            if not resumes:
                raise
            log(f"interrupted; the blocks that were done are in {store.folder}. To resume:\n{shlex.join(said())}")
            click.get_current_context().exit(exit_code(stop))
        if self.blocks is None:
            shutil.rmtree(folder, ignore_errors=True)


def said() -> list[str]:
    """The words of the command that was given."""
    return ["tricktake", *sys.argv[1:]]


def format_option(function: F) -> F:
    """``--format`` of records, passed as ``format_name``."""
    shown = "Format of the records; else told from lines or suffix."
    return click.option("--format", "format_name", type=FORMAT, help=shown)(function)


def partition_option(function: F) -> F:
    """``--partition``: Parquet as a folder of files."""
    shown = "Write a folder of Parquet files of so many games each."
    return click.option("--partition", type=COUNT, metavar="N", help=shown)(function)


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
    crew: CrewOptions
    refused: Faults = field(factory=Faults)

    def on_error(self, error: InputError) -> None:
        """Report and count a bad record. Raises it unless bad records are skipped."""
        if not self.skip_bad:
            raise error
        self.refused.refuse(error)

    @property
    def expected(self) -> int | None:
        """How many games there will be, if that is known."""
        return None if self.records else self.play


def sources_options(command: Callable[..., None]) -> Callable[..., None]:
    """RECORDS, ``--play``, ``--player``, ``--seed``, ``--format``, ``--skip-bad``, ``--jobs`` and those of
    ``crew_options``, passed as ``sources``. Neither files nor self-play is a usage error; the exit code is 1 if a
    record was refused.
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
        crew: CrewOptions,
        **rest: Any,
    ) -> None:
        if not records and play is None:
            raise click.UsageError("name files of records, or a number of deals with --play")
        sources = Sources(records, play, player, seed, format_name, skip_bad, jobs, crew)
        command(*args, sources=sources, **rest)
        sources.refused.end()
        click.get_current_context().exit(EXIT_DIFFERS if sources.refused.number else EXIT_OK)

    path = FilePath(path_type=Path)
    skipped = "Report and count bad records instead of stopping at the first."
    deals = "Also play and use N deals of self-play."
    players = "Who plays them, in every seat; else the game's fast self-play."
    options: tuple[Callable[[Callable[..., None]], Callable[..., None]], ...] = (
        click.argument("records", metavar="[RECORDS]...", nargs=-1, type=path),
        click.option("--play", type=COUNT, metavar="N", help=deals),
        click.option("--player", type=SPEC, help=players),
        seed_option,
        format_option,
        click.option("--skip-bad", is_flag=True, help=skipped),
        jobs_option,
        crew_options,
    )
    for option in reversed(options):
        gathered = option(gathered)
    return gathered
