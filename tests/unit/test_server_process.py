"""The command itself: killed at any moment, bots in processes of their own, what it prints and refuses."""

from __future__ import annotations

import os
import random
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from tests.serving import WAIT, Process
from tricktake.action import Action
from tricktake.deal import deal
from tricktake.game import find_game
from tricktake.pool import Late, Timed, WorkerFailed
from tricktake.search.limit import Limit
from tricktake.server.hints import Hint
from tricktake.server.review import Review, Upload
from tricktake.server.store import Store
from tricktake.server.thinking import Decide, Thinking
from tricktake.table import Table

GAMES = 6
ISS = Path(__file__).parents[1] / "data/iss-23.sgf"


def test_killed_in_the_middle_and_started_again(tmp_path: Path) -> None:
    """Whatever was told is there afterwards, and the table goes on with the same cards."""
    file, rng = tmp_path / "store", random.Random(1)
    told: dict[str, list[float]] = {}
    hands: dict[int, Any] = {}
    table = 0
    for moves in (2, 9, 1000):
        server = Process(file)
        with server.client() as me:
            assert me.welcome["tables"] == ([table] if table and len(told) < GAMES else [])
            if me.welcome["tables"]:
                me.say(type="watch", table=table)
            elif not table:
                table = me.create("skat", "me", "random", "random", games=GAMES)
            while moves and len(told) < GAMES:
                message = me.until("view", "result", "table")
                if message["type"] == "result":
                    told[message["id"]] = message["table_points"]
                elif message["type"] == "table":
                    if message["state"] == "between":
                        me.say(type="next", table=table)
                    if message["state"] == "over":
                        break
                elif message["view"]["to_decide"]:
                    dealt = hands.setdefault(message["number"], message["view"]["hand"])
                    assert set(message["view"]["hand"]) <= {*dealt, *message["view"]["picked_up"]}
                    text = rng.choice(message["view"]["legal"])["text"]
                    me.say(type="action", table=table, n=message["n"], action=text)
                    moves -= 1
            assert server.end(signal.SIGKILL) == -signal.SIGKILL
    store = Store(file)
    stored = {game.id: list(game.points) for game in store.games_at(table)}
    assert stored.items() >= told.items()
    assert len(stored) == GAMES
    assert [store.actions(f"{table}-{number}") for number in range(GAMES)] == [[]] * GAMES


def test_it_ends_when_asked_to(tmp_path: Path) -> None:
    server = Process(tmp_path / "store")
    with server.client() as me:
        me.create("hearts", "me", "random", "random", "random")
        assert server.end(signal.SIGTERM) in (143, -signal.SIGTERM, 0)


def test_wrong_options(cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "text").write_text("no database " * 500)
    done = cli("serve", "--cold", "--store", tmp_path / "text")
    assert done.exit_code == 2
    assert "is no file of a server" in done.stderr
    done = cli("serve", "--host", "203.0.113.77", "--store", tmp_path / "new")
    assert done.exit_code == 2
    assert "cannot listen" in done.stderr
    for game, reason in (("skta", "did you mean 'skat'"), ("skat(players=9)", "players: ")):
        done = cli("serve", "--warm", game, "--store", tmp_path / "new")
        assert done.exit_code == 2
        assert reason in done.stderr
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    done = cli("serve")
    assert done.exit_code == 2
    assert "pip install 'tricktake[serve]'" in done.stderr


# -- worker processes -------------------------------------------------------------------------------------------------


class Sleeps:
    needs = "sleep"

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    def __call__(self) -> int:
        time.sleep(self.seconds)
        return os.getpid()


class Runs:
    def __call__(self, task: Any) -> Any:
        if task == "die":
            os._exit(7)
        return task()

    def close(self) -> None:
        pass


def test_a_worker_with_a_time_limit() -> None:
    worker = Timed(Runs)
    first = worker(Sleeps(0), WAIT)
    assert first == worker(Sleeps(0), WAIT) != os.getpid()
    with pytest.raises(Late, match=r"no answer in 0\.2 s"):
        worker(Sleeps(WAIT), 0.2)
    second = worker(Sleeps(0), WAIT)  # another process
    assert second != first
    with pytest.raises(WorkerFailed, match="exit code 7"):
        worker("die", WAIT)
    worker.close()


def view_of(name: str) -> Any:
    """The first view in which a card is to be played."""
    game = find_game(name)
    table = Table.start(game, deal(game.layout, 3, 3))
    while table.tricks is None:
        legal = table.legal()
        table.apply(next((a for a in legal if a.to_text(game.layout.deck) in ("bid:18", "declare:G")), legal[-1]))
    return table.view(table.actor or 0)


def test_thinking() -> None:
    thinking = Thinking(1)
    view = view_of("skat")
    answers = [thinking.submit(Decide("core:random", view, Limit(seconds=1), seed), WAIT) for seed in (1, 2)]
    for answer in answers:
        action, _ = answer.result(WAIT)
        assert action in view.legal
    failed = thinking.submit(Decide("core:nothing", view, Limit(seconds=1), 1), WAIT)
    assert "core:nothing" in str(failed.exception(WAIT))
    waiting = [thinking.submit(Sleeps(WAIT), WAIT) for _ in range(2)]
    thinking.close()
    assert waiting[1].cancelled()


# -- hints and reviews, as a worker works them out -------------------------------------------------------------------


def test_a_hint() -> None:
    view = view_of("skat")
    hint = Hint("skat", view, "de")()
    action = Action.from_text(hint["action"], view.layout.deck)
    assert action in view.legal
    assert hint["reason"]
    assert "skat:player" in hint["by"]
    chances = [one["chance"] for one in hint["chances"]]
    assert len(chances) == len(view.legal)
    assert chances == sorted(chances, reverse=True)
    assert sum(chances) == pytest.approx(1, abs=1e-3)


def test_a_review_of_an_uploaded_record() -> None:
    found = Upload("skat", ISS.read_bytes(), "x.sgf", 5)()
    assert len(found["records"]) == 5
    played = next(one for one in found["records"] if one["contract"])
    review = Review("skat", played["record"])()
    steps = review["steps"]
    assert len(review["frames"]) == 1 + len([1 for frame in review["frames"] if frame["event"]])
    assert [step["before"] for step in steps[1:]] == [step["after"] for step in steps[:-1]]
    for number in review["turned"]:
        assert steps[number]["won_before"] != steps[number]["won_after"]
        assert steps[number]["lost"] > 0
    assert all(0 <= step["after"] <= 120 for step in steps)
    first, last = review["frames"][0], review["frames"][-1]
    assert sum(map(len, first["places"].values())) == 32
    assert last["phase"] == "over"
    if review["certificate"]:
        assert review["steps"][review["certificate"]["card"]]["sure"]
    wrong = Upload("skat", b"no record", "x.jsonl", 5)()
    assert wrong["records"] == []
    assert wrong["refused"] == 1
