"""``tricktake bench``: the speed of the kernels, and whether the search is unchanged."""

from __future__ import annotations

from pathlib import Path

import click

from tricktake.cli.common import EXIT_DIFFERS, EXIT_OK, log, print_columns, print_json, progress
from tricktake.cli.options import WRITABLE, json_option

SIGNATURES = Path("tests/data/bench.json")


@click.command("bench")
@click.option("--only", metavar="TEXT", help="Only benches whose name holds this.")
@click.option(
    "--signatures",
    "file",
    type=WRITABLE,
    default=SIGNATURES,
    show_default=True,
    help="Signatures to compare with, if the file is there.",
)
@click.option("--write", is_flag=True, help="Write the signatures into that file instead.")
@json_option
@click.pass_context
def command(ctx: click.Context, only: str | None, file: Path, write: bool, as_json: bool) -> None:
    """Run the benches: speed on one core, and a signature that is the same on every machine.

    Exit code 1 if a signature is not the known one: then the search itself has changed.
    """
    from tricktake import bench

    chosen = [b for b in bench.BENCHES if not only or only in b.__name__.replace("_", " ")]
    results = []
    with progress("bench", len(chosen)) as advance:
        for run in chosen:
            results.append(run())
            advance(1)
    if write:
        bench.write_signatures(file, results)
    changes = bench.moved(results, bench.read_signatures(file)) if file.is_file() else []
    if as_json:
        facts = [
            {
                "name": r.name,
                "count": r.count,
                "unit": r.unit,
                "seconds": round(r.seconds, 4),
                "per_second": round(r.per_second),
                "signature": r.signature,
            }
            for r in results
        ]
        compared = [{"of": a, "to": b, "ratio": round(x, 4)} for (a, b), x in bench.ratios(results).items()]
        print_json({"benches": facts, "ratios": compared, "moved": changes})
    else:
        print_columns(
            ("bench", "count", "unit", "seconds", "per second", "signature"),
            [
                (r.name, f"{r.count:,}", r.unit, f"{r.seconds:.2f}", f"{r.per_second:,.0f}", r.signature)
                for r in results
            ],
            right=("count", "seconds", "per second", "signature"),
        )
        for (one, other), ratio in bench.ratios(results).items():
            click.echo(f"{one}: 1 / {1 / ratio:.1f} of the speed of {other}")
    for change in changes:
        log(f"moved: {change}")
    ctx.exit(EXIT_DIFFERS if changes else EXIT_OK)
