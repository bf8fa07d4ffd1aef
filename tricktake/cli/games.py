"""``tricktake games``: the list of games."""

from __future__ import annotations

from typing import Any

import click

from tricktake.cli.common import log, print_columns, print_json
from tricktake.cli.options import json_option
from tricktake.errors import PluginError
from tricktake.plugins import manager


@click.command("games")
@json_option
def command(as_json: bool) -> None:
    """List games: name, seats, deck size, the plugin it is from."""
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
