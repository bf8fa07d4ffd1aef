"""``tricktake rows``: games stored as rows for learning."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from tricktake.cli.common import EXIT_DIFFERS, EXIT_OK, jobs_option, json_option, log, print_json, progress, seed_option
from tricktake.errors import InputError


@click.command("rows")
@click.argument("question")
@click.argument("records", metavar="[RECORDS]...", nargs=-1, type=click.Path(dir_okay=False, path_type=Path))
@click.option("--out", required=True, type=click.Path(dir_okay=False, writable=True, path_type=Path), metavar="FILE")
@click.option("--play", type=click.IntRange(min=1), metavar="N", help="Also store N deals of self-play.")
@click.option("--player", metavar="SPEC", help="Who plays them, in every seat; else the game's fast self-play.")
@seed_option
@click.option("--format", "format_name", metavar="NAME", help="Format of the records; else told from lines or suffix.")
@click.option("--skip-bad", is_flag=True, help="Report and count bad records instead of stopping at the first.")
@jobs_option
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    question: str,
    records: tuple[Path, ...],
    out: Path,
    play: int | None,
    player: str | None,
    seed: int,
    format_name: str | None,
    skip_bad: bool,
    jobs: int,
    as_json: bool,
) -> None:
    """Store the games of RECORDS as rows for QUESTION; "tricktake learn" reads millions of games a second from FILE.

    Questions about the same kind of rows share such files.
    """
    from tricktake.learning import find_question
    from tricktake.learning.learn import open_source, played
    from tricktake.learning.rows import RowArray
    from tricktake.learning.store import write_rows

    if not records and play is None:
        raise click.UsageError("name files of records, or a number of deals with --play")
    rows = find_question(question).rows
    refused = 0

    def report(error: InputError) -> None:
        nonlocal refused
        refused += 1
        log(f"refused: {error}")

    sources: list[dict[str, Any]] = []
    with progress("games", play if not records else None) as advance:

        def blocks() -> Iterator[RowArray]:
            on_error = report if skip_bad else None
            opened = (open_source(rows, r, jobs=jobs, format=format_name, on_error=on_error) for r in records)
            several = [*opened] + ([] if play is None else [played(rows, seed, 0, play, player=player, jobs=jobs)])
            for source in several:
                for block in source:
                    advance(len(block))
                    yield block
                sources.append(source.described())

        count = write_rows(rows, blocks(), out, sources)
    if as_json:
        print_json({"rows": count, "refused": refused})
    else:
        log(f"{count} rows of {rows.name} written to {out}, {refused} records refused")
    ctx.exit(EXIT_DIFFERS if refused else EXIT_OK)
