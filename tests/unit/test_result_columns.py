"""Stores of tournaments and results of experiments as Parquet: what stands there is what was measured."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tricktake.errors import InputError
from tricktake.tournament.columns import export, results_in
from tricktake.tournament.store import Store

pa = pytest.importorskip("pyarrow")
import pyarrow.parquet as pq  # noqa: E402

CONFIG = {"game": "toy", "seed": 1, "players": [{"name": "Ann"}, {"name": "Bob"}]}
ROWS = [
    {"id": "a", "players": [0, 1], "points": [1, -1], "won": True, "faults": [], "value": None, "odd": 1},
    {"id": "b", "players": [1, 0], "points": [0.5, -0.5], "won": None, "faults": [], "value": 3, "odd": "two"},
]


def test_a_store_is_a_row_a_game(cli, tmp_path: Path) -> None:
    with Store(tmp_path / "cup.jsonl", CONFIG) as store:
        for row in ROWS:
            store.add(dict(row))
        store.add_session({"seconds": 1})
    done = cli("convert", tmp_path / "cup.jsonl", tmp_path / "cup.parquet", "--json")
    assert (done.exit_code, json.loads(done.stdout)) == (0, {"rows": 2})
    found = pq.read_table(tmp_path / "cup.parquet").to_pylist()
    assert [row["names"] for row in found] == [["Ann", "Bob"], ["Bob", "Ann"]]
    for row, was in zip(found, ROWS, strict=True):
        assert {n: row[n] for n in ("id", "players", "points", "won", "value")} == {
            n: was[n] for n in ("id", "players", "points", "won", "value")
        }
        assert (json.loads(row["odd"]), json.loads(row["faults"])) == (was["odd"], [])
    about = json.loads(pq.read_metadata(tmp_path / "cup.parquet").metadata[b"tricktake"])
    assert about["config"] == CONFIG


@pytest.mark.parametrize("path", sorted((ROOT / "experiments" / "results").glob("*.json")), ids=lambda path: path.stem)
def test_committed_results_are_a_row_a_cell(path: Path, tmp_path: Path) -> None:
    assert results_in(path) == "experiment"
    run = json.loads(path.read_text())["run"]
    cells = sum(len(row) for sheet in run["sheets"] for row in sheet["rows"]) + len(run["facts"])
    assert export(path, tmp_path / "a.parquet") == cells
    found = pq.read_table(tmp_path / "a.parquet").to_pylist()
    assert pq.read_schema(tmp_path / "a.parquet").field("value").type == pa.float64()
    assert {row["experiment"] for row in found} == {run["experiment"]}
    if not run["sheets"]:
        return
    first = run["sheets"][0]
    of_first = [row for row in found if row["sheet"] == first["title"] and row["row"] == 1][: len(first["columns"])]
    for row, was in zip(of_first, first["rows"][0], strict=True):
        if isinstance(was, dict):
            assert (row["value"], row["error"], row["n"]) == (was["mean"], was["error"], was["n"])
        elif isinstance(was, (int, float)) and not isinstance(was, bool):
            assert row["value"] == was
        else:
            assert row["text"] == was


def test_what_is_neither_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    file.write_text('{"run": {"experiment": "x", "sheets": [{"title": "t", "columns": ["a"], "rows": [[1, 2]]}]}}')
    with pytest.raises(InputError, match=r"x\.json: sheets: not as an experiment"):
        export(file, tmp_path / "a.parquet")
    file.write_text('{"a": 1}')
    assert results_in(file) == ""
    with pytest.raises(InputError, match="neither the store"):
        export(file, tmp_path / "a.parquet")
    with Store(tmp_path / "cup.jsonl", CONFIG) as store:
        store.add({"id": "a", "players": [7]})
    with pytest.raises(InputError, match=r"players: game a: names nobody"):
        export(tmp_path / "cup.jsonl", tmp_path / "a.parquet")
