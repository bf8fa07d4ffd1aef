"""Programs at tables of the server by the engine protocol: examples, ours, and those that do everything wrong."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import random
import shlex
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.serving import WAIT, Client, Running
from tricktake.engine import remote
from tricktake.engine.protocol import Hello
from tricktake.errors import InputError
from tricktake.strategies.player import Player

connect = pytest.importorskip("websockets.sync.client").connect
closed = pytest.importorskip("websockets.exceptions").ConnectionClosed
EXAMPLE = ROOT / "examples" / "engine_python" / "engine.py"


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    with Running() as running:
        yield running


@pytest.fixture
def token(server: Running, request: pytest.FixtureRequest) -> str:
    return server.account(f"bot {random.Random(request.node.name).randrange(10**6)}", bot=True)


@pytest.fixture
def said(caplog: pytest.LogCaptureFixture) -> Callable[[], list[str]]:
    """What the server has written down."""
    caplog.set_level(logging.WARNING, "tricktake.server")
    return lambda: [record.message for record in caplog.records]


def url(server: Running, **facts: int) -> str:
    return f"ws://{server.host}/engine?" + "&".join(f"{key}={value}" for key, value in facts.items())


class Program:
    """An engine in this test. It says hello, and reads until it is asked."""

    def __init__(self, server: Running, token: str, hello: dict[str, Any] | None = None, **facts: int) -> None:
        header = {"Authorization": f"Bearer {token}"} if token else {}
        self.socket = connect(url(server, **facts), additional_headers=header, proxy=None).__enter__()
        self.seen: list[dict[str, Any]] = []
        with contextlib.suppress(closed):
            self.say(Hello("test").to_json() if hello is None else hello)

    def say(self, message: object) -> None:
        self.socket.send(message if isinstance(message, str) else json.dumps(message))

    def until(self, *kinds: str) -> dict[str, Any]:
        while True:
            message = json.loads(self.socket.recv(timeout=WAIT))
            self.seen.append(message)
            if message["type"] in kinds:
                return dict(message)

    def refused(self) -> str:
        """Why the connection was closed."""
        with pytest.raises(closed):
            self.until("nothing")
        return str(self.socket.protocol.close_reason)


def over(me: Client, count: int) -> list[dict[str, Any]]:
    """The results of so many games in which everybody but ``me`` plays; ``me`` looks on."""
    return [me.until("result") for _ in range(count)]


# -- programs that do as they should ----------------------------------------------------------------------------------


def test_the_example_in_plain_python(server: Running, token: str, said: Callable[[], list[str]]) -> None:
    with server.client() as me:
        table = me.create("skat", "random", "open", "random", games=3, bot_seconds=WAIT)
        me.say(type="watch", table=table)
        env = {**os.environ, "TRICKTAKE_TOKEN": token}
        done = subprocess.run([sys.executable, EXAMPLE, url(server, table=table)], env=env, timeout=WAIT, check=False)
        assert done.returncode == 0  # told to quit
        assert [result["number"] for result in over(me, 3)] == [0, 1, 2]
        chairs = me.state("over")["chairs"]
        assert [chair["bot"] for chair in chairs] == [True] * 3
        assert not any(chair["away"] for chair in chairs)
    assert said() == []


@pytest.mark.parametrize("spec", ["skat:rule", f'core:engine(command="{shlex.quote(sys.executable)} {EXAMPLE}")'])
def test_our_players_and_engines_on_standard_input(
    server: Running, token: str, said: Callable[[], list[str]], spec: str
) -> None:
    """They need no one at the table who talks to them otherwise, and what they play is what they would."""
    player = Player.from_spec(spec)
    with server.client() as me:
        table = me.create("skat", "open", "random", "random", games=2, bot_seconds=WAIT)
        me.say(type="watch", table=table)
        remote.play(player, "ours", url(server, table=table), token)
        assert len(over(me, 2)) == 2
    assert said() == []


def test_from_the_command_line(server: Running, token: str) -> None:
    with server.client() as me:
        table = me.create("hearts", "open", "random", "random", "random", games=1, bot_seconds=WAIT)
        me.say(type="watch", table=table)
        command = [sys.executable, "-m", "tricktake", "engine", "serve", "core:random", "--connect"]
        env = {**os.environ, "TRICKTAKE_TOKEN": token}
        done = subprocess.run([*command, url(server, table=table)], env=env, timeout=WAIT, check=False)
        assert done.returncode == 0
        assert over(me, 1)


def test_what_it_is_told(server: Running, token: str) -> None:
    """Hello, new, questions with its own view, end, quit; ``since`` counts what it was told before."""
    program = None
    with server.client() as me:
        table = me.create("skat", "random", "random", "open", games=2, bot_seconds=WAIT)
        program = Program(server, token, table=table, chair=2)
        games, told = 0, 0
        while True:
            message = json.loads(program.socket.recv(timeout=WAIT))
            match message["type"]:
                case "new":
                    seat, told = message["seat"], 0
                    assert message["game"]["spec"] == "skat"
                case "decide":
                    view = message["view"]
                    assert view["seat"] == seat
                    assert view["to_decide"]
                    assert message["since"] == told
                    assert message["clock"] == {"decision": WAIT, "game": None}
                    assert 0 < message["limit"]["seconds"] < WAIT
                    told = len(view["events"])
                    program.say({"type": "action", "n": message["n"], "action": view["legal"][-1]["text"]})
                case "end":
                    assert message["view"]["turn"] is None
                    assert len(message["score"]["points"]) == 3
                    games += 1
                case "quit":
                    break
        assert games == 2
        assert program.refused() == "the table is closed"


# -- programs that do not ---------------------------------------------------------------------------------------------


def test_who_may_not_sit_down(server: Running, token: str) -> None:
    with server.client() as me:
        table, full = me.create("skat", "open", "open", "open"), me.create("skat", "me", "random", "random")
        refusals = (
            Program(server, "", table=table),
            Program(server, "x" * 43, table=table),
            Program(server, server.token, table=table),
            Program(server, token),
            Program(server, token, table=99999),
            Program(server, token, table=table, chair=3),
            Program(server, token, table=full),
            Program(server, token, {**Hello("x").to_json(), "games": ["hearts"]}, table=table),
            Program(server, token, {**Hello("x").to_json(), "roles": ["play"]}, table=table),
            Program(server, token, {**Hello("x").to_json(), "protocol": 2}, table=table),
        )
        reasons = ("token of an account", "token of an account", "of a person", "must be a number", "no such table",
                   "from 0 to 2", "not free", "in skat", "in skat", "protocol")  # fmt: skip
        for program, reason in zip(refusals, reasons, strict=True):
            assert reason in program.refused()
        with pytest.raises(InputError, match="no such table"):
            remote.play(Player.from_spec("core:random"), "x", url(server, table=99999), token)
        with pytest.raises(InputError, match="no table for engines"):
            remote.play(Player.from_spec("core:random"), "x", f"ws://{server.host}/web/main.js", token)
        for number in (table, full):
            me.say(type="close", table=number)


@pytest.mark.parametrize(
    "garbage",
    ["{", "[]", '{"type": "decide"}', '{"type": "pong", "n": 1}', '{"type": "action", "n": 99, "action": "pass"}',
     '{"type": "action", "n": 1, "action": 7}', '{"type": "hello", "protocol": 1}', "x" * 20_000],
)  # fmt: skip
def test_garbage_ends_the_connection_but_not_the_game(server: Running, token: str, garbage: str) -> None:
    with server.client() as me:
        table = me.create("doppelkopf", "random", "open", "random", "random", games=1, bot_seconds=0.2)
        me.say(type="watch", table=table)
        program = Program(server, token, table=table)
        program.until("decide")
        program.say(garbage)
        assert program.refused()
        assert over(me, 1)  # a bot stands in
        assert me.state("over")["chairs"][1]["away"]


def test_what_is_illegal_or_an_error_is_replaced(server: Running, token: str, said: Callable[[], list[str]]) -> None:
    with server.client() as me:
        table = me.create("skat", "random", "open", "random", games=4, bot_seconds=WAIT)
        me.say(type="watch", table=table)
        program = Program(server, token, table=table)
        wrong = iter(("bid:17", "play CJ CA", "nonsense", {"verb": "discard", "cards": []}))
        while (message := program.until("decide", "quit"))["type"] == "decide":
            action = next(wrong, None)
            if action is None:
                program.say({"type": "error", "n": message["n"], "message": "no idea"})
            else:
                program.say({"type": "action", "n": message["n"], "action": action})
        assert len(over(me, 4)) == 4
        assert not me.state("over")["chairs"][1]["away"]
    assert sum("at random" in line for line in said()) >= 4
    assert any("no idea" in line for line in said())


def test_late_and_back_again(server: Running, token: str) -> None:
    """A bot stands in for who is late; with the late answer it is asked again."""
    with server.client() as me:
        table = me.create("doppelkopf", "me", "open", "random", "random", games=1, bot_seconds=0.3)
        me.say(type="watch", table=table)
        program = Program(server, token, table=table)
        first: dict[str, Any] = {}

        def late() -> None:
            first.update(program.until("decide"))
            while not any(m["type"] == "table" and m["chairs"][1]["away"] for m in list(me.seen)):
                time.sleep(0.01)
            program.say({"type": "action", "n": first["n"], "action": first["view"]["legal"][0]["text"]})
            while (message := program.until("decide", "quit"))["type"] == "decide":
                program.say({"type": "action", "n": message["n"], "action": message["view"]["legal"][0]["text"]})

        thread = threading.Thread(target=late)
        thread.start()
        me.play(random.Random(1), 1, next_one=False)
        thread.join(WAIT)
        assert not thread.is_alive()
        assert len([m for m in program.seen if m["type"] == "decide"]) > 1
        assert not me.state("over")["chairs"][1]["away"]


def test_it_comes_back_to_its_chair(server: Running, token: str) -> None:
    """After a break it is told of the game again; a second connection takes the place of the first."""
    with server.client() as me:
        table = me.create("skat", "random", "open", "random", games=1, bot_seconds=WAIT)
        me.say(type="watch", table=table)
        one = Program(server, token, table=table)
        question = one.until("decide")
        two = Program(server, token, table=table)
        assert one.refused() == "another connection took this chair"
        two.until("new")
        again = two.until("decide")
        assert again["since"] == 0
        assert again["view"] == question["view"]
        assert again["seed"] == question["seed"]
        two.socket.close()
        remote.play(Player.from_spec("core:random"), "x", url(server, table=table), token)
        assert over(me, 1)


def test_who_has_left_the_chair_sees_nothing_of_the_next(server: Running, token: str) -> None:
    """An account may get up by another connection; whoever sits down there then is not looked over the shoulder."""
    with server.client() as me, server.client(token) as same, server.client(server.account("Next")) as guest:
        table = me.create("skat", "me", "open", "open")
        program = Program(server, token, table=table, chair=1)
        me.say(type="watch", table=table)
        while not me.until("table")["chairs"][1]["name"]:
            pass
        same.say(type="leave", table=table)
        assert program.refused() == "the chair was left"
        guest.say(type="sit", table=table, chair=1)
        assert guest.until("table")["you"] == 1
        assert not any(message["type"] in ("new", "decide") for message in program.seen)
        me.say(type="close", table=table)


def test_a_sign_of_life(server: Running, token: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tricktake.server.engine.PING_SECONDS", 0.2)
    with server.client() as me:
        table = me.create("skat", "me", "open", "open")
        program = Program(server, token, table=table)
        for _ in range(3):
            program.say({"type": "pong", "n": program.until("ping")["n"]})
        program.until("ping")
        assert program.refused() == "gave no sign of life"
        me.say(type="close", table=table)
