"""The hall of a Skat server, without any network: lines of its guests in, lines to them out.

Lines as the clients of others send and read them: JSkat (github.com/b0n541/jskat, ``MessageGenerator``,
``MessageHandler``, ``MessageParser``), SkatGUI and its computer players, which share their table with the server
itself (M. Buro, ``client.ServiceClient``, ``client.AIClient``, ``common.Table``), protocol 14::

    NAME, password: PASSWORD             Welcome NAME ... version 14.0; clients + ..., tables + ...
    create / 3                           create .1 NAME 3
    observe .1                           create .1 . 3              (whose name there is now ".")
    table .1 NAME invite OTHER ...       invite NAME .1 TICKET      (to OTHER, who answers: join .1 TICKET)
    table .1 NAME ready                  table .1 NAME state ..., start N NAME SECONDS ..., go
    table .1 NAME play MOVE              table .1 NAME play WHO MOVE SECONDS SECONDS SECONDS
                                         table .1 NAME end (;GM[Skat]...;)
    table .1 NAME leave                  destroy .1 NAME

A guest whose connection breaks keeps the seat of a running game, and is told all of it again when the guest is back;
the clock runs on. The dealer at a table of four and whoever looks on are told what everybody may know.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

from attrs import define, evolve

from tricktake.action import Action
from tricktake.deal import deal
from tricktake.errors import IllegalAction, InputError, TricktakeError
from tricktake.records.record import GameRecord, record_of
from tricktake.table import Table
from tricktake.wire import Way
from tricktake_skat.claims import CLAIM, CONCEDE
from tricktake_skat.contract import contract_of
from tricktake_skat.deck import LAYOUT, SEATS
from tricktake_skat.formats.iss import FORMAT
from tricktake_skat.game import SkatGame
from tricktake_skat.iss.moves import PUBLIC, WORLD, deal_word, read_move, told
from tricktake_skat.iss.table import FREE, PLACES, IssTable, Round
from tricktake_skat.recording import SkatRecording
from tricktake_skat.series import seating

VERSION = "14.0"  # a client that finds no point in it gives up
SECONDS = 240.0  # of a player for a game
MAX_LINE = 1000  # characters
MAX_GUESTS, MAX_TABLES, MAX_WATCHED = 1000, 300, 4
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_:-]{0,19}")
VIEWS = (*range(SEATS), PUBLIC)
_GAMES = {size: SkatGame(size) for size in (SEATS, PLACES)}


Later = Callable[[float, Callable[[], None]], Callable[[], None]]
"""Calls something after so many seconds; what it returns cancels that."""


def refused(reason: str) -> InputError:
    """What a guest is told of a mistake; clients translate words that begin with ``_``."""
    return InputError(None, None, None, reason)


@define(eq=False)
class Guest:
    """Somebody who has logged in, with the way to the guest while there is one."""

    name: str
    secret: bytes
    wire: Way | None = None
    games: int = 0

    def send(self, line: str) -> None:
        if self.wire is not None:
            self.wire.send(line)


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

    def login(self, name: str, password: str, wire: Way) -> Guest:
        """A guest by name: a new one, or one who is back. Raises InputError."""
        if not NAME.fullmatch(name):
            raise refused("_invalid_id")
        guest = self.guests.get(name)
        if guest is None:
            if len(self.guests) >= MAX_GUESTS:
                raise refused("_too_many_clients")
            guest = self.guests[name] = Guest(name, b"")
            salt = secrets.token_bytes(16)
            guest.secret = salt + _hashed(password, salt)
        elif not hmac.compare_digest(guest.secret[16:], _hashed(password, guest.secret[:16])):
            raise refused("_id_pw_mismatch")
        old, guest.wire = guest.wire, wire
        if old is not None:
            old.close()
            self._look_away(guest)
        guest.send(f"Welcome {name} to tricktake, protocol version {VERSION}")
        for other in self.guests.values():
            if other.wire is not None:
                guest.send(_listed(other))
        for table in self.tables.values():
            guest.send(table.listed())
        self._all(_listed(guest), but=guest)
        for table in self.tables.values():
            if name in table.seats:
                self._show(table, guest, name)
        return guest

    def lost(self, guest: Guest, wire: Way) -> None:
        """A connection has ended. A seat is kept while a game runs."""
        if guest.wire is not wire:  # there is a newer one
            return
        guest.wire = None
        self._all(f"clients - {guest.name}")
        self._look_away(guest)
        for table in list(self.tables.values()):
            if guest.name in table.seats and table.round is None:
                self._leave(table, guest)

    def _look_away(self, guest: Guest) -> None:
        for table in self.tables.values():
            if guest.name in table.lookers:
                table.lookers.remove(guest.name)

    def _all(self, line: str, but: Guest | None = None) -> None:
        for guest in self.guests.values():
            if guest is not but:
                guest.send(line)

    def _at(self, table: IssTable, line: str) -> None:
        """Tell a table; the second word after it is the name there of who is told."""
        for name, here in table.members():
            self.guests[name].send(f"table {table.name} {here} {line}")

    # -- lines ----------------------------------------------------------------------------------------------------

    def line(self, guest: Guest, line: str) -> None:
        """What a guest says."""
        words = line.split()
        commands: dict[str, Callable[[Guest, Sequence[str]], None]] = {
            "create": self._create,
            "join": self._join,
            "observe": self._observe,
            "table": self._table,
            "time": self._time,
            "yell": self._yell,
        }
        try:
            if len(line) > MAX_LINE:
                raise refused("_line_too_long")
            if words:
                if words[0] not in commands:
                    raise refused(f"_unknown_command {words[0][:20]}")
                commands[words[0]](guest, words[1:])
        except TricktakeError as error:
            guest.send(f"error {_reason(error)}")

    def _yell(self, guest: Guest, words: Sequence[str]) -> None:
        self._all(f"yell {guest.name} {' '.join(words)}")

    def _time(self, guest: Guest, words: Sequence[str]) -> None:
        """Computer players of the International Skat Server ask this to keep the connection alive."""
        guest.send(f"time {datetime.now(UTC):%Y-%m-%d %H:%M:%S}")

    def _create(self, guest: Guest, words: Sequence[str]) -> None:
        size = words[-1] if words and words[-1] != "/" else str(SEATS)
        if size not in map(str, _GAMES):
            raise refused(f"_illegal_table_type {size[:20]}")
        if len(self.tables) >= MAX_TABLES:
            raise refused("_too_many_tables")
        self._made += 1
        table = self.tables[f".{self._made}"] = IssTable(f".{self._made}", int(size))
        self._sit(table, guest)

    def _found(self, guest: Guest, words: Sequence[str]) -> IssTable:
        """The table somebody wants to come to. Raises InputError."""
        table = self.tables.get(words[0]) if words else None
        if table is None:
            raise refused("_no_such_table")
        if guest.name in (*table.seats, *table.lookers):
            raise refused("_already_at_table")
        return table

    def _join(self, guest: Guest, words: Sequence[str]) -> None:
        table = self._found(guest, words)
        if table.full:
            raise refused("_table_is_full")
        if len(words) > 1 and table.tickets.pop(guest.name, None) != words[1]:
            raise refused("_wrong_ticket")
        self._sit(table, guest)

    def _observe(self, guest: Guest, words: Sequence[str]) -> None:
        table = self._found(guest, words)
        if sum(guest.name in other.lookers for other in self.tables.values()) >= MAX_WATCHED:
            raise refused("_too_many_tables")
        table.lookers.append(guest.name)
        self._show(table, guest, FREE)

    def _sit(self, table: IssTable, guest: Guest) -> None:
        table.sit(guest.name)
        self._all(table.listed())
        self._show(table, guest, guest.name)

    def _show(self, table: IssTable, guest: Guest, here: str) -> None:
        """Somebody has come to a table, or is back, and is told all of it."""
        guest.send(f"create {table.name} {here} {table.size}")
        self._at(table, f"state {table.state()}")
        game = table.round
        if game is not None:
            guest.send(f"table {table.name} {here} {game.opening(guest.name)}")
            guest.send(f"table {table.name} {here} go")
            for who, word, times in game.told[game.view(guest.name)]:
                guest.send(f"table {table.name} {here} play {who} {word} {times}")

    def _table(self, guest: Guest, words: Sequence[str]) -> None:
        table = self.tables.get(words[0]) if words else None
        here = next((here for name, here in table.members() if name == guest.name), None) if table else None
        if table is None or here is None:
            raise refused("_not_at_table")
        if len(words) < 3 or words[1] not in (guest.name, here):
            raise refused("_not_your_name")
        command, rest = words[2], words[3:]
        try:
            self._at_table(table, guest, here, command, rest)
        except TricktakeError as error:
            guest.send(f"table {table.name} {here} error {command[:20]} : {_reason(error)}")

    def _at_table(self, table: IssTable, guest: Guest, here: str, command: str, rest: Sequence[str]) -> None:
        if command == "leave":
            if here == FREE:
                table.lookers.remove(guest.name)
                guest.send(f"destroy {table.name} {FREE}")
                return
            if table.round is not None and guest.name in table.round.order:
                self._gone(table, table.round.order.index(guest.name), "LE")
            self._leave(table, guest)
        elif here == FREE:
            raise refused("_not_a_player")
        elif command == "play" and len(rest) == 1:
            self._play(table, guest, rest[0])
        elif command == "invite" and rest:
            self._invite(table, guest, rest)
        elif command == "tell":
            self._at(table, f"tell {guest.name} {' '.join(rest)}")
        elif command == "ready":
            self._ready(table, guest)
        elif command == "gametalk":
            table.standings[guest.name].talk ^= True
            self._at(table, f"state {table.state()}")
        elif command == "34":
            self._switch(table, guest)
        else:
            raise refused(f"_unknown_command {command[:20]}")

    def _ready(self, table: IssTable, guest: Guest) -> None:
        if table.round is not None:
            raise refused("_game_in_progress")
        table.standings[guest.name].ready ^= True
        self._at(table, f"state {table.state()}")
        if table.ready:
            self._begin(table)

    def _switch(self, table: IssTable, guest: Guest) -> None:
        """Say that one wants another number of seats, which comes when all want it."""
        if table.round is not None:
            raise refused("_game_in_progress")
        if table.size == PLACES and table.full:
            raise refused("_34_table_full")
        table.standings[guest.name].switch ^= True
        if all(table.standings[name].switch for name in table.players):
            table.resize()
            self._all(table.listed())
        self._at(table, f"state {table.state()}")
        if table.ready:
            self._begin(table)

    def _invite(self, table: IssTable, guest: Guest, names: Sequence[str]) -> None:
        if table.full:
            raise refused("_no_vacancy")
        missing = []
        for name in dict.fromkeys(names):
            other = self.guests.get(name)
            if other is None or other.wire is None:
                missing.append(name[:20])
                continue
            table.tickets[name] = ticket = secrets.token_hex(4)
            other.send(f"invite {guest.name} {table.name} {ticket}")
        if missing:
            raise refused(f"_player_not_connected_colon {' '.join(missing)}")

    def _leave(self, table: IssTable, guest: Guest) -> None:
        table.stand_up(guest.name)
        guest.send(f"destroy {table.name} {guest.name}")
        if table.players:
            self._all(table.listed())
            self._at(table, f"state {table.state()}")
            return
        for name in table.lookers:
            self.guests[name].send(f"destroy {table.name} {FREE}")
        del self.tables[table.name]
        self._all(f"tables - {table.name}")

    # -- a game ---------------------------------------------------------------------------------------------------

    def _begin(self, table: IssTable) -> None:
        cards = deal(LAYOUT, self.seed, self.games)
        self.games += 1
        order = tuple(table.seats[player] for player in seating(table.played, table.size))
        board = Table.start(_GAMES[table.size], cards)
        table.round = game = Round(self.games, board, order, [self.seconds] * SEATS, self.now())
        for name, here in table.members():
            self.guests[name].send(f"table {table.name} {here} {game.opening(name)}")
        self._at(table, "go")
        for view in VIEWS:
            self._tell(table, game, view, WORLD, deal_word(cards, view))
        self._wait(table, game)

    def _tell(self, table: IssTable, game: Round, view: int, who: str, word: str) -> None:
        """Tell a move to all who have this view, and remember it for who comes later."""
        game.told[view].append((who, word, game.times))
        for name, here in table.members():
            if game.view(name) == view:
                self.guests[name].send(f"table {table.name} {here} play {who} {word} {game.times}")

    def _play(self, table: IssTable, guest: Guest, word: str) -> None:
        game = table.round
        if game is None:
            raise refused("_game_not_started")
        if guest.name not in game.order:
            raise refused("_not_a_player")
        seat = game.order.index(guest.name)
        board = game.table
        actions = read_move(board, seat, word)
        if actions == [CLAIM]:
            self._cards_shown(table, game, seat)
            return
        if actions != [CONCEDE] and board.turn != seat:
            raise refused("_not_your_turn")
        self._check(board, seat, actions)
        turn = board.turn
        assert turn is not None
        for action in actions:
            board.apply(action, seat)
        game.clocks[turn] = max(0.0, game.clocks[turn] - (self.now() - game.since))
        for view in VIEWS:
            for who, move in told(board, actions, seat, view):
                self._tell(table, game, view, who, move)
        if board.over:
            self._end(table, game, self._record(game))
        else:
            self._wait(table, game)

    def _cards_shown(self, table: IssTable, game: Round, seat: int) -> None:
        """The declarer shows the cards, once. That ends the game if it is a claim the solver proves.

        Shown they are in any case: a claim that costs nothing would tell what lies in the other hands.
        """
        board = game.table
        if board.tricks is None:
            raise refused("_show_allowed_only_in_play")
        if seat != contract_of(board).declarer:
            raise refused("_only_declarer_can_show")
        if game.asides:
            raise refused("_already_shown")
        for view in VIEWS:
            for who, move in told(board, [CLAIM], seat, view):
                self._tell(table, game, view, who, move)
        try:
            board.apply(CLAIM, seat)
        except IllegalAction:
            game.asides.append([len(record_of(board, "").plays), str(seat), "SC"])
        else:
            self._end(table, game, self._record(game))

    def _check(self, board: Table, seat: int, actions: Sequence[Action]) -> None:
        """Raises IllegalAction for a declaration of two actions of which the second cannot be."""
        if len(actions) > 1:
            trial = Table.replay(board.game, board.deal, board.events)
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
        for view in VIEWS:
            self._tell(table, game, view, WORLD, f"{how}.{seat}")
        key = "left" if how == "LE" else "timeout"
        record = self._record(game)
        game.asides.append([len(record.plays), WORLD, f"{how}.{seat}"])
        if record.contract is None:
            result: dict[str, Any] = {"points": [0] * SEATS, "passed": False, "penalised": [seat], key: seat}
        else:
            SkatRecording(_GAMES[table.size]).finish(game.table, evolve(record, result={key: seat}))
            result = {**self._record(game).result, key: seat}
        self._end(table, game, evolve(record, result=result, notes={"moves": game.asides}))

    def _record(self, game: Round) -> GameRecord:
        record = record_of(game.table, str(game.number), game.order)
        return evolve(record, notes={"moves": list(game.asides)}) if game.asides else record

    def _end(self, table: IssTable, game: Round, record: GameRecord) -> None:
        """Keep the record, then tell the score and count it."""
        game.cancel()
        table.round = None
        self.ended(record)
        table.count(record, game.order)
        for name in game.order:
            self.guests[name].games += 1
        self._at(table, f"end {FORMAT.text(record).strip()}")
        self._at(table, f"state {table.state()}")
        for name in table.players:
            if self.guests[name].wire is None:
                self._leave(table, self.guests[name])


def _listed(guest: Guest) -> str:
    """A guest as in the list of all: permission, languages, games, rating, disconnects, timeouts, group and clone."""
    return f"clients + {guest.name} 0 - {guest.games} 0.0 0 0 0 0"


def _reason(error: TricktakeError) -> str:
    """What is wrong, in one line of a word clients know and the details."""
    text = " ".join(str(error).split())[:200]
    return text if text.startswith("_") else f"_invalid_move_colon {text}"


def _hashed(password: str, salt: bytes) -> bytes:
    return hashlib.blake2b(password.encode(errors="replace"), salt=salt).digest()
