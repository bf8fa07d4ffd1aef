"""Rows in Parquet: what was written is read, whatever the blocks; tables are the same; damage is named."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tricktake import parquet
from tricktake.errors import InputError
from tricktake.learning import Question, Rows, feature, learn
from tricktake.learning.columns import fields_read, read_columns, sources_of, write_columns
from tricktake.learning.store import write_rows

pa = pytest.importorskip("pyarrow")

FIELDS: dict[str, tuple[Any, str]] = {
    "id": (np.int64, "game"),
    "mask": (np.int64, "cards"),
    "bids": ((np.int16, 3), "bids"),
    "won": (np.bool_, "won"),
}
ROWS = Rows("tests:columns", FIELDS, stored={"mask": np.uint32, "bids": np.int8})


def some(n: int, seed: int = 1) -> np.ndarray:
    rng = np.random.default_rng(seed)
    rows = ROWS.empty(n)
    rows["id"], rows["mask"] = np.arange(n), rng.integers(0, 1 << 32, n)
    rows["bids"], rows["won"] = rng.integers(-5, 120, (n, 3)), rng.random(n) < 0.5
    return rows


def read(path: Path, fields: list[str] | None = None) -> np.ndarray:
    return np.concatenate([ROWS.empty(0), *read_columns(ROWS, path, fields)])


@feature(domain=5)
def low(game):
    return helped(game) & 3


def helped(game):
    return game.mask


QUESTION = Question("columns", ROWS, (low,), won=lambda game: game.won)


def test_what_was_written_is_read(tmp_path: Path) -> None:
    rows = some(3000)
    assert write_columns(ROWS, [rows[:7], rows[7:7], rows[7:]], tmp_path / "a.parquet", [{"kind": "test"}]) == 3000
    assert np.array_equal(read(tmp_path / "a.parquet"), rows)
    assert sources_of(tmp_path / "a.parquet") == [{"kind": "test"}]
    assert [p.name for p in tmp_path.iterdir()] == ["a.parquet"]
    assert write_columns(ROWS, [], tmp_path / "none.parquet") == 0
    assert len(read(tmp_path / "none.parquet")) == 0


def test_the_file_does_not_depend_on_the_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet, "GROUP", 256)
    rows = some(1000)
    write_columns(ROWS, [rows], tmp_path / "a.parquet")
    write_columns(ROWS, [rows[i : i + 33] for i in range(0, 1000, 33)], tmp_path / "b.parquet")
    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()
    assert parquet.Part(tmp_path / "a.parquet", "tricktake-rows", 1).groups == 4


def test_a_folder_is_read_as_one(tmp_path: Path) -> None:
    rows = some(1000)
    write_columns(ROWS, [rows], tmp_path / "parts", [{"kind": "test"}], partition=300)
    assert len(parquet.parts(tmp_path / "parts")) == 4
    assert np.array_equal(read(tmp_path / "parts"), rows)
    with pytest.raises(InputError, match="is there already"):
        write_columns(ROWS, [rows], tmp_path / "parts", partition=300)
    assert [p.name for p in tmp_path.iterdir()] == ["parts"]


def test_tables_are_the_same_wherever_the_rows_come_from(tmp_path: Path) -> None:
    rows = some(5000)
    write_rows(ROWS, [rows], tmp_path / "a.rows")
    write_columns(ROWS, [rows], tmp_path / "a.parquet")
    write_columns(ROWS, [rows], tmp_path / "parts", partition=1999)
    assert fields_read([QUESTION]) == ["id", "mask", "won"]
    tables = [
        learn(QUESTION, source) for source in (rows, tmp_path / "a.rows", tmp_path / "a.parquet", tmp_path / "parts")
    ]
    for table in tables[1:]:
        assert list(table) == list(tables[0])
        assert table.games == 5000


def test_fields_that_cannot_be_told_are_all_read(tmp_path: Path) -> None:
    @feature(domain=130)
    def named(game):
        return getattr(game, "bi" + "ds")[0] + 5

    assert fields_read([Question("named", ROWS, (named,), won=lambda game: game.won)]) is None


def test_a_number_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    rows = some(10)
    rows["bids"][3, 1] = 1000
    with pytest.raises(InputError, match=r"a\.parquet: bids: game 3: .*1000.* does not fit int8"):
        write_columns(ROWS, [rows], tmp_path / "a.parquet")
    assert not list(tmp_path.iterdir())
    with pytest.raises(ValueError, match="no field"):
        Rows("tests:bad", FIELDS, stored={"nothing": np.int8})


def test_other_rows_and_foreign_files_are_refused(tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    file = tmp_path / "a.parquet"
    write_columns(ROWS, [some(10)], file)
    with pytest.raises(InputError, match=r"a\.parquet: rows: of tests:columns version 1, not tests:other version 1"):
        list(read_columns(Rows("tests:other", FIELDS), file))
    with pytest.raises(InputError, match=r"a\.parquet: bids: of type .*int8.*, not .*int16"):
        list(read_columns(Rows("tests:columns", FIELDS, stored={"mask": np.uint32}), file))
    pq.write_table(pa.table({"x": [1]}), file)
    with pytest.raises(InputError, match=r"a\.parquet: a Parquet file of another program"):
        list(read_columns(ROWS, file))


def test_damage_is_an_input_error(tmp_path: Path) -> None:
    """Cut off anywhere, or with a byte changed anywhere: an error that names the file, or the rows as they were."""
    file = tmp_path / "a.parquet"
    rows = some(40)
    write_columns(ROWS, [rows], file)
    whole = file.read_bytes()
    rng = np.random.default_rng(3)
    for at in range(0, len(whole), 37):
        for broken in (whole[:at], whole[:at] + bytes([whole[at] ^ int(rng.integers(1, 256))]) + whole[at + 1 :]):
            file.write_bytes(broken)
            with contextlib.suppress(InputError):
                read(file)


def test_a_damaged_footer_is_an_input_error(tmp_path: Path) -> None:
    """Every byte of it, where a file is only asked what it is: Arrow has errors of its own for types it lacks."""
    file = tmp_path / "a.parquet"
    write_columns(ROWS, [some(4)], file)
    whole = file.read_bytes()
    rng = np.random.default_rng(4)
    for at in range(whole.rindex(b"schema"), len(whole)):
        file.write_bytes(whole[:at] + bytes([whole[at] ^ int(rng.integers(1, 256))]) + whole[at + 1 :])
        with contextlib.suppress(InputError):
            parquet.kind_of(file)


def test_what_no_row_has_is_named(tmp_path: Path) -> None:
    """Numbers out of their limits, and rows that no game could have: file, row and field, in every file of a folder."""

    def unlike(rows: np.ndarray) -> tuple[int, str, str] | None:
        odd = rows["mask"] % 2 == 1
        return (int(odd.argmax()), "mask", "is odd") if odd.any() else None

    limited = Rows(
        "tests:columns", FIELDS, stored=ROWS.stored, limits={"bids": (-5, 120)}, given=("mask",), unlike=unlike
    )
    rows = some(6000)
    rows["mask"] &= ~1
    folder = tmp_path / "parts"
    write_columns(limited, [rows], folder, partition=2500)
    assert np.array_equal(np.concatenate(list(read_columns(limited, folder))), rows)
    rows["mask"][5100] += 1
    write_columns(limited, [rows], tmp_path / "odd", partition=2500)
    with pytest.raises(InputError, match=r"0002\.parquet:101: mask: game 5100: is odd"):
        list(read_columns(limited, tmp_path / "odd", ["won"]))
    rows["bids"][4000, 2] = 121
    write_columns(limited, [rows], tmp_path / "high", partition=2500)
    with pytest.raises(InputError, match=r"0001\.parquet:1501: bids: game 4000: 121 is not within -5 to 120"):
        list(read_columns(limited, tmp_path / "high"))
    with pytest.raises(ValueError, match="no field"):
        Rows("tests:bad", FIELDS, limits={"nothing": (0, 1)})


def test_without_pyarrow_one_line_says_what_to_install(tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['pyarrow'] = None\n"
        "from tricktake.cli.main import main\n"
        "main(['rows', 'skat:suit', '--play', '5', '--out', 'x.parquet'])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 2
    assert "pip install 'tricktake[records]'" in done.stderr
    assert "Traceback" not in done.stderr


def test_pyarrow_is_not_imported_before_it_is_needed() -> None:
    modules = "tricktake.cli.main, tricktake.learning, tricktake.records.formats"
    code = f"import sys, {modules}; sys.exit('pyarrow' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_example_answers_its_queries(tmp_path: Path) -> None:
    pytest.importorskip("duckdb")
    from tricktake_skat.games import play_games
    from tricktake_skat.rows import GAMES

    from tests.conftest import ROOT

    write_columns(GAMES, [play_games(3, 0, 300).rows], tmp_path / "parts", partition=200)
    words = [sys.executable, ROOT / "examples" / "query_records.py", tmp_path / "parts"]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("300 games, ")
    assert done.stdout.count(" bytes of ") == 5
    won = {line.split()[0]: line.split()[1] for line in done.stdout.splitlines() if len(line.split()) == 3}
    assert int(won["clubs"]) == int((play_games(3, 0, 300).rows["game"] == 0).sum())
