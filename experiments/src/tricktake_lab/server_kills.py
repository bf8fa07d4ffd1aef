"""The server killed at random moments while programs play at its table over the network, and started again: what they
were told stays, and nothing is played twice.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from attrs import define, field

from tricktake.server.accounts import Accounts
from tricktake.server.limits import Limits
from tricktake.server.store import Store
from tricktake_lab.experiment import experiment
from tricktake_lab.outcome import Outcome, Sheet
from tricktake_lab.server_load import GAME, QUIET, STARTED, address_of, connected, greeted

PROGRAMS = 2  # at the table; the third chair is a bot
THINK = 0.01  # seconds before a move, so that kills meet games
LIFE = 3.0  # seconds a server lives at most after it listens


@define
class Program:
    """One who plays: what it was told, over all lives of the server. told: points of games by id. dealt: its hand in
    each game. done: the last position of each game at which a move of its was confirmed.
    """

    token: str
    rng: random.Random
    told: dict[str, list[float]] = field(factory=dict)
    dealt: dict[int, list[str]] = field(factory=dict)
    done: dict[int, int] = field(factory=dict)
    wrong: list[str] = field(factory=list)

    def sees(self, number: int, n: int, view: dict[str, Any]) -> None:
        """A view of a game: the cards are those that were dealt, and no move is taken back."""
        known = self.dealt.setdefault(number, view["hand"])
        if not set(view["hand"]) <= {*known, *view["picked_up"]}:
            self.wrong.append(f"game {number} was dealt anew")
        if n <= self.done.get(number, -1):
            self.wrong.append(f"game {number}: position {n} comes again")

    def hears(self, game: str, points: list[float]) -> None:
        """How a game ended."""
        if self.told.setdefault(game, points) != points:
            self.wrong.append(f"game {game} ended twice: {self.told[game]}, {points}")


@define
class Series:
    """The table they share. number: once it is made."""

    games: int
    number: int | None = None
    over: bool = False


async def plays(program: Program, series: Series, url: str, first: bool) -> None:
    """Play on until the series is over or the server dies."""
    from websockets.exceptions import WebSocketException

    with contextlib.suppress(WebSocketException, OSError, asyncio.IncompleteReadError):
        async with connected(url) as socket:
            welcome = await greeted(socket, program.token)
            if welcome["tables"]:
                series.number = welcome["tables"][0]
                await socket.send(json.dumps({"type": "watch", "table": series.number}))
            elif series.number is None and first:
                chairs = ["me", *["open"] * (PROGRAMS - 1), "random"]
                await socket.send(json.dumps({"type": "create", "game": GAME, "chairs": chairs, "games": series.games}))
            else:
                while series.number is None and socket.state.name == "OPEN":
                    await asyncio.sleep(THINK)
                await socket.send(json.dumps({"type": "sit", "table": series.number}))
            await _seated(program, series, socket)


async def _seated(program: Program, series: Series, socket: Any) -> None:
    sent: tuple[int, int] = (-1, -1)
    while not series.over:
        message = json.loads(await asyncio.wait_for(socket.recv(), QUIET))
        match message["type"]:
            case "created":
                series.number = message["table"]
            case "error" if message["reason"] == "there is no such table":
                series.over = True  # it ended while nobody was there
            case "error":
                program.wrong.append(message["reason"])
            case "done":
                program.done[sent[0]] = sent[1]
            case "result":
                program.hears(message["id"], message["table_points"])
                series.over = message["number"] + 1 == series.games
                await socket.send(json.dumps({"type": "next", "table": message["table"]}))
            case "table" if message["state"] == "between" and message["you"] not in message["ready"]:
                await socket.send(json.dumps({"type": "next", "table": message["table"]}))
            case "view":
                now = (message["number"], message["n"])
                program.sees(*now, message["view"])
                if message["view"]["to_decide"] and now != sent:
                    await asyncio.sleep(THINK)
                    action = program.rng.choice(message["view"]["legal"])["text"]
                    sent = now
                    facts = {"table": message["table"], "n": message["n"], "action": action, "request": 1}
                    await socket.send(json.dumps({"type": "action", **facts}))


@contextlib.contextmanager
def living(file: Path) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """A server in a process of its own, which is killed at the end: its websocket's address, and the process."""
    command = [sys.executable, "-m", "tricktake", "serve", "--cold", "--workers", "1", "--port", "0"]
    said = file.with_name("said")
    with said.open("w") as stream:
        process = subprocess.Popen([*command, "--store", str(file)], stderr=stream)
    try:
        yield f"ws://{address_of(said)}/play", process
    finally:
        process.kill()
        process.wait(timeout=STARTED)


async def life(
    programs: list[Program], series: Series, url: str, process: subprocess.Popen[bytes], seconds: float | None
) -> None:
    """Play until the server is killed after so long, or to the end of the series."""
    tasks = [asyncio.create_task(plays(each, series, url, each is programs[0])) for each in programs]
    await asyncio.wait(tasks, timeout=seconds)
    process.kill()
    for found in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(found, Exception):
            programs[0].wrong.append(f"{type(found).__name__}: {found}")


def kept(file: Path, series: Series) -> dict[str, list[float]]:
    """The games of the series that are in the store; none of them twice."""
    store = Store(file)
    games = [(game.id, list(game.points)) for game in store.games_at(series.number or 0)]
    store.close()
    assert len(dict(games)) == len(games), "a game is there twice"
    return dict(games)


def missing(programs: list[Program], stored: dict[str, list[float]]) -> list[str]:
    """What was told and is not there, or otherwise."""
    return [
        f"game {game}: told {points}, kept {stored.get(game)}"
        for each in programs
        for game, points in each.told.items()
        if stored.get(game) != points
    ]


@experiment(
    "trust.server-kills",
    item="docs/testing.md",
    seed=1908,
    smoke={"kills": 1, "games": 2},
    small={"kills": 20, "games": 40},
    paper={"kills": 100, "games": 200},
)
def server_kills(seed: int, kills: int, games: int) -> Outcome:
    """The server killed (SIGKILL) while two programs play at a table over websockets; they come back, and go on.

    games: of the series. A kill comes at a random moment of the first ``LIFE`` seconds; one that finds the series over
    is not counted, and the last server lives to the end of it.
    """
    rng, series = random.Random(seed), Series(games)
    begun, killed, wrong = time.monotonic(), 0, list[str]()
    with tempfile.TemporaryDirectory() as name:
        file = Path(name) / "store"
        store = Store(file)
        accounts = Accounts(store, Limits())
        programs = [
            Program(accounts.add(f"program {n}", bot=True)[1], random.Random(rng.random())) for n in range(PROGRAMS)
        ]
        store.close()
        while not series.over:
            with living(file) as (url, process):
                asyncio.run(life(programs, series, url, process, LIFE * rng.random() if killed < kills else None))
            killed += not series.over
            wrong += missing(programs, kept(file, series))
        stored = kept(file, series)
    wrong += [said for each in programs for said in each.wrong]
    if len(stored) != games:
        wrong.append(f"{len(stored)} games are kept, {games} were to be played")
    told = sum(len(each.told) for each in programs)
    row = (killed, len(stored), told, round(time.monotonic() - begun, 1), len(wrong))
    heads = ("kills", "games kept", "results told", "seconds", "lost, doubled or different")
    return Outcome((Sheet.of("Kills of the server", heads, [row]),), {"wrong": wrong[:20]})
