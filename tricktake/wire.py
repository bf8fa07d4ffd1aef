"""Lines of text over TCP: a server that bounds what it is sent, and the way to one.

Whoever breaks a bound is cut off; lines that come too fast only have to wait.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Protocol

from attrs import define, field, frozen, validators

from tricktake.errors import InputError
from tricktake.rate import Rate

_positive: Any = validators.gt(0)


class Way(Protocol):
    """The way to somebody, over a network or not."""

    def send(self, line: str) -> None: ...
    def close(self) -> None: ...


@frozen
class Bounds:
    """What the other side of a wire may do.

    line: bytes of a line. rate, burst: lines a second that are read, and how many at once; None for any. idle: seconds
    without a line. unread: bytes of ours that it leaves unread. end: of the lines that are sent.
    """

    line: int = field(default=1000, validator=_positive)
    rate: float | None = field(default=None, validator=validators.optional(_positive))
    burst: float = field(default=200.0, validator=_positive)
    idle: float = field(default=6 * 3600.0, validator=_positive)
    unread: int = field(default=1 << 20, validator=_positive)
    end: bytes = b"\n"


@define(eq=False)
class Wire:
    """One connection, line by line, in UTF-8."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    bounds: Bounds
    _rate: Rate | None = field(init=False)

    @_rate.default
    def _full(self) -> Rate | None:
        rate = self.bounds.rate
        return None if rate is None else Rate(rate, self.bounds.burst, asyncio.get_running_loop().time())

    async def line(self) -> str | None:
        """The next line without its end; None when there are no more. Raises OSError at a bound or a break."""
        try:
            async with asyncio.timeout(self.bounds.idle):
                data = await self.reader.readline()
        except ValueError:
            raise ConnectionError("a line that is too long") from None
        if not data.endswith(b"\n"):
            return None
        if self._rate is not None:
            await asyncio.sleep(self._rate.owed(asyncio.get_running_loop().time()))
        return data.decode(errors="replace").rstrip("\r\n")

    def send(self, line: str) -> None:
        if self.writer.is_closing():
            return
        self.writer.write(line.encode(errors="replace") + self.bounds.end)
        if self.writer.transport.get_write_buffer_size() > self.bounds.unread:
            self.writer.transport.abort()

    def close(self) -> None:
        self.writer.close()


async def connect(host: str, port: int, bounds: Bounds) -> Wire:
    """The way to a server, which is held to these bounds. Raises OSError."""
    try:
        return Wire(*await asyncio.open_connection(host, port, limit=bounds.line), bounds)
    except UnicodeError:
        raise OSError("no name of a host") from None


@contextlib.asynccontextmanager
async def serving(talk: Callable[[Wire], Awaitable[None]], host: str, port: int, bounds: Bounds) -> AsyncIterator[int]:
    """A server: ``talk`` with each that connects, until it returns or raises OSError. Gives the port.

    At the end all connections are closed, and their talks are waited for. Raises InputError where nobody can listen.
    """
    talks: dict[asyncio.Task[None], asyncio.StreamWriter] = {}

    async def talked(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            with contextlib.suppress(OSError):
                await talk(Wire(reader, writer, bounds))
        finally:
            writer.close()

    def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(talked(reader, writer))
        talks[task] = writer
        task.add_done_callback(talks.pop)

    try:
        server = await asyncio.start_server(connected, host, port, limit=bounds.line)
    except (OSError, UnicodeError) as error:
        # asyncio says in a sentence what the system says in words
        number = getattr(error, "errno", None) or 0
        reason = os.strerror(number) if number > 0 else getattr(error, "strerror", None) or "no name of a host"
        raise InputError(None, None, f"{host:.200}:{port}", f"cannot listen there: {reason}") from None
    async with server:
        try:
            yield server.sockets[0].getsockname()[1]
        finally:
            for writer in talks.values():
                writer.close()
            await asyncio.gather(*talks, return_exceptions=True)
