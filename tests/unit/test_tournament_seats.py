"""Strategies that raise, hang, cheat, print, lie or die: the match goes on, and the fault is charged."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.tournaments import PLUGINS, toy
from tricktake.tournament.config import Config
from tricktake.tournament.match import MatchWorker
from tricktake.tournament.referee import decision_seed
from tricktake.tournament.run import run
from tricktake.tournament.store import Row

pytestmark = pytest.mark.usefixtures("plugins")


@pytest.fixture
def plugins(monkeypatch: pytest.MonkeyPatch, fresh_plugins: None) -> None:
    monkeypatch.setenv("TRICKTAKE_PLUGINS", PLUGINS)


SEATINGS = ["BAA"]  # A behaves as the test says


def contained(part: str, tmp_path: Path, **fields: Any) -> dict[str, Row]:
    """A few games of ``part`` in processes against a good player."""
    bounds = {"isolate": "yes", "move_seconds": 0.6, "start_seconds": 20.0, "seatings": SEATINGS, "deals": 1}
    return run(toy(part, "high", **{**bounds, **fields}), tmp_path / "games.jsonl")


def faults_of(rows: dict[str, Row]) -> list[dict[str, Any]]:
    found = [(row["players"][fault["seat"]], fault) for row in rows.values() for fault in row["faults"]]
    assert {who for who, _ in found} <= {0}  # nobody else is charged
    return [fault for _, fault in found]


@pytest.mark.parametrize(("part", "kind", "reason"), [
    ("raises", "error", "RuntimeError: no idea"),
    ("hangs", "time", "no answer in 0.6 s"),
    ("wrong-phase", "illegal", "cannot"),
    ("wrong-card", "illegal", "card 999 is none of the deck"),
    ("forges", "garbled", "an answer"),
    ("exits", "crash", "exit code 7"),
    ("kills-parent", "crash", "ended by signal 9"),
    ("talks", "garbled", "more than 65536 bytes"),
    ("nothing", "garbled", "NoneType"),
])  # fmt: skip
def test_faults_are_charged_and_the_game_goes_on(part: str, kind: str, reason: str, tmp_path: Path) -> None:
    rows = contained(part, tmp_path)
    assert len(rows) == len(SEATINGS)
    faults = faults_of(rows)
    assert {fault["kind"] for fault in faults} == {kind}
    assert reason in faults[0]["reason"]
    if part == "exits":
        assert "last words" in faults[0]["trace"]
    if part == "raises":
        assert "toyparts.py:" in faults[0]["trace"]
    assert all(fault["taken"].split()[0] in ("play", "pass", "name:R", "name:G", "name:B") for fault in faults)


@pytest.mark.parametrize("part", ["mutates", "spies", "prints"])
def test_some_mischief_is_harmless(part: str, tmp_path: Path) -> None:
    """Changing the view, looking through memory and printing change nothing at all."""
    rows = contained(part, tmp_path)
    assert faults_of(rows) == []
    good = run(toy("high", "high2", deals=1, seatings=SEATINGS), tmp_path / "good.jsonl")
    assert rows == good


def test_memory_is_limited(tmp_path: Path) -> None:
    faults = faults_of(contained("eats", tmp_path, memory_mb=4000))
    assert faults
    assert {fault["reason"].partition(":")[0] for fault in faults} == {"MemoryError"}


def test_a_player_that_does_not_start_is_charged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = toy("no-start", "high", isolate="yes", seatings=SEATINGS, deals=1)
    monkeypatch.setenv("TOYPARTS_NO_START", "1")
    faults = faults_of(run(config, tmp_path / "games.jsonl"))
    assert {fault["kind"] for fault in faults} == {"start"}
    assert "not today" in faults[0]["reason"]


def test_who_fails_too_often_forfeits_the_game(tmp_path: Path) -> None:
    rows = run(toy("raises", "high", deals=3, max_faults=2), tmp_path / "games.jsonl")
    for row in rows.values():
        for seat in range(3):
            charged = [fault["decision"] for fault in row["faults"] if fault["seat"] == seat]
            assert len(charged) in ((0, 2) if row["contract"] and row["players"][seat] == 0 else (0,))


def test_without_a_process_exceptions_are_contained_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = run(toy("raises", "prints", deals=1), tmp_path / "games.jsonl")
    kinds = {(row["players"][f["seat"]], f["kind"]) for row in rows.values() for f in row["faults"]}
    assert (0, "error") in kinds
    assert "xxx" not in capsys.readouterr().out


def test_each_seat_has_its_own_process(tmp_path: Path) -> None:
    """Three seats of one player are three processes: it cannot ask itself what its partner holds."""
    worker = MatchWorker(toy("high", "dice", isolate="yes", deals=1))
    try:
        seats = worker.seats.of([worker.config.players[0]] * 3)
        assert len({id(seat) for seat in seats}) == 3
        assert worker.seats.of([worker.config.players[0]] * 3) == seats
    finally:
        worker.close()


def test_who_is_isolated() -> None:
    def who(**fields: Any) -> list[bool]:
        config: Config = toy("high", "dice", **fields)
        return [config.isolated(player) for player in config.players]

    assert who(isolate="no") == [False, False]
    assert who(isolate="yes") == [True, True]
    assert who(isolate="auto") == [True, True]  # a stranger's plugin
    mixed = toy("high", "dice", isolate="auto")
    core = mixed.players[0].__class__.from_text("core:random")
    assert not mixed.isolated(core)
    hidden = core.from_text("play=core:pimc(worlds=2,opening=toyparts:high)")
    assert hidden.owners == {"core", "toyparts"}
    assert mixed.isolated(hidden)
    assert toy("high", "dice", isolate="auto", move_seconds=1).isolated(core)


def test_numbers_of_a_decision_depend_on_everything() -> None:
    seeds = {
        decision_seed(s, g, seat, n) for s in (0, 1) for g in ("d1.s0", "d1.s1") for seat in (0, 1) for n in (0, 1)
    }
    assert len(seeds) == 16
    assert decision_seed(0, "d1.s0", 0, 0) == decision_seed(0, "d1.s0", 0, 0)
