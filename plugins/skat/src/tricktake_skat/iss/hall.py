"""The hall of a Skat server, without any network: lines of its guests in, lines to them out.

Lines as the JSkat client sends and reads them (github.com/b0n541/jskat, ``MessageGenerator``, ``MessageHandler``,
``MessageParser``), protocol 14::

    NAME, password: PASSWORD             Welcome NAME ... 14; clients + ..., tables + ...
    create / 3                           create .1 NAME 3
    table .1 NAME invite OTHER           invite NAME .1 TICKET      (to OTHER, who answers: join .1 TICKET)
    table .1 NAME ready                  table .1 NAME state ..., start N NAME SECONDS ..., go
    table .1 NAME play MOVE              table .1 NAME play WHO MOVE SECONDS SECONDS SECONDS
                                         table .1 NAME end (;GM[Skat]...;)
    table .1 NAME leave                  destroy .1

A guest whose connection breaks keeps the seat of a running game, and is told all of it again when the guest is back;
the clock runs on.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import time
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from attrs import define, evolve, field

from tricktake.action import Action
from tricktake.deal import deal
from tricktake.errors import IllegalAction, InputError, TricktakeError
from tricktake.records.record import GameRecord, record_of
from tricktake.table import Table
from tricktake_skat.claims import CLAIM, CONCEDE
from tricktake_skat.deck import LAYOUT, SEATS
from tricktake_skat.formats.iss import FORMAT
from tricktake_skat.game import SkatGame
from tricktake_skat.iss.moves import WORLD, deal_word, read_move, told
from tricktake_skat.recording import SkatRecording
from tricktake_skat.series import seating

PROTOCOL = 14
SECONDS = 240.0  # of a player for a game
MAX_LINE = 1000  # characters
MAX_GUESTS, MAX_TABLES = 1000, 300
FREE = "."
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_:-]{0,19}")
_GAME = SkatGame()


class Wire(Protocol):
    """The way to a guest."""

    def send(self, line: str) -> None: ...
    def close(self) -> None: ...


Later = Callable[[float, Callable[[], None]], Callable[[], None]]
"""Calls something after so many seconds; what it returns cancels that."""


@define(eq=False)
class Guest:
    """Somebody who has logged in, with the way to the guest while there is one."""

    name: str
    secret: bytes
    wire: Wire | None = None
    games: int = 0

    def send(self, line: str) -> None:
        if self.wire is not None:
            self.wire.send(line)


@define
class Standing:
    """What the state of a table says of a player."""

    played: int = 0
    won: int = 0
    last: int = 0
    points: int = 0
    ready: bool = False
    talk: bool = True


@define(eq=False)
class Round:
    """One game at a table. order: the players of forehand, middlehand and rearhand; clocks: seconds they have left."""

    number: int
    table: Table
    order: tuple[str, ...]
    clocks: list[float]
    since: float
    told: list[list[tuple[str, str, str]]] = field(factory=lambda: [[] for _ in range(SEATS)])
    cancel: Callable[[], None] = lambda: None


@define(eq=False)
class IssTable:
    """A table of three seats."""

    name: str
    creator: str
    seats: list[str] = field(factory=lambda: [FREE] * SEATS)
    standings: dict[str, Standing] = field(factory=dict)
    tickets: dict[str, str] = field(factory=dict)
    played: int = 0
    round: Round | None = None

    def state(self) -> str:
        """As the clients read it: seats of four, ten words for each, whatever the size of the table."""
        words = [str(SEATS), *self.seats, FREE]
        for name in (*self.seats, FREE):
            s = self.standings.get(name, Standing(talk=False))
            numbers = (s.played, s.won, s.last, s.points, 0, 0, int(s.talk and name != FREE), int(s.ready))
            words += [name, FREE if name == FREE else "$", *map(str, numbers)]
        return " ".join([*words, "false"])


class Hall:
    """Guests and tables. ``line`` is all that comes in; everything that goes out goes through the wires of guests.

    deals: the seed of the deals. ended: told of each finished game, before its players are. now, later: the clock.
    Nothing is believed of a line: mistakes are answered by ``error``, and change nothing.
    """

    def __init__(
        self,
        seed: int,
        later: Later,
        ended: Callable[[GameRecord], None] = lambda record: None,
        seconds: float = SECONDS,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.seed, self.later, self.ended, self.seconds, self.now = seed, later, ended, seconds, now
        self.guests: dict[str, Guest] = {}
        self.tables: dict[str, IssTable] = {}
        self.games = 0
        self._made = 0

    # -- coming and going -----------------------------------------------------------------------------------------

    def login(self, name: str, password: str, wire: Wire) -> Guest:
        """A guest by name: a new one, or one who is back. Raises InputError."""
        if not NAME.fullmatch(name):
            raise InputError(None, None, None, "_invalid_id")
        guest = self.guests.get(name)
        if guest is None:
            if len(self.guests) >= MAX_GUESTS:
                raise InputError(None, None, None, "_too_many_clients")
            guest = self.guests[name] = Guest(name, b"")
            salt = secrets.token_bytes(16)
            guest.secret = salt + _hashed(password, salt)
        elif not hmac.compare_digest(guest.secret[16:], _hashed(password, guest.secret[:16])):
            raise InputError(None, None, None, "_id_pw_mismatch")
        old, guest.wire = guest.wire, wire
        if old is not None:
            old.close()
        guest.send(f"Welcome {name} to tricktake, protocol version {PROTOCOL}")
        for other in self.guests.values():
            if other.wire is not None:
                guest.send(self._client(other))
        for table in self.tables.values():
            guest.send(self._listed(table))
        self._all(self._client(guest), but=guest)
        for table in self.tables.values():
            if name in table.seats:
                self._again(table, guest)
        return guest

    def lost(self, guest: Guest, wire: Wire) -> None:
        """A connection has ended. A seat is kept while a game runs."""
        if guest.wire is not wire:  # there is a newer one
            return
        guest.wire = None
        self._all(f"clients - {guest.name}")
        for table in list(self.tables.values()):
            if guest.name in table.seats and table.round is None:
                self._leave(table, guest.name)

    def _client(self, guest: Guest) -> str:
        return f"clients + {guest.name} - - {guest.games} 0.0"

    def _listed(self, table: IssTable) -> str:
        return f"tables + {table.name} {SEATS} {table.played} {' '.join(table.seats)}"

    def _all(self, line: str, but: Guest | None = None) -> None:
        for guest in self.guests.values():
            if guest is not but:
                guest.send(line)

    def _at(self, table: IssTable, line: str) -> None:
        """Tell a table; the second word after it is the name of who is told."""
        for name in table.seats:
            if name != FREE:
                self.guests[name].send(f"table {table.name} {name} {line}")

    # -- lines ----------------------------------------------------------------------------------------------------

    def line(self, guest: Guest, line: str) -> None:
        """What a guest says."""
        words = line.split()
        commands: dict[str, Callable[[Guest, Sequence[str]], None]] = {
            "create": self._create,
            "join": self._join,
            "table": self._table,
            "yell": self._yell,
        }
        try:
            if len(line) > MAX_LINE:
                raise InputError(None, None, None, "_line_too_long")
            if words:
                if words[0] not in commands:
                    raise InputError(None, None, None, f"_unknown_command {words[0][:20]}")
                commands[words[0]](guest, words[1:])
        except TricktakeError as error:
            guest.send("error " + " ".join(str(error).split())[:200])

    def _yell(self, guest: Guest, words: Sequence[str]) -> None:
        self._all(f"yell {guest.name} {' '.join(words)}")

    def _create(self, guest: Guest, words: Sequence[str]) -> None:
        if words and words[-1] not in ("/", str(SEATS)):
            raise InputError(None, None, None, f"_only_tables_of {SEATS}")
        if len(self.tables) >= MAX_TABLES:
            raise InputError(None, None, None, "_too_many_tables")
        self._made += 1
        table = IssTable(f".{self._made}", guest.name)
        self.tables[table.name] = table
        self._sit(table, guest)

    def _sit(self, table: IssTable, guest: Guest) -> None:
        table.seats[table.seats.index(FREE)] = guest.name
        table.standings.setdefault(guest.name, Standing())
        guest.send(f"create {table.name} {table.creator} {SEATS}")
        self._all(self._listed(table))
        self._at(table, f"state {table.state()}")

    def _join(self, guest: Guest, words: Sequence[str]) -> None:
        table = self.tables.get(words[0]) if words else None
        if table is None:
            raise InputError(None, None, None, "_no_such_table")
        if guest.name in table.seats:
            raise InputError(None, None, None, "_already_at_table")
        if FREE not in table.seats:
            raise InputError(None, None, None, "_table_is_full")
        if len(words) > 1 and table.tickets.pop(guest.name, None) != words[1]:
            raise InputError(None, None, None, "_wrong_ticket")
        self._sit(table, guest)

    def _table(self, guest: Guest, words: Sequence[str]) -> None:
        table = self.tables.get(words[0]) if words else None
        if table is None or guest.name not in table.seats:
            raise InputError(None, None, None, "_not_at_table")
        if len(words) < 3 or words[1] != guest.name:
            raise InputError(None, None, None, "_not_your_name")
        command, rest = words[2], words[3:]
        standing = table.standings[guest.name]
        if command == "play" and len(rest) == 1:
            self._play(table, guest, rest[0])
        elif command == "leave":
            if table.round is not None:
                self._gone(table, table.round.order.index(guest.name), "LE")
            self._leave(table, guest.name)
        elif command == "invite" and len(rest) == 1:
            self._invite(table, guest, rest[0])
        elif command == "tell":
            self._at(table, f"tell {guest.name} {' '.join(rest)}")
        elif command in ("ready", "gametalk", "34"):
            if command == "ready":
                standing.ready = not standing.ready
            elif command == "gametalk":
                standing.talk = not standing.talk
            self._at(table, f"state {table.state()}")
            if table.round is None and FREE not in table.seats and all(table.standings[n].ready for n in table.seats):
                self._begin(table)
        else:
            raise InputError(None, None, None, f"_unknown_command {command[:20]}")

    def _invite(self, table: IssTable, guest: Guest, name: str) -> None:
        other = self.guests.get(name)
        if other is None or other.wire is None:
            raise InputError(None, None, None, "_no_such_client")
        table.tickets[name] = ticket = secrets.token_hex(4)
        other.send(f"invite {guest.name} {table.name} {ticket}")

    def _leave(self, table: IssTable, name: str) -> None:
        table.seats[table.seats.index(name)] = FREE
        self.guests[name].send(f"destroy {table.name}")
        if all(seat == FREE for seat in table.seats):
            del self.tables[table.name]
            self._all(f"tables - {table.name}")
            return
        self._all(self._listed(table))
        self._at(table, f"state {table.state()}")

    # -- a game ---------------------------------------------------------------------------------------------------

    def _begin(self, table: IssTable) -> None:
        cards = deal(LAYOUT, self.seed, self.games)
        self.games += 1
        order = tuple(table.seats[player] for player in seating(table.played))
        table.round = game = Round(self.games, Table.start(_GAME, cards), order, [self.seconds] * SEATS, self.now())
        for seat, name in enumerate(order):
            for line in self._opening(table, game, name):
                self.guests[name].send(line)
            self._tell(table, game, seat, WORLD, deal_word(cards, seat))
        self._wait(table, game)

    def _opening(self, table: IssTable, game: Round, name: str) -> Sequence[str]:
        times = " ".join(f"{each} {clock:.1f}" for each, clock in zip(game.order, game.clocks, strict=True))
        return f"table {table.name} {name} start {game.number} {times}", f"table {table.name} {name} go"

    def _tell(self, table: IssTable, game: Round, seat: int, who: str, word: str) -> None:
        """Tell one seat of a move, and remember it for who has to be told again."""
        times = " ".join(f"{clock:.1f}" for clock in game.clocks)
        game.told[seat].append((who, word, times))
        self.guests[game.order[seat]].send(f"table {table.name} {game.order[seat]} play {who} {word} {times}")

    def _again(self, table: IssTable, guest: Guest) -> None:
        """Everything somebody who is back has to know."""
        guest.send(f"create {table.name} {table.creator} {SEATS}")
        guest.send(f"table {table.name} {guest.name} state {table.state()}")
        game = table.round
        if game is not None:
            for line in self._opening(table, game, guest.name):
                guest.send(line)
            for who, word, times in game.told[game.order.index(guest.name)]:
                guest.send(f"table {table.name} {guest.name} play {who} {word} {times}")

    def _play(self, table: IssTable, guest: Guest, word: str) -> None:
        game = table.round
        if game is None:
            raise InputError(None, None, None, "_no_game_running")
        seat = game.order.index(guest.name)
        board = game.table
        actions = read_move(board, seat, word)
        if actions[0] not in (CLAIM, CONCEDE) and board.turn != seat:
            raise IllegalAction("_not_your_turn")
        self._check(board, seat, actions)
        turn = board.turn
        assert turn is not None
        before = [list(told(board, actions, seat, observer)) for observer in range(SEATS)] if actions == [CLAIM] else []
        for action in actions:
            board.apply(action, seat)
        game.clocks[turn] = max(0.0, game.clocks[turn] - (self.now() - game.since))
        for observer in range(SEATS):
            for who, move in before[observer] if before else told(board, actions, seat, observer):
                self._tell(table, game, observer, who, move)
        if board.over:
            self._end(table, game, self._finished(table, game))
        else:
            self._wait(table, game)

    def _check(self, board: Table, seat: int, actions: Sequence[Action]) -> None:
        """Raises IllegalAction for a declaration of two actions of which the second cannot be."""
        if len(actions) > 1:
            trial = Table.replay(_GAME, board.deal, board.events)
            for action in actions:
                trial.apply(action, seat)

    def _wait(self, table: IssTable, game: Round) -> None:
        """Let the clock of who is to move run."""
        game.cancel()
        turn = game.table.turn
        assert turn is not None
        game.since = self.now()

        def late() -> None:
            if table.round is game and game.table.turn == turn:
                game.clocks[turn] = 0.0
                self._gone(table, turn, "TI")

        game.cancel = self.later(game.clocks[turn], late)

    def _gone(self, table: IssTable, seat: int, how: str) -> None:
        """A seat has left (LE) or run out of time (TI): the game is over, and that side has lost it."""
        game = table.round
        assert game is not None
        for observer in range(SEATS):
            self._tell(table, game, observer, WORLD, f"{how}.{seat}")
        key = "left" if how == "LE" else "timeout"
        record = record_of(game.table, self._id(game), game.order)
        moves = [[len(record.plays), WORLD, f"{how}.{seat}"]]
        if record.contract is None:
            result: dict[str, Any] = {"points": [0] * SEATS, "passed": False, "penalised": [seat], key: seat}
        else:
            SkatRecording(_GAME).finish(game.table, evolve(record, result={key: seat}))
            result = {**record_of(game.table, "").result, key: seat}
        self._end(table, game, evolve(record, result=result, notes={"moves": moves}))

    def _id(self, game: Round) -> str:
        return str(game.number)

    def _finished(self, table: IssTable, game: Round) -> GameRecord:
        return record_of(game.table, self._id(game), game.order)

    def _end(self, table: IssTable, game: Round, record: GameRecord) -> None:
        """Keep the record, then tell the score and count it."""
        game.cancel()
        table.round = None
        table.played += 1
        self.ended(record)
        points = record.result.get("points", [0] * SEATS)
        for seat, name in enumerate(game.order):
            standing = table.standings[name]
            standing.played += 1
            standing.won += points[seat] > 0
            standing.last = points[seat]
            standing.points += points[seat]
            standing.ready = False
            self.guests[name].games += 1
        self._at(table, f"end {FORMAT.text(record).strip()}")
        self._at(table, f"state {table.state()}")
        for name in game.order:
            if self.guests[name].wire is None and name in table.seats:
                self._leave(table, name)


def _hashed(password: str, salt: bytes) -> bytes:
    return hashlib.blake2b(password.encode(errors="replace"), salt=salt).digest()
