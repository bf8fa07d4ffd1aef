"""``tricktake learn``: the table of a question from games."""

from __future__ import annotations

import time
from pathlib import Path

import click

from tricktake.cli.common import EXIT_DIFFERS, EXIT_OK, jobs_option, json_option, log, print_json, progress, seed_option
from tricktake.errors import InputError


@click.command("learn")
@click.argument("question")
@click.argument("records", metavar="[RECORDS]...", nargs=-1, type=click.Path(dir_okay=False, path_type=Path))
@click.option("--out", required=True, type=click.Path(path_type=Path), metavar="FILE", help="The table, or a folder.")
@click.option("--play", type=click.IntRange(min=1), metavar="N", help="Also learn from N deals of self-play.")
@click.option("--player", metavar="SPEC", help="Who plays them, in every seat; else the game's fast self-play.")
@seed_option
@click.option("--base", metavar="TABLE", help="A table to begin with: a registered name or a file; for one question.")
@click.option("--weight", type=click.FloatRange(min=0, min_open=True), default=1.0, help="What its counts are worth.")
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
    base: str | None,
    weight: float,
    format_name: str | None,
    skip_bad: bool,
    jobs: int,
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

    if not records and play is None:
        raise click.UsageError("name files of records, or a number of deals with --play")
    names = [name.strip() for name in question.split(",")]
    asked = [find_question(name) for name in names]
    if len(asked) > 1:
        if base is not None:
            raise click.UsageError("--base belongs to one question")
        out.mkdir(parents=True, exist_ok=True)
    parts = [] if base is None else [[find_table(base, asked[0]).scaled(weight)]]
    refused = 0

    def report(error: InputError) -> None:
        nonlocal refused
        refused += 1
        log(f"refused: {error}")

    start = time.perf_counter()
    with progress("games", play if not records else None) as advance:
        if records:
            on_error = report if skip_bad else None
            parts.append(learn_all(asked, records, jobs=jobs, format=format_name, on_error=on_error, advance=advance))
        if play is not None:
            parts.append(learn_played(asked, seed, play, player=player, jobs=jobs, advance=advance))
    seconds = time.perf_counter() - start
    results = []
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
    ctx.exit(EXIT_DIFFERS if refused else EXIT_OK)
