"""``tricktake analyse``: a recorded game card by card."""

from __future__ import annotations

from pathlib import Path

import click

from tricktake.cli.common import READABLE, json_option, log, print_json, print_table
from tricktake.errors import InputError


@click.command("analyse")
@click.argument("game")
@click.argument("record", type=READABLE)
@click.option("--id", "ident", metavar="ID", help="Which record of the file; the first one played if not given.")
@click.option("--format", "format_name", metavar="NAME", help="Format of the file; else told from lines or suffix.")
@json_option
def command(game: str, record: Path, ident: str | None, format_name: str | None, as_json: bool) -> None:
    """Tell card by card what the open cards allowed, and what was lost.

    Values are the declarer's final count (in Skat card points with the skat, in Null tricks) if from there on all
    play best with open cards; "lost" is what the player's own side gave away.
    """
    from tricktake.records.formats import get_game, read
    from tricktake.search.verdict import analyse

    rules = get_game(game)
    assert rules is not None
    for found in read(record, rules, format_name, on_error=lambda error: log(f"refused: {error}")):
        if found.id == ident or (ident is None and not found.passed):
            break
    else:
        raise InputError(record, None, "id", f"no record {ident!r}" if ident else "no record that can be used")
    steps = analyse(rules, found)
    lost: dict[int, int] = {}
    for step in steps:
        lost[step.seat] = lost.get(step.seat, 0) + step.lost
    if as_json:
        facts = {"id": found.id, "contract": str(found.contract), "value": steps[0].before if steps else None}
        print_json({**facts, "cards": steps, "lost": {str(seat): n for seat, n in sorted(lost.items())}})
        return
    names = found.players or tuple(f"seat {s}" for s in range(rules.seats))
    print_table(
        ("trick", "seat", "player", "card", "before", "after", "lost"),
        [(s.trick, s.seat, names[s.seat], s.card, s.before, s.after, s.lost or "") for s in steps],
        title=f"{found.id}: {found.contract}",
        right=("trick", "seat", "before", "after", "lost"),
    )
    for seat, n in sorted(lost.items()):
        click.echo(f"{names[seat]} gave away {n}")
