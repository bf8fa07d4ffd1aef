"""``tricktake engine``: programs of others as players, and our players for them."""

from __future__ import annotations

import click

from tricktake.cli.common import EXIT_DIFFERS, EXIT_OK, print_json
from tricktake.cli.names import GAME, SPEC
from tricktake.cli.options import json_option, seed_option


@click.group("engine")
def command() -> None:
    """Programs in any language that speak the engine protocol (docs/engine-protocol.md).

    As players they are named core:engine(command="./my_engine"), in tournaments and everywhere else.
    """


@command.command("serve")
@click.argument("spec", type=SPEC)
@click.option("--name", help="How the player introduces itself; by default the SPEC.")
def serve(spec: str, name: str | None) -> None:
    """Offer a player as an engine on standard input and output."""
    import os
    import sys

    from tricktake.engine.serve import serve as answer
    from tricktake.strategies.player import Player

    player = Player.from_spec(spec)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what strategies print is no message
    answer(player, (name or spec)[:100], sys.stdin.buffer, answers)


@command.command("check")
@click.argument("engine")
@click.option("--game", type=GAME, required=True, help="The game it is to play.")
@click.option("--deals", type=click.IntRange(min=1), default=10, show_default=True, help="How many games to play.")
@click.option(
    "--seconds", type=click.FloatRange(min=0, min_open=True), default=5.0, show_default=True, help="A decision."
)
@seed_option
@json_option
@click.pass_context
def check(ctx: click.Context, engine: str, game: str, deals: int, seconds: float, seed: int, as_json: bool) -> None:
    """Check that the program ENGINE (a command line) speaks the protocol and plays GAME by its rules.

    Exit code 1 if it does not.
    """
    from tricktake.cli.check import show
    from tricktake.enginecheck import check_engine
    from tricktake.game import find_game

    report = check_engine(engine, find_game(game), deals, seed, seconds)
    if as_json:
        print_json(report.to_json())
    else:
        show([report])
    ctx.exit(EXIT_OK if report.ok else EXIT_DIFFERS)
