"""A websocket and the account behind it, whatever is spoken there."""

from __future__ import annotations

import abc
import asyncio
import contextlib

from starlette.websockets import WebSocket, WebSocketDisconnect

from tricktake.rate import Rate
from tricktake.server.server import Server
from tricktake.server.store import Account

HELLO_SECONDS = 20.0  # for the first message

NORMAL, POLICY, TOO_MUCH = 1000, 1008, 1013  # codes of RFC 6455
REASON = 100  # characters of why a connection is closed


class Refused(Exception):
    """The connection is closed, for this reason."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code, self.reason = code, reason


class Talk(abc.ABC):
    """One connection. account: None until it is known who is there."""

    def __init__(self, server: Server, socket: WebSocket) -> None:
        self.server, self.socket = server, socket
        self.account: Account | None = None
        self.wake = asyncio.Event()  # there is something to be sent
        self._rate = Rate(server.limits.rate, server.limits.burst, asyncio.get_running_loop().time())

    async def run(self) -> None:
        """Until either side closes it."""
        await self.socket.accept()
        sender: asyncio.Task[None] | None = None
        try:
            await self.greet()
            sender = asyncio.create_task(self.send())
            await self._receive(sender)
        except Refused as refused:
            with contextlib.suppress(RuntimeError, WebSocketDisconnect):
                await self.socket.close(refused.code, refused.reason[:REASON])
        except (WebSocketDisconnect, RuntimeError):
            pass
        finally:
            if self.account is not None:
                self.server.connections[self.account.id] -= 1
            ended = [*self.gone(), *([sender] if sender else [])]
            for task in ended:
                task.cancel()
            await asyncio.gather(*ended, return_exceptions=True)

    @abc.abstractmethod
    async def greet(self) -> None:
        """The first messages. Raises Refused."""

    @abc.abstractmethod
    def answer(self, text: str) -> None:
        """A message has come. Raises Refused."""

    @abc.abstractmethod
    async def send(self) -> None:
        """Send what is to be said, for ever, whenever ``wake`` is set. Raises Refused."""

    @abc.abstractmethod
    def gone(self) -> list[asyncio.Task[None]]:
        """It is closed: let go of everything; the tasks that are to be cancelled."""

    def admit(self, account: Account) -> None:
        """It is known who is there. Raises Refused if there are too many connections."""
        of_it = self.server.connections.get(account.id, 0)
        if of_it >= self.server.limits.of_account:
            raise Refused(TOO_MUCH, "too many connections of this account")
        self.server.connections[account.id] = of_it + 1
        self.account = account

    def room_for_more(self) -> None:
        """Raises Refused if the server has as many connections as it may have."""
        if sum(self.server.connections.values()) >= self.server.limits.connections:
            raise Refused(TOO_MUCH, "too many connections")

    async def text(self) -> str:
        """The next message. Raises Refused if it is none."""
        message = await self.socket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1000))
        text = message.get("text")
        if text is None:
            raise Refused(POLICY, "messages are text")
        if len(text) > self.server.limits.message:
            raise Refused(POLICY, "a message that is too long")
        return str(text)

    async def put(self, text: str) -> None:
        """Send a message. Raises Refused if the other side does not read."""
        try:
            async with asyncio.timeout(self.server.limits.behind):  # wait_for of 3.11 can swallow a cancellation
                await self.socket.send_text(text)
        except TimeoutError:
            raise Refused(TOO_MUCH, "does not read") from None

    async def _receive(self, sender: asyncio.Task[None]) -> None:
        """Answer no faster than allowed. What comes sooner waits: who decides at once whenever asked does no wrong."""
        while True:
            coming = asyncio.ensure_future(self.text())
            await asyncio.wait({coming, sender}, return_when=asyncio.FIRST_COMPLETED)
            if coming.done():
                text = coming.result()
                await asyncio.wait({sender}, timeout=self._rate.owed(asyncio.get_running_loop().time()))
            if sender.done():
                coming.cancel()
                sender.result()  # why it ended
                raise Refused(POLICY, "nothing can be sent")
            self.answer(text)
