"""The protocols others speak, on loopback: whole games by our server or manager and our players, with faults."""

from __future__ import annotations

import asyncio
import contextlib
import random
import resource
import time
from collections.abc import Callable
from typing import Any

from attrs import define, field
from tricktake_bridge.deck import LAYOUT
from tricktake_bridge.table_manager import net
from tricktake_bridge.table_manager.manager import Manager
from tricktake_bridge.table_manager.player import Player as BridgePlayer
from tricktake_skat.formats.iss import FORMAT
from tricktake_skat.iss import client as clients
from tricktake_skat.iss.client import Client, Plan
from tricktake_skat.iss.hall import Hall
from tricktake_skat.iss.server import later, listening

from tricktake.deal import deal
from tricktake.game import find_game
from tricktake.records.record import GameRecord
from tricktake.records.recording import Recording
from tricktake.strategies.player import Player
from tricktake.view import View
from tricktake_lab.experiment import experiment
from tricktake_lab.outcome import Outcome, Sheet

HOST = "127.0.0.1"
DECISIONS = 14  # of a player in a game of Skat, about
MORE = 4  # cards of a player who is cut, so that the game cannot end before the player is back
LINES = 40  # that an onlooker is told in a game, about


@define
class Company:
    """Guests of a Skat server. cut: connections broken so far, of players and of onlookers. early: hidden cards that
    an onlooker was told while a game ran.
    """

    hall: Hall
    rng: random.Random
    breaks: dict[str, float]
    cut: dict[str, int] = field(factory=lambda: {"players": 0, "onlookers": 0})
    early: int = 0

    def may_cut(self, name: str, kind: str, loop: asyncio.AbstractEventLoop) -> None:
        """Break a connection, by lot."""
        if self.rng.random() < self.breaks[kind]:
            self.cut[kind] += 1
            loop.call_soon_threadsafe(self._close, name)

    def _close(self, name: str) -> None:
        way = self.hall.guests[name].wire
        if way is not None:
            way.close()

    def looking(self, name: str, loop: asyncio.AbstractEventLoop) -> Callable[[str], None]:
        """What an onlooker is told, line by line."""

        def heard(line: str) -> None:
            words = line.split()
            if words[3:4] == ["play"]:
                self.early += words[4] == "w" and "??" not in words[5] and words[5][:2] not in ("TI", "LE")
                self.may_cut(name, "onlookers", loop)

        return heard


@experiment(
    "loopback.skat",
    item="docs/iss.md, our players",
    seed=1802,
    smoke={"games": 3, "breaks": 2},
    small={"games": 100, "breaks": 20},
    paper={"games": 1000, "breaks": 200},
)
def skat(seed: int, games: int, breaks: int, sizes: tuple[int, ...] = (3, 3, 4), spec: str = "skat:rule") -> Outcome:
    """Skat by the protocol of the International Skat Server: server and players in one process.

    games: in all, until which all play. breaks: how often connections are cut, of players about to move and of
    onlookers; fewer come, because none is cut near the end of a game. sizes: seats of each table; each has an onlooker.
    """
    kept: list[GameRecord] = []
    began, used = time.monotonic(), time.process_time()
    company, players, lookers = asyncio.run(_skat(seed, games, breaks, sizes, spec, kept))
    seconds, cpu = time.monotonic() - began, time.process_time() - used
    texts = {record.id: FORMAT.text(record) for record in kept}
    seen = [record for client in lookers for record in client.finished]
    wrong = sum(Recording.of(find_game(record.game)).verify(record) != [] for record in kept)
    wrong += sum(texts[record.id] != FORMAT.text(record) for record in seen)
    counts = [sum(find_game(record.game).chairs == size for record in kept) for size in (3, 4)]
    row = (len(kept), *counts, round(seconds), round(len(kept) / seconds, 1), round(cpu), _megabytes())
    told = sum(len(client.errors) for client in (*players, *lookers))
    faults = (company.cut["players"], company.cut["onlookers"], told, wrong, len(seen), company.early)
    names = ("games", "of three", "of four", "seconds", "games a second", "CPU s", "MB")
    return Outcome(
        (
            Sheet.of("Games on loopback", names, [row]),
            Sheet.of(
                "Faults",
                (
                    "players cut",
                    "onlookers cut",
                    "errors told",
                    "records that differ",
                    "seen by onlookers",
                    "told early",
                ),
                [faults],
            ),
        ),
        facts={"errors": [line for client in (*players, *lookers) for line in client.errors][:5]},
    )


async def _skat(
    seed: int, games: int, breaks: int, sizes: tuple[int, ...], spec: str, kept: list[GameRecord]
) -> tuple[Company, list[Client], list[Client]]:
    enough = asyncio.Event()

    def ended(record: GameRecord) -> None:
        kept.append(record)
        if len(kept) >= games:
            enough.set()

    hall, loop = Hall(seed, later, ended), asyncio.get_running_loop()
    half = breaks / 2 / games
    company = Company(hall, random.Random(seed), {"players": half / (3 * DECISIONS), "onlookers": half / LINES})
    decide = Player.from_spec(spec).decide
    players = []
    for number, size in enumerate(sizes, 1):
        names = tuple(f"t{number}-{seat}" for seat in range(size))
        for name in names:
            plan = Plan(name, "pw", invite=names[1:] if name == names[0] else (), attempts=games)

            def about_to_move(view: View, name: str = name) -> None:
                if view.phase == "tricks" and view.hand_mask.bit_count() >= MORE:
                    company.may_cut(name, "players", loop)

            players.append(Client(plan, decide, seed=seed, asked=about_to_move))
    lookers = [Client(Plan(f"look-{n}", "pw", watch=f".{n}", attempts=games), decide) for n in range(1, len(sizes) + 1)]
    pause, clients.PAUSE = clients.PAUSE, 0.0
    try:
        async with listening(hall, HOST, 0) as port:
            tasks = [asyncio.create_task(clients.play(client, HOST, port)) for client in players]
            tasks += [
                asyncio.create_task(clients.play(client, HOST, port, company.looking(client.name, loop)))
                for client in lookers
            ]
            waiting = asyncio.create_task(enough.wait())
            await asyncio.wait({waiting, *tasks}, return_when=asyncio.FIRST_COMPLETED)
            for task in (*tasks, waiting):
                task.cancel()
            results = await asyncio.gather(*tasks, return_exceptions=True)
            for result in results:
                if isinstance(result, Exception):
                    raise result
    finally:
        clients.PAUSE = pause
    return company, players, lookers


@experiment(
    "loopback.bridge",
    item="docs/bridge.md, at a table with programs of others",
    seed=1803,
    smoke={"boards": 1},
    small={"boards": 200},
    paper={"boards": 1000},
)
def bridge(seed: int, boards: int, spec: str = "bid=bridge:rule,play=core:manners") -> Outcome:
    """Bridge by the table manager protocol: manager and four players in one process. boards: in one session."""
    given = [GameRecord("bridge", str(n + 1), deal(LAYOUT, seed, n), n) for n in range(boards)]
    began, used = time.monotonic(), time.process_time()
    manager = asyncio.run(_bridge(seed, given, Player.from_spec(spec).decide))
    seconds, cpu = time.monotonic() - began, time.process_time() - used
    recording = Recording.of(find_game("bridge"))
    wrong = sum(recording.verify(record) != [] for record in manager.results)
    row = (len(manager.results), round(seconds), round(boards / seconds, 1), round(cpu), _megabytes(), wrong)
    names = ("boards", "seconds", "boards a second", "CPU s", "MB", "records that differ")
    return Outcome((Sheet.of("Boards on loopback", names, [row]),), facts={"fault": manager.fault})


async def _bridge(seed: int, given: list[GameRecord], decide: Any) -> Manager:
    manager = Manager(given)
    players = [BridgePlayer(seat, "NS" if seat % 2 == 0 else "EW", decide, seed=seed) for seat in range(4)]
    async with net.managing(manager, HOST, 0) as (port, ended):
        with contextlib.suppress(Exception):  # what ends a session is the manager's fault, which is told
            await asyncio.gather(*(net.play(player, HOST, port) for player in players))
        await ended.wait()
    return manager


def _megabytes() -> int:
    """The most memory this process has used."""
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000)
