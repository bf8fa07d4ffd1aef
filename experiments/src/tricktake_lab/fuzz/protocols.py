"""Protocols under attack: what a stranger says in a whole conversation, a line each, is damaged and said again.

A side that answers mistakes may raise nothing at all; one that gives up may raise an input error, and an engine's or a
player's side a Fault. Samples are conversations of our own players, recorded where the lines go over.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import io
import json
import logging
import random
import re
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any, cast

import numpy as np
from attrs import define, field

from tricktake.action import Action
from tricktake.child import Child
from tricktake.deal import deal
from tricktake.engine import protocol
from tricktake.engine.protocol import Answer, Hello
from tricktake.engine.serve import serve
from tricktake.errors import InputError, TricktakeError
from tricktake.game import find_game
from tricktake.messages import Naming, line, parse
from tricktake.records.record import GameRecord
from tricktake.search.limit import Limit
from tricktake.strategies.strategy import Decision
from tricktake.table import Table
from tricktake.tournament.players import PlayerConfig
from tricktake.tournament.referee import play
from tricktake.tournament.seat import LocalSeat
from tricktake.tournament.seatprocess import ProcessSeat
from tricktake.view import View

SEED = 7
MOST = 400  # lines of a conversation that are said
LOST, LATER = "!lost", "!later"  # between lines: a connection breaks, time passes
SECONDS = 100.0  # that pass then


class NoAnswer(AssertionError):
    """An error came out of a side that has to answer it."""


class ByLot:
    """Decides at random, but mostly passes and low bids, so that games come to their cards."""

    def decide(self, view: View, limit: Limit, rng: np.random.Generator) -> Decision:
        legal = view.legal if view.role == "play" else view.legal[:3]
        return Decision(legal[int(rng.integers(len(legal)))])


@contextlib.contextmanager
def answered() -> Iterator[None]:
    """Input errors become findings, too."""
    try:
        yield
    except TricktakeError as error:
        raise NoAnswer(repr(error)) from error


def said(path: Path) -> list[str]:
    """The lines of a conversation, as they arrive from a network."""
    return path.read_bytes().decode("utf-8", "replace").split("\n")[:MOST]


def as_sample(lines: Sequence[str]) -> list[bytes]:
    """One conversation."""
    return ["\n".join(lines).encode()]


@define(eq=False)
class Wire:
    """The way to somebody: keeps what is sent."""

    lines: deque[str] = field(factory=deque)

    def send(self, line: str) -> None:
        """A line goes out."""
        self.lines.append(line)

    def close(self) -> None:
        """Nothing."""


# -- the Skat server --------------------------------------------------------------------------------------------------


@define(eq=False)
class Clock:
    """Time that passes when it is told to."""

    time: float = 0.0
    calls: dict[int, tuple[float, Callable[[], None]]] = field(factory=dict)
    made: int = 0

    def later(self, seconds: float, call: Callable[[], None]) -> Callable[[], None]:
        """As a hall wants it."""
        self.made += 1
        number = self.made
        self.calls[number] = (self.time + seconds, call)

        def cancel() -> None:
            self.calls.pop(number, None)

        return cancel

    def wait(self) -> None:
        """``SECONDS`` pass."""
        self.time += SECONDS
        for number, (due, call) in list(self.calls.items()):
            if due <= self.time and number in self.calls:
                del self.calls[number]
                call()


PEOPLE = ("ada", "bob", "cyd")


@functools.cache
def skat_evening() -> tuple[list[bytes], list[bytes]]:
    """A game of three clients in a hall: what all say, with names before it, and what the first one is told."""
    from tricktake_skat.iss.client import Client, Plan
    from tricktake_skat.iss.hall import Hall

    hall, wires = Hall(SEED, Clock().later), {name: Wire() for name in PEOPLE}
    told: list[str] = []
    clients = {name: Client(Plan(name, "x", 1), ByLot().decide, seed=SEED) for name in PEOPLE}
    spoken = [f"{name} x" for name in PEOPLE]
    for name, wire in wires.items():
        hall.login(name, "x", wire)
    clients[PEOPLE[0]].to_send.append("create / 3")
    for name in PEOPLE[1:]:
        clients[name].to_send.append("join .1")
    while any(wires[name].lines or client.to_send for name, client in clients.items()):
        for name, client in clients.items():
            while client.to_send:
                spoken.append(f"{name} {client.to_send[0]}")
                hall.line(hall.guests[name], client.to_send.pop(0))
            if wires[name].lines:
                client.line(heard := wires[name].lines.popleft())
                told += [heard] * (name == PEOPLE[0])
                if " play " in heard and (word := client.own_move()) is not None:
                    client.say_move(word)
    return as_sample(spoken), as_sample(told)


def skat_hall(path: Path) -> None:
    """The hall, with guests who say ``NAME line``; whoever is not there logs in."""
    from tricktake_skat.formats.iss import FORMAT
    from tricktake_skat.iss.hall import Hall

    clock = Clock()
    kept: list[GameRecord] = []
    hall = Hall(SEED, clock.later, kept.append, now=lambda: clock.time)
    for entry in said(path):
        name, _, text = entry.partition(" ")
        guest = hall.guests.get(name)
        if guest is None or guest.wire is None:
            with contextlib.suppress(InputError):
                hall.login(name, text, Wire())
            continue
        with answered():
            if text == LOST:
                hall.lost(guest, guest.wire)
            elif text == LATER:
                clock.wait()
            else:
                hall.line(guest, text)
    with answered():
        for record in kept:
            list(FORMAT.loads(FORMAT.text(record)))


def skat_client(path: Path) -> None:
    """A client, told these lines by a server."""
    from tricktake_skat.iss.client import Client, Plan

    client = Client(Plan(PEOPLE[0], "x", 1, PEOPLE[1:]), ByLot().decide, seed=SEED)
    for heard in said(path):
        client.line(heard)
        if " play " in heard and (word := client.own_move()) is not None:
            client.say_move(word)


# -- the table manager ------------------------------------------------------------------------------------------------


def _boards() -> list[GameRecord]:
    layout = find_game("bridge").layout
    return [GameRecord("bridge", str(n + 1), deal(layout, SEED, n), n) for n in range(2)]


@functools.cache
def bridge_session() -> tuple[list[bytes], list[bytes]]:
    """Two boards: what the four seats say, each after its number, and what the first one hears."""
    from tricktake_bridge.table_manager.manager import Manager
    from tricktake_bridge.table_manager.player import Player

    manager, wires = Manager(_boards(), now=lambda: 0.0), [Wire() for _ in range(4)]
    players = [Player(seat, "NS" if seat % 2 == 0 else "EW", ByLot().decide, seed=SEED) for seat in range(4)]
    spoken, told = [], []
    for seat, player in enumerate(players):
        player.begin()
        spoken.append(f"{seat} {player.to_send[0]}")
        manager.seat(player.to_send.pop(), wires[seat])
    while any(wires[seat].lines or player.to_send for seat, player in enumerate(players)):
        for seat, player in enumerate(players):
            while player.to_send:
                spoken.append(f"{seat} {player.to_send[0]}")
                manager.line(seat, player.to_send.pop(0))
            if wires[seat].lines:
                player.line(heard := wires[seat].lines.popleft())
                told += [heard] * (seat == 0)
    return as_sample(spoken), as_sample(told)


def bridge_manager(path: Path) -> None:
    """The manager, with connections that say ``NUMBER line``; the first line of each asks for a seat."""
    from tricktake_bridge.table_manager.manager import Manager

    manager = Manager(_boards(), now=lambda: 0.0)
    seats: dict[str, int] = {}
    with answered():
        for entry in said(path):
            number, _, text = entry.partition(" ")
            if seats.get(number, -1) < 0:
                seats[number] = manager.seat(text, Wire())
            elif text == LOST:
                manager.lost(seats.pop(number))
            else:
                manager.line(seats[number], text)


def bridge_player(path: Path) -> None:
    """A player, told these lines by a manager."""
    from tricktake_bridge.table_manager.player import Player

    player = Player(0, "NS", ByLot().decide, seed=SEED)
    player.begin()
    for heard in said(path):
        player.line(heard)
        if player.over:
            break


# -- engines and players in processes of their own --------------------------------------------------------------------

_RAISED = re.compile(r"[A-Z]\w+: ")  # how a service answers what is no mistake of the host


def host_messages() -> list[bytes]:
    """What a host says to an engine in a game of Skat, and in one of bridge."""
    return [b"".join([line(protocol.hello()), *map(line, _game_told(name))]) for name in ("skat", "bridge")]


def _game_told(name: str) -> Iterator[dict[str, Any]]:
    game = find_game(name)
    table = Table.start(game, deal(game.layout, SEED, 0))
    yield protocol.new(game, 0)
    rng = np.random.default_rng(SEED)
    while (actor := table.actor) is not None:
        view = table.view(actor)
        if actor == 0 and (view.role != "play" or len(table.events) % 3 == 0):
            yield protocol.decide(len(table.events), view, 0, Limit(), {"decision": 1.0, "game": None}, SEED)
        table.apply_unchecked(ByLot().decide(view, Limit(), rng).action)
    yield protocol.end(table.view(0), table.score())
    yield {"type": "ping", "n": 3}


class Listening(ByLot):
    """``ByLot`` as a service wants its player."""

    roles = ("*",)


def engine_service(path: Path) -> None:
    """Our player as an engine, for a host that says this."""
    answers = io.BytesIO()
    serve(cast(Any, Listening()), "fuzz", io.BytesIO(path.read_bytes()), answers)
    for reply in answers.getvalue().splitlines():
        message = json.loads(reply)
        if message["type"] == "error" and _RAISED.match(message["message"]):
            raise NoAnswer(message["message"])


@functools.cache
def _asked() -> View:
    """A view in mid-game of Skat, with cards to choose from."""
    game = find_game("skat")
    table = Table.start(game, deal(game.layout, SEED, 0))
    rng = np.random.default_rng(SEED)
    while (view := table.view(table.actor or 0)).role != "play" or len(view.legal) < 3:
        table.apply_unchecked(ByLot().decide(view, Limit(), rng).action)
    return view


def engine_messages() -> list[bytes]:
    """What an engine says: a hello, answers, an error."""
    view = _asked()
    names = Naming(view.layout)
    likely = {action.to_text(view.layout.deck): 0.5 for action in view.legal[:2]}
    answers = [Answer(action, "why", likely).to_json(3, names) for action in view.legal[:2]]
    return [line(each) for each in (Hello("x", "1").to_json(), *answers, protocol.error("no", 3))]


def engine_answer(path: Path) -> None:
    """The host, told this by an engine."""
    node = parse(path.read_bytes())
    if node["type"].text() == "hello":
        Hello.from_json(node).plays("skat", "play")
    elif node["type"].word(("action", "error")) == "error":
        node["message"].text()
    else:
        Answer.from_json(node, Naming(_asked().layout))


class Answering:
    """A child process that always gives the same answer."""

    def __init__(self, data: bytes) -> None:
        self.data, self.answers = data, -1

    def ask(self, request: bytes, seconds: float) -> bytes:
        """The answer, whatever is asked."""
        return self.data

    def kill(self) -> None:
        """Nothing."""


class AnsweringSeat(ProcessSeat):
    """A seat whose process gives one answer."""

    def _kill(self) -> None:
        """There is none."""


def seat_answers() -> list[bytes]:
    """Answers of a player in a process of its own."""
    facts = {"n": 1, "verb": "play", "value": "", "cards": [3], "reason": "why", "failed": ["one"]}
    error = {"n": 1, "error": "IndexError", "kind": "error", "trace": "x.py:1"}
    return [line(each) for each in (facts, error, {"n": 1, "garbled": "an int"})]


def seat_answer(path: Path) -> None:
    """A referee, told this by a player's process at every decision."""
    game = find_game("skat")
    seat = AnsweringSeat(PlayerConfig("x", "core:random"))
    data = path.read_bytes().partition(b"\n")[0]

    def ask(view: View, seed: int) -> Any:
        seat._child, seat._number = cast(Child, Answering(data)), 0
        return ProcessSeat.ask(seat, view, seed)

    seat.ask = ask  # type: ignore[method-assign]
    others = [LocalSeat(ByLot, Limit()) for _ in range(game.seats - 1)]
    with answered():
        play(Table.start(game, deal(game.layout, SEED, 0)), [seat, *others], seed=SEED, game_id="x")


# -- tables in the browser --------------------------------------------------------------------------------------------

TOKEN = "the host"
SERVED = (
    {"type": "create", "game": "skat", "chairs": ["me", "random", "random"], "games": 2, "deals": "fuzz", "request": 1},
    {"type": "create", "game": "bridge", "chairs": ["me", "random", "open", "random"], "person_seconds": 5.0},
)
OTHERS = (
    {"type": "ping"},
    {"type": "tables"},
    {"type": "watch", "table": 1},
    {"type": "sit", "table": 1, "chair": 0},
    {"type": "hint", "table": 1},
    {"type": "next", "table": 1, "request": "x"},
    {"type": "back", "table": 1},
    {"type": "invite", "uses": 2, "bot": True},
    {"type": "leave", "table": 1},
    {"type": "unwatch", "table": 1},
    {"type": "close", "table": 1},
)


class AtOnce:
    """In the place of worker processes: bots act at random, hints fail."""

    def submit(
        self, task: Any, seconds: float, urgency: int = 1, home: int | None = None
    ) -> Future[tuple[Action, str]]:
        """A decision."""
        done: Future[tuple[Action, str]] = Future()
        done.set_result((random.Random(task.seed).choice(task.view.legal), "by lot"))
        return done

    async def do(self, task: Any, seconds: float, urgency: int = 1) -> Any:
        """A hint."""
        raise InputError(None, None, "hint", "there are none")

    def warm(self, game: str, spec: str) -> None:
        """Nothing."""

    def close(self) -> None:
        """Nothing."""


class Socket:
    """A websocket whose client says some lines and goes. ``reply`` answers what it is told, in lines to say."""

    def __init__(self, lines: Sequence[str], reply: Callable[[dict[str, Any]], str | None] = lambda told: None) -> None:
        self.lines, self.reply = deque(lines), reply
        self.said: list[str] = []

    async def accept(self) -> None:
        """The connection stands."""

    async def receive(self) -> dict[str, Any]:
        """The next line, once everybody else had a turn."""
        for _ in range(20):
            await asyncio.sleep(0)
        if not self.lines:
            return {"type": "websocket.disconnect"}
        self.said.append(self.lines.popleft())
        return {"type": "websocket.receive", "text": self.said[-1]}

    async def send_text(self, text: str) -> None:
        """What the client is told."""
        if (answer := self.reply(json.loads(text))) is not None:
            self.lines.appendleft(answer)

    async def close(self, code: int = 1000, reason: str = "") -> None:
        """The server has enough."""


class Logged(logging.Handler):
    """Keeps the faults that a server writes down instead of falling over."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.error: BaseException | None = None

    def emit(self, record: logging.LogRecord) -> None:
        """Keep it."""
        if record.exc_info and record.exc_info[1] is not None:
            self.error = record.exc_info[1]


def served(socket: Socket, file: Path | str = ":memory:") -> None:
    """A server with this store, and one connection to it."""
    from tricktake.server.accounts import hashed
    from tricktake.server.connection import Connection
    from tricktake.server.limits import Limits
    from tricktake.server.server import Server
    from tricktake.server.server import log as written
    from tricktake.server.store import Store

    async def talk() -> None:
        server = Server(Store(file), Limits(rate=1e6, burst=1_000_000), cast(Any, AtOnce()))
        server.accounts.host_token()
        server.store.change_token(next(iter(server.accounts.by_id)), hashed(TOKEN))
        server.store.seed("skat fuzz", SEED)
        server.start()
        with answered():
            await Connection(server, cast(Any, socket)).run()
        server.close()

    logged = Logged()
    written.addHandler(logged)
    try:
        asyncio.run(talk())
    finally:
        written.removeHandler(logged)
    if logged.error is not None:
        raise logged.error


def server_messages(path: Path) -> None:
    """The server, told these lines by the page or a program."""
    served(Socket(said(path)))


@functools.cache
def evening_online() -> Sequence[bytes]:
    """Two games at a table, and everything else one can ask for."""
    hello = {"type": "hello", "protocol": 1, "token": TOKEN, "language": "de"}
    rng = random.Random(SEED)

    def reply(told: dict[str, Any]) -> str | None:
        if told["type"] == "view" and told["table"] == 1 and told["view"]["to_decide"]:
            action = rng.choice(told["view"]["legal"])
            return json.dumps({"type": "action", "table": 1, "n": told["n"], "action": action["text"]})
        return json.dumps({"type": "next", "table": 1}) if told["type"] == "result" else None

    socket = Socket([json.dumps(each) for each in (hello, *SERVED[:1])], reply)
    served(socket)
    games = socket.said
    rest = [json.dumps(each) for each in (hello, *SERVED, *OTHERS)]
    return [*as_sample(games), *as_sample(rest), *as_sample([*games[:12], *rest[3:]])]


def uploads(path: Path) -> None:
    """A file of records that somebody sends to the server, by its name."""
    from tricktake.server.review import Upload

    found = Upload("skat", path.read_bytes(), path.name, 5)()
    json.dumps(found, ensure_ascii=False, allow_nan=False).encode()  # as it is sent back
