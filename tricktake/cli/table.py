"""``tricktake table``: the contents of learned tables."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tricktake.cli.common import EXIT_DIFFERS, EXIT_OK, log, print_columns, print_json
from tricktake.cli.names import TABLE, FilePath, Finite
from tricktake.cli.options import READABLE, json_option

if TYPE_CHECKING:
    from tricktake.learning import LearnedTable

SHOWN = 20


@click.group("table")
def command() -> None:
    """Show, compare and merge learned tables. TABLE is a file, or a name listed by "tricktake plugins"."""


@command.command("show")
@click.argument("table", type=TABLE)
@click.option("--buckets", is_flag=True, help="Print every bucket: features, won, games, ratio.")
@json_option
def show(table: str, buckets: bool, as_json: bool) -> None:
    """Show the sources of a table, and with --buckets all its buckets in lexicographic order."""
    from tricktake.learning.tablefile import manifest
    from tricktake.learning.tabletext import print_learned

    found = _found(table)
    if buckets:
        print_learned(found, sys.stdout)
        return
    described = manifest(found)
    if as_json:
        print_json(described)
        return
    share = f"{found.won / found.games:.4f} of them won" if found.games else "none won"
    click.echo(f"{found.form.question} version {found.form.version}: {found.games} games, {share}")
    rows = []
    for (name, names), counts in zip(found.form.layers, found.layers, strict=True):
        per = f"{counts.total / len(counts):.1f}" if len(counts) else "-"
        rows.append((name, len(counts), per, ", ".join(names)))
    print_columns(("layer", "buckets", "games each", "features"), rows, right=("buckets", "games each"))
    click.echo("features: " + ", ".join(f"{name} ({domain})" for name, domain in found.form.features))
    for source in found.sources:
        click.echo(f"source: {_source(source)}")


@command.command("read")
@click.argument("text", type=READABLE)
@click.option("--out", required=True, type=FilePath(dir_okay=False, writable=True, path_type=Path), metavar="FILE")
def read(text: Path, out: Path) -> None:
    """Make a table FILE of TEXT as "tricktake table show --buckets" printed it; "-" is stdin."""
    from tricktake.learning.tabletext import read_learned
    from tricktake.records.lines import open_lines

    with open_lines(text) as lines:
        table = read_learned((line.text for line in lines), name=lines.name)
    table.save(out)
    log(f"{table.games} games, {table.won} won; {out}")


@command.command("diff")
@click.argument("first", type=TABLE)
@click.argument("second", type=TABLE)
@click.option("--limit", type=click.IntRange(min=0), default=SHOWN, show_default=True, help="Buckets shown.")
@json_option
@click.pass_context
def diff(ctx: click.Context, first: str, second: str, limit: int, as_json: bool) -> None:
    """Compare two tables of one question: the buckets whose probability changed most, weighted by their games.

    Exit code 0 if the counts are equal, else 1.
    """
    from tricktake.learning.table import check_same

    one, two = _found(first), _found(second)
    check_same(one.form, one.code, two.form, two.code, "the tables differ")
    mine = {(layer, vector): (won, games) for layer, vector, won, games in one}
    theirs = {(layer, vector): (won, games) for layer, vector, won, games in two}
    changed = []
    for key in sorted(mine.keys() | theirs.keys()):
        a, b = mine.get(key, (0, 0)), theirs.get(key, (0, 0))
        if a != b:
            moved = abs(a[0] / a[1] - b[0] / b[1]) * min(a[1], b[1]) ** 0.5 if a[1] and b[1] else 0.0
            changed.append((moved, key, a, b))
    changed.sort(key=lambda row: -row[0])
    numbers = {
        "buckets": [len(mine), len(theirs)],
        "only_first": len(mine.keys() - theirs.keys()),
        "only_second": len(theirs.keys() - mine.keys()),
        "changed": len(changed),
    }
    if as_json:
        shown: list[Any] = [
            {"layer": k[0], "features": k[1], "first": a, "second": b} for _, k, a, b in changed[:limit]
        ]
        print_json({**numbers, "most": shown})
    else:
        click.echo(", ".join(f"{key.replace('_', ' in ')}: {value}" for key, value in numbers.items()))
        rows = [(k[0], " ".join(map(str, k[1])), _count(a), _count(b)) for _, k, a, b in changed[:limit]]
        print_columns(("layer", "features", "first", "second"), rows, right=("first", "second"))
    ctx.exit(EXIT_DIFFERS if changed else EXIT_OK)


@command.command("merge")
@click.argument("tables", type=TABLE, metavar="TABLE...", nargs=-1, required=True)
@click.option(
    "--weight", "weights", multiple=True, type=Finite(), help="What the counts of a TABLE are worth; one each."
)
@click.option("--force", is_flag=True, help="Count games twice that are from a source of several tables.")
@click.option("--out", required=True, type=FilePath(dir_okay=False, writable=True, path_type=Path), metavar="FILE")
def merge_command(tables: tuple[str, ...], weights: tuple[float, ...], force: bool, out: Path) -> None:
    """Write the games of several tables of one question together to FILE.

    Tables that learned from the same source are refused: its games would count twice.
    """
    from tricktake.errors import InputError
    from tricktake.learning import merge, shared_sources

    if weights and len(weights) != len(tables):
        raise click.UsageError("give one --weight for each TABLE, or none")
    several = [
        _found(name).scaled(weight) for name, weight in zip(tables, weights or (1.0,) * len(tables), strict=True)
    ]
    merged = merge(several)
    if (shared := shared_sources(several)) and not force:
        more = f" and {len(shared) - 1} more" if len(shared) > 1 else ""
        what = _source(shared[0]) + more
        raise InputError(
            None, None, "table merge", f"the same source is in several tables: {what} (--force counts twice)"
        )
    merged.save(out)
    log(f"{merged.games} games, {merged.won} won; {out}")


def _found(name: str) -> LearnedTable:
    from tricktake.learning import find_table

    return find_table(Path(name)) if Path(name).is_file() else find_table(name)


def _source(source: Mapping[str, Any]) -> str:
    return ", ".join(f"{key} {value}" for key, value in source.items())


def _count(pair: tuple[int, int]) -> str:
    won, games = pair
    return f"{won}/{games} = {won / games:.3f}" if games else "-"
