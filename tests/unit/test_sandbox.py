"""Players of strangers in a sandbox: what they try does not get through. Where there is none, it is refused."""

from __future__ import annotations

import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.tournaments import HERE, PLUGINS, toy
from tricktake.deal import deal
from tricktake.errors import InputError
from tricktake.game import find_game
from tricktake.search.limit import Limit
from tricktake.table import Table
from tricktake.tournament import sandbox
from tricktake.tournament.players import PlayerConfig
from tricktake.tournament.referee import FaultRow, play
from tricktake.tournament.run import run
from tricktake.tournament.seat import LocalSeat
from tricktake.tournament.seatprocess import Containment, ProcessSeat
from tricktake.tournament.store import Row


def why_not() -> str:
    try:
        sandbox.require()
    except InputError as error:
        return str(error)
    return ""


needs_sandbox = pytest.mark.skipif(bool(why_not()), reason=why_not())
pytestmark = pytest.mark.usefixtures("plugins")


@pytest.fixture
def plugins(monkeypatch: pytest.MonkeyPatch, fresh_plugins: None) -> None:
    monkeypatch.setenv("TRICKTAKE_PLUGINS", f"{PLUGINS},{HERE / 'hostile.py'}")


def faults(strategy: str, sandboxed: bool = True, max_faults: int = 3) -> list[FaultRow]:
    """What a guest is charged with in a game at a table of friends."""
    game = find_game("toy")
    bounds = Containment(move_seconds=60.0, memory_mb=sandbox.MEMORY_MB, sandboxed=sandboxed)
    guest = ProcessSeat(PlayerConfig("guest", strategy), bounds)
    friends = [LocalSeat(PlayerConfig("high", "toyparts:high").make, Limit()) for _ in range(game.seats - 1)]
    try:
        table = Table.start(game, deal(game.layout, 1, 0))
        return play(table, [guest, *friends], seed=1, game_id="x", max_faults=max_faults)
    finally:
        guest.close()


def waits(true: Callable[[], bool]) -> bool:
    until = time.monotonic() + 20
    while not true() and time.monotonic() < until:
        time.sleep(0.05)
    return true()


@pytest.fixture
def targets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Things to attack: a file, a port of this machine, a process, a secret of the environment."""
    secret = tmp_path / "secret"
    secret.write_text("x")
    monkeypatch.setenv("SECRET_OF_THE_HOST", "x")
    with socket.create_server(("127.0.0.1", 0)) as listening, subprocess.Popen(["sleep", "100"]) as victim:
        monkeypatch.setenv("TRICKTAKE_TARGETS", f"{secret} {listening.getsockname()[1]} {victim.pid}")
        yield
        victim.kill()


@needs_sandbox
@pytest.mark.usefixtures("targets")
def test_nothing_gets_through() -> None:
    assert {fault.reason for fault in faults("hostile:attacks")} == {"RuntimeError: through: nothing"}


@needs_sandbox
@pytest.mark.usefixtures("targets")
def test_the_attack_is_real() -> None:
    """Without a sandbox it does get through."""
    (fault,) = faults("hostile:attacks", sandboxed=False, max_faults=1)
    reached = {"passwd", "secret", "folder", "environment", "loopback", "processes", "referee"}
    assert reached <= set(fault.reason.split())


@needs_sandbox
def test_who_kills_everybody_kills_himself() -> None:
    assert {fault.kind for fault in faults("hostile:kills-all", max_faults=1)} == {"crash"}


@needs_sandbox
def test_nobody_stays_behind() -> None:
    def sleeping() -> bool:
        return any(b"987654" in path.read_bytes() for path in Path("/proc").glob("[0-9]*/cmdline") if path.exists())

    assert faults("hostile:stays") == []
    assert waits(lambda: not sleeping())


@needs_sandbox
def test_games_are_the_same_as_without(tmp_path: Path) -> None:
    def games(isolate: str) -> dict[str, Row]:
        return run(toy("dice", "high", deals=1, seatings=["ABB"], isolate=isolate), tmp_path / isolate)

    assert games("sandbox") == games("no")


def test_without_a_sandbox_it_is_refused(monkeypatch: pytest.MonkeyPatch, cli: Any, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    sandbox._missing.cache_clear()
    try:
        words = ["--game", "toy", "--player", "toyparts:high", "--player", "toyparts:dice", "--isolate", "sandbox"]
        done = cli("tournament", *words, "--store", tmp_path / "games.jsonl")
    finally:
        sandbox._missing.cache_clear()
    assert done.exit_code == 2
    assert "bwrap is not installed" in done.stderr
    assert "neither files nor network nor other processes" in done.stderr
