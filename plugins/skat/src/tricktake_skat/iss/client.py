"""A player of ours at a Skat server: accepts invitations or makes a table and invites, and plays; or looks on."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from attrs import define, field, frozen

from tricktake.action import Action
from tricktake.errors import InputError
from tricktake.records.record import GameRecord
from tricktake.search.limit import Limit
from tricktake.strategies.strategy import Decision
from tricktake.table import Table
from tricktake.tournament.referee import decision_seed
from tricktake.view import View
from tricktake.wire import Bounds, connect
from tricktake_skat.deck import SEATS
from tricktake_skat.formats.iss import FORMAT
from tricktake_skat.iss.moves import Seen, own_word
from tricktake_skat.iss.table import FREE, PLACES

BOUNDS = Bounds(line=1 << 20)  # a summary of a game is the longest line
QUIET = 0.3  # seconds without another move, after which what was told again is complete
PAUSE = 1.0  # seconds before another attempt to connect
PROTOCOL = "14"
ANY = "*"  # of the tables to look on at
_MOVES = re.compile(r"MV\[([^\]]*)\]")

Decide = Callable[[View, Limit, np.random.Generator], Decision]


@frozen
class Plan:
    """What a client wants. games: after so many it leaves; 0 for without end. invite: names, for a table of its own,
    of four seats if they are three. watch: the table to look on at, instead of playing; ``ANY`` for the first.

    attempts: how often in a row it tries to connect.
    """

    name: str
    password: str
    games: int = 0
    invite: tuple[str, ...] = field(default=())
    watch: str = ""
    attempts: int = 3

    @invite.validator
    def _seated(self, attribute: Any, value: tuple[str, ...]) -> None:
        if len(value) >= PLACES:
            raise InputError(
                None, None, "invite", f"a table has {PLACES} seats: three others at most, not {len(value)}"
            )


@define
class Client:
    """What a client knows. ``line`` takes one line of the server; ``to_send`` are the lines it wants to say.

    here: its name at the table. due: whether it is to say that it is ready, as soon as no game runs.
    """

    plan: Plan
    decide: Decide
    limit: Limit = field(factory=Limit)
    seed: int = 0
    table: str = ""
    here: str = ""
    game: str = ""
    seen: Seen | None = None
    plays: bool = False  # in this game: who deals at a table of four does not
    online: set[str] = field(factory=set)
    created: bool = False
    invited: bool = False
    asked_to_watch: bool = False
    known: int = 0  # moves of the game before the connection broke: these are only told again
    due: bool = False
    finished: list[GameRecord] = field(factory=list)
    errors: list[str] = field(factory=list)
    to_send: list[str] = field(factory=list)
    over: bool = False
    asked: Callable[[View], None] = lambda view: None

    @property
    def name(self) -> str:
        return self.plan.name

    def line(self, line: str) -> None:
        """What the server says. Raises InputError for what no server would say."""
        words = line.split()
        match words:
            case ["password:"]:
                self.to_send.append(self.plan.password)
            case ["Welcome", *_, version]:
                if version.split(".")[0] != PROTOCOL:
                    raise InputError(None, None, "Welcome", f"protocol {version[:20]!r}, not {PROTOCOL}")
                self.known = 0 if self.seen is None else len(self.seen.events)
                self.table, self.seen, self.asked_to_watch = "", None, False
                self.online.clear()
            case ["clients", "+", name, *_]:
                self.online.add(name)
                self._open()
            case ["clients", "-", name]:
                self.online.discard(name)
            case ["tables", "+", name, *_] if self.plan.watch in (name, ANY) and not (self.asked_to_watch or self.over):
                self.asked_to_watch = True
                self.to_send.append(f"observe {name}")
            case ["invite", _, table, ticket] if not (self.table or self.over or self.plan.watch):
                self.to_send.append(f"join {table} {ticket}")
            case ["create", table, here, *_]:
                self.table, self.here, self.due = table, here, here != FREE
                for other in () if self.invited else self.plan.invite:
                    self._say(f"invite {other}")
                self.invited = True
            case ["destroy", table, *_] if table == self.table:
                self.table, self.asked_to_watch = "", False
                self.over = self.over or self.plan.watch == table
            case ["table", table, _, command, *rest] if table == self.table:
                self._at_table(command, rest)
            case ["error", *rest]:
                self.asked_to_watch = False
                self.errors.append(" ".join(rest))

    def _open(self) -> None:
        """Make a table, once, when all are there to be invited."""
        if self.plan.invite and not self.created and self.online.issuperset(self.plan.invite):
            self.created = True
            self.to_send.append(f"create / {max(SEATS, 1 + len(self.plan.invite))}")

    def _say(self, what: str) -> None:
        self.to_send.append(f"table {self.table} {self.here} {what}")

    def _at_table(self, command: str, words: Sequence[str]) -> None:
        if command == "state":
            self._state(words)
        elif command == "start" and words:
            self._start(words)
        elif command == "play" and len(words) >= 2:
            self._move(words[0], words[1])
        elif command == "error":
            self.errors.append(" ".join(words))
        elif command == "end":
            records = FORMAT.loads(" ".join(words))
            if len(records) != 1:
                raise InputError(None, None, "end", f"must tell one game, not {len(records)}")
            self.finished += records
            self.seen, self.plays, self.due = None, False, self.here != FREE
            if self.plan.games and len(self.finished) >= self.plan.games:
                self.over = True
                self._say("leave")

    def _start(self, words: Sequence[str]) -> None:
        """A game begins, or one that runs is told: by moves to come or, after ``!``, by a record in one's own view."""
        self.known = self.known if self.game == words[0] else 0
        self.game, self.seen = words[0], None
        self.plays = self.here in words[1 : 2 * SEATS : 2]
        if words[2 * SEATS + 1 : 2 * SEATS + 2] == ["!"]:
            moves = _MOVES.search(" ".join(words))
            told = moves[1].split() if moves is not None else []
            for who, word in zip(told[::2], told[1::2], strict=False):
                self._move(who, word)

    def _state(self, words: Sequence[str]) -> None:
        """Say ready, once before each game."""
        flags = [words[10 * place + PLACES + 1 :][:10] for place in range(PLACES)]
        own = next((each for each in flags if each[:1] == [self.here] and len(each) == 10), None)
        runs = words[11 * PLACES + 1 :][:1] == ["true"]
        if self.due and own is not None and not runs and not self.over:
            self.due = False
            if own[9] != "1":
                self._say("ready")

    def _move(self, who: str, word: str) -> None:
        if not self.plays:
            return
        if self.seen is None:
            if who != "w":
                raise InputError(None, None, "play", "a move before the deal")
            self.seen = Seen.dealt(word)
        else:
            self.seen.take(who, word)

    @property
    def uncertain(self) -> bool:
        """Whether the move that seems to be due may not be: the server knows it already, if the connection broke about
        then, or has ended the game, if somebody has shown all cards.
        """
        seen = self.seen
        return seen is not None and (seen.claimed or len(seen.events) == self.known > 0)

    def own_move(self) -> str | None:
        """The move to make now, if it is this player's turn: worked out, and to be sent by ``say_move``."""
        seen = self.seen
        if seen is None or seen.gone or seen.awaits_skat or len(seen.events) < self.known:
            return None
        board = seen.table()
        if board.turn != seen.seat:
            return None
        return self._decided(board, seen)

    def _decided(self, board: Table, seen: Seen) -> str:
        actions: list[Action] = []
        while not actions or actions[-1].verb in ("hand", "discard"):
            view = board.view(seen.seat)
            self.asked(view)
            seed = decision_seed(self.seed, self.game, seen.seat, len(seen.events) + len(actions))
            action = self.decide(view, self.limit, np.random.default_rng(seed)).action
            board.apply(action, seen.seat)
            actions.append(action)
        return own_word(actions)

    def say_move(self, word: str) -> None:
        self._say(f"play {word}")


async def play(client: Client, host: str, port: int, log: Callable[[str], Any] = lambda line: None) -> None:
    """Play until the plan is done, connecting again where the connection breaks.

    Raises InputError if the server refuses the player, or cannot be reached so often in a row.
    """
    failed = 0
    while not client.over:
        known = len(client.finished)
        try:
            await _connected(client, host, port, log)
        except OSError as error:
            failed = 1 if len(client.finished) > known else failed + 1
            if failed >= client.plan.attempts:
                raise InputError(None, None, f"{host}:{port}", f"cannot be reached: {error}") from None
            await asyncio.sleep(PAUSE)


async def _connected(client: Client, host: str, port: int, log: Callable[[str], Any]) -> None:
    """One connection. Raises OSError when it breaks before the plan is done."""
    wire = await connect(host, port, BOUNDS)
    wire.send(client.name)
    welcome, reading = False, asyncio.create_task(wire.line())
    clock = asyncio.get_running_loop().time
    due: float | None = None  # when to see whether it is one's turn
    try:
        while not client.over or client.to_send:
            for line in client.to_send:
                wire.send(line)
            client.to_send.clear()
            if client.over:
                break
            if not (await asyncio.wait({reading}, timeout=None if due is None else max(0.0, due - clock())))[0]:
                due = None
                await _answer(client)
                continue
            said = reading.result()
            if said is None:
                raise ConnectionError("the server has closed the connection")
            log(said)
            if not welcome and said.startswith("error"):
                raise InputError(None, None, f"{host}:{port}", f"refuses {client.name}: {said.removeprefix('error ')}")
            welcome = welcome or said.startswith("Welcome")
            client.line(said)
            reading = asyncio.create_task(wire.line())
            if said.startswith(tuple(f"table {client.table} {client.here} {each} " for each in ("play", "start"))):
                due = clock() + (QUIET if client.uncertain else 0.0)
    finally:
        reading.cancel()
        wire.close()


async def _answer(client: Client) -> None:
    """Work the own move out in a thread, so that others may talk meanwhile."""
    word = await asyncio.to_thread(client.own_move)
    if word is not None:
        client.say_move(word)
