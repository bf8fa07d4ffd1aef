"""The Skat server on a port: lines of guests to the hall, and back."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable

from tricktake.errors import InputError
from tricktake.wire import Bounds, Wire, serving
from tricktake_skat.iss.hall import MAX_LINE, Guest, Hall

BOUNDS = Bounds(line=MAX_LINE + 2, rate=50.0, burst=200.0)
LOGIN_SECONDS = 60.0  # to say a name and a password


def later(seconds: float, call: Callable[[], None]) -> Callable[[], None]:
    """The clock of the running loop, as a hall takes it."""
    return asyncio.get_running_loop().call_later(seconds, call).cancel


async def _login(hall: Hall, wire: Wire) -> Guest | None:
    """A name and then a password, or both in one line (``login NAME PASSWORD``)."""
    first = await wire.line()
    words = (first or "").split()
    if not words:
        return None
    if words[0] == "login" and len(words) == 3:
        name, password = words[1], words[2]
    else:
        wire.send("password:")
        second = await wire.line()
        if second is None:
            return None
        name, password = words[0], second
    try:
        return hall.login(name, password, wire)
    except InputError as error:
        wire.send(f"error {error}")
        return None


@contextlib.asynccontextmanager
async def listening(hall: Hall, host: str, port: int, bounds: Bounds = BOUNDS) -> AsyncIterator[int]:
    """A server for this hall; gives its port. At the end all connections are closed."""

    async def talk(wire: Wire) -> None:
        async with asyncio.timeout(LOGIN_SECONDS):
            guest = await _login(hall, wire)
        if guest is None:
            return
        try:
            while (line := await wire.line()) is not None:
                hall.line(guest, line)
        finally:
            hall.lost(guest, wire)

    async with serving(talk, host, port, bounds) as found:
        yield found
