"""``tricktake iss``: a Skat server others can play on, and our players on such a server (docs/iss.md)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from tricktake.cli.common import log
from tricktake.cli.names import SPEC, Finite, NewFile
from tricktake.cli.options import seed_option

if TYPE_CHECKING:
    from collections.abc import Callable

    from tricktake.records.record import GameRecord
    from tricktake_skat.iss.client import Client

PORT = 7000

out_option = click.option("--out", type=NewFile(), help="Add every game to this file.")
port_option = click.option("--port", type=click.IntRange(1, 65535), default=PORT, show_default=True)
password_option = click.option(
    "--password", envvar="TRICKTAKE_ISS_PASSWORD", default="none", help="Or TRICKTAKE_ISS_PASSWORD."
)
games_option = click.option(
    "--games", type=click.IntRange(min=0), default=0, show_default=True, help="Leave then; 0: never."
)


@click.group("iss")
def command() -> None:
    """The protocol of the International Skat Server, version 14: a server, and players of ours on one."""


@command.command("serve")
@click.option("--host", default="127.0.0.1", show_default=True, help="Where to listen; 0.0.0.0 for everybody.")
@click.option("--port", type=click.IntRange(0, 65535), default=PORT, show_default=True, help="0 for any free one.")
@click.option("--clock", type=Finite(min=1), default=240.0, show_default=True, help="Seconds a game.")
@out_option
@click.option("--bot", "bots", multiple=True, metavar="NAME=SPEC", help="A player of ours to invite; repeatable.")
@click.option("--seed", type=click.IntRange(0, 2**64 - 1), help="Of the deals; by default drawn anew.")
def serve(host: str, port: int, clock: float, out: Path | None, bots: tuple[str, ...], seed: int | None) -> None:
    """Serve Skat until it is interrupted.

    Whoever gives a new name gets it, with this password, until the server ends.
    """
    import asyncio
    import secrets

    from tricktake.errors import InputError
    from tricktake.strategies.player import Player
    from tricktake_skat.formats.iss import FORMAT
    from tricktake_skat.iss.client import Client, Plan, play
    from tricktake_skat.iss.hall import Hall
    from tricktake_skat.iss.server import later, listening

    players = {}
    for text in bots:
        name, equals, spec = text.partition("=")
        if not equals:
            raise InputError(None, None, "--bot", f"{text!r} is not NAME=SPEC, e.g. rob=skat:rule")
        players[name] = Player.from_spec(spec)

    def keep(record: GameRecord) -> None:
        if out is not None:
            with out.open("a", encoding="utf-8") as file:
                file.write(FORMAT.text(record))

    async def run() -> None:
        hall = Hall(secrets.randbits(64) if seed is None else seed, later, keep, clock)
        async with listening(hall, host, port) as found:
            log(f"Skat on {host}:{found}")
            clients = [Client(Plan(name, secrets.token_hex(8)), bot.decide) for name, bot in players.items()]
            async with asyncio.TaskGroup() as tasks:
                for client in clients:
                    tasks.create_task(play(client, host, found))
                tasks.create_task(asyncio.Event().wait())

    asyncio.run(run())


@command.command("play")
@click.argument("host")
@click.argument("user")
@click.option("--spec", type=SPEC, default="skat:rule", show_default=True, help="The player.")
@port_option
@password_option
@click.option("--invite", default="", metavar="A,B", help="Make a table and invite these; else accept invitations.")
@games_option
@out_option
@seed_option
def play_command(
    host: str, user: str, spec: str, port: int, password: str, invite: str, games: int, out: Path | None, seed: int
) -> None:
    """Let a player of ours play as USER on the server HOST.

    It accepts invitations, or makes a table and invites: of four seats if it invites three others.
    """
    from tricktake.strategies.player import Player
    from tricktake_skat.iss.client import Client, Plan

    names = tuple(name for name in invite.replace(",", " ").split() if name)
    player = Player.from_spec(spec)
    _run(Client(Plan(user, password, games, names), player.decide, seed=seed), host, port, out, lambda line: None)


@command.command("watch")
@click.argument("host")
@click.argument("user")
@click.option("--table", default="*", metavar="NAME", help="Such as .1; by default the first there is.")
@port_option
@password_option
@games_option
@out_option
def watch(host: str, user: str, table: str, port: int, password: str, games: int, out: Path | None) -> None:
    """Look on at a table of the server HOST: what everybody there may know is printed."""
    from tricktake.errors import InputError
    from tricktake.strategies.strategy import Decision
    from tricktake_skat.iss.client import Client, Plan

    def never(*asked: object) -> Decision:
        raise InputError(None, None, user, "looks on, and is asked to play")

    def shown(line: str) -> None:
        if line.startswith("table "):
            click.echo(" ".join(line.split()[3:]))

    _run(Client(Plan(user, password, games, watch=table), never), host, port, out, shown)


def _run(client: Client, host: str, port: int, out: Path | None, shown: Callable[[str], None]) -> None:
    """Play or look on until the plan is done; games are kept, however it ends."""
    import asyncio

    from tricktake_skat.formats.iss import FORMAT
    from tricktake_skat.iss.client import play

    try:
        asyncio.run(play(client, host, port, shown))
    finally:
        for line in client.errors:
            log(f"the server says: {line}")
        if out is not None:
            with out.open("a", encoding="utf-8") as file:
                file.writelines(FORMAT.text(record) for record in client.finished)
    log(f"{len(client.finished)} games")
