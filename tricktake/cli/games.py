"""``tricktake games``: the list of games, and one of them on a page."""

from __future__ import annotations

from typing import Any

import click

from tricktake.cli.common import log, print_columns, print_json, wrapped
from tricktake.cli.names import GAME
from tricktake.cli.options import json_option
from tricktake.errors import PluginError
from tricktake.plugins import manager


@click.command("games")
@click.argument("game", type=GAME, required=False)
@json_option
def command(game: str | None, as_json: bool) -> None:
    """List games: name, seats, deck size, the plugin it is from.

    With GAME (options allowed) show its rules, its contracts, what they mean for the cards, and how to run it.
    """
    if game is None:
        _list(as_json)
        return
    from tricktake.cli.rulescard import facts, page
    from tricktake.game import find_game

    found = facts(find_game(game))
    if as_json:
        print_json(found)
        return
    for indent, text in page(found):
        click.echo(wrapped(text, indent, indent + "  ") if text else "")


def _list(as_json: bool) -> None:
    games = manager().games
    found: list[dict[str, Any]] = []
    for name in games.names():
        try:
            game = games.get(name)
        except PluginError as error:  # one broken game does not hide the others
            log(f"warning: {error}")
            continue
        facts = {"name": name, "seats": game.seats, "cards": len(game.layout.deck), "version": game.version}
        found.append({**facts, "plugin": games.owner(name), "summary": games.summary(name) or game.summary})
    if as_json:
        print_json(found)
    else:
        print_columns(
            ("name", "seats", "cards", "version", "plugin", "summary"),
            [tuple(facts.values()) for facts in found],
            right=("seats", "cards"),
        )
