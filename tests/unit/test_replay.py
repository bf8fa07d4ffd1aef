"""``tricktake replay``: the eight cells, on the toy game by hand and on the sample records of Skat."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click.testing
import pytest

from tests.tournaments import PLUGINS
from tricktake.deal import deal
from tricktake.game import Game, find_game
from tricktake.records import formats
from tricktake.records.record import GameRecord
from tricktake.records.recording import Recording
from tricktake.search.opencard import wins
from tricktake.table import Table
from tricktake.tournament.config import Config
from tricktake.tournament.players import PlayerConfig
from tricktake.tournament.referee import play
from tricktake.tournament.replay import Replayed, ReplayWorker, Tally, chunks
from tricktake.tournament.seat import LocalSeat

DATA = Path(__file__).resolve().parents[1] / "data"
ISS = DATA / "iss-23.sgf"
XSKAT = DATA / "xskat-500.log.gz"
Cli = Callable[..., click.testing.Result]


@pytest.fixture
def toy_plugins(monkeypatch: pytest.MonkeyPatch, fresh_plugins: None) -> None:
    monkeypatch.setenv("TRICKTAKE_PLUGINS", PLUGINS)


def add_up(part: dict[str, Any]) -> None:
    """What must hold of the cells of any replay."""
    cells = part["cells"]
    assert list(cells) == ["000", "001", "010", "011", "100", "101", "110", "111"]
    assert sum(cells.values()) == part["games"]
    for i, who in enumerate(("record", "open", "ours")):
        assert part["wins"][who] == sum(n for cell, n in cells.items() if cell[i] == "1")
    for i, who in ((0, "record"), (2, "ours")):
        same = sum(n for cell, n in cells.items() if cell[i] == cell[1])
        assert part["accuracy"][who] == pytest.approx(same / part["games"])


# -- by hand ----------------------------------------------------------------------------------------------------------


def finished(game: Game, number: int) -> Table:
    """A toy game played by ``high`` on all seats."""
    table = Table.start(game, deal(game.layout, 0, number))
    seat = LocalSeat(PlayerConfig.from_text("toyparts:high").make, PlayerConfig.from_text("toyparts:high").limit)
    play(table, [seat] * 3, seed=0, game_id=str(number))
    return table


def as_record(table: Table, number: int, *, auction: bool = True) -> GameRecord:
    plays = tuple(event for event in table.events if event.action.verb == "play")
    before = tuple(event for event in table.events if event.action.verb != "play")
    result = {"passed": True} if table.contract is None else {"won": table.score().won}
    return GameRecord(
        "toy", f"g{number}", table.deal, before=before if auction else None,
        contract=table.contract, plays=plays, result=result,
    )  # fmt: skip


def replayed(records: list[GameRecord], text: str, keep: set[str], seed: int = 0) -> list[Replayed]:
    worker = ReplayWorker(Config("toy", (PlayerConfig.from_text(text),), seed=seed, isolate="no"), frozenset(keep))
    return [row for chunk in chunks(records, 3) for row in worker(chunk)]


ALL = {"auction", "contract", "skat"}


@pytest.mark.kernel
@pytest.mark.usefixtures("toy_plugins")
def test_who_recorded_the_games_repeats_them() -> None:
    game = find_game("toy")
    tables = [finished(game, number) for number in range(40)]
    for auction in (True, False):
        rows = replayed([as_record(t, n, auction=auction) for n, t in enumerate(tables)], "toyparts:high", ALL)
        assert [row.id for row in rows] == [f"g{n}" for n in range(40)]
        for row, table in zip(rows, tables, strict=True):
            if table.contract is None:
                assert row.status == "passed"
                continue
            score = table.score()
            assert (row.status, row.record, row.ours) == ("played", score.won, score.won)
            assert row.points_ours == row.points_record == sum(score.points)
            first = Table.at_contract(game, table.deal, table.contract).tricks
            assert first is not None
            assert row.open == bool(wins(first, table.contract.declarer))
            assert row.open == row.open_ours
    assert {row.status for row in rows} == {"played", "passed"}
    assert len({(row.record, row.open) for row in rows}) >= 3  # otherwise this test shows little


@pytest.mark.usefixtures("toy_plugins")
def test_what_is_not_kept_is_decided_by_us() -> None:
    game = find_game("toy")
    records = [as_record(finished(game, number), number) for number in range(12)]
    bidding = replayed(records, "bid=core:random,play=toyparts:high", set())
    kept = replayed(records, "toyparts:high", {"auction"})
    assert [row.points_record for row in bidding] == [row.points_record for row in kept]
    assert [row.points_ours for row in bidding] != [row.points_ours for row in kept]
    assert kept == replayed(records, "toyparts:high", ALL)


@pytest.mark.usefixtures("toy_plugins")
def test_what_cannot_be_used_is_refused_and_named() -> None:
    game = find_game("toy")
    table = next(t for t in (finished(game, n) for n in range(12)) if t.contract is not None)
    good = as_record(table, 0)
    stopped = GameRecord("toy", "stopped", good.deal, before=good.before, contract=good.contract, plays=good.plays[:4])
    (row,) = replayed([stopped], "toyparts:high", ALL)
    assert row.status == "refused"
    assert "broke off" in row.reason
    bare = GameRecord("toy", "bare", good.deal)
    assert replayed([bare], "toyparts:high", ALL)[0].status == "refused"


@pytest.mark.usefixtures("toy_plugins")
def test_sums_of_a_tally() -> None:
    tally = Tally(find_game("toy"))
    for n, (cell, mine) in enumerate([("110", -4), ("110", -4), ("101", 3), ("001", 3)]):
        bits = [bit == "1" for bit in cell]
        points = 3 if bits[0] else -4
        tally.add(Replayed(str(n), "played", "", "R", bits[0], bits[1], bits[2], bits[1], points, mine))
    tally.add(Replayed("p", "passed"))
    tally.add(Replayed("r", "refused", "why"))
    row = tally.row()
    add_up(row)
    assert row["wins"] == {"record": 3, "open": 2, "ours": 2}
    assert row["accuracy"] == {"record": 0.75, "ours": 0.0}
    assert row["score10"]["record"] == pytest.approx(10 / 3 * (3 + 3 + 3 - 4) / 4)
    assert row["score10"]["ours"] == pytest.approx(10 / 3 * (-4 - 4 + 3 + 3) / 4)
    assert row["p_wins"] == 1.0  # two games only the record won, one only we
    assert row["passed"] == 1
    assert row["refused"] == [{"id": "r", "reason": "why"}]


# -- the samples ------------------------------------------------------------------------------------------------------


def test_iss_games_by_the_rule_player(cli: Cli) -> None:
    pytest.importorskip("tricktake_skat", reason="the Skat plugin is not installed")
    result = cli("replay", "skat", ISS, "--strategy", "skat:rule", "--limit", 12, "--json")
    assert result.exit_code == 0, result.stderr
    found = json.loads(result.stdout)
    add_up(found)
    for part in found["kinds"].values():
        add_up(part)
    assert found["games"] == sum(part["games"] for part in found["kinds"].values())
    records = list(formats.read(ISS, "skat", on_error=lambda e: None))[:12]
    declared = [r for r in records if r.contract is not None]
    assert found["games"] + found["passed"] + len(found["refused"]) == len(records)
    assert found["wins"]["record"] == sum(bool(r.result["won"]) for r in declared)
    skat = find_game("skat")
    score = sum(sum(skat.series_points(Recording.of(skat).score(r))) for r in declared)
    assert found["score36"]["record"] == pytest.approx(36 / 3 * score / len(declared))
    assert {"games", "cells", "accuracy", "wins", "score36", "seconds"} <= set(found)


def test_broken_records_are_named(cli: Cli) -> None:
    """The third game holds a hidden card."""
    pytest.importorskip("tricktake_skat", reason="the Skat plugin is not installed")
    result = cli("replay", "skat", ISS, "--strategy", "core:random", "--limit", 3, "--json")
    assert result.exit_code == 0, result.stderr
    assert "hidden card" in json.loads(result.stdout)["broken"][0]["reason"]
    assert "iss-23.sgf:3: not used" in result.stderr
    strict = cli("replay", "skat", ISS, "--strategy", "core:random", "--limit", 3, "--strict")
    assert strict.exit_code == 2
    assert "iss-23.sgf:3" in strict.stderr


@pytest.mark.parametrize("keep", ["auction,contract", "auction", "none"])
def test_xskat_games_from_before_the_exchange(keep: str, cli: Cli) -> None:
    """XSkat logs no auction; one that leads to its contract is presumed, and two workers agree with one."""
    pytest.importorskip("tricktake_skat", reason="the Skat plugin is not installed")
    words = ["replay", "skat", XSKAT, "--strategy", "skat:rule", "--keep", keep, "--limit", 10, "--json"]
    found = []
    for jobs in (1, 2) if keep == "none" else (1,):
        result = cli(*words, "--jobs", jobs)
        assert result.exit_code == 0, result.stderr
        found.append({k: v for k, v in json.loads(result.stdout).items() if k != "seconds"})
        assert found[0]["refused"] == []
        assert found[0]["faults"] == {}
        assert found[0]["games"] + found[0]["folded"] + found[0]["passed"] == 10
        cells = found[0]["cells"]
        assert sum(cells.values()) == found[0]["games"]
    assert all(other == found[0] for other in found)


@pytest.mark.parametrize(("words", "message"), [
    (["--strategy", "skat:rool"], "skat:rule"),
    (["--strategy", "skat:rule", "--keep", "bids"], "skat has no 'bids'; it offers auction, contract, skat, none"),
    (["--strategy", "bid=skat:rule"], "has no strategy for the role 'play'"),
    (["--strategy", "play=skat:rule", "--keep", "auction"], "has no strategy for the role 'exchange'"),
])  # fmt: skip
def test_mistakes(words: list[str], message: str, cli: Cli) -> None:
    pytest.importorskip("tricktake_skat", reason="the Skat plugin is not installed")
    result = cli("replay", "skat", ISS, *words)
    assert result.exit_code == 2
    assert message in result.stderr
    assert "Traceback" not in result.stderr


def test_samples_are_there() -> None:
    assert gzip.decompress(XSKAT.read_bytes()).count(b"random_seed") >= 300
