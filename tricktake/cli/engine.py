"""``tricktake engine``: programs of others as players, and our players for them."""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING

import click

from tricktake.cli.common import EXIT_DIFFERS, EXIT_OK, log, print_json
from tricktake.cli.names import COUNT, GAME, SECONDS, SPEC
from tricktake.cli.options import json_option, seed_option
from tricktake.errors import InputError

if TYPE_CHECKING:
    from tricktake.strategies.player import Player

NODES = 2000  # of a decision that only loads kernels: enough to enter every one


@click.group("engine")
def command() -> None:
    """Programs in any language that speak the engine protocol (docs/engine-protocol.md).

    As players they are named core:engine(command="./my_engine"), in tournaments and everywhere else.
    """


@command.command("serve")
@click.argument("spec", type=SPEC)
@click.option("--name", help="How the player introduces itself; by default the SPEC.")
@click.option("--connect", "url", metavar="URL",
              help="Play at a table of tricktake serve: ws://127.0.0.1:8765/engine?table=3")  # fmt: skip
@click.option(
    "--token", envvar="TRICKTAKE_TOKEN", default="", help="Of the program's account there; or TRICKTAKE_TOKEN."
)
@click.option("--warm", type=GAME, help="Load first what this game needs, so that the first decision is not late.")
def serve(spec: str, name: str | None, url: str | None, token: str, warm: str | None) -> None:
    """Offer a player as an engine on standard input and output, or with --connect at a table of a server.

    Any program that speaks the protocol on its standard input and output comes to such a table the same way:
    tricktake engine serve 'core:engine(command="./my_engine")' --connect URL
    """
    import os
    import sys

    from tricktake.engine.serve import serve as answer
    from tricktake.strategies.player import Player

    player = Player.from_spec(spec)
    if warm is not None:
        _rehearse(player, warm)
    if url is not None:
        _connect(player, name or spec, url, token)
        return
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what strategies print is no message
    answer(player, (name or spec)[:100], sys.stdin.buffer, answers)


def _rehearse(player: Player, game: str) -> None:
    from tricktake.game import find_game
    from tricktake.search.limit import Limit
    from tricktake.strategies.rehearsal import rehearse

    rehearse(find_game(game), player, Limit(nodes=NODES))


def _connect(player: Player, name: str, url: str, token: str) -> None:
    from tricktake.engine.remote import play

    if importlib.util.find_spec("websockets") is None:
        raise InputError(None, None, "--connect", "needs websockets; install it with: pip install 'tricktake[serve]'")
    if not token:
        raise InputError(None, None, "--token", "is missing; tricktake serve --bot NAME prints one")
    play(player, name[:100], url, token, log)


@command.command("check")
@click.argument("engine")
@click.option("--game", type=GAME, required=True, help="The game it is to play.")
@click.option("--deals", type=COUNT, default=10, show_default=True, help="How many games to play.")
@click.option("--seconds", type=SECONDS, default=5.0, show_default=True, help="A decision.")
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
