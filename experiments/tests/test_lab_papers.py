"""What the experiments behind the papers' tables do: replays by who decides what, proofs at the table, base tables."""

from __future__ import annotations

import re
from collections import Counter
from math import comb
from pathlib import Path

import numpy as np
import pytest
from tricktake_lab import experiments, inputs
from tricktake_lab.experiment import CHECKOUT, log_file
from tricktake_lab.reproduce.items import items
from tricktake_lab.skat import replayed
from tricktake_lab.skat.numbers import follows_twice, repeat_chance
from tricktake_lab.skat.proven_cells import MODES, SETTINGS, results, spec_of
from tricktake_lab.skat.rating_tables import uneven
from tricktake_lab.skat.replayed import CELLS, Replay, discarded, played, recorded_rows, series_points
from tricktake_lab.skat.stages import base_of, of_xskat
from tricktake_skat.games import Games, play_contracts, play_games, score36
from tricktake_skat.kernels import NULL, features

from tricktake.errors import InputError, UnknownName
from tricktake.learning.counts import Counts
from tricktake.strategies.policy import find_policy


def test_points_of_a_series_are_those_of_the_batch() -> None:
    games = play_games(5, 0, 300)
    one_player = Games(games.rows, np.zeros((300, 3), np.int64), games.whys)
    assert series_points(games.rows).mean() == pytest.approx(score36(one_player)[0])


def test_a_method_changes_nothing_but_the_skat() -> None:
    record, whose = recorded_rows("sample", 80)
    assert whose == "XSkat"
    ours = discarded(record, "proposed", 0)
    by_hand = (record["hand"] == 1) | (record["declarer"] < 0)
    assert (ours["put"] == record["put"])[by_hand].all()
    assert not (ours["put"] == record["put"])[~by_hand].all()
    for name in record.dtype.names or ():
        if name != "put":
            assert np.array_equal(ours[name], record[name]), name
    with pytest.raises(UnknownName, match="way"):
        list(replayed.replays(record, ["best"], find_policy("skat:cards"), 0, 0, replayed.Player()))


def test_the_eight_cells_count_every_solved_game() -> None:
    record, _ = recorded_rows("sample", 40)
    record = record[record["declarer"] >= 0]
    done = played("record", record, find_policy("skat:cards"), 12)
    before = record["won"] == 1
    cells = done.cells(before)
    assert cells.sum() == 12
    for number, name in enumerate(CELLS):
        bits = np.array([before[:12], done.solved == 1, done.won[:12]]).T
        assert cells[number] == sum("".join(str(int(b)) for b in row) == name for row in bits.tolist())
    same = Replay("x", done.rows, done.won[:12].astype(np.int64))
    assert same.accurate().mean == 1


def test_without_xskat_the_rule_player_takes_its_place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(replayed, "program", lambda: None)
    rows, whose = recorded_rows("xskat:7:9000", 50)
    assert whose == "the rule player"
    assert np.array_equal(rows, play_games(7, 0, 50).rows)
    monkeypatch.setenv("TRICKTAKE_LAB_INPUTS", str(tmp_path))
    monkeypatch.setattr(inputs, "program", lambda: None)
    with pytest.raises(InputError, match="XSkat is not installed"):
        log_file("xskat:7:9000")
    longer = tmp_path / "xskat-7-12000.log.gz"
    longer.touch()
    assert log_file("xskat:7:9000") == longer


def test_contracts_are_played_alike_at_the_table_and_in_batches() -> None:
    record, _ = recorded_rows("sample", 12)
    record = record[(record["declarer"] >= 0) & (record["game"] < NULL)]
    by_batch = play_contracts(record).rows
    by_table = results((record, "skat:rule", 0))
    assert by_table[:, 0].tolist() == (by_batch["won"] == 1).tolist()
    assert by_table[:, 1] == pytest.approx(series_points(by_batch))
    assert [spec_of(setting, "x") for setting in SETTINGS] == [
        "x", "core:paranoia(then=x,seats=declarer)", "core:paranoia(then=x,seats=defenders)", "core:paranoia(then=x)"
    ]  # fmt: skip
    assert len(MODES) == 3


def test_the_base_is_what_was_learned_without_bids() -> None:
    for table in of_xskat():
        base = base_of(table)
        at = table.form.names.index("bid")
        first = base.form.hash(0).unrank(base.layers[0].keys)
        by_bid = np.bincount(first[:, at], base.layers[0].games)
        assert (by_bid == by_bid[features.UNKNOWN_BID]).all()
        for layer, whole in zip(base.layers[1:], table.layers[1:], strict=True):
            assert layer.total == by_bid[0] < whole.total
            rest = Counts.summed([whole, Counts(layer.keys, -layer.won, -layer.games)])
            assert (rest.games >= 0).all()
            assert (rest.won >= 0).all()


def test_chances_of_numbers() -> None:
    """A birthday among 365 days, and the splits of five cards."""
    assert repeat_chance(23, 365) == pytest.approx(0.5, abs=0.01)
    exact = sum(comb(5, k) * comb(15, 10 - k) for k in (2, 3)) / comb(20, 10)
    assert follows_twice(1, 40_000).mean() == pytest.approx(exact, abs=0.01)


def test_in_an_uneven_crowd_few_play_much() -> None:
    league = uneven(40, 200, 1, 1.0)
    played_by = np.sort(np.bincount(league.tables.ravel(), minlength=40))
    assert played_by.sum() == 600
    assert played_by[-4:].sum() > 0.25 * 600
    assert all(len(set(table)) == 3 for table in league.tables.tolist())


AUDIT = CHECKOUT / "docs" / "papers-audit.md"
PAPERS = "ELO|SKAT|KERMIT|OUTER|KBPS"
STATES = ("DONE", "PART", "MISSING", "N/A")
ROW = re.compile(rf"^\| ((?:{PAPERS})-\d+b?) \| ({'|'.join(STATES)}) \|(.*)\|(.*)\|(.*)\|$", re.MULTILINE)
COUNTED = re.compile(r"^\| ([A-Z]+) \| \d+ \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$", re.MULTILINE)
TOPICS = "ratings|records|outer|kermit|skat|discard|winning|cards|belief"


def test_the_audit_has_a_row_for_every_point() -> None:
    papers = (CHECKOUT / "docs" / "papers.md").read_text(encoding="utf-8")
    points = re.findall(rf"^- \*\*((?:{PAPERS})-\d+b?)\*\* ", papers, re.MULTILINE)
    page = AUDIT.read_text(encoding="utf-8")
    rows = ROW.findall(page)
    assert [row[0] for row in rows] == points
    counted = Counter((point.partition("-")[0], state) for point, state, *_ in rows)
    found = COUNTED.findall(page)
    assert len(found) == len(PAPERS.split("|"))
    for short, *numbers in found:
        assert [counted[short, state] for state in STATES] == list(map(int, numbers))
    assert all(state != "PART" or last.strip() for _, state, *_, last in rows)


def test_what_the_audit_names_is_there() -> None:
    roots = [CHECKOUT, *CHECKOUT.glob("plugins/*/src"), CHECKOUT / "experiments" / "src"]
    folders = (CHECKOUT / "tests", CHECKOUT / "experiments" / "tests", *CHECKOUT.glob("plugins/*/tests"))
    tests = {file.name for folder in folders for file in folder.rglob("test_*.py")}
    for point, _, where, tested, last in ROW.findall(AUDIT.read_text(encoding="utf-8")):
        for name in re.findall(r"`(tricktake\w*(?:/[\w.]+)*)`", where):
            assert any((root / name).exists() for root in roots), (point, name)
        for name in re.findall(r"`(test_\w+\.py)`", tested):
            assert name in tests, (point, name)
        for name in re.findall(r"\b((?:elo|skat|kermit|outer|kbps)-[a-z\d]+)\b", re.sub(r"\[.*?\]\(.*?\)", "", last)):
            assert name in items(), (point, name)
        for name in re.findall(rf"`((?:{TOPICS})\.[\w-]+)`", where):
            assert name in experiments(), (point, name)
