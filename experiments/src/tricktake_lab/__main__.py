"""``python -m tricktake_lab --list`` and ``python -m tricktake_lab NAME``: run a named experiment."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from tricktake.cli.common import print_columns, raise_stops
from tricktake.cli.names import FilePath
from tricktake.errors import TricktakeError, UnknownName
from tricktake_lab import experiments
from tricktake_lab.experiment import SIZES, Experiment, run


def list_all() -> None:
    """Every experiment in a line."""
    found = sorted(experiments().values(), key=lambda e: e.name)
    print_columns(("name", "behind", "what it does"), [(e.name, e.item, e.summary) for e in found])


def show(what: Experiment) -> None:
    """One experiment with its parameters by size."""
    click.echo(f"{what.name}: {what.summary}\nbehind: {what.item}; seed {what.seed}\n")
    rows = [(name, *(str(what.sizes[size].get(name, "default")) for size in SIZES)) for name in what.parameters]
    print_columns(("parameter", *SIZES), rows)


def changes_of(words: tuple[str, ...]) -> dict[str, str]:
    """``NAME=VALUE`` by name."""
    found = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise click.BadParameter(f"{word!r} is not NAME=VALUE", param_hint="--set")
        found[name] = value
    return found


@click.command()
@click.argument("name", required=False)
@click.option("--list", "listed", is_flag=True, help="List the experiments, or the parameters of one.")
@click.option("--size", type=click.Choice(SIZES), default="small", show_default=True)
@click.option("--seed", type=click.IntRange(min=0), help="Instead of that of the published run.")
@click.option("--set", "words", multiple=True, metavar="NAME=VALUE", help="A parameter other than the size says.")
@click.option("--out", type=FilePath(dir_okay=False, path_type=Path), help="Write the result as JSON, - for stdout.")
@click.option("--write", is_flag=True, help="Write the shipped files it is behind into the checkout.")
def main(
    name: str | None, listed: bool, size: str, seed: int | None, words: tuple[str, ...], out: Path | None, write: bool
) -> None:
    """Run the experiment NAME and print its tables."""
    try:
        if name is None:
            list_all()
            return
        known = experiments()
        if name not in known:
            raise UnknownName("experiment", name, list(known))
        if listed:
            show(known[name])
            return
        done = run(known[name], size, seed, changes_of(words))
        if str(out) == "-":
            click.echo(json.dumps(done.as_json(), indent=1, ensure_ascii=False))
        else:
            for sheet in done.outcome.sheets:
                click.echo(sheet.markdown() + "\n")
            for key, value in done.outcome.facts.items():
                click.echo(f"{key}: {value}")
            if out is not None:
                done.save(out)
        if write:
            for path in done.ship():
                click.echo(f"wrote {path}", err=True)
        elif done.outcome.ships:
            click.echo(f"not written without --write: {', '.join(map(str, done.outcome.ships))}", err=True)
        click.echo(f"{done.command}: {done.seconds:.1f} s", err=True)
    except TricktakeError as error:
        click.echo(f"error: {error}", err=True)
        sys.exit(2)


if __name__ == "__main__":
    raise_stops()
    main()
