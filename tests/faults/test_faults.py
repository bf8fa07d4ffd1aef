"""What a machine does to a command: no room, no right to write, a second writer, a reader that goes, a kill."""

from __future__ import annotations

import itertools
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.tournaments import ENV, PLUGINS
from tricktake.tournament.store import load

DATA = Path(__file__).parents[1] / "data"
PLAYERS = ("--player", "toyparts:dice", "--player", "toyparts:high")
CUP = ("tournament", "--game", "toy", *PLAYERS, "--deals", 4, "--isolate", "no")
Cli = Callable[..., Any]


@pytest.fixture(autouse=True)
def _toys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRICKTAKE_PLUGINS", PLUGINS)


@contextmanager
def room_for(size: int) -> Iterator[None]:
    """No file may grow beyond this size."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def series(file: Path) -> Path:
    rows = [f"{n},p{p},{n * p},36" for n in range(60) for p in range(n % 7, n % 7 + 3)]
    file.write_text("\n".join(["series,player,score,games", *rows]) + "\n")
    return file


def refused(done: Any, *said: str) -> None:
    assert done.exit_code == 2, done.output
    assert "a fault of tricktake" not in done.stderr
    for words in said:
        assert words in done.stderr


# -- no room ----------------------------------------------------------------------------------------------------------


def test_a_tournament_goes_on_when_there_is_room_again(cli: Cli, tmp_path: Path) -> None:
    whole, torn = tmp_path / "whole.jsonl", tmp_path / "torn.jsonl"
    assert cli(*CUP, "--store", whole).exit_code == 0
    for size in (10, 2000, 3000):  # within the header, and within games
        with room_for(size):
            refused(cli(*CUP, "--store", torn), str(torn), "File too large")
        assert torn.stat().st_size <= size
    assert cli(*CUP, "--store", torn).exit_code == 0
    assert load(torn)[1] == load(whole)[1]


@pytest.mark.parametrize("out", ["out.jsonl", "out.jsonl.gz", "out.parquet"])
def test_records_are_whole_or_not_there(out: str, cli: Cli, tmp_path: Path) -> None:
    before = tmp_path / "before"
    before.write_bytes(b"x")
    shutil.copy(before, tmp_path / out)
    with room_for(500):
        refused(cli("convert", DATA / "iss-23.sgf", tmp_path / out), out, "File too large")
    assert (tmp_path / out).read_bytes() == b"x"  # what was there is kept
    assert sorted(path.name for path in tmp_path.iterdir()) == ["before", out]


def test_a_list_is_the_old_one_or_the_new(cli: Cli, tmp_path: Path) -> None:
    state, file = tmp_path / "club.json", series(tmp_path / "a.csv")
    with room_for(300):
        refused(cli("rate", file, "--bootstrap", 0, "--state", state), str(state), "File too large")
    assert not state.exists()
    assert cli("rate", file, "--bootstrap", 0, "--state", state).exit_code == 0


# -- no right to write, a second writer -------------------------------------------------------------------------------


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="no folder that nobody can write to")
def test_where_nothing_can_be_written(cli: Cli, tmp_path: Path) -> None:
    refused(cli(*CUP, "--store", "/proc/self/games.jsonl"), "/proc/self/games.jsonl")
    refused(cli("convert", DATA / "iss-23.sgf", "/proc/self/out.jsonl"), "/proc/self")
    refused(cli("rate", series(tmp_path / "a.csv"), "--bootstrap", 0, "--state", "/proc/self/club.json"), "/proc/self")


def started(*words: object, **more: Any) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tricktake", *map(str, words)]
    return subprocess.Popen(command, env=ENV, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)


def wait_for(true: Callable[[], bool]) -> None:
    until = time.monotonic() + 60
    while not true():
        assert time.monotonic() < until
        time.sleep(0.02)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_stopped_from_outside_it_says_how_to_go_on(number: signal.Signals, code: int, cli: Cli, tmp_path: Path) -> None:
    """And meanwhile nobody else writes to its store."""
    store = tmp_path / "games.jsonl"
    words = [word if word != "toyparts:dice" else "toyparts:slow" for word in CUP]
    process = started(*words, "--store", store)
    wait_for(lambda: store.is_file() and store.read_bytes().count(b"\n") > 2)
    refused(cli(*words, "--store", store), str(store), "another run is writing")
    os.kill(process.pid, number)
    _, err = process.communicate(timeout=60)
    assert process.returncode == code, err
    assert f"--store {store}" in err
    kept = load(store)[1]
    assert kept
    assert cli(*words, "--store", store).exit_code == 0
    assert load(store)[1].items() >= kept.items()


# -- a store that is not as it was ------------------------------------------------------------------------------------


def test_a_line_in_the_middle_is_named_and_left_alone(cli: Cli, tmp_path: Path) -> None:
    store = tmp_path / "games.jsonl"
    assert cli(*CUP, "--store", store).exit_code == 0
    lines = store.read_bytes().split(b"\n")
    for damaged in (lines[4][:-5], b"", lines[3], b"\x00" * 50, b"[]", b"{}"):
        store.write_bytes(b"\n".join([*lines[:4], damaged, *lines[5:]]))
        before = store.read_bytes()
        refused(cli(*CUP, "--store", store), f"{store}:5: ")
        refused(cli("tournament", "--report", store), f"{store}:5: ")
        refused(cli("convert", store, tmp_path / "out.parquet"), f"{store}:5: ")
        assert store.read_bytes() == before
    store.write_bytes(b"\n".join(lines[:5])[:-5])  # the last one, torn
    assert cli(*CUP, "--store", store).exit_code == 0
    assert sorted(store.read_bytes().split(b"\n")[1:5]) == sorted(lines[1:5])


# -- a reader that goes, a clock that jumps ---------------------------------------------------------------------------


@pytest.mark.parametrize("words", [
    ("convert", DATA / "iss-23.sgf", "-", "--to", "jsonl"),
    ("verify", "skat", DATA / "iss-23.sgf", "--json"),
    ("deal", "skat", "--count", "3000"),
], ids=lambda words: words[0])  # fmt: skip
def test_a_reader_that_goes_is_no_fault(words: tuple[object, ...]) -> None:
    process = started(*words)
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    said = process.stderr.read()
    assert "fault" not in said
    assert "Traceback" not in said
    assert "Exception" not in said
    assert process.wait(60) in (0, 1, 141)


def test_a_clock_that_jumps_changes_no_game(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The time of day goes back by hours again and again; limits are kept by a clock that does not."""
    assert cli(*CUP, "--store", tmp_path / "a.jsonl").exit_code == 0
    jumps = itertools.count()
    monkeypatch.setattr(time, "time", lambda: 1e9 - 3600.0 * next(jumps))
    assert cli(*CUP, "--store", tmp_path / "b.jsonl", "--move-seconds", 30, "--seconds", 5).exit_code == 0
    assert cli("rate", tmp_path / "b.jsonl", "--bootstrap", 0, "--state", tmp_path / "club.json").exit_code == 0
    games = [load(tmp_path / name)[1] for name in ("a.jsonl", "b.jsonl")]
    assert games[0] == games[1]


# -- killed -----------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("commands", ["convert rate serve tournament", "outer-learn train"])
def test_killed_at_any_moment(commands: str) -> None:
    """The short form of the experiment ``trust.kills``."""
    words = ["trust.kills", "--set", "kills=2", "--set", f"commands={commands}", "--out", "-"]
    done = subprocess.run([sys.executable, "-m", "tricktake_lab", *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    found = json.loads(done.stdout)
    assert found["facts"]["wrong"] == {}
