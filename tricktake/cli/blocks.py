"""``tricktake blocks``: one share of some work, for jobs of an array; and joining folders of blocks."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from tricktake.cli.common import log, progress
from tricktake.cli.names import COUNT, FilePath
from tricktake.cli.options import JOBS
from tricktake.errors import InputError
from tricktake.settings import toml_of

COMMANDS = ("tournament", "outer-learn", "replay", "learn", "rows")


@click.group("blocks")
def command() -> None:
    """Work in blocks, done by jobs that share nothing but a folder. See docs/scale.md."""


@command.command("run")
@click.argument("config", type=FilePath(exists=True, dir_okay=False, path_type=Path))
@click.option("--index", required=True, type=click.IntRange(min=0), help="Which share, from 0 on.")
@click.option("--of", "of", required=True, type=COUNT, help="How many shares there are.")
@click.option("--blocks", "folder", type=FilePath(file_okay=False, path_type=Path),
              help="Where blocks are kept.  [default: CONFIG with .blocks]")  # fmt: skip
@click.option("--jobs", type=JOBS, default=1, show_default=True, help="Worker processes.")
def run(config: Path, index: int, of: int, folder: Path | None, jobs: int) -> None:
    """Do every block of one share that is not there yet.

    CONFIG is that of a tournament or of an outer loop, or a file with a line such as
    command = "learn skat:suit --play 1000000 --out suit.table" (also replay and rows). The command that is shown at the
    end merges the blocks and does what is missing.
    """
    from tricktake.cli.main import main

    words = words_of(config)
    kept = ["--blocks", str(folder or config.with_suffix(".blocks"))]
    if index >= of:
        raise click.BadParameter(f"must be from 0 to {of - 1}", param_hint="--index")
    share = ["--share", f"{index}/{of}", "--jobs", str(jobs)]
    try:
        main.main([*words, *kept, *share], prog_name="tricktake", standalone_mode=False)
    finally:
        log(f"to merge when all shares are done:\n{shlex.join(['tricktake', *words, *kept])}")


@command.command("join")
@click.argument("sources", metavar="FROM...", nargs=-1, required=True,
                type=FilePath(exists=True, file_okay=False, path_type=Path))  # fmt: skip
@click.option("--into", required=True, type=FilePath(file_okay=False, path_type=Path), metavar="DIR")
def join(sources: tuple[Path, ...], into: Path) -> None:
    """Copy the blocks of folders into one. Blocks that are there already are compared."""
    from tricktake.blocks.store import SUFFIX, BlockStore

    store, new, known = BlockStore(into), 0, 0
    with progress("blocks", None) as advance:
        for source in sources:
            for file in sorted(source.glob(f"??/*{SUFFIX}")):
                if store.put_file(file):
                    new += 1
                else:
                    known += 1
                advance(1)
    log(f"{new} blocks copied into {into}, {known} were there and are the same")


def words_of(config: Path) -> list[str]:
    """The command that does what a configuration says. Raises InputError."""
    data = toml_of(config)
    if "command" not in data:
        return ["outer-learn" if "questions" in data else "tournament", str(config)]
    words = data["command"]
    words = shlex.split(words) if isinstance(words, str) else words
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words) or len(data) > 1:
        raise InputError(config, None, "command", "must be a text or a list of words, and nothing else in the file")
    if words[:1] == ["tricktake"]:
        words = words[1:]
    if not words or words[0] not in COMMANDS:
        raise InputError(config, None, "command", f"must begin with one of {', '.join(COMMANDS)}")
    return words
