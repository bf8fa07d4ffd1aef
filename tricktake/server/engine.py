"""A program at a table by the engine protocol over a websocket (docs/engine-protocol.md): here the server is its host.

It sits in one chair. Like any bot it has the clock of bots, and where it breaks the rules something random is done for
it. If it is late or gone, a bot stands in until it answers or comes back.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections import deque
from typing import Any

from starlette.websockets import WebSocket

from tricktake.engine import protocol
from tricktake.engine.dialogue import Dialogue
from tricktake.engine.protocol import MAX_SEED, Answer, Hello
from tricktake.errors import InputError, TricktakeError
from tricktake.messages import Node, parse
from tricktake.search.limit import Limit
from tricktake.server.room import OVER, PLAYING, Room
from tricktake.server.server import Server
from tricktake.server.store import Account
from tricktake.server.talk import HELLO_SECONDS, NORMAL, POLICY, Refused, Talk
from tricktake.server.thinking import SHARE
from tricktake.strategies.player import game_roles
from tricktake.tournament.referee import result_of

log = logging.getLogger("tricktake.server")
PING_SECONDS = 30.0  # without a message after which it is asked whether it is there
REPLACED = 4000  # code of our own: the same account sat down there by another connection


class EngineSeat(Talk):
    """A connection to ``/engine?table=N[&chair=M]`` with an account's token in its header."""

    room: Room
    chair: int

    def __init__(self, server: Server, socket: WebSocket) -> None:
        super().__init__(server, socket)
        self._dialogue = Dialogue()
        self._number = -1  # of the game it was told of
        self._asked = (-1, -1)  # the position of the last question
        self._open: dict[int, tuple[int, int]] = {}  # questions without an answer, and their positions
        self._ping: int | None = None
        self._queue: deque[dict[str, Any]] = deque()
        self._ended: Refused | None = None

    # -- sitting down ---------------------------------------------------------------------------------------------

    async def greet(self) -> None:
        """It says who it is, is asked what it plays, and sits down."""
        self.room_for_more()
        try:
            account = self.server.accounts.of_header(self.socket.headers.get("authorization", ""))
            if not account.bot:
                raise InputError(None, None, "authorization", "is the token of a person; programs have their own")
            asked = self.socket.query_params
            room = self.server.room(_number(asked.get("table"), "table"))
            chair = None if "chair" not in asked else _number(asked["chair"], "chair").number(0, len(room.chairs) - 1)
            await self.put(json.dumps(protocol.hello()))
            async with asyncio.timeout(HELLO_SECONDS):
                text = await self.text()
            hello = Hello.from_json(parse(text))
            if not all(hello.plays(room.game.name, role) for role in game_roles(room.game)):
                raise InputError(None, None, "hello", f"does not say that it decides everything in {room.game.name}")
            self.room = room
            self.admit(account)
            self.chair = self.server.sit(account, room, chair)
        except (TricktakeError, TimeoutError) as error:
            raise Refused(POLICY, str(error) or "no hello") from None
        for other in list(self.server.watchers.get(room.id, ())):
            if isinstance(other, EngineSeat) and other.chair == self.chair:
                other.end(Refused(REPLACED, "another connection took this chair"))
        self.server.watchers.setdefault(room.id, set()).add(self)
        if room.chairs[self.chair].away:
            room.come_back(self.chair)
        self.changed(room)

    def gone(self) -> list[asyncio.Task[None]]:
        if self.account is not None:
            self.server.unwatch(self.room.id, self)
        return []

    def end(self, why: Refused) -> None:
        """Close the connection when what is to be said was said."""
        self._ended = why
        self.wake.set()

    # -- what it is told ------------------------------------------------------------------------------------------

    def changed(self, room: Room) -> None:
        """Something at its table is new: it may have to decide, or a game is over."""
        if room.chair_of(self._who().id) != self.chair:  # it is somebody else's view from now on
            self.end(Refused(NORMAL, "the chair was left"))
            return
        table, seat = room.table, room.seat_of(self.chair)
        if table is not None and seat is not None:
            if self._number != room.number:
                self._number = room.number
                self._dialogue.new(room.game, seat)
            if table.over or room.state == OVER:
                result = result_of(table, seat)
                self._say(*self._dialogue.end(result.view, result.score))
            elif room.state == PLAYING and table.actor == seat and not room.chairs[self.chair].away:
                self._ask(room, seat)
        if room.state == OVER:
            self._say({"type": "quit"})
            self.end(Refused(NORMAL, "the table is closed"))

    def _who(self) -> Account:
        assert self.account is not None
        return self.account

    def listed(self) -> None:
        """Lists are for people."""

    def _ask(self, room: Room, seat: int) -> None:
        assert room.table is not None
        position = (room.number, len(room.table.events))
        if position == self._asked:
            return
        self._asked = position
        seconds = room.plan.bot_seconds
        limit, clock = Limit(seconds=SHARE * seconds), {"decision": seconds, "game": None}
        seed = room.decision_seed(seat) % MAX_SEED
        self._say(*self._dialogue.question(room.table.view(seat), limit, clock, seed))
        self._open[self._dialogue.number] = position

    def _say(self, *messages: dict[str, Any]) -> None:
        self._queue.extend(messages)
        self.wake.set()

    async def send(self) -> None:
        while True:
            try:
                async with asyncio.timeout(PING_SECONDS):
                    await self.wake.wait()
            except TimeoutError:
                self._ask_for_a_sign()
            self.wake.clear()
            while self._queue:
                await self.put(json.dumps(self._queue.popleft(), separators=(",", ":")))
            if self._ended is not None:
                raise self._ended

    def _ask_for_a_sign(self) -> None:
        """A ping, but not while it thinks. Raises Refused if the last one was not answered."""
        if self._ping is not None:
            raise Refused(POLICY, "gave no sign of life")
        if not self._open:
            self._queue.append(self._dialogue.ping())
            self._ping = self._dialogue.number

    # -- what it says ---------------------------------------------------------------------------------------------

    def answer(self, text: str) -> None:
        """An action, an error or a pong. Anything else closes the connection."""
        try:
            node = parse(text)
            if node["type"].word(("action", "error", "pong")) == "pong":
                if self._ping is None:
                    raise node["type"].wrong("answers no ping")
                node["n"].number(self._ping, self._ping)
                self._ping = None
            elif self._ended is None:
                self._decided(node)
        except InputError as error:
            raise Refused(POLICY, str(error)) from None

    def _decided(self, node: Node) -> None:
        position = self._open.pop(node["n"].number(), None)
        if position is None:
            raise node["n"].wrong("is none of a question without an answer")
        if node["type"].value == "error":
            log.warning("table %d: a program cannot decide: %s", self.room.id, node["message"].text())
            action = None
        else:
            action = Answer.from_json(node, self.room.naming).action
        self.room.program_acts(self.chair, *position, action)


def _number(text: str | None, field: str) -> Node:
    """A number of the address."""
    if text is None or not text.isdecimal() or len(text) > 15:
        raise InputError(None, None, field, "must be a number, as in /engine?table=3")
    return Node(int(text), field)
