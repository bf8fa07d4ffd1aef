"""The Skat server on a port: lines of guests to the hall, and back."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable

from attrs import define

from tricktake.errors import InputError
from tricktake_skat.iss.hall import MAX_LINE, Guest, Hall

LOGIN_SECONDS = 60.0  # to say a name and a password
MOST_WAITING = 1 << 20  # bytes a guest may leave unread
RATE, BURST = 50.0, 200.0  # lines a second, and at once, that are read of a guest; more have to wait


@define(eq=False)
class Connection:
    """The way to one guest. Who does not read what is sent is cut off."""

    writer: asyncio.StreamWriter

    def send(self, line: str) -> None:
        if self.writer.is_closing():
            return
        self.writer.write(line.encode("ascii", "replace") + b"\n")
        if self.writer.transport.get_write_buffer_size() > MOST_WAITING:
            self.writer.transport.abort()

    def close(self) -> None:
        self.writer.close()


def later(seconds: float, call: Callable[[], None]) -> Callable[[], None]:
    """The clock of the running loop, as a hall takes it."""
    return asyncio.get_running_loop().call_later(seconds, call).cancel


async def _talk(hall: Hall, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """One connection from its first line to its last."""
    connection = Connection(writer)
    guest: Guest | None = None
    try:
        async with asyncio.timeout(LOGIN_SECONDS):
            guest = await _login(hall, reader, connection)
        clock, left = asyncio.get_running_loop().time(), BURST
        while guest is not None and (line := await _line(reader)) is not None:
            now = asyncio.get_running_loop().time()
            clock, left = now, min(BURST, left + RATE * (now - clock)) - 1
            if left < 0:
                await asyncio.sleep(-left / RATE)
            hall.line(guest, line)
    except (ConnectionError, TimeoutError, asyncio.LimitOverrunError, ValueError):
        pass  # a line without end, or nobody there any more
    finally:
        writer.close()
        if guest is not None:
            hall.lost(guest, connection)


async def _line(reader: asyncio.StreamReader) -> str | None:
    """A line without its end; None when there are no more. Raises ValueError for one that is too long."""
    data = await reader.readline()
    return data.decode(errors="replace").rstrip("\r\n") if data.endswith(b"\n") else None


async def _login(hall: Hall, reader: asyncio.StreamReader, connection: Connection) -> Guest | None:
    """A name and then a password, or both in one line (``login NAME PASSWORD``)."""
    first = await _line(reader)
    words = (first or "").split()
    if first is None or not words:
        return None
    if words[0] == "login" and len(words) == 3:
        name, password = words[1], words[2]
    else:
        connection.send("password:")
        second = await _line(reader)
        if second is None:
            return None
        name, password = words[0], second
    try:
        return hall.login(name, password, connection)
    except InputError as error:
        connection.send(f"error {error}")
        return None


@contextlib.asynccontextmanager
async def listening(hall: Hall, host: str, port: int) -> AsyncIterator[int]:
    """A server for this hall; gives its port. At the end all connections are closed."""
    talks: dict[asyncio.Task[None], asyncio.StreamWriter] = {}

    def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(_talk(hall, reader, writer))
        talks[task] = writer
        task.add_done_callback(talks.pop)

    server = await asyncio.start_server(connected, host, port, limit=MAX_LINE + 2)
    async with server:
        try:
            yield server.sockets[0].getsockname()[1]
        finally:
            for writer in talks.values():
                writer.close()
            await asyncio.gather(*talks, return_exceptions=True)
