"""Records as Parquet: every game and everything a record may hold is read back as it was; damage is named."""

from __future__ import annotations

import itertools
import json
import tempfile
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest
from attrs import evolve
from click.testing import Result
from hypothesis import given, settings
from hypothesis import strategies as st

from tricktake import parquet
from tricktake.action import Action, Event
from tricktake.deal import deal
from tricktake.errors import InputError
from tricktake.game import find_game
from tricktake.plugins import manager
from tricktake.records.formats import get_format, read, write
from tricktake.records.record import GameRecord, record_of
from tricktake.records.verify import AGREE, compare
from tricktake.table import Table

pa = pytest.importorskip("pyarrow")

DATA = Path(__file__).resolve().parent.parent / "data"
PLUGINS = Path(__file__).resolve().parents[2] / "plugins"
SAMPLES = [
    DATA / "iss-23.sgf",
    DATA / "xskat-500.log.gz",
    *(PLUGINS / "schafkopf/tests/data").glob("*.json"),
    *(path for path in (PLUGINS / "bridge/tests/data").iterdir() if path.suffix != ".md"),
]


def random_record(name: str, seed: int, patience: float = 1.0) -> GameRecord:
    """A game played by lot, given up now and then."""
    game = find_game(name)
    rng = np.random.default_rng(seed)
    table = Table.start(game, deal(game.layout, seed, 0), seed % game.boards)
    while table.turn is not None and rng.random() < patience:
        legal = table.legal()
        table.apply(legal[int(rng.integers(len(legal)))])
    return record_of(table, f"{seed}-0", tuple(f"player {seat}" for seat in range(game.seats)))


def there_and_back(records: list[GameRecord], partition: int | None = None) -> list[GameRecord]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.parquet"
        assert write(records, path, partition=partition) == len(records)
        assert [p.name for p in Path(folder).iterdir()] == ["games.parquet"]
        return plain(read(path, strict=True))


def plain(records: Iterable[GameRecord]) -> list[GameRecord]:
    return [evolve(record, source="") for record in records]


@pytest.mark.parametrize("name", manager().games.names())
@given(st.lists(st.tuples(st.integers(0, 2**40), st.sampled_from([0.9, 0.97, 1.0])), min_size=1, max_size=3))
@settings(max_examples=3)
def test_every_game_is_read_back(name: str, drawn: list[tuple[int, float]]) -> None:
    records = [random_record(name, seed, patience) for seed, patience in drawn]
    again = there_and_back(records)
    assert again == records
    text = get_format("jsonl").dumps
    assert [json.loads(line) for line in text(again).splitlines()] == [
        json.loads(line) for line in text(records).splitlines()
    ]


def test_what_was_read_agrees_with_the_rules() -> None:
    record = random_record("skat", 5)
    assert compare(find_game("skat"), there_and_back([record])[0]).status == AGREE


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_the_samples_are_read_back(path: Path) -> None:
    records = plain(itertools.islice(read(path, on_error=lambda error: None), 100))
    assert there_and_back(records, partition=1000) == records


CLAIMS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(allow_nan=False),
    st.text(max_size=3),
    st.just("\udce4"),
    st.lists(st.integers(-5, 5), max_size=3),
    st.lists(st.one_of(st.text(max_size=2), st.booleans()), max_size=2),
    st.dictionaries(st.text(max_size=2), st.integers(), max_size=2),
)
NAMES = st.one_of(st.text(max_size=4), st.sampled_from(["points", "won", "\udcff"]))
STRANGE = st.fixed_dictionaries(
    {
        "id": NAMES,
        "board": st.integers(0, 2**40),
        "players": st.one_of(st.just(()), st.tuples(NAMES, NAMES, NAMES)),
        "result": st.dictionaries(NAMES, CLAIMS, max_size=4),
        "notes": st.dictionaries(NAMES, CLAIMS, max_size=3),
    }
)


@given(st.lists(STRANGE, min_size=1, max_size=6), st.data())
@settings(max_examples=30)
def test_nothing_a_record_may_say_is_lost(strange: list[dict[str, object]], data: st.DataObject) -> None:
    """Claims of any type and mixture, bytes that are no UTF-8, things said between the cards, no auction."""
    base = random_record("skat", 3)
    records = []
    for each in strange:
        plays = list(base.plays)
        for _ in range(data.draw(st.integers(0, 2))):
            at = data.draw(st.integers(0, len(plays)))
            plays.insert(
                at, Event(data.draw(st.integers(0, 2)), Action("show", data.draw(st.sampled_from(["", "x"])), (3, 5)))
            )
        before = data.draw(st.sampled_from([base.before, None, ()]))
        records.append(evolve(base, plays=tuple(plays), before=before, source="", **each))  # type: ignore[arg-type]
    assert there_and_back(records) == records


def test_claims_are_columns(tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    records = [random_record("skat", seed) for seed in range(3)]
    write(records, tmp_path / "a.parquet")
    table = pq.read_table(tmp_path / "a.parquet")
    found = table["result"].to_pylist()
    assert [row["points"] for row in found] == [record.result["points"] for record in records]
    assert table["cards"].to_pylist() == [list(record.cards) for record in records]
    assert table["deal"].to_pylist()[0] == dict(
        zip(("seat0", "seat1", "seat2", "skat"), records[0].deal.masks, strict=True)
    )
    about = json.loads(pq.read_metadata(tmp_path / "a.parquet").metadata[b"tricktake"])
    assert (about["game"], about["version"], about["deck"][:2]) == ("skat", 1, ["C7", "C8"])


def test_groups_and_parts_change_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet, "GROUP", 4)
    records = [random_record("skat", seed) for seed in range(11)]
    records[7] = evolve(records[7], result={"late": "claim", "points": "none"})
    assert there_and_back(records) == records
    assert there_and_back(records, partition=5) == records
    write(records, tmp_path / "parts", partition=5)
    assert [parquet.Part(p, "tricktake-games", 1).rows for p in parquet.parts(tmp_path / "parts")] == [5, 5, 1]
    assert [r.source for r in read(tmp_path / "parts")][5] == f"{tmp_path / 'parts' / 'part-00001.parquet'}:1"


def test_one_game_a_file_any_in_a_folder(tmp_path: Path) -> None:
    records = [random_record(name, 1) for name in ("skat", "hearts", "skat")]
    with pytest.raises(InputError, match="a file holds one game, here skat"):
        write(records, tmp_path / "a.parquet")
    assert not list(tmp_path.iterdir())
    errors: list[InputError] = []
    assert write(records, tmp_path / "a.parquet", on_error=errors.append) == 2
    assert len(errors) == 1
    assert there_and_back(records, partition=10) == records


# -- the commands -----------------------------------------------------------------------------------------------------


def test_there_and_back_by_command(cli, tmp_path: Path) -> None:
    def run(*words: object) -> Result:
        done: Result = cli(*words)
        return done

    one, parts, again = tmp_path / "a.parquet", tmp_path / "parts", tmp_path / "again.jsonl"
    write(itertools.islice(read(DATA / "xskat-500.log.gz"), 20), tmp_path / "a.jsonl")
    assert run("convert", tmp_path / "a.jsonl", one).exit_code == 0
    assert run("convert", one, parts, "--partition", 7).exit_code == 0
    assert run("convert", parts, again).exit_code == 0
    assert again.read_bytes() == (tmp_path / "a.jsonl").read_bytes()
    done = run("verify", "skat", parts)
    assert (done.exit_code, "20 agree" in done.output) == (0, True)
    assert run("learn", "skat:suit", parts, "--out", tmp_path / "p.table", "--json").exit_code == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("convert", "a.parquet", "-", "--to", "parquet"), "not to stdout"),
        (("convert", "a.parquet", "b.jsonl", "--partition", "3"), "already"),
        (("convert", "a.parquet", "b.iss", "--partition", "3", "--to", "iss"), "only Parquet as a folder"),
        (("convert", "empty", "b.parquet"), "directory"),
        (("convert", "nothing.jsonl", "b.parquet"), "not one game"),
        (("convert", "foreign.parquet", "c.jsonl"), "foreign.parquet: a Parquet file of another program"),
        (("convert", "torn.parquet", "c.jsonl"), "torn.parquet: damaged, or no Parquet file"),
        (("verify", "skat", "packed.parquet.gz"), "as it is"),
        (("learn", "skat:suit", "torn.parquet", "--out", "x"), "torn.parquet: damaged, or no Parquet file"),
    ],
)
def test_mistakes_are_one_line(
    words: tuple[str, ...], message: str, cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import gzip

    import pyarrow.parquet as pq

    monkeypatch.chdir(tmp_path)
    write([random_record("skat", 1)], "a.parquet")
    write([random_record("skat", 1)], "b.jsonl")
    Path("empty").mkdir()
    Path("nothing.jsonl").write_text("")
    pq.write_table(pa.table({"x": [1]}), "foreign.parquet")
    Path("torn.parquet").write_bytes(Path("a.parquet").read_bytes()[:-20])
    Path("packed.parquet.gz").write_bytes(gzip.compress(Path("a.parquet").read_bytes()))
    done = cli(*words)
    assert message in done.output + done.stderr
    assert done.exit_code in (1, 2)
    assert "Traceback" not in done.output + done.stderr


def test_a_bad_value_is_named_by_row_and_column(tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    path = tmp_path / "a.parquet"
    write([random_record("skat", seed) for seed in range(4)], path)
    about = {b"tricktake": pq.read_metadata(path).metadata[b"tricktake"]}
    table = pq.read_table(path).replace_schema_metadata(about)
    contracts = table["contract"].to_pylist()
    contracts[2] = "nonsense"
    pq.write_table(table.set_column(5, "contract", pa.array(contracts)), path)
    errors: list[InputError] = []
    assert len(list(read(path, on_error=errors.append))) == 3
    assert [(e.file, e.line, e.field) for e in errors] == [(str(path), 3, "contract")]
    pq.write_table(table.drop(["cards"]), path)
    with pytest.raises(InputError, match=r"a\.parquet: cards: this column is missing"):
        list(read(path, strict=True))
