"""Lines over TCP and their bounds."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from tricktake.errors import InputError
from tricktake.rate import Rate
from tricktake.wire import Bounds, Wire, connect, serving

PATIENCE = 300.0
USUAL = Bounds()


def served(talk: Callable[[Wire], Awaitable[None]], visit: Callable[[Wire], Awaitable[None]], bounds: Bounds) -> None:
    """One visit to a server that talks so within these bounds."""

    async def run() -> None:
        async with asyncio.timeout(PATIENCE), serving(talk, "127.0.0.1", 0, bounds) as port:
            wire = await connect("127.0.0.1", port, USUAL)
            try:
                await visit(wire)
            finally:
                wire.close()

    asyncio.run(run())


async def echo(wire: Wire) -> None:
    while (line := await wire.line()) is not None:
        wire.send(line)


def test_lines_come_back_whatever_their_end() -> None:
    async def visit(wire: Wire) -> None:
        wire.writer.write("plain\nwindows\r\n\nGrün\n".encode() + b"\xff\nno end")
        wire.writer.write_eof()
        assert [await wire.line() for _ in range(6)] == ["plain", "windows", "", "Grün", "\ufffd", None]

    served(echo, visit, evolve(USUAL, end=b"\r\n"))


def test_a_line_without_end_is_cut_off() -> None:
    async def visit(wire: Wire) -> None:
        wire.writer.write(b"short\n" + b"x" * 100_000)
        assert await wire.line() == "short"
        with contextlib.suppress(ConnectionError):  # closed in peace or by a reset, as the network has it
            assert await wire.line() is None

    served(echo, visit, evolve(USUAL, line=100))


def test_silence_is_cut_off() -> None:
    async def visit(wire: Wire) -> None:
        assert await wire.line() is None

    served(echo, visit, evolve(USUAL, idle=0.01))


def test_who_does_not_read_is_cut_off() -> None:
    ended = asyncio.Event()

    async def flood(wire: Wire) -> None:
        while not wire.writer.is_closing():
            wire.send("x" * 10_000)
            await asyncio.sleep(0)
        ended.set()

    async def visit(wire: Wire) -> None:
        await ended.wait()

    served(flood, visit, evolve(USUAL, unread=100_000))


def test_lines_that_come_too_fast_are_read_later() -> None:
    async def visit(wire: Wire) -> None:
        wire.writer.write(b"x\n" * 60)
        assert [await wire.line() for _ in range(60)] == ["x"] * 60

    served(echo, visit, evolve(USUAL, rate=1000.0, burst=5))


def test_a_talk_that_fails_closes_its_connection_only() -> None:
    async def talk(wire: Wire) -> None:
        raise ConnectionResetError

    async def visit(wire: Wire) -> None:
        assert await wire.line() is None

    served(talk, visit, USUAL)


@pytest.mark.parametrize("host", ["no such host", "x" * 300, "\udcff", "203.0.113.77"])
def test_where_nobody_can_listen_or_is_reached(host: str) -> None:
    async def listen() -> None:
        async with serving(lambda wire: asyncio.sleep(0), host, 0, Bounds()):
            pass

    with pytest.raises(InputError, match="cannot listen there"):
        asyncio.run(listen())
    if host != "203.0.113.77":  # which may take long to say nothing
        with pytest.raises(OSError, match=r"."):
            asyncio.run(connect(host, 1, Bounds()))


def test_rate() -> None:
    rate = Rate(2.0, 4, 0.0)
    assert [rate.owed(0.0) for _ in range(5)] == [0.0] * 4 + [0.5]
    assert [rate.owed(1.0) for _ in range(4)] == [0.0, 0.5, 1.0, 1.5]
    assert rate.owed(9.0) == 0.0


@given(st.lists(st.floats(0.0, 3.0), max_size=40), st.sampled_from([0.5, 2.0, 10.0]), st.integers(1, 5))
def test_what_is_owed_keeps_the_rate(gaps: list[float], rate: float, burst: int) -> None:
    """Whoever waits as told is never ahead of the rate by more than the burst."""
    bucket, now, moments = Rate(rate, burst, 0.0), 0.0, []
    for gap in gaps:
        now += gap
        now += bucket.owed(now)
        moments.append(now)
    for first, start in enumerate(moments):
        for last in range(first, len(moments)):
            assert last - first < burst + rate * (moments[last] - start) + 1e-6
