"""One connection of a person's page or a program: what it may ask for, and what it is told (docs/server.md).

What is told is made when it can be sent: of a table the newest state only, so that a slow reader misses intermediate
positions but nothing piles up for it. Scores are kept until they are sent.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Callable
from typing import Any

from starlette.websockets import WebSocket

from tricktake.errors import IllegalAction, InputError, TricktakeError
from tricktake.messages import VERSION, Node, parse
from tricktake.server import hints
from tricktake.server.room import Room
from tricktake.server.server import Server
from tricktake.server.store import Account
from tricktake.server.talk import HELLO_SECONDS, POLICY, TOO_MUCH, Refused, Talk
from tricktake.server.thinking import USUAL

LIST_SECONDS = 0.5  # between two lists of tables
WAITING = 200  # messages that may wait for a slow reader, besides positions
BAD_MESSAGES = 20  # of a connection, before it is closed


class Connection(Talk):
    """A websocket, its account once it has said hello, and the tables it looks at."""

    def __init__(self, server: Server, socket: WebSocket) -> None:
        super().__init__(server, socket)
        self.rooms: dict[int, Room] = {}
        self.only_decisions = False
        self.language = ""
        self._dirty: dict[int, Room] = {}
        self._sent: dict[tuple[int, str], object] = {}  # what was told last of each table
        self._queue: deque[str] = deque()
        self._list = False
        self._bad = 0
        self._full = False
        self._hints: set[asyncio.Task[None]] = set()

    # -- its life -------------------------------------------------------------------------------------------------

    def gone(self) -> list[asyncio.Task[None]]:
        for number in list(self.rooms):
            self._unwatch(number)
        self.server.lookers.discard(self)
        return list(self._hints)

    async def greet(self) -> None:
        """The first message proves who it is, or makes an account by an invitation."""
        server = self.server
        self.room_for_more()
        try:
            async with asyncio.timeout(HELLO_SECONDS):
                text = await self.text()
            node = parse(text)
            node["type"].word(("hello",))
            node["protocol"].number(VERSION, VERSION)
            welcome: dict[str, Any] = {"type": "welcome", "protocol": VERSION}
            invitation = node.get("invitation")
            if invitation.null:
                account = server.accounts.of(node["token"].text(200))
                if account is None:
                    raise node["token"].wrong("is unknown")
            else:
                account, welcome["token"] = server.accounts.redeem(invitation.text(200), node["name"].text(200))
            views = node.get("views")
            language = node.get("language")
            self.language = "" if language.null else language.text(5)
            self.only_decisions = not views.null and views.word(("all", "decisions")) == "decisions"
        except (TricktakeError, TimeoutError) as error:
            await self.socket.send_text(_json(_error(error)))
            raise Refused(POLICY, "no hello") from None
        self.admit(account)
        mine = [room.id for room in server.rooms.values() if room.chair_of(account.id) is not None]
        welcome |= {"name": account.name, "bot": account.bot, "host": account.host, "tables": mine}
        await self.socket.send_text(_json(welcome))

    # -- what it asks ---------------------------------------------------------------------------------------------

    def answer(self, text: str) -> None:
        """Carry out what a message asks for."""
        request: object = None
        try:
            node = parse(text)
            request = node.value.get("request")
            kind = node["type"].text(40)
            handler: Callable[[Node], None] | None = getattr(self, f"_on_{kind}", None) if kind.isalpha() else None
            if handler is None:
                raise node["type"].wrong("is none of this protocol")
            handler(node)
            if isinstance(request, (int, str)):
                self._say({"type": "done", "request": request})
        except TricktakeError as error:
            self._say({**_error(error), **({"request": request} if isinstance(request, (int, str)) else {})})
            if isinstance(error, InputError) and error.field == "message":
                self._bad += 1
            if self._bad > BAD_MESSAGES:
                raise Refused(POLICY, "too many messages that are no JSON") from None

    def _on_ping(self, node: Node) -> None:
        self._say({"type": "pong"})

    def _on_tables(self, node: Node) -> None:
        """Tell the list of tables, now and whenever it changes."""
        self.server.lookers.add(self)
        self.listed()

    def _on_create(self, node: Node) -> None:
        room = self.server.create(self._who(), node)
        self._watch(room)
        self._say({"type": "created", "table": room.id})

    def _on_sit(self, node: Node) -> None:
        room, chair = self.server.room(node["table"]), node.get("chair")
        self.server.sit(self._who(), room, None if chair.null else chair.number(0, len(room.chairs) - 1))
        self._sent.pop((room.id, "view"), None)
        self._watch(room)

    def _on_watch(self, node: Node) -> None:
        self._watch(self.server.room(node["table"]))

    def _on_unwatch(self, node: Node) -> None:
        self._unwatch(node["table"].number(0))

    def _on_leave(self, node: Node) -> None:
        room, chair = self._seated(node)
        room.leave(chair)

    def _on_close(self, node: Node) -> None:
        room = self.server.room(node["table"])
        if room.plan.by != self._who().id and not self._who().host:
            raise InputError(None, None, "table", "is not yours")
        room.close()

    def _on_action(self, node: Node) -> None:
        room, chair = self._seated(node)
        if room.chairs[chair].away:
            room.come_back(chair)
        room.act(chair, room.naming.read_action(node["action"]), node["n"].number(0))

    def _on_back(self, node: Node) -> None:
        room, chair = self._seated(node)
        room.come_back(chair)

    def _on_next(self, node: Node) -> None:
        room, chair = self._seated(node)
        room.wants_next(chair)

    def _on_hint(self, node: Node) -> None:
        """Ask the game's own player. The game is not rated then."""
        room, chair = self._seated(node)
        seat, table = room.seat_of(chair), room.table
        if self._hints:
            raise InputError(None, None, "hint", "one at a time")
        if table is None or seat is None or table.actor != seat:
            raise InputError(None, None, "hint", "you have nothing to decide")
        if self._who().bot:
            raise InputError(None, None, "hint", "is for people")
        room.chairs[chair].helped = True
        task = hints.Hint(room.game.spec, table.view(seat), self.language or "en")
        told = {"type": "hint", "table": room.id, "number": room.number, "n": len(table.events)}
        asked = asyncio.create_task(self._hint(task, told))
        self._hints.add(asked)
        asked.add_done_callback(self._hints.discard)

    async def _hint(self, task: hints.Hint, told: dict[str, Any]) -> None:
        try:
            found = await self.server.thinking.do(task, hints.SECONDS, USUAL)
        except (TricktakeError, RuntimeError) as error:
            found = {"failed": str(error).splitlines()[-1][:200]}
        self._say(told | found)

    def _on_invite(self, node: Node) -> None:
        """An invitation, by the host only."""
        if not self._who().host:
            raise InputError(None, None, "invite", "is for the host of this server")
        uses, bot = node.get("uses"), node.get("bot")
        code = self.server.accounts.invite(1 if uses.null else uses.number(1, 100), bot=not bot.null and bot.flag())
        self._say({"type": "invitation", "code": code})

    def _who(self) -> Account:
        assert self.account is not None
        return self.account

    def _seated(self, node: Node) -> tuple[Room, int]:
        room = self.server.room(node["table"])
        chair = room.chair_of(self._who().id)
        if chair is None:
            raise InputError(None, None, "table", "you do not sit at this table")
        return room, chair

    # -- what it looks at -----------------------------------------------------------------------------------------

    def _watch(self, room: Room) -> None:
        if room.id not in self.rooms and len(self.rooms) >= self.server.limits.watching:
            old = next((n for n, r in self.rooms.items() if r.chair_of(self._who().id) is None), None)
            if old is None:
                raise InputError(None, None, "table", f"you look at {len(self.rooms)} tables already")
            self._unwatch(old)
        self.rooms[room.id] = room
        self.server.watchers.setdefault(room.id, set()).add(self)
        for key in [key for key in self._sent if key[0] == room.id]:
            del self._sent[key]  # who asks again wants to see it again
        self.changed(room)

    def _unwatch(self, number: int) -> None:
        self.rooms.pop(number, None)
        self._dirty.pop(number, None)
        self.server.unwatch(number, self)

    def changed(self, room: Room) -> None:
        """Something at a table is new. Its score, if there is one, is sent whatever comes after it."""
        result = room.result_message()
        if result is not None and self._sent.get((room.id, "result")) != result["id"]:
            self._sent[room.id, "result"] = result["id"]
            self._last_view(room)
            self._say(result)
        self._dirty[room.id] = room
        self.wake.set()

    def listed(self) -> None:
        """The list of tables is another one."""
        self._list = True
        self.wake.set()

    def _last_view(self, room: Room) -> None:
        """The end of a game is shown before its score."""
        for message in self._news(room):
            self._queue.append(message)

    # -- what it is told ------------------------------------------------------------------------------------------

    def _say(self, message: dict[str, Any]) -> None:
        if len(self._queue) < WAITING:
            self._queue.append(_json(message))
        else:
            self._full = True  # the sender closes it
        self.wake.set()

    def _news(self, room: Room) -> list[str]:
        """What changed of a table since it was last told."""
        chair = room.chair_of(self._who().id)
        out = []
        about = (chair, room.stamp)
        if self._sent.get((room.id, "table")) != about:
            self._sent[room.id, "table"] = about
            out.append(_json(room.about(chair)))
        seat, table = room.seat_of(chair), room.table
        if table is None or (self.only_decisions and (seat is None or table.actor != seat)):
            return out
        position = (room.number, seat, len(table.events), table.over)
        if self._sent.get((room.id, "view")) != position:
            self._sent[room.id, "view"] = position
            out.append(_json(room.view_message(chair, self.language) or {}))
        return out

    async def send(self) -> None:
        listed = 0.0
        loop = asyncio.get_running_loop()
        while True:
            await self.wake.wait()
            self.wake.clear()
            while self._queue or self._dirty:
                if self._full:
                    raise Refused(TOO_MUCH, "does not read")
                if not self._queue:
                    _, room = self._dirty.popitem()
                    self._queue.extend(self._news(room))
                    continue
                await self.put(self._queue.popleft())
            if self._list:
                wait = listed + LIST_SECONDS - loop.time()
                if wait > 0:
                    loop.call_later(wait, self.wake.set)
                else:
                    self._list, listed = False, loop.time()
                    self._say({"type": "tables", "tables": self.server.tables()})


def _error(error: BaseException) -> dict[str, Any]:
    if isinstance(error, InputError):
        return {"type": "error", "field": error.field, "reason": error.reason}
    if isinstance(error, IllegalAction):
        return {"type": "error", "field": "action", "reason": str(error)}
    return {"type": "error", "field": None, "reason": str(error) or type(error).__name__}


def _json(message: dict[str, Any]) -> str:
    return json.dumps(message, separators=(",", ":"))
