"""Manager and players on a port: lines end with CR LF."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

from tricktake.errors import InputError
from tricktake.wire import Bounds, Wire, connect, serving
from tricktake_bridge.table_manager.manager import Manager
from tricktake_bridge.table_manager.player import Player

BOUNDS = Bounds(line=8192, end=b"\r\n")  # WBridge5 explains some calls in almost 2,000 characters
SEATING_SECONDS = 60.0  # for the first line
ATTEMPTS, PAUSE = 20, 0.5  # to reach a manager that is only starting; seconds between them


@contextlib.asynccontextmanager
async def managing(manager: Manager, host: str, port: int) -> AsyncIterator[tuple[int, asyncio.Event]]:
    """A session on a port; gives the port, and the event of its end. Then all connections are closed."""
    ended = asyncio.Event()

    async def talk(wire: Wire) -> None:
        seat = -1
        try:
            async with asyncio.timeout(SEATING_SECONDS):
                first = await wire.line()
            if first is not None:
                seat = manager.seat(first, wire)
            while seat >= 0 and not manager.over and (line := await wire.line()) is not None:
                manager.line(seat, line)
        finally:
            if seat >= 0:
                manager.lost(seat)
            if manager.over:
                ended.set()

    async with serving(talk, host, port, BOUNDS) as found:
        yield found, ended


async def play(player: Player, host: str, port: int) -> None:
    """Play until the manager ends the session. Raises InputError for a manager that cannot be reached or understood."""
    where = f"{host}:{port}"
    wire = await _reached(host, port, where)
    try:
        player.begin()
        while not player.over:
            for line in player.to_send:
                wire.send(line)
            player.to_send.clear()
            said = await wire.line()
            if said is None:
                raise InputError(None, None, where, "the manager has closed the connection")
            await asyncio.to_thread(player.line, said)
    except OSError as error:
        raise InputError(None, None, where, str(error)) from None
    finally:
        wire.close()


async def _reached(host: str, port: int, where: str) -> Wire:
    for attempt in range(ATTEMPTS):
        try:
            return await connect(host, port, BOUNDS)
        except OSError as error:
            if attempt + 1 == ATTEMPTS:
                raise InputError(None, None, where, f"cannot be reached: {error}") from None
            await asyncio.sleep(PAUSE)
    raise AssertionError("unreachable")
