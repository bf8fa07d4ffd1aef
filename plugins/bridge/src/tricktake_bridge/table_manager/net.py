"""Manager and players on a port: lines end with CR LF."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

from attrs import define

from tricktake.errors import InputError, TricktakeError
from tricktake_bridge.table_manager.manager import Manager
from tricktake_bridge.table_manager.player import Player

MAX_LINE = 1000  # bytes
SEATING_SECONDS = 60.0  # for the first line
ATTEMPTS, PAUSE = 20, 0.5  # to reach a manager that is only starting; seconds between them


@define(eq=False)
class Connection:
    """The way to a player."""

    writer: asyncio.StreamWriter

    def send(self, line: str) -> None:
        if not self.writer.is_closing():
            self.writer.write(line.encode("ascii", "replace") + b"\r\n")

    def close(self) -> None:
        self.writer.close()


@contextlib.asynccontextmanager
async def managing(manager: Manager, host: str, port: int) -> AsyncIterator[tuple[int, asyncio.Event]]:
    """A session on a port; gives the port, and the event of its end. Then all connections are closed."""
    ended = asyncio.Event()

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        seat = -1
        try:
            async with asyncio.timeout(SEATING_SECONDS):
                first = await _line(reader)
            if first is not None:
                seat = manager.seat(first, Connection(writer))
            while seat >= 0 and not manager.over and (line := await _line(reader)) is not None:
                manager.line(seat, line)
        except (ConnectionError, TimeoutError, ValueError):
            pass  # a line without end, or nobody there any more
        finally:
            if seat >= 0:
                manager.lost(seat)
            writer.close()
            if manager.over:
                ended.set()

    talks: dict[asyncio.Task[None], asyncio.StreamWriter] = {}

    def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(talk(reader, writer))
        talks[task] = writer
        task.add_done_callback(talks.pop)

    server = await asyncio.start_server(connected, host, port, limit=MAX_LINE)
    async with server:
        try:
            yield server.sockets[0].getsockname()[1], ended
        finally:
            for writer in talks.values():
                writer.close()
            await asyncio.gather(*talks, return_exceptions=True)


async def _line(reader: asyncio.StreamReader) -> str | None:
    """A line without its end; None when there are no more. Raises ValueError for one that is too long."""
    data = await reader.readline()
    return data.decode("ascii", "replace").rstrip("\r\n") if data.endswith(b"\n") else None


async def play(player: Player, host: str, port: int) -> None:
    """Play until the manager ends the session. Raises InputError for a manager that cannot be reached or understood."""
    where = f"{host}:{port}"
    reader, writer = await _reached(host, port, where)
    try:
        player.begin()
        while not player.over:
            for line in player.to_send:
                writer.write(line.encode("ascii", "replace") + b"\r\n")
            player.to_send.clear()
            await writer.drain()
            said = await _line(reader)
            if said is None:
                raise InputError(None, None, where, "the manager has closed the connection")
            await asyncio.to_thread(player.line, said)
    except TricktakeError:
        raise
    except (OSError, ValueError) as error:
        raise InputError(None, None, where, str(error)) from None
    finally:
        writer.close()


async def _reached(host: str, port: int, where: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    for attempt in range(ATTEMPTS):
        try:
            return await asyncio.open_connection(host, port, limit=MAX_LINE)
        except OSError as error:
            if attempt + 1 == ATTEMPTS:
                raise InputError(None, None, where, f"cannot be reached: {error}") from None
            await asyncio.sleep(PAUSE)
    raise AssertionError("unreachable")
