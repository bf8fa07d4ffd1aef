"""Bots that keep a memory of the game: at tables of their own, through a killed worker and a killed server."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.rememberer import Remembered, Rememberer
from tests.serving import WAIT, Process
from tricktake.deal import deal
from tricktake.records.formats import get_format
from tricktake.search.limit import Limit
from tricktake.server.memory import keeps_memory
from tricktake.server.store import Store
from tricktake.strategies.player import Player
from tricktake.table import Table
from tricktake.tournament.referee import decision_seed

PLUGIN = str(Path(__file__).parents[1] / "rememberer.py")
TABLES, GAMES, SEATS = 2, 2, 4


def workers_of(pid: int) -> list[int]:
    """The worker processes of a server, whatever thread started them."""
    children = " ".join(each.read_text() for each in Path(f"/proc/{pid}/task").glob("*/children")).split()
    return [int(child) for child in children if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()]


def decides_as_if_nothing_had_happened(store: Store, game: Any) -> int:
    """Every card of the bots is that of one player who was asked from the first card of the game to its last."""
    rules = Remembered()
    (seed,) = store._db.execute("select seed from deals where label = ?", (game.label,)).fetchone()
    (record,) = get_format("jsonl").loads(game.record, rules)
    players = [Rememberer() for _ in range(SEATS)]
    for seat, player in enumerate(players):
        player.begin("remembered", seat)
    table = Table.start(rules, deal(rules.layout, int(seed), game.number), record.board)
    compared = 0
    for number, event in enumerate(record.plays):
        if record.players[event.seat] != "host":
            rng = np.random.default_rng(decision_seed(int(seed), game.id, event.seat, number))
            view = table.view(event.seat)
            assert players[event.seat].decide(view, Limit(), rng).action == event.action, (game.id, number)
            compared += 1
        table.apply(event.action, event.seat)
    return compared


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="processes are listed by Linux only")
def test_a_memory_survives_and_belongs_to_one_chair(tmp_path: Path) -> None:
    """Two tables at a time, the server killed in the first game and a worker in the second."""
    file, diary = tmp_path / "store", tmp_path / "diary"
    env = {"TRICKTAKE_PLUGINS": PLUGIN, "REMEMBERER": str(diary)}
    done: set[str] = set()
    tables: list[int] = []
    for actions in (7, 1000):
        server = Process(file, 2, **env)
        with server.client() as me:
            for _ in range(TABLES if not tables else 0):
                tables.append(me.create("remembered", "me", *["quick"] * 3, games=GAMES, bot_seconds=WAIT))
            for table in me.welcome["tables"]:
                me.say(type="watch", table=table)
            while actions and len(done) < TABLES * GAMES:
                message = me.until("view", "result", "table")
                if message["type"] == "result":
                    done.add(message["id"])
                elif message["type"] == "table" and message["state"] == "between":
                    me.say(type="next", table=message["table"])
                elif message["type"] == "view" and message["view"]["to_decide"]:
                    if actions == 980:
                        for worker in workers_of(server.process.pid):
                            os.kill(worker, signal.SIGKILL)
                    action = message["view"]["legal"][0]["text"]
                    me.say(type="action", table=message["table"], n=message["n"], action=action)
                    actions -= 1
            until = time.monotonic() + WAIT
            while len(done) == TABLES * GAMES and diary.read_text().count("close") < 6 and time.monotonic() < until:
                time.sleep(0.05)
        server.end(signal.SIGKILL)
    store = Store(file)
    games = [game for table in tables for game in store.games_at(table)]
    assert sorted(game.id for game in games) == sorted(done)
    assert [decides_as_if_nothing_had_happened(store, game) for game in games] == [27] * TABLES * GAMES
    lines = diary.read_text().split("\n")
    assert lines.count("close") == TABLES * (SEATS - 1)
    assert sum(line.startswith("end") and line.endswith("True") for line in lines) >= TABLES * (SEATS - 1)


def test_who_keeps_a_memory() -> None:
    """Members of an ensemble are asked, too; who has none needs no worker of its own."""
    assert not keeps_memory(Player.from_spec("play=core:ensemble,bid=bridge:rule"))
    assert keeps_memory(Player.from_spec("bid=core:valuer,play=core:random"))
    assert keeps_memory(Player.from_spec('play=core:ensemble(search=core:engine(command="x"))'))
