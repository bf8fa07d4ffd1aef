"""``tricktake rows``: games stored as rows for learning."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from tricktake.cli.common import log, print_json, progress
from tricktake.cli.names import QUESTION, FilePath
from tricktake.cli.options import Sources, json_option, partition_option, sources_options


@click.command("rows")
@click.argument("question", type=QUESTION)
@click.option("--out", required=True, type=FilePath(writable=True, path_type=Path), metavar="FILE")
@partition_option
@sources_options
@json_option
def command(
    question: str,
    sources: Sources,
    out: Path,
    partition: int | None,
    as_json: bool,
) -> None:
    """Store the games of RECORDS as rows for QUESTION; "tricktake learn" reads millions of games a second from FILE.

    Questions about the same kind of rows share such files. If FILE ends in .parquet it is Parquet, a tenth of the size
    and for other programs to query; with --partition it is a folder of Parquet files.
    """
    from tricktake.learning import find_question
    from tricktake.learning.columns import write_columns
    from tricktake.learning.learn import Opened, open_source, played
    from tricktake.learning.rows import RowArray
    from tricktake.learning.store import write_rows
    from tricktake.parquet import SUFFIX

    rows = find_question(question).rows
    described: list[dict[str, Any]] = []
    play = sources.play
    kept = sources.crew.at_work(sources.jobs, out.with_name(f"{out.name}.blocks"), resumes=True)
    with kept as jobs, progress("games", sources.expected) as advance:

        def opened() -> Iterator[Opened]:
            for file in sources.records:
                yield open_source(rows, file, jobs=jobs, format=sources.format, on_error=sources.on_error)
            if play is not None:
                yield played(rows, sources.seed, 0, play, player=sources.player, jobs=jobs)

        def blocks() -> Iterator[RowArray]:
            for source in opened():
                for block in source:
                    advance(len(block))
                    yield block
                described.append(source.described())

        if partition is not None or out.suffix == SUFFIX:
            count = write_columns(rows, blocks(), out, described, partition)
        else:
            count = write_rows(rows, blocks(), out, described)
    refused = sources.refused.number
    if as_json:
        print_json({"rows": count, "refused": refused})
    else:
        log(f"{count} rows of {rows.name} written to {out}, {refused} records refused")
