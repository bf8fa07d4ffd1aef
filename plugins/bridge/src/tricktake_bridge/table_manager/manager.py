"""The table manager: deals boards to four players, passes on what they call and play, and keeps the results.

All players go in step: nothing is passed on before each of the four has said that it is ready for it, or has acted.
A player that says anything else ends the session.
"""

from __future__ import annotations

import re
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable
from typing import Any

from attrs import define, evolve, field

from tricktake.action import play
from tricktake.errors import IllegalAction, InputError, TricktakeError
from tricktake.records.record import GameRecord, record_of
from tricktake.table import Table
from tricktake.wire import Way
from tricktake_bridge.contract import contract_of
from tricktake_bridge.formats.common import SEATS
from tricktake_bridge.table_manager.words import (
    DUMMY,
    END,
    GAME,
    NAMES,
    START,
    VERSION,
    board_text,
    call_text,
    cards_text,
    is_ready,
    plain,
    play_text,
    read_call,
    read_play,
)

MAX_WAITING = 20  # lines of a player that wait to be read
_CONNECT = re.compile(r'connecting "([^"]{0,60})" as (\w+) using protocol version (\d+)', re.IGNORECASE)

Check = Callable[[str], bool]
Said = dict[int, str]


@define
class Manager:
    """One session. boards: what is played, of records only deal and board; ``results`` are the records of it.

    seat: gives a connection a seat by its first line. line: what a seat says. lost: its connection ended. ``over`` when
    the session has ended, ``fault`` says why if it was before its time.
    """

    boards: Iterable[GameRecord]
    timing: bool = True
    now: Callable[[], float] = time.monotonic
    results: list[GameRecord] = field(factory=list)
    kept: Callable[[GameRecord], None] = lambda record: None
    fault: str = ""
    over: bool = False
    teams: list[str] = field(factory=lambda: [""] * SEATS)
    used: list[float] = field(factory=lambda: [0.0, 0.0])  # seconds of North-South and East-West
    _wires: list[Way | None] = field(factory=lambda: [None] * SEATS)
    _waiting: list[deque[str]] = field(factory=lambda: [deque() for _ in range(SEATS)])
    _script: Generator[dict[int, Check], Said, None] | None = None
    _wanted: dict[int, Check] = field(factory=dict)

    def seat(self, line: str, wire: Way) -> int:
        """The seat of somebody who connects, -1 if there is none: the reason is sent."""
        match = _CONNECT.fullmatch(plain(line))
        reason = ""
        free = [seat for seat in range(SEATS) if self._wires[seat] is None]
        if match is None:
            reason = 'expected Connecting "TEAM" as SEAT using protocol version 18'
        elif int(match[3][:9]) != VERSION:
            reason = f"this is protocol version {VERSION}"
        elif match[2].upper() == "ANYPL":
            free = free[:1]
        else:
            free = [seat for seat in free if NAMES[seat].lower() == match[2].lower()]
        if not reason and (not free or self.over):
            reason = "there is no such seat, or it is taken"
        if not reason and match is not None:
            other = self.teams[(free[0] + 2) % SEATS]
            if other and other != match[1]:
                reason = f"partners are one team: {other}"
        if reason or match is None:
            wire.send(f"Error: {reason}")
            wire.close()
            return -1
        seat = free[0]
        self._wires[seat], self.teams[seat] = wire, match[1]
        wire.send(f'{NAMES[seat]} ("{match[1]}") seated')
        if None not in self._wires:
            self._script = self._session()
            self._wanted = next(self._script)
            self._go_on()
        return seat

    def line(self, seat: int, line: str) -> None:
        """What a seat says; it waits until the others have caught up."""
        if self.over:
            return
        self._waiting[seat].append(line)
        if len(self._waiting[seat]) > MAX_WAITING:
            self._stop(f"{NAMES[seat]} does not wait for the others")
        self._go_on()

    def lost(self, seat: int) -> None:
        """A connection has ended."""
        self._wires[seat] = None
        if self._script is None:
            self.teams[seat] = ""
            self._waiting[seat].clear()
        elif not self.over:
            self._stop(f"{NAMES[seat]} has gone")

    # -- in step --------------------------------------------------------------------------------------------------

    def _go_on(self) -> None:
        while self._script is not None and not self.over and all(self._waiting[seat] for seat in self._wanted):
            said = {seat: self._waiting[seat].popleft() for seat in self._wanted}
            try:
                for seat, line in said.items():
                    if not self._wanted[seat](line):
                        raise InputError(None, None, NAMES[seat], f"says {line[:60]!r}, which is not expected here")
                self._wanted = self._script.send(said)
            except StopIteration:
                self._stop("")
            except TricktakeError as error:
                self._stop(str(error))

    def _stop(self, reason: str) -> None:
        self.over, self.fault = True, reason
        for wire in self._wires:
            if wire is not None:
                if reason:
                    wire.send(f"Error: {reason}")
                wire.send(END)
                wire.close()

    def _say(self, line: str, seats: Iterable[int] = range(SEATS)) -> None:
        for seat in seats:
            wire = self._wires[seat]
            if wire is not None:
                wire.send(line)

    def _ready(self, *things: str) -> dict[int, Check]:
        """All four are to say that they are ready for this."""
        return {seat: self._check(seat, *things) for seat in range(SEATS)}

    def _check(self, seat: int, *things: str) -> Check:
        return lambda line: is_ready(line, seat, *things)

    def _session(self) -> Generator[dict[int, Check], Said, None]:
        yield self._ready("for teams")
        self._say(f'Teams : N/S : "{self.teams[0]}" E/W : "{self.teams[1]}"')
        yield self._ready("to start")
        for given in self.boards:
            self._say(START)
            yield self._ready("for deal")
            self._say(board_text(given.board))
            yield self._ready("for cards")
            for seat in range(SEATS):
                self._say(cards_text(NAMES[seat], given.deal.masks[seat]), [seat])
            table = Table.start(GAME, given.deal, given.board)
            before = list(self.used)
            alerts = yield from self._auction(table)
            if not table.over:
                yield from self._play(table)
            self._keep(given, table, alerts)
            if self.timing:
                self._say(self._times(before))

    def _auction(self, table: Table) -> Generator[dict[int, Check], Said, dict[int, str]]:
        alerts: dict[int, str] = {}
        while not table.over and table.tricks is None:
            turn = table.turn
            assert turn is not None
            wanted = self._ready(f"for {NAMES[turn]}'s bid")
            wanted[turn] = lambda line: True
            begun = self.now()
            said = yield wanted
            self.used[turn % 2] += self.now() - begun
            name, call, note = read_call(said[turn])
            if name != NAMES[turn]:
                raise InputError(None, None, NAMES[turn], f"calls for {name}")
            if note is not None and note.alert:
                alerts[len(table.events)] = note.text
            self._carry_out(table, turn, call)
            self._say(call_text(turn, call), [(turn + 2) % SEATS])  # who is not to know what partner says of it
            self._say(call_text(turn, call, note), [(turn + 1) % SEATS, (turn + 3) % SEATS])
        return alerts

    def _play(self, table: Table) -> Generator[dict[int, Check], Said, None]:
        dummy = contract_of(table).dummy
        shown = False
        while not table.over:
            turn, actor = table.turn, table.actor
            assert turn is not None
            assert actor is not None
            assert table.tricks is not None
            trick = len(table.tricks.tricks) + 1
            name = DUMMY if turn == dummy else NAMES[turn]
            if not table.tricks.table:
                self._say(f"{name} to lead", [actor])
            things = [f"for {each}'s card to trick {trick}" for each in {name, NAMES[turn]}]
            wanted = self._ready(*things)
            wanted[actor] = lambda line: True
            begun = self.now()
            said = yield wanted
            self.used[actor % 2] += self.now() - begun
            who, card = read_play(said[actor])
            if who not in (name, NAMES[turn], NAMES[actor]):
                raise InputError(None, None, NAMES[actor], f"plays for {who}")
            self._carry_out(table, turn, play(card))
            self._say(play_text(turn, card), [seat for seat in range(SEATS) if seat != actor])
            if not shown:
                shown = True
                others = [seat for seat in range(SEATS) if seat != dummy]
                yield {seat: self._check(seat, "for dummy", "for dummy's cards") for seat in others}
                self._say(cards_text(DUMMY, table.deal.masks[dummy]), others)

    def _carry_out(self, table: Table, turn: int, action: Any) -> None:
        try:
            table.apply(action, turn)
        except IllegalAction as error:
            raise InputError(None, None, NAMES[turn], str(error)) from None

    def _keep(self, given: GameRecord, table: Table, alerts: dict[int, str]) -> None:
        names = tuple(self.teams)
        record = record_of(table, given.id, names if any(names) else ())
        if alerts:
            marks = {str(number): [f"={n}="] for n, number in enumerate(alerts, 1)}
            texts = [f"{n}:{text}" for n, text in enumerate(alerts.values(), 1)]
            record = evolve(record, notes={"marks": {"auction": marks}, "texts": texts})
        self.results.append(record)
        self.kept(record)

    def _times(self, before: list[float]) -> str:
        """The time of both sides, of this board and in all."""

        def clock(seconds: float) -> str:
            minutes, rest = divmod(int(seconds), 60)
            return f"{minutes:02d}:{rest:02d}"

        def long(seconds: float) -> str:
            return f"{int(seconds) // 3600}:{clock(seconds % 3600)}"

        sides = [
            f"{name} : this board  {clock(used - old)},  total  {long(used)}"
            for name, used, old in zip(("N/S", "E/W"), self.used, before, strict=True)
        ]
        return f"Timing - {sides[0]}.  {sides[1]}."
