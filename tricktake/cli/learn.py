"""``tricktake learn``: the table of a question from games."""

from __future__ import annotations

import time
from pathlib import Path

import click

from tricktake.cli.common import log, print_json, progress
from tricktake.cli.names import QUESTION, TABLE, FilePath, Finite
from tricktake.cli.options import Sources, json_option, sources_options


@click.command("learn")
@click.argument("question", type=QUESTION)
@click.option("--out", required=True, type=FilePath(path_type=Path), metavar="FILE", help="The table, or a folder.")
@click.option("--base", type=TABLE, help="A table to begin with: a registered name or a file; for one question.")
@click.option("--weight", type=Finite(min=0, min_open=True), default=1.0, help="What its counts are worth.")
@sources_options
@json_option
def command(
    question: str,
    sources: Sources,
    out: Path,
    base: str | None,
    weight: float,
    as_json: bool,
) -> None:
    """Learn the table of QUESTION from the games in RECORDS and write it to FILE.

    Several questions, separated by commas, are learned at once; then FILE is a folder.

    RECORDS are game records of any format, or files of "tricktake rows". "tricktake plugins" lists the questions.
    The table is the same whatever the number of jobs. With --skip-bad the exit code is 1 if a record was refused.
    """
    from tricktake.learning import find_question, find_table, learn_all, merge
    from tricktake.learning.learn import learn_played
    from tricktake.learning.tablefile import file_of

    names = [name.strip() for name in question.split(",")]
    asked = [find_question(name) for name in names]
    if len(asked) > 1:
        if base is not None:
            raise click.UsageError("--base belongs to one question")
        out.mkdir(parents=True, exist_ok=True)
    parts = [] if base is None else [[find_table(base, asked[0]).scaled(weight)]]
    start = time.perf_counter()
    kept = sources.crew.at_work(sources.jobs, out.with_name(f"{out.name}.blocks"), resumes=True)
    with kept as jobs, progress("games", sources.expected) as advance:
        refuse = sources.on_error
        if sources.records:
            read = sources.records
            parts.append(learn_all(asked, read, jobs=jobs, format=sources.format, on_error=refuse, advance=advance))
        if sources.play is not None:
            seed, player = sources.seed, sources.player
            parts.append(learn_played(asked, seed, sources.play, player=player, jobs=jobs, advance=advance))
    seconds = time.perf_counter() - start
    results, refused = [], sources.refused.number
    for number, name in enumerate(names):
        table = merge(part[number] for part in parts)
        file = out / file_of(name) if len(names) > 1 else out
        table.save(file)
        buckets = {layer: len(counts) for (layer, _), counts in zip(table.form.layers, table.layers, strict=True)}
        results.append({"games": table.games, "won": table.won, "buckets": buckets, "refused": refused})
        filled = ", ".join(f"{count} {layer}" for layer, count in buckets.items())
        if not as_json:
            log(f"{table.games} games, {table.won} won, buckets: {filled}; {refused} refused; {seconds:.1f} s; {file}")
    if as_json:
        print_json(results if len(names) > 1 else results[0])
