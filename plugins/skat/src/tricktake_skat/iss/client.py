"""A player of ours at a Skat server: it accepts invitations, or makes a table and invites, and plays."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from attrs import define, field, frozen

from tricktake.action import Action
from tricktake.errors import InputError, TricktakeError
from tricktake.records.record import GameRecord
from tricktake.search.limit import Limit
from tricktake.strategies.strategy import Decision
from tricktake.table import Table
from tricktake.view import View
from tricktake_skat.deck import SEATS
from tricktake_skat.formats.iss import FORMAT
from tricktake_skat.iss.moves import Seen, own_word

MOST = 1 << 20  # bytes of a line, of which a summary of a game is the longest
QUIET = 0.3  # seconds without another line, after which what was told again is complete
PAUSE = 1.0  # seconds before another attempt to connect
FREE = "."

Decide = Callable[[View, Limit, np.random.Generator], Decision]


@frozen
class Plan:
    """What a client wants. games: after so many it leaves; 0 for without end. invite: names, for a table of its own.

    attempts: how often in a row it tries to connect.
    """

    name: str
    password: str
    games: int = 0
    invite: tuple[str, ...] = ()
    attempts: int = 3


@define
class Client:
    """What a client knows. ``line`` takes one line of the server; ``to_send`` are the lines it wants to say."""

    plan: Plan
    decide: Decide
    limit: Limit = field(factory=Limit)
    seed: int = 0
    table: str = ""
    game: str = ""
    seen: Seen | None = None
    online: set[str] = field(factory=set)
    created: bool = False
    invited: bool = False
    known: int = 0  # moves of the game before the connection broke: these are only told again
    ready: bool = False
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
            case ["Welcome", *_, version]:
                if not version.isdecimal() or int(version) != 14:
                    raise InputError(None, None, "Welcome", f"protocol {version[:20]!r}, not 14")
                self.known = 0 if self.seen is None else len(self.seen.events)
                self.table, self.seen, self.ready = "", None, False
                self.online.clear()
            case ["clients", "+", name, *_]:
                self.online.add(name)
                self._open()
            case ["clients", "-", name]:
                self.online.discard(name)
            case ["invite", _, table, ticket] if not self.table and not self.over:
                self.to_send.append(f"join {table} {ticket}")
            case ["create", table, *_]:
                self.table, self.ready = table, False
                for other in () if self.invited else self.plan.invite:
                    self._say(f"invite {other}")
                self.invited = True
            case ["destroy", table] if table == self.table:
                self.table = ""
            case ["table", table, _, command, *rest] if table == self.table:
                self._at_table(command, rest)
            case ["error", *rest]:
                self.errors.append(" ".join(rest))

    def _open(self) -> None:
        """Make a table, once, when all are there to be invited."""
        if self.plan.invite and not self.created and self.online.issuperset(self.plan.invite):
            self.created = True
            self.to_send.append(f"create / {SEATS}")

    def _say(self, what: str) -> None:
        self.to_send.append(f"table {self.table} {self.name} {what}")

    def _at_table(self, command: str, words: Sequence[str]) -> None:
        if command == "state":
            self._state(words)
        elif command == "start" and words:
            self.known = self.known if self.game == words[0] else 0
            self.game, self.seen = words[0], None
        elif command == "play" and len(words) >= 2:
            self._move(words[0], words[1])
        elif command == "error":
            self.errors.append(" ".join(words))
        elif command == "end":
            (record,) = FORMAT.loads(" ".join(words))
            self.finished.append(record)
            self.seen = None
            if self.plan.games and len(self.finished) >= self.plan.games:
                self.over = True
                self._say("leave")

    def _state(self, words: Sequence[str]) -> None:
        """Say ready as soon as the table is full, once a game."""
        seats = words[1 : SEATS + 1]
        own = next((n for n in range(SEATS) if seats[n : n + 1] == [self.name]), None)
        if own is None or self.seen is not None or self.over:
            return
        flags = words[SEATS + 2 + 10 * own : SEATS + 2 + 10 * own + 10]
        if len(flags) == 10 and flags[0] == self.name and FREE not in seats:
            if flags[9] == "1":
                self.ready = False
            elif not self.ready:
                self.ready = True
                self._say("ready")

    def _move(self, who: str, word: str) -> None:
        if self.seen is None:
            if who != "w":
                raise InputError(None, None, "play", "a move before the deal")
            self.seen, self.ready = Seen.dealt(word), False
        else:
            self.seen.take(who, word)

    @property
    def uncertain(self) -> bool:
        """Whether the server may know the move already that seems to be due: the connection broke about then."""
        return self.known > 0 and self.seen is not None and len(self.seen.events) == self.known

    def own_move(self) -> str | None:
        """The move to make now, if it is this player's turn: worked out, and to be sent by ``say_move``."""
        seen = self.seen
        if seen is None or seen.gone or seen.claimed or seen.awaits_skat or len(seen.events) < self.known:
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
            numbers = f"{self.seed}/{self.name}/{self.game}/{len(seen.events) + len(actions)}"
            start = int.from_bytes(hashlib.blake2b(numbers.encode(), digest_size=16).digest(), "little")
            action = self.decide(view, self.limit, np.random.default_rng(start)).action
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
        except (OSError, asyncio.IncompleteReadError) as error:
            failed = 1 if len(client.finished) > known else failed + 1
            if failed >= client.plan.attempts:
                raise InputError(None, None, f"{host}:{port}", f"cannot be reached: {error}") from None
            await asyncio.sleep(PAUSE)


async def _connected(client: Client, host: str, port: int, log: Callable[[str], Any]) -> None:
    """One connection. Raises OSError when it breaks before the plan is done."""
    reader, writer = await asyncio.open_connection(host, port, limit=MOST)
    try:
        writer.write(f"login {client.name} {client.plan.password}\n".encode())
        welcome, reading = False, asyncio.create_task(reader.readline())
        while not client.over or client.to_send:
            for line in client.to_send:
                writer.write(line.encode() + b"\n")
            client.to_send.clear()
            await writer.drain()
            if client.over:
                break
            data = await reading
            if not data.endswith(b"\n"):
                raise ConnectionError("the server has closed the connection")
            line = data.decode(errors="replace").strip()
            log(line)
            if not welcome and line.startswith("error"):
                raise InputError(None, None, f"{host}:{port}", f"refuses {client.name}: {line.removeprefix('error ')}")
            welcome = welcome or line.startswith("Welcome")
            client.line(line)
            reading = asyncio.create_task(reader.readline())
            if line.startswith(f"table {client.table} {client.name} play "):
                if client.uncertain and (await asyncio.wait({reading}, timeout=QUIET))[0]:
                    continue
                await _answer(client)
    except ValueError as error:
        if isinstance(error, TricktakeError):
            raise
        raise InputError(None, None, f"{host}:{port}", "sends a line without end") from None
    finally:
        reading.cancel()
        writer.close()


async def _answer(client: Client) -> None:
    """Work the own move out in a thread, so that others may talk meanwhile."""
    word = await asyncio.to_thread(client.own_move)
    if word is not None:
        client.say_move(word)
