"""The server over the network: who is let in, what is refused, what everybody at a table sees."""

from __future__ import annotations

import json
import random
import sqlite3
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from tests.serving import Client, Running

ISS = Path(__file__).parents[1] / "data/iss-23.sgf"
closed = pytest.importorskip("websockets.exceptions").ConnectionClosed
InvalidStatus = pytest.importorskip("websockets.exceptions").InvalidStatus


@pytest.fixture(scope="module")
def server() -> Any:
    with Running() as running:
        yield running


def test_a_series_against_bots(server: Running) -> None:
    with server.client() as me:
        table = me.create("skat", "me", "random", "random", games=2, bot_seconds=30)
        results = me.play(random.Random(1), 2)
        assert [result["number"] for result in results] == [0, 1]
        assert me.state("over")["points"] == [result["table_points"] for result in results]
        assert sorted(card for cards in results[0]["deal"].values() for card in cards)[0] == "C7"
        status, body, headers = server.http(f"/api/record?table={table}")
        assert status == 200
        assert len(body.splitlines()) == 2
        assert "attachment" in headers["content-disposition"]
        status, body, _ = server.http(f"/api/record?id={results[0]['id']}&format=iss")
        assert status == 200 or b"cannot be written" in body
        assert json.loads(server.http("/api/mine")[1])[0]["id"] == results[1]["id"]


def test_several_people_at_a_table(server: Running) -> None:
    names = ("Ann", "Ben", "Cleo")
    ann, ben, cleo = (server.client(server.account(name)) for name in names)
    with ann, ben, cleo:
        table = ann.create("skat", "me", "open", "open", games=1)
        with server.client() as watcher:
            watcher.say(type="watch", table=table)
            assert [chair["name"] for chair in watcher.until("table")["chairs"]] == ["Ann", "", ""]
            for guest in (ben, cleo):
                guest.say(type="sit", table=table)
                assert guest.until("table")["you"] is not None
            rng = random.Random(3)
            players = [threading.Thread(target=client.play, args=(rng,)) for client in (ann, ben, cleo)]
            for player in players:
                player.start()
            for player in players:
                player.join()
            watcher.until("result")
            hands = [card for m in watcher.seen if m["type"] == "view" for card in m["view"]["hand"]]
            assert hands == []


def test_return_after_a_break(server: Running) -> None:
    with server.client() as me:
        table = me.create("bridge", "me", "random", "random", "random", games=1, bot_seconds=30)
        rng = random.Random(5)
        for _ in range(6):
            message = me.until("view")
            if message["view"]["to_decide"]:
                text = rng.choice(message["view"]["legal"])["text"]
                me.say(type="action", table=table, n=message["n"], action=text)
    with server.client() as again:
        assert table in again.welcome["tables"]
        again.say(type="watch", table=table)
        assert again.until("table")["you"] == 0
        assert again.play(rng)[0]["table"] == table


def test_only_decisions(server: Running) -> None:
    """A program may leave out positions in which it has nothing to decide."""
    with server.client(server.account("Zoe", bot=True), views="decisions") as program:
        assert program.welcome["bot"]
        program.create("skat", "me", "random", "random", games=1, bot_seconds=30)
        program.play(random.Random(7), next_one=False)
        views = [m["view"] for m in program.seen if m["type"] == "view"]
        assert sum(view["to_decide"] for view in views) >= len(views) - 1  # and the last position
        assert any(chair["bot"] for m in program.seen if m["type"] == "table" for chair in m["chairs"][:1])
        program.say(type="hint", table=program.seen[-1].get("table", 0))
        assert program.until("error")


@pytest.mark.parametrize(
    ("hello", "reason"),
    [
        ({"token": "x" * 43}, "is unknown"),
        ({"token": 5}, "must be text"),
        ({"token": "x", "protocol": 99}, "from 1 to 1"),
        ({"token": "x", "type": "lobby"}, "hello"),
        ({"invitation": "x", "name": "Max"}, "unknown or used up"),
        ({"invitation": "x", "name": "\u202eevil"}, "cannot be seen"),
        ({"invitation": "x", "name": "x" * 60}, "1 to 24"),
        ({"invitation": "x", "name": "a:b"}, "colon"),
        ({"views": "some"}, "views"),
    ],
)
def test_who_is_not_let_in(server: Running, hello: dict[str, Any], reason: str) -> None:
    facts = {"token": server.token, **hello}
    with Client(server, **facts) as client:
        assert client.welcome["type"] == "error"
        assert reason in f"{client.welcome['field']} {client.welcome['reason']}"
        with pytest.raises(closed):
            client.read()


def test_names_are_taken_once(server: Running) -> None:
    server.account("Mia")
    with server.client() as host:
        host.say(type="invite")
        code = host.until("invitation")["code"]
    with Client(server, "", invitation=code, name="mia ") as client:
        assert "is taken" in client.welcome["reason"]
    with Client(server, "", invitation=code, name="Mio") as client:
        assert client.welcome["name"] == "Mio"
    with Client(server, "", invitation=code, name="Mix") as client:
        assert "used up" in client.welcome["reason"]


GARBAGE = [
    "",
    "{",
    "[]",
    "null",
    "7",
    '"x"',
    "[" * 5000,
    '{"type": null}',
    '{"type": 7}',
    '{"type": "nothing"}',
    '{"type": "__init__"}',
    '{"type": "hello"}',
    '{"type": "action"}',
    '{"type": "action", "table": -1}',
    '{"type": "action", "table": 1e400}',
    '{"type": "action", "table": {}, "n": 0, "action": "pass"}',
    '{"type": "create", "game": "skat", "chairs": 3}',
    '{"type": "create", "game": "skat", "chairs": ["me"]}',
    '{"type": "create", "game": "skat", "chairs": ["me", "me", "open"]}',
    '{"type": "create", "game": "skat", "chairs": ["me", "core:random", "open"]}',
    '{"type": "create", "game": "skat(players=9)"}',
    '{"type": "create", "game": "\\ud800"}',
    '{"type": "watch", "table": 99999}',
    '{"type": "sit", "table": 99999}',
    '{"type": "close", "table": 99999}',
    '{"type": "hint", "table": 99999}',
    '{"type": "invite", "uses": 1000}',
]


def answered(client: Client, text: str, times: int) -> None:
    """Send this so often, each time when the last one was answered."""
    for _ in range(times):
        client.socket.send(text)
        client.until("error", "pong")


def test_garbage_is_answered_and_survived(server: Running) -> None:
    with server.client() as me:
        for number, text in enumerate(GARBAGE):
            me.socket.send(text)
            answer = me.until("error")
            assert answer["reason"], text
            me.say(type="ping")
            assert me.until("pong"), number
    with server.client() as me, pytest.raises(closed):  # what is no JSON at all ends it in the end
        answered(me, "{", 30)


def test_guests_cannot_do_what_the_host_may(server: Running) -> None:
    token = server.account("Guest")
    with server.client() as host, server.client(token) as guest:
        table = host.create("skat", "me", "open", "open")
        for message in ({"type": "invite"}, {"type": "close", "table": table}, {"type": "leave", "table": table}):
            guest.say(**message)
            assert guest.until("error")
        host.say(type="close", table=table)
        assert host.state("over")["number"] == 0


def test_actions_of_others_and_illegal_ones(server: Running) -> None:
    with server.client() as me, server.client(server.account("Eve")) as eve:
        table = me.create("skat", "me", "open", "open", games=1)
        eve.say(type="sit", table=table)
        with server.client(server.account("Max")) as third:
            third.say(type="sit", table=table)
            clients = {third.until("view")["seat"]: third, eve.until("view")["seat"]: eve, me.until("view")["seat"]: me}
            actor, other = clients[1], clients[2]  # middlehand bids first
            other.say(type="action", table=table, n=0, action="pass")
            assert "to act" in other.until("error")["reason"]
            for action, reason in (("play XX", "no card"), ("bid:17", "cannot"), ("play CJ", "cannot"), ("", "empty")):
                actor.say(type="action", table=table, n=0, action=action, request=reason)
                error = actor.until("error")
                assert reason in error["reason"]
                assert error["request"] == reason
            actor.say(type="action", table=table, n=5, action="pass")
            assert "actions were made" in actor.until("error")["reason"]
            actor.say(type="action", table=table, n=0, action={"verb": "bid", "value": "18"})
            assert other.until("view")["view"]["events"][0]["text"] == "bid:18"


def test_messages_that_are_too_long(server: Running) -> None:
    with server.client() as me:
        me.socket.send("x" * (1 << 15))
        with pytest.raises(closed):
            me.until("pong")
    with server.client() as me:
        me.socket.send("x" * (1 << 18))
        with pytest.raises(closed):
            me.until("pong")
    with server.client() as me:
        me.socket.send(b"{}")
        with pytest.raises(closed):
            me.until("nothing")


def test_messages_that_come_too_fast_wait() -> None:
    """Nobody is thrown out for deciding at once, and nobody is answered more often than allowed."""
    messages, rate, burst = 40, 100.0, 5
    with Running(rate=rate, burst=burst) as server, server.client() as me:
        start = time.monotonic()
        for _ in range(messages):
            me.say(type="ping")
        for _ in range(messages):
            me.until("pong")
        assert time.monotonic() - start >= (messages - burst - 1) / rate
        me.create("skat", "me", "random", "random", games=2)
        assert len(me.play(random.Random(3), 2)) == 2


def test_numbers_are_limited() -> None:
    with Running(own=2, of_account=2, tables=3, watching=1) as server:
        with server.client() as me, server.client():
            with pytest.raises(closed), Client(server, server.token) as third:
                third.read()
            for _ in range(2):
                me.create("skat", "open", "open", "open")
            me.say(type="create", game="skat")
            assert "close one first" in me.until("error")["reason"]
        with server.client(server.account("Ida")) as ida:
            ida.create("skat", "open", "open", "open")
            ida.say(type="create", game="skat")
            assert "all there may be" in ida.until("error")["reason"]


def test_pages_of_other_origins_are_refused(server: Running) -> None:
    from websockets.sync.client import connect

    for origin in ("http://evil.example", "null", "http://127.0.0.1:1", f"http://{server.host}.evil.example"):
        with pytest.raises(InvalidStatus, match="403"):
            connect(f"ws://{server.host}/play", origin=origin, proxy=None).__enter__()
        assert server.http("/", Origin=origin)[0] == 403
    with connect(f"ws://{server.host}/play", origin=f"http://{server.host}", proxy=None):
        pass
    assert server.http("/", Host="evil.example")[0] == 403


def test_the_page_and_its_headers(server: Running) -> None:
    status, body, headers = server.http("/")
    assert status == 200
    assert b"<main" in body
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "*" not in policy
    for name in ("main.js", "style.css", "icon.svg"):
        status, body, _ = server.http(f"/web/{name}")
        assert status == 200
        assert b"http://" not in body.replace(b"http://www.w3.org/2000/svg", b"")
        assert b"https://" not in body
    for name in ("../app.py", "..%2fapp.py", "app.py", "nothing.js"):
        assert server.http(f"/web/{name}")[0] == 404


PATHS = ("games", "game?game=skat", "ratings?game=skat", "mine", "record?id=1-0", "review?id=1-0")


@pytest.mark.parametrize("path", PATHS)
def test_what_is_fetched_needs_a_token(server: Running, path: str) -> None:
    for header in ("", "Bearer x", f"Basic {server.token}", "Bearer"):
        status, body, _ = server.http(f"/api/{path}", Authorization=header)
        assert status == 400
        assert json.loads(body)["field"] == "authorization"


def test_what_is_told_of_games(server: Running) -> None:
    games = json.loads(server.http("/api/games")[1])
    assert {"skat", "bridge", "hearts"} <= {game["game"] for game in games}
    skat = json.loads(server.http("/api/game?game=skat")[1])
    assert set(skat["bots"]) == {"strong", "quick", "random"}
    assert skat["order"]["suit"]["CJ"] == skat["order"]["suit"]["DJ"] != skat["order"]["suit"]["DA"]
    assert server.http("/api/game?game=nothing")[0] == 404


def test_ratings_follow_finished_games() -> None:
    with Running() as server:
        assert json.loads(server.http("/api/ratings?game=skat")[1]) == []
        with server.client() as me:
            me.create("skat", "me", "random", "random", games=3, bot_seconds=30)
            me.play(random.Random(11), 3)
        rows = json.loads(server.http("/api/ratings?game=skat")[1])
        assert {row["name"] for row in rows} == {"host", "bot:core:random", "bot:core:random #2"}
        assert all(row["games"] == 3 for row in rows)


def test_records_that_are_sent(server: Running) -> None:
    status, body, _ = server.http("/api/upload?game=skat&name=some.sgf", ISS.read_bytes())
    found = json.loads(body)
    assert status == 200
    assert len(found["records"]) > 5
    assert server.http("/api/upload?game=skat&name=x", b"no record at all")[0] == 400
    assert server.http("/api/upload?game=skat&name=x", b"x" * (1 << 21))[0] == 400
    assert server.http("/api/review?game=skat", b"{}")[0] == 400
    assert server.http("/api/review?game=skat", b"\xff\xfe")[0] == 400


def test_secrets_are_kept_as_hashes(tmp_path: Path) -> None:
    file = tmp_path / "store"
    with Running(file) as server:
        token = server.account("Ann")
        host = server.token
    dump = "\n".join(sqlite3.connect(file).iterdump())
    assert "Ann" in dump
    assert token not in dump
    assert host not in dump
    assert (file.stat().st_mode & 0o777) == 0o600
