"""Whole tournaments: killed, interrupted and resumed, with one worker or two; and their report."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import click.testing
import pytest

from tests.tournaments import ENV, PLUGINS, toy
from tricktake.errors import InputError
from tricktake.tournament.config import from_mapping
from tricktake.tournament.report import report
from tricktake.tournament.run import run

pytestmark = pytest.mark.usefixtures("plugins")

CONFIG = """
game = "toy"
deals = 36
seed = 3
store = "games.jsonl"
isolate = "no"

[[player]]
name = "slow"
spec = "toyparts:slow"

[[player]]
name = "dice"
bid = "toyparts:high"
play = {part = "toyparts:dice"}
"""


@pytest.fixture
def plugins(monkeypatch: pytest.MonkeyPatch, fresh_plugins: None) -> None:
    monkeypatch.setenv("TRICKTAKE_PLUGINS", PLUGINS)


def start(folder: Path, *words: object) -> subprocess.Popen[str]:
    """``tricktake tournament`` in a process group of its own, as a shell would start it."""
    return subprocess.Popen(
        [sys.executable, "-m", "tricktake", "tournament", *map(str, words)],
        env=ENV,
        cwd=folder,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=default_signals,
    )


def default_signals() -> None:
    """A test run in the background of a shell hands down that Ctrl-C is ignored, one under nohup that hangups are."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def games(store: Path) -> list[str]:
    """The game lines of a store, sorted: its result set."""
    return sorted(line for line in store.read_text().splitlines() if line.startswith('{"contract"'))


def wait_for_games(store: Path, number: int, process: subprocess.Popen[str]) -> None:
    limit = time.monotonic() + 60
    while not store.exists() or store.read_text().count("\n") < number + 1:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < limit
        time.sleep(0.02)


@pytest.fixture
def config(tmp_path: Path) -> Path:
    (tmp_path / "cup.toml").write_text(CONFIG)
    return tmp_path / "cup.toml"


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The result set of a run that nobody disturbed, by one worker."""
    folder = tmp_path_factory.mktemp("whole")
    (folder / "cup.toml").write_text(CONFIG)
    process = start(folder, "cup.toml")
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    assert "slow" in out
    found = games(folder / "games.jsonl")
    assert len(found) == len(set(found)) == 216
    return found


@pytest.mark.parametrize("jobs", [1, 2])
def test_killed_twice_and_resumed_it_has_the_same_games(config: Path, jobs: int, uninterrupted: list[str]) -> None:
    store = config.parent / "games.jsonl"
    for enough in (6, 24):
        process = start(config.parent, "cup.toml", "--jobs", jobs)
        wait_for_games(store, enough, process)
        os.kill(process.pid, signal.SIGKILL)
        process.communicate(timeout=60)
    assert len(games(store)) < 216
    with store.open("a") as stream:  # what a crash in the middle of writing would leave
        stream.write('{"contract":"0:R","deal":')
    process = start(config.parent, "cup.toml", "--jobs", jobs)
    _, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    assert games(store) == uninterrupted


def test_control_c_prints_the_command_that_resumes(config: Path, uninterrupted: list[str]) -> None:
    store = config.parent / "games.jsonl"
    process = start(config.parent, "cup.toml", "--jobs", 2)
    wait_for_games(store, 6, process)
    os.killpg(process.pid, signal.SIGINT)  # a terminal sends it to everybody
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert out == ""
    assert "Traceback" not in err
    resume = err.strip().splitlines()[-1]
    assert resume == "tricktake tournament cup.toml --jobs 2 --store games.jsonl"
    found = games(store)
    assert 6 <= len(found) < 216
    again = start(config.parent, *resume.split()[2:])
    _, err = again.communicate(timeout=120)
    assert again.returncode == 0, err
    assert set(found) < set(games(store))
    assert games(store) == uninterrupted


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_other_signals_end_it_as_control_c_does(number: signal.Signals, code: int, config: Path) -> None:
    """Also where everybody is told: workers leave the end to the main process."""
    store = config.parent / "games.jsonl"
    process = start(config.parent, "cup.toml", "--jobs", 2)
    wait_for_games(store, 2, process)
    os.killpg(process.pid, number)
    out, err = process.communicate(timeout=60)
    assert process.returncode == code, err
    assert out == ""
    assert "Traceback" not in err
    assert err.strip().splitlines()[-1] == "tricktake tournament cup.toml --jobs 2 --store games.jsonl"
    assert len(games(store)) >= 2
    assert not list(config.parent.glob(".*.part"))


def test_results_do_not_depend_on_workers_or_processes(tmp_path: Path) -> None:
    one = run(toy("high", "dice", deals=6), tmp_path / "one.jsonl")
    two = run(toy("high", "dice", deals=6), tmp_path / "two.jsonl", jobs=2)
    isolated = run(toy("high", "dice", deals=6, isolate="yes"), tmp_path / "isolated.jsonl")
    assert one == two == isolated
    assert run(toy("high", "dice", deals=6, seed=1), tmp_path / "other.jsonl") != one


def test_contracts_are_played_with_roles_swapped(tmp_path: Path) -> None:
    config = toy("high", "dice", mode="contracts", bidder="toyparts:high", deals=4)
    rows = run(config, tmp_path / "games.jsonl")
    assert len(rows) == 8
    for deal in range(4):
        first, second = rows[f"d{deal:06d}.s00"], rows[f"d{deal:06d}.s01"]
        assert first["contract"] == second["contract"] is not None
        declarer = first["declarer"]
        assert first["players"] == [0 if seat == declarer else 1 for seat in range(3)]
        assert second["players"] == [1 if seat == declarer else 0 for seat in range(3)]


def test_a_bidder_that_never_bids_is_an_error(tmp_path: Path) -> None:
    """``nothing`` bids like ``high``; a bidder that fails is named."""
    config = toy("high", "dice", mode="contracts", bidder="toyparts:wrong-phase", deals=1)
    with pytest.raises(InputError, match=r"bidder: failed in d000000\.b0"):
        run(config, tmp_path / "games.jsonl")


def test_report_of_a_whole_tournament(tmp_path: Path) -> None:
    config = toy("high", "dice", "raises", deals=4)
    rows = run(config, tmp_path / "games.jsonl")
    found = report(config, rows.values()).as_row()
    assert (found["deals"], found["games"], found["planned"]) == (4, 24, 24)
    assert [p["name"] for p in found["players"]] == ["high", "dice", "raises"]
    assert found["players"][2]["faults"]["error"] > 0
    assert found["players"][0]["faults"] == {}
    assert set(found["matches"]["high"]) == {"dice", "raises"}
    assert len(found["differences"]) == 3
    mean = 10 * sum(
        p for row in rows.values() for p, who in zip(row["series"], row["players"], strict=True) if who == 1
    )
    assert found["players"][1]["score"]["mean"] == pytest.approx(mean / 24)
    declared = sum(row["won"] is not None and row["players"][row["declarer"]] == 0 for row in rows.values())
    assert found["players"][0]["declared"]["all"]["n"] == declared
    page = report(config, rows.values())._repr_html_()
    assert page.count("<table>") == page.count("</table>") == 5  # scores, differences, ratings, contracts, faults
    assert "paired by deal" in page


def test_the_table_of_three_players_compares_them(tmp_path: Path) -> None:
    """What one scores more than another is not its score once more, and the other way round it is as much less."""
    config = toy("high", "dice", "nothing", deals=6)
    shown: list[tuple[tuple[str, ...], list[tuple[object, ...]]]] = []
    result = report(config, run(config, tmp_path / "games.jsonl").values())
    result.show(lambda columns, rows, **_: shown.append((columns, list(rows))))
    columns, rows = shown[0]
    assert columns == ("player", "score", "games", "- high", "- dice", "- nothing", "faults")
    scores = [float(str(row[1]).split()[0]) for row in rows]
    assert scores == sorted(scores, reverse=True)
    more = {(row[0], name[2:]): str(cell) for row in rows for name, cell in zip(columns[3:6], row[3:6], strict=True)}
    for (a, b), cell in more.items():
        if a == b:
            assert cell == ""
            continue
        mean, error = (float(part) for part in cell.split(" ± "))
        back = more[b, a].split(" ± ")
        assert float(back[0]) == -mean
        assert float(back[1]) == error > 0
        i, j = ([row[0] for row in rows].index(name) for name in (a, b))
        assert mean == pytest.approx(scores[i] - scores[j], abs=0.11)  # all three play every game
    assert shown[2][1][0][1].endswith("± —")  # Elo of six deals


def test_command_line_without_a_file(
    cli: Callable[..., click.testing.Result], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words = [
        "tournament",
        "--game",
        "toy",
        "--player",
        "x=toyparts:high",
        "--player",
        "bid=toyparts:high,play=core:random",
    ]
    words += ["--deals", "2", "--isolate", "no"]
    first = cli(*words, "--json")
    assert first.exit_code == 0, first.stderr
    found = json.loads(first.stdout)
    assert [p["name"] for p in found["players"]] == ["x", "bid=toyparts:high,play=core:random"]
    assert found["unit"] == "toy points per 10"
    again = cli(*words)  # all games are there: only the report
    assert again.exit_code == 0
    assert "- x" in again.stdout
    assert len(list(tmp_path.glob("tournament-*.jsonl"))) == 1
    other = cli(*words, "--seed", "5", "--store", found["store"])
    assert other.exit_code == 2
    assert "seed is 0 there, 5 here" in other.stderr


@pytest.mark.parametrize(("text", "message"), [
    ("game = 'toy'\ndeals = 0", "deals: must be a whole number from 1 to 1000000000000, not 0"),
    ("game = 'toy'\ndeels = 3", "deels: unknown field 'deels'; did you mean 'deals' or 'delta'?"),
    ("game = 'toy'\nplayer = []", "player: a tournament needs two players or more"),
    ("game = 'tay'", "game: unknown game 'tay'; did you mean 'toy'?"),
    ("deals = 3", "game: is missing"),
    ("game = 'toy'\nseatings = ['ABC']", "seatings: seating 'ABC' names a player beyond B"),
    ("game = 'toy'\nbidder = 'core:random'", "bidder: belongs to mode"),
    ("game = 'toy'\nmode = 'contracts'", "mode: contracts come either from records or from a bidder"),
    ("game = 'toy'\nmode = 'contracts'\nrecords = ['no.sgf']", "records: no such file"),
    ("game = 'toy'\n[limit]\nworlds = -1", "limit.worlds: must be above 0, not -1"),
    ("game = 'toy'\nseed = true", "seed: must be a whole number"),
    ("game = ", "cup.toml:1: "),
])  # fmt: skip
def test_mistakes_name_file_and_field(
    text: str, message: str, cli: Callable[..., click.testing.Result], tmp_path: Path
) -> None:
    file = tmp_path / "cup.toml"
    players = "" if "player" in text else "\n[[player]]\nspec='core:random'\n[[player]]\nname='b'\nspec='core:random'\n"
    file.write_text(text + players)
    result = cli("tournament", file)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"error: {file}:")
    assert message in result.stderr
    assert not list(tmp_path.glob("*.jsonl"))


@pytest.mark.parametrize(("player", "message"), [
    ("spec = 'core:rendom'", "player 1: unknown strategy 'core:rendom'; did you mean 'core:random'"),
    ("play = 'toyparts:high'", "player 1"),
    ("spec = 'core:random'\nlimit = {nodes = 0}", "player 1.limit.nodes: must be above 0"),
])  # fmt: skip
def test_mistakes_in_a_player(player: str, message: str) -> None:
    import tomllib

    text = f"game = 'toy'\n[[player]]\n{player}\n[[player]]\nname = 'b'\nspec = 'core:random'"
    with pytest.raises(InputError) as caught:
        from_mapping(tomllib.loads(text), "cup.toml")
    assert str(caught.value).startswith("cup.toml: ")
    assert message in str(caught.value)


@pytest.mark.parametrize("isolate", ["no", "yes"])
def test_a_member_that_fails_is_counted_and_strictly_an_error(tmp_path: Path, isolate: str) -> None:
    members = "order=search+expert,search=toyparts:raises,search_from=1,expert=toyparts:high"
    spec = f"bid=toyparts:high,play=core:ensemble({members})"
    words = ("--game", "toy", "--player", f"broken={spec}", "--player", "high=toyparts:high", "--deals", 2)
    words = (*words, "--isolate", isolate, "--store", f"{isolate}.jsonl", "--json")
    process = start(tmp_path, *words)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    broken, high = json.loads(out)["players"]
    assert set(broken["faults"]) == {"member"}
    assert broken["faults"]["member"] > 3
    assert broken["forfeited"] == 0  # another member has decided each time
    assert not high["faults"]
    process = start(tmp_path, *words, "--strict")
    assert process.communicate(timeout=120)[0] == out
    assert process.returncode == 1
