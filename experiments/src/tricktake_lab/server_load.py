"""How many tables of programs a server carries, how long a move takes, and what breaks do to it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from attrs import define, field

from tricktake.server.accounts import Accounts
from tricktake.server.limits import Limits
from tricktake.server.store import Store
from tricktake_lab.experiment import experiment
from tricktake_lab.memory import resident
from tricktake_lab.outcome import Cell, Outcome, Sheet, mean_of

GAME, SEATS = "skat", 3
STARTED = 120.0  # seconds until the server listens
QUIET = 120.0  # seconds without any message after which a client gives up
POSITIONS = 13  # that a seat has to decide in a game at random, about
SAMPLES = 10  # looks at the server's memory
GARBAGE = ("{", "[]", '{"type": 7}', '{"type": "action"}', "x" * 2000, '{"type": "watch", "table": -1}')


@define
class Load:
    """What the clients share. took: seconds of each move's round trip. games: finished, of all tables."""

    url: str
    tables: int
    games: int
    think: float
    breaks: int
    rng: random.Random
    took: list[float] = field(factory=list)
    finished: int = 0
    broken: int = 0
    refused: int = 0
    garbage: int = 0
    failed: list[str] = field(factory=list)


@experiment(
    "server.load",
    item="docs/server.md, load and faults",
    seed=20261122,
    smoke={"tables": 2, "games": 1, "think": 0.0, "breaks": 2, "slow": 1, "noisy": 1},
    small={"tables": 200, "games": 10, "breaks": 300},
    paper={"tables": 200, "games": 50, "breaks": 1000},
)
def load(
    seed: int, tables: int, games: int, breaks: int, think: float = 0.3, slow: int = 10, noisy: int = 5
) -> Outcome:
    """Tables of Skat played at random by programs over websockets, with breaks, garbage and readers that do not read.

    tables, games: of each. think: mean seconds before a move, which are not counted; uniform from 0 to twice that.
    breaks: connections that are cut at random moments and made again. slow: connections that look at a table and never
    read. noisy: that send what is no message. A round trip lasts from sending a move to the word that it is done.
    """
    limits = Limits()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "store"
        store = Store(file)
        per = limits.of_account
        accounts = Accounts(store, limits)
        count = max(SEATS, -(-SEATS * tables // per), -(-tables // limits.own))
        tokens = [accounts.add(f"program {n}", bot=True)[1] for n in range(count)]
        lookers = [accounts.add(f"looker {n}")[1] for n in range(-(-(slow + noisy) // per))]
        store.close()
        with _serving(file) as (url, pid):
            work = Load(url, tables, games, think, breaks, random.Random(seed))
            memory = asyncio.run(_all(work, tables, tokens, lookers, slow, noisy, per, pid))
        said = file.with_name("said").read_text()
        store = Store(file)
        stored = sum(len(store.games_at(number)) for number in range(1, tables + 1))
        store.close()
    took = 1000 * np.array(work.took)
    middle, high, highest = np.quantile(took, (0.5, 0.99, 0.999)).tolist()
    seconds = memory[-1][0] - memory[0][0]
    row: tuple[Cell, ...] = (
        tables, stored, len(took), round(len(took) / max(seconds, 1e-9)), mean_of(took, digits=1),
        round(middle, 1), round(high, 1), round(highest, 1), round(float(took.max()), 1),
    )  # fmt: skip
    faults = (work.broken, work.garbage, work.refused, tables * games - stored, len(work.failed))
    names = ("tables", "games", "moves", "moves a second", "mean ms", "median", "p99", "p99.9", "most")
    return Outcome(
        (
            Sheet.of("Round trip of a move, without thinking time", names, [row]),
            Sheet.of("Faults", ("breaks", "garbage", "closed by the server", "games lost", "clients failed"), [faults]),
            Sheet.of("Memory of the server", ("games", "MB"), [(done, round(mb, 1)) for _, done, mb in memory]),
        ),
        facts={"failed": work.failed[:5], "said": said[-2000:], "bytes said": len(said)},
    )


@contextlib.contextmanager
def _serving(file: Path) -> Iterator[tuple[str, int]]:
    """A server of its own process: the address of its websocket, and its number."""
    command = [
        sys.executable,
        "-m",
        "tricktake",
        "serve",
        "--cold",
        "--workers",
        "1",
        "--port",
        "0",
        "--store",
        str(file),
    ]
    said = file.with_name("said")  # no pipe: who writes to one that nobody reads waits
    with said.open("w") as stream:
        process = subprocess.Popen(command, stderr=stream)
    try:
        yield f"ws://{address_of(said)}/play", process.pid
    finally:
        process.terminate()
        process.wait(timeout=STARTED)


def address_of(said: Path) -> str:
    """Where a server listens, by what it has printed."""
    until = time.monotonic() + STARTED
    while (found := re.search(r"http://([^/]+)/#", said.read_text())) is None:
        assert time.monotonic() < until, said.read_text()
        time.sleep(0.05)
    _wait_for(found[1])
    return found[1]


def _wait_for(address: str) -> None:
    import urllib.request

    until = time.monotonic() + STARTED
    while True:
        try:
            urllib.request.urlopen(f"http://{address}/", timeout=STARTED).close()
            return
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.05)


async def _all(
    work: Load, tables: int, tokens: list[str], lookers: list[str], slow: int, noisy: int, per: int, pid: int
) -> list[tuple[float, int, float]]:
    """Run everything; time, finished games and megabytes of the server at some moments."""
    opened: list[asyncio.Future[int]] = [asyncio.get_running_loop().create_future() for _ in range(tables)]
    players = []
    for number in range(tables):
        for seat in range(SEATS):
            token = tokens[(SEATS * number + seat) % len(tokens)]
            players.append(asyncio.create_task(_player(work, token, opened[number], first=seat == 0)))
    numbers = await asyncio.gather(*opened)
    others = [
        asyncio.create_task(_looker(work, lookers[n // per], numbers[n % tables], noisy=n >= slow))
        for n in range(slow + noisy)
    ]
    total = tables * work.games
    memory = [(time.monotonic(), work.finished, resident(pid))]
    done = asyncio.gather(*players)
    while not done.done():
        await asyncio.wait({done}, timeout=0.2)
        if work.finished - memory[-1][1] >= max(1, total // SAMPLES):
            memory.append((time.monotonic(), work.finished, resident(pid)))
    await done
    memory.append((time.monotonic(), work.finished, resident(pid)))
    for other in others:
        other.cancel()
    await asyncio.gather(*others, return_exceptions=True)
    return memory


def connected(url: str, **more: Any) -> Any:
    """A websocket of the server, to be entered."""
    from websockets.asyncio.client import connect

    return connect(url, max_size=1 << 22, compression=None, open_timeout=STARTED, ping_interval=None, **more)


async def greeted(socket: Any, token: str) -> dict[str, Any]:
    """Say who one is; how one is welcomed."""
    await socket.send(json.dumps({"type": "hello", "protocol": 1, "token": token, "views": "decisions"}))
    return dict(json.loads(await asyncio.wait_for(socket.recv(), QUIET)))


async def _player(work: Load, token: str, opened: asyncio.Future[int], first: bool) -> None:
    """One program at one table, until the series is over; it comes back after a break."""
    table: int | None = None
    while True:
        try:
            async with connected(work.url) as socket:
                await greeted(socket, token)
                if table is not None:
                    await socket.send(json.dumps({"type": "watch", "table": table}))
                elif first:
                    wanted = {"game": GAME, "chairs": ["me", *["open"] * (SEATS - 1)], "games": work.games}
                    await socket.send(json.dumps({"type": "create", **wanted}))
                else:
                    table = await opened
                    await socket.send(json.dumps({"type": "sit", "table": table}))
                table = await _seated(work, socket, table, opened, first)
                return
        except _Broken as broken:
            table = broken.table
        except Exception as error:
            work.failed.append(f"{type(error).__name__}: {error}")
            if not opened.done():
                opened.set_exception(error)
            return


class _Broken(Exception):
    """The connection was cut, on purpose."""

    def __init__(self, table: int) -> None:
        super().__init__(table)
        self.table = table


async def _seated(work: Load, socket: Any, table: int | None, opened: asyncio.Future[int], first: bool) -> int:
    """Play on over this connection. Raises _Broken."""
    sent, at = (-1, -1), 0.0
    while True:
        message = json.loads(await asyncio.wait_for(socket.recv(), QUIET))
        match message["type"]:
            case "created":
                table = message["table"]
                opened.set_result(table)
            case "error" if message["reason"] == "there is no such table":
                return table or 0  # it ended during a break
            case "error":
                work.failed.append(message["reason"])
            case "done":
                work.took.append(time.perf_counter() - at)
            case "result":
                work.finished += first
                if message["number"] + 1 == work.games:
                    return int(message["table"])
                await socket.send(json.dumps({"type": "next", "table": message["table"]}))
            case "table" if message["state"] == "between" and message["you"] not in message["ready"]:
                await socket.send(json.dumps({"type": "next", "table": message["table"]}))
            case "view":
                now = (message["number"], message["n"])
                if work.broken < work.breaks and work.rng.random() < _chance(work):
                    work.broken += 1
                    socket.transport.abort()
                    raise _Broken(message["table"])
                if message["view"]["to_decide"] and now != sent:
                    if work.think:
                        await asyncio.sleep(2 * work.think * work.rng.random())
                    action = work.rng.choice(message["view"]["legal"])["text"]
                    sent, at = now, time.perf_counter()
                    facts = {"table": message["table"], "n": message["n"], "action": action, "request": 1}
                    await socket.send(json.dumps({"type": "action", **facts}))


def _chance(work: Load) -> float:
    """Of a break at one position: twice what spreads them over the whole run, so that all of them come."""
    return min(0.5, 2 * work.breaks / (work.tables * work.games * SEATS * POSITIONS))


async def _looker(work: Load, token: str, table: int, noisy: bool) -> None:
    """A connection that never reads, or sends garbage; it comes back when it is thrown out."""
    while True:
        with contextlib.suppress(OSError, Exception):
            async with connected(work.url, max_queue=1) as socket:
                await greeted(socket, token)
                await socket.send(json.dumps({"type": "watch", "table": table}))
                while True:
                    if noisy:
                        await socket.send(GARBAGE[work.garbage % len(GARBAGE)])
                        work.garbage += 1
                        await asyncio.wait_for(socket.recv(), QUIET)
                    await asyncio.sleep(0.2)
                    if socket.state.name != "OPEN":
                        break
        work.refused += 1
        await asyncio.sleep(0.2)
