"""``tricktake bench``: the speed of the kernels, and whether the search is unchanged."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from tricktake.cli.common import EXIT_DIFFERS, EXIT_OK, log, print_columns, print_json, progress
from tricktake.cli.options import WRITABLE, json_option

if TYPE_CHECKING:
    from tricktake.bench import Result

SIGNATURES = Path("tests/data/bench.json")


@click.command("bench")
@click.option("--only", metavar="TEXT", help="Only benches whose name holds this.")
@click.option(
    "--runs", type=click.IntRange(1), default=5, show_default=True, help="Of each bench; the quickest counts."
)
@click.option(
    "--signatures",
    "file",
    type=WRITABLE,
    default=SIGNATURES,
    show_default=True,
    help="Signatures to compare with, if the file is there.",
)
@click.option("--write", is_flag=True, help="Write the signatures into that file instead.")
@click.option(
    "--speeds", "kept", type=WRITABLE, help="Compare with the times of the last commit this file has, and keep these."
)
@click.option("--commit", default="", help="What the times of this run are kept under.")
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    only: str | None,
    runs: int,
    file: Path,
    write: bool,
    kept: Path | None,
    commit: str,
    as_json: bool,
) -> None:
    """Run the benches: speed on one core, and a signature that is the same on every machine.

    Exit code 1 if a signature is not the known one: then the search itself has changed.
    """
    from tricktake import bench

    if kept is not None and not commit:
        raise click.UsageError("--speeds needs --commit")
    speeds = bench.Speeds() if kept is None else bench.Speeds.read(kept)
    chosen = [b for b in bench.BENCHES if not only or only in b.__name__.replace("_", " ")]
    results = []
    with progress("bench", len(chosen)) as advance:
        for run in chosen:
            results.append(bench.measured(run, runs))
            advance(1)
    if write:
        bench.write_signatures(file, results)
    changes = bench.moved(results, bench.read_signatures(file)) if file.is_file() else []
    ratios, gains, before = bench.ratios(results), speeds.gains(commit, results), speeds.before(commit)
    if kept is not None:
        speeds.with_results(commit, results).write(kept)
    if as_json:
        print_json({
            "benches": [_facts(r) for r in results],
            "ratios": [{"of": name, "to": bench.YARDSTICK, "ratio": round(x, 4)} for name, x in ratios.items()],
            "before": before,
            "times_as_fast": {name: round(x, 4) for name, x in gains.items()},
            "moved": changes,
        })  # fmt: skip
    else:
        _print(results, ratios, gains, before)
        if kept is not None and before is None:
            click.echo(f"{kept} has the times of no other commit: nothing to compare with yet")
    for change in changes:
        log(f"moved: {change}")
    ctx.exit(EXIT_DIFFERS if changes else EXIT_OK)


def _facts(r: Result) -> dict[str, object]:
    return {
        "name": r.name,
        "count": r.count,
        "unit": r.unit,
        "seconds": round(r.seconds, 4),
        "per_second": round(r.per_second),
        "questions": r.questions,
        "signature": r.signature,
    }


def _print(results: list[Result], ratios: dict[str, float], gains: dict[str, float], before: str | None) -> None:
    columns = ["bench", "count", "unit", "seconds", "per second", "playouts a question", "signature"]
    if before is not None:
        columns.append(f"times as fast as {before}")
    rows = []
    for r in results:
        row = [r.name, f"{r.count:,}", r.unit, f"{r.seconds:.3f}", f"{r.per_second:,.0f}"]
        row += [f"{ratios[r.name]:,.0f}" if r.name in ratios else "", str(r.signature)]
        if before is not None:
            row.append(f"{gains[r.name]:.2f}" if r.name in gains else "")
        rows.append(tuple(row))
    print_columns(tuple(columns), rows, right=("count", *columns[3:]))
