"""``tricktake convert``: game records from one format into another."""

from __future__ import annotations

from pathlib import Path

import click

from tricktake.cli.common import EXIT_DIFFERS, EXIT_OK, log, print_json
from tricktake.cli.faults import Faults
from tricktake.cli.names import FORMAT, GAME
from tricktake.cli.options import READABLE, WRITABLE, json_option, partition_option
from tricktake.errors import InputError


@click.command("convert")
@click.argument("source", metavar="IN", type=READABLE)
@click.argument("target", metavar="OUT", type=WRITABLE)
@click.option("--format", "source_format", type=FORMAT, help="Format of IN; else told from its lines or suffix.")
@click.option("--to", "target_format", type=FORMAT, help="Format of OUT; else that of its suffix.")
@partition_option
@click.option("--game", type=GAME, help="Refuse records of other games.")
@click.option("--strict", is_flag=True, help="Stop at the first broken record.")
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    source: Path,
    target: Path,
    source_format: str | None,
    target_format: str | None,
    partition: int | None,
    game: str | None,
    strict: bool,
    as_json: bool,
) -> None:
    """Convert the game records of IN into OUT; "-" is stdin or stdout, ".gz" is understood.

    Broken records, and those the format of OUT cannot express, are reported, counted and left out; the exit code is
    then 1. OUT is replaced only when it is complete. "tricktake plugins" lists the formats. A folder of Parquet files
    is read as one; --partition writes one.

    The store of a tournament and the JSON of an experiment become Parquet, too, for queries, but not back.
    """
    from tricktake.parquet import SUFFIX
    from tricktake.records.formats import read, write
    from tricktake.tournament.columns import export, results_in

    if as_json and str(target) == "-":
        raise click.UsageError("--json and records cannot both go to stdout")
    if str(target) == "-" and target_format is None:
        raise click.UsageError("name the format of stdout with --to")
    if (target_format == "parquet" or target.suffix == SUFFIX) and source_format is None and results_in(source):
        rows = export(source, target)
        if as_json:
            print_json({"rows": rows})
        else:
            log(f"{rows} rows written to {target}")
        return
    refused = Faults()

    def report(error: InputError) -> None:
        if strict:
            raise error
        refused.refuse(error)

    records = read(source, game, source_format, strict, report)
    written = write(records, target, target_format, report, partition)
    refused.end()
    if as_json:
        print_json({"records": written + refused.number, "written": written, "refused": refused.first})
    else:
        log(f"{written} records written to {target}, {refused.number} refused")
    ctx.exit(EXIT_DIFFERS if refused.number else EXIT_OK)
