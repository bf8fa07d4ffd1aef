"""``tricktake bridge-table``: the table manager protocol, as manager and as player (docs/bridge.md)."""

from __future__ import annotations

from pathlib import Path

import click

from tricktake.cli.common import EXIT_DIFFERS, EXIT_OK, log
from tricktake.cli.names import SPEC, NewFile
from tricktake.cli.options import READABLE, seed_option

PORT = 2000


@click.group("bridge-table")
def command() -> None:
    """The table manager protocol of Blue Chip Bridge, version 18."""


@command.command("serve")
@click.argument("boards", type=READABLE)
@click.option("--out", type=NewFile(), required=True, help="The results, as PBN.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Where to listen; 0.0.0.0 for everybody.")
@click.option("--port", type=click.IntRange(0, 65535), default=PORT, show_default=True, help="0 for any free one.")
@click.pass_context
def serve(ctx: click.Context, boards: Path, out: Path, host: str, port: int) -> None:
    """Manage a table: BOARDS (PBN, or any notation of bridge) are played by four players who connect.

    Exit code 1 if a player broke off; boards played until then are kept, as they are if it is interrupted.
    """
    import asyncio

    from tricktake.errors import InputError
    from tricktake.records.formats import get_format, read
    from tricktake_bridge.table_manager.manager import Manager
    from tricktake_bridge.table_manager.net import managing

    given = list(read(boards, "bridge"))
    if not given:
        raise InputError(boards, None, None, "no board of it can be played")
    manager = Manager(given)

    async def run() -> None:
        async with managing(manager, host, port) as (found, ended):
            log(f"a table on {host}:{found}, {len(given)} boards")
            await ended.wait()

    try:
        asyncio.run(run())
    finally:
        if manager.results:
            get_format("pbn").save(manager.results, out)
    log(f"{len(manager.results)} of {len(given)} boards" + (f": {manager.fault}" if manager.fault else ""))
    ctx.exit(EXIT_DIFFERS if manager.fault else EXIT_OK)


@command.command("play")
@click.argument("host")
@click.argument("seat")
@click.option("--spec", type=SPEC, default="bridge:rule", show_default=True, help="The player.")
@click.option("--team", default="tricktake", show_default=True, help="The name of the team, the same for partners.")
@click.option("--port", type=click.IntRange(1, 65535), default=PORT, show_default=True)
@seed_option
def play_command(host: str, seat: str, spec: str, team: str, port: int, seed: int) -> None:
    """Let a player of ours play SEAT (North, East, South, West) at the table on HOST."""
    import asyncio

    from tricktake.strategies.player import Player as Strategies
    from tricktake_bridge.table_manager.net import play
    from tricktake_bridge.table_manager.player import Player
    from tricktake_bridge.table_manager.words import seat_named

    player = Player(seat_named(seat), team.replace('"', "'")[:60], Strategies.from_spec(spec).decide, seed=seed)
    asyncio.run(play(player, host, port))
    log(f"{player.boards} boards")
