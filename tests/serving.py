"""A server in a thread of the test, with bots that think here, and clients that talk to it."""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
import zlib
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.tournaments import ENV
from tricktake.server.limits import Limits

pytest.importorskip("starlette", reason="the extra serve is not installed")
uvicorn = pytest.importorskip("uvicorn", reason="the extra serve is not installed")
pytest.importorskip("websockets", reason="the extra serve is not installed")

WAIT = 60.0  # seconds after which a test gives up


class Here:
    """Thinks in a thread of this process."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(1)

    def submit(self, task: Callable[[], Any], seconds: float, urgency: int = 1, home: int | None = None) -> Future[Any]:
        return self._pool.submit(task)

    async def do(self, task: Callable[[], Any], seconds: float, urgency: int = 1) -> Any:
        return await asyncio.wrap_future(self.submit(task, seconds))

    def warm(self, game: str, spec: str) -> None:
        pass

    def close(self) -> None:
        self._pool.shutdown(cancel_futures=True)


class Running:
    """A server that runs until the end of a ``with``. token: of the host's account. seeds: of deals by their label;
    other deals follow from the test's name, so that a test plays the same games whichever ran before it.
    """

    def __init__(self, store: Path | str = ":memory:", seeds: dict[str, int] | None = None, **limits: Any) -> None:
        self.store, self.limits, self.seeds = store, Limits(**limits), seeds or {}
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.host = f"127.0.0.1:{self.listening.getsockname()[1]}"
        self.ready = threading.Event()
        self.token = ""

    def __enter__(self) -> Running:
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()
        assert self.ready.wait(WAIT)
        return self

    def __exit__(self, *_: object) -> None:
        self.uvicorn.should_exit = True
        self.thread.join(WAIT)
        self.listening.close()

    def _run(self) -> None:
        from tricktake.server.app import make_app
        from tricktake.server.server import Server
        from tricktake.server.store import Store

        class Told(uvicorn.Server):
            async def startup(inner, sockets: Any = None) -> None:  # noqa: N805
                await super().startup(sockets)
                self.ready.set()

        tables: Counter[str] = Counter()

        class Dealt(Store):
            def seed(inner, label: str, new: int) -> int:  # noqa: N805
                test = os.environ["PYTEST_CURRENT_TEST"].split(" (")[0]
                tables[test] += 1
                return super().seed(label, self.seeds.get(label, zlib.crc32(f"{test} {tables[test]}".encode())))

        self.server = Server(Dealt(self.store), self.limits, Here())  # type: ignore[arg-type]
        self.token = self.server.accounts.host_token()
        app = make_app(self.server, [self.host])
        config = uvicorn.Config(app, log_level="error", ws="websockets-sansio", ws_max_size=4 * self.limits.message,
                                timeout_graceful_shutdown=1, lifespan="on")  # fmt: skip
        self.uvicorn = Told(config)
        self.uvicorn.run(sockets=[self.listening])

    def client(self, token: str | None = None, **hello: Any) -> Client:
        return Client(self, token or self.token, **hello)

    def http(self, path: str, body: bytes | None = None, **headers: str) -> tuple[int, bytes, dict[str, str]]:
        """Status, body and headers of an answer."""
        headers = {"Authorization": f"Bearer {self.token}", **headers}
        request = urllib.request.Request(f"http://{self.host}{path}", body, headers)
        try:
            with urllib.request.urlopen(request, timeout=WAIT) as answer:
                return answer.status, answer.read(), dict(answer.headers)
        except urllib.error.HTTPError as error:
            return error.code, error.read(), dict(error.headers)

    def account(self, name: str, bot: bool = False) -> str:
        """The token of a new account, by an invitation."""
        with self.client() as host:
            host.say(type="invite", bot=bot)
            code = host.until("invitation")["code"]
        with Client(self, "", invitation=code, name=name) as guest:
            return str(guest.welcome["token"])


class Client:
    """A websocket that says hello. Messages that were read are kept in ``seen``."""

    def __init__(self, server: Running, token: str, **hello: Any) -> None:
        from websockets.sync.client import connect

        self.socket = connect(f"ws://{server.host}/play", max_size=1 << 22, proxy=None).__enter__()
        self.seen: list[dict[str, Any]] = []
        self.say(**{"type": "hello", "protocol": 1, "token": token, **hello})
        self.welcome = self.read()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def say(self, **message: Any) -> None:
        self.socket.send(json.dumps(message))

    def read(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(self.socket.recv(timeout=WAIT))
        self.seen.append(message)
        return message

    def until(self, *kinds: str) -> dict[str, Any]:
        """The next message of one of these types."""
        while True:
            if (message := self.read())["type"] in kinds:
                return message

    def state(self, wanted: str) -> dict[str, Any]:
        """What was told of the table last, once it is in this state."""
        tables = [message for message in self.seen if message["type"] == "table"]
        while not tables or tables[-1]["state"] != wanted:
            tables.append(self.until("table"))
        return tables[-1]

    def create(self, game: str, *chairs: str, **facts: Any) -> int:
        self.say(type="create", game=game, chairs=list(chairs), **facts)
        return int(self.until("created")["table"])

    def play(self, rng: random.Random, games: int = 1, next_one: bool = True) -> list[dict[str, Any]]:
        """Decide at random whenever asked, until so many games are over; their results."""
        done: list[dict[str, Any]] = []
        while len(done) < games:
            message = self.until("view", "result", "error")
            assert message["type"] != "error", message
            if message["type"] == "result":
                done.append(message)
                if next_one:
                    self.say(type="next", table=message["table"])
            elif message["view"]["to_decide"]:
                action = rng.choice(message["view"]["legal"])
                self.say(type="action", table=message["table"], n=message["n"], action=action["text"])
        return done


class Process:
    """``tricktake serve`` with a store, in a process of its own."""

    def __init__(self, file: Path, workers: int = 1, **env: str) -> None:
        command = [sys.executable, "-m", "tricktake", "serve", "--cold", "--workers", str(workers), "--port", "0"]
        self.process = subprocess.Popen(
            [*command, "--store", file], stderr=subprocess.PIPE, text=True, env={**ENV, **env}
        )
        assert self.process.stderr is not None
        found = re.search(r"http://([^/]+)/#token=(\S+)", self.process.stderr.readline())
        assert found is not None
        self.host, self.token = found[1], found[2]
        self.server: Any = SimpleNamespace(host=self.host)

    def client(self) -> Client:
        """A client, as soon as the server listens."""
        until = time.monotonic() + WAIT
        while True:
            try:
                return Client(self.server, self.token)
            except OSError:
                assert time.monotonic() < until
                time.sleep(0.05)

    def end(self, number: signal.Signals) -> int:
        os.kill(self.process.pid, number)
        self.process.communicate(timeout=WAIT)
        return self.process.returncode
