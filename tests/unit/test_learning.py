"""Questions, features and learning from records: what is right, and what is said when something is not."""

from __future__ import annotations

import logging
import os
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.examples import load
from tests.tournaments import HERE
from tricktake import plugins
from tricktake.errors import InputError, UnknownName
from tricktake.jit import popcount
from tricktake.learning import LearnedTable, Question, Rows, feature, find_question, find_table, learn
from tricktake.learning.selfplay import records_of, self_play
from tricktake.learning.store import read_rows, write_rows
from tricktake.records.formats import write

PLUGINS = f"{HERE / 'toygame.py'},{HERE / 'toylearning.py'}"

ROWS = Rows(
    "tests:rows",
    {"id": (np.int64, "game"), "mask": (np.int64, "cards"), "bids": ((np.int8, 3), "bids"), "won": (np.bool_, "won")},
)
LOW = 0xFF


@pytest.fixture
def toy(fresh_plugins: None, monkeypatch: pytest.MonkeyPatch) -> Question:
    monkeypatch.setenv("TRICKTAKE_PLUGINS", PLUGINS)
    plugins.loaded.cache_clear()
    return find_question("toylearning:hand")


@pytest.fixture
def records(toy: Question, tmp_path: Path) -> Path:
    file = tmp_path / "games.jsonl"
    write(records_of("toy", "core:random", 5, 0, 60), file)
    return file


def low(game: Any) -> int:
    return popcount(game.mask & LOW)


@feature(domain=9)
def cards(game):
    """Low cards."""
    return low(game)


@feature(domain=3)
def bid(game):
    return min(game.bids[1] // 10, 2)


def ask(*features: Any, **fields: Any) -> Question:
    return Question("test", ROWS, features, **{"won": lambda game: game.won, **fields})


def some_rows(n: int = 100) -> np.ndarray:
    rng = np.random.default_rng(1)
    rows = ROWS.empty(n)
    rows["id"], rows["mask"] = np.arange(n) + 1000, rng.integers(0, 1 << 32, n)
    rows["bids"], rows["won"] = rng.integers(0, 120, (n, 3)), rng.random(n) < 0.5
    return rows


# ---- features ---------------------------------------------------------------------------------------------------


@pytest.mark.kernel
def test_features_may_call_functions_and_each_other() -> None:
    @feature(domain=2)
    def many(game):
        return cards(game) > 4

    rows = some_rows()
    found = ask(cards, bid, many).vectors(rows)
    for row, values in zip(rows, found.tolist(), strict=True):
        count = (int(row["mask"]) & LOW).bit_count()
        assert values == [count, min(int(row["bids"][1]) // 10, 2), count > 4]


@feature(domain=2)
def won(game):
    """Its name is that of a field, and of a global."""
    return game.won


def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


@pytest.mark.kernel
def test_asking_neither_excludes_nor_looks_at_the_result() -> None:
    question = ask(cards, bid, excluded=lambda game: game.id >= 0, won=lambda game: game.bids[9])
    rows = some_rows(9)
    assert len(question.found(rows)[0]) == 0
    assert len(question.vectors(rows)) == 9
    table = learn(ask(cards, bid), rows)
    answers = [table.ask(rows[i : i + 1]).probability for i in range(9)]
    assert table.chances(rows).tolist() == answers


def test_names_of_fields_and_recursion_do_not_confuse(caplog) -> None:
    @feature(domain=2)
    def deep(game):
        return fibonacci(game.id - 1000) == 1

    rows = some_rows(5)
    assert ask(won, deep).vectors(rows).tolist() == [
        [int(w), d] for w, d in zip(rows["won"], (0, 1, 1, 0, 0), strict=True)
    ]


@pytest.mark.kernel
def test_a_value_outside_of_the_domain_names_feature_value_and_game() -> None:
    @feature(domain=4)
    def narrow(game):
        return game.mask

    rows = some_rows(3)
    rows["mask"] = [3, 4, 5]
    with pytest.raises(
        InputError, match=r"feature narrow: is 4, outside of its domain 0 to 3, in game 1001, row 2 of 3"
    ):
        learn(ask(narrow), rows)


def test_what_numba_cannot_compile_runs_as_python_and_says_so(caplog) -> None:
    @feature(domain=9)
    def by_text(game):
        return bin(game.mask & LOW).count("1")

    question = ask(cards, by_text, excluded=lambda game: bin(game.bids[0]) == "0b111")
    with caplog.at_level(logging.WARNING, "tricktake.learning"):
        table = learn(question, some_rows(500))
    assert sum(r.message.startswith("question 'test': feature 'by_text' runs as Python") for r in caplog.records) == 1
    assert any("'excluded' runs as Python" in r.message for r in caplog.records)
    plain = learn(ask(cards, cards_again, excluded=lambda game: game.bids[0] == 7), some_rows(500))
    assert table.layers == plain.layers


@feature(domain=9, name="by_text")
def cards_again(game):
    return low(game)


@pytest.mark.kernel
def test_what_goes_wrong_in_a_feature_names_it() -> None:
    @feature(domain=3)
    def broken(game):
        return 2 // (game.id - 1003)

    with pytest.raises(InputError, match=r"question test: broken: .* zero, in game 1003, row 4 of 100"):
        learn(ask(broken), some_rows())

    @feature(domain=3)
    def beyond(game):
        return game.bids[game.id - 1000]

    rows = some_rows()
    rows["bids"] = 0
    with pytest.raises(InputError, match=r"question test: beyond: IndexError: .*, in game 1003, row 4 of 100"):
        learn(ask(beyond), rows)


@pytest.mark.kernel
def test_a_feature_gives_whole_numbers() -> None:
    @feature(domain=3)
    def half(game):
        return game.mask / 2

    with pytest.raises(InputError, match=r"feature half: must be a whole number, not \d+\.\d"):
        learn(ask(half), some_rows())


def test_what_is_no_question_is_refused() -> None:
    with pytest.raises(InputError, match=r"feature f: the domain must be a number of values, not 0"):
        feature(domain=0, name="f")(lambda game: 0)
    with pytest.raises(InputError, match="needs features"):
        ask()
    with pytest.raises(InputError, match="needs features"):
        ask(low)
    with pytest.raises(InputError, match="two features of the same name"):
        ask(cards, cards)
    with pytest.raises(UnknownName, match="did you mean 'cards'"):
        ask(cards, layers={"all": "all", "few": ("card",)})
    wide = [feature(domain=1 << 20, name=f"f{i}")(low) for i in range(4)]
    with pytest.raises(InputError, match=r"need 80 bits, a key has 63; the widest: f0 \(1048576\), f1"):
        ask(*wide)
    with pytest.raises(UnknownName, match="packing"):
        ask(cards, packing="zip")
    with pytest.raises(ValueError, match="'x' must be of signed whole numbers or bool, not float64"):
        Rows("tests:bad", {"x": (np.float64, "a float")})
    with pytest.raises(InputError, match="not rows of tests:rows"):
        learn(ask(cards), np.zeros(3))
    with pytest.raises(InputError, match="has no field 'hand'"):
        ROWS.row(hand=1)


# ---- the code of a question -------------------------------------------------------------------------------------

MODULE = """
from tricktake.jit import popcount
from tricktake.learning import Question, Rows, feature
import numpy as np

ROWS = Rows("m:rows", {{"mask": (np.int64, "cards"), "won": (np.int64, "won")}})
LOW = {low}
TABLE = np.arange({size})

def helper(game):
    return popcount(game.mask & LOW)

@feature(domain=20)
def cards(game{annotation}):
    "{doc}"
    return helper(game) + TABLE[0] {comment}

@feature(domain=2)
def other(game):
    return game.mask & 1

Q = Question("m", ROWS, (cards, other), won=lambda game: game.won {won}, excluded=lambda game: game.mask < 0)
"""


def code_of(folder: Path, **changes: str) -> dict[str, str]:
    parts = {"low": "255", "size": "3", "doc": "Cards.", "comment": "", "won": "> 0", "annotation": "", **changes}
    file = folder / f"m{len(list(folder.iterdir()))}.py"
    file.write_text(MODULE.format(**parts))
    return load(file).Q.code


def test_the_hash_follows_what_a_feature_does(tmp_path: Path) -> None:
    first = code_of(tmp_path)
    assert set(first) == {"feature cards", "feature other", "won", "excluded"}
    assert first["won"] != first["excluded"]  # two lambdas in one line
    assert code_of(tmp_path, doc="What it counts.", comment="# why", annotation=": object") == first
    for change in ({"low": "127"}, {"size": "4"}, {"comment": "+ 1"}):
        changed = code_of(tmp_path, **change)
        assert [name for name in first if changed[name] != first[name]] == ["feature cards"]
    assert [n for n, c in code_of(tmp_path, won="> 1").items() if c != first[n]] == ["won"]


def test_a_table_of_other_features_is_refused(tmp_path: Path) -> None:
    table = learn(ask(cards, bid), some_rows())
    table.save(tmp_path / "a.table")

    @feature(domain=9, name="cards")
    def changed(game):
        return low(game) // 2

    for question, reason in (
        (ask(changed, bid), "learned otherwise in the code of feature cards; learn it again"),
        (ask(bid, cards), r"in features: \(\('cards', 9\)"),
        (ask(cards, bid, version=2), "test version 1, not test version 2"),
        (ask(cards, bid, packing="bit-packed"), "in packing: mixed-radix, not bit-packed"),
        (ask(cards, bid, won=lambda game: not game.won), "in the code of won"),
    ):
        with pytest.raises(InputError, match=reason):
            LearnedTable.load(tmp_path / "a.table", question)
    with pytest.raises(InputError, match="loaded without its question"):
        LearnedTable.load(tmp_path / "a.table").ask(ROWS.row(mask=1))
    assert LearnedTable.load(tmp_path / "a.table", ask(cards, bid)).ask(ROWS.row(mask=0)).layer in ("foreground", "")


def test_a_damaged_table_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "a.table"
    learn(ask(cards, bid), some_rows()).save(file)
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(InputError, match=r"a\.table: damaged, or no table file"):
        LearnedTable.load(file)
    for at in range(40, len(whole) - 40, 97):
        file.write_bytes(whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :])
        try:
            again = LearnedTable.load(file)
        except InputError:
            continue
        assert again == learn(ask(cards, bid), some_rows())  # a byte of the zip that says nothing of the table
    with pytest.raises(InputError, match=r"none\.table: No such file"):
        LearnedTable.load(tmp_path / "none.table")


def test_a_table_never_unpickles(tmp_path: Path) -> None:
    import hashlib
    import io
    import json
    import zipfile

    file = tmp_path / "a.table"
    learn(ask(cards), some_rows()).save(file)
    with zipfile.ZipFile(file) as packed:
        members = {name: packed.read(name) for name in packed.namelist()}
    stream = io.BytesIO()
    np.save(stream, np.array([os.system], dtype=object), allow_pickle=True)
    members["0.keys.npy"] = stream.getvalue()
    described = json.loads(members["manifest.json"])
    described["sha256"]["0.keys.npy"] = hashlib.sha256(stream.getvalue()).hexdigest()
    members["manifest.json"] = json.dumps(described).encode()
    with zipfile.ZipFile(file, "w") as packed:
        for name, data in members.items():
            packed.writestr(name, data)
    with pytest.raises(InputError, match=r"0\.keys\.npy: damaged: .*Object arrays cannot be loaded"):
        LearnedTable.load(file)


# ---- sources ----------------------------------------------------------------------------------------------------


def test_records_rows_files_and_arrays_give_the_same_counts(toy, records: Path, tmp_path: Path) -> None:
    from_records = learn(toy, records)
    assert 50 < from_records.games <= 60
    (source,) = from_records.sources
    assert (source["kind"], source["name"], source["used"]) == ("records", "games.jsonl", from_records.games)
    played = list(self_play(toy.rows, 5, 0, 60))
    stored = tmp_path / "games.rows"
    assert write_rows(toy.rows, played, stored, [source]) == from_records.games
    rows, sources = read_rows(toy.rows, stored)
    assert sources == [dict(source)]
    for other in (learn(toy, stored), learn(toy, rows), learn(toy, [rows[:7], rows[7:]], jobs=2)):
        assert other.layers == from_records.layers


def test_the_number_of_workers_changes_nothing(toy, records: Path, monkeypatch, tmp_path: Path) -> None:
    from tricktake.learning import records as reading
    from tricktake.learning import selfplay

    monkeypatch.setattr(reading, "BATCH", 7)
    monkeypatch.setattr(selfplay, "BLOCK", 11)
    for name in ("one", "two"):
        jobs = {"one": 1, "two": 2}[name]
        learn(toy, records, jobs=jobs).save(tmp_path / f"{name}.table")
        write_rows(toy.rows, self_play(toy.rows, 3, 5, 40, jobs=jobs), tmp_path / f"{name}.rows")
    assert (tmp_path / "one.table").read_bytes() == (tmp_path / "two.table").read_bytes()
    assert (tmp_path / "one.rows").read_bytes() == (tmp_path / "two.rows").read_bytes()


def test_bad_records_are_named_and_can_be_left_out(toy, records: Path, caplog) -> None:
    lines = records.read_text().splitlines()
    lines[3] = "{"
    lines[5] = re.sub(r'"id": ?"5"', '"id":"bad"', lines[5])
    records.write_text("\n".join(lines) + "\n")
    with pytest.raises(InputError, match=r"games\.jsonl:4: "):
        learn(toy, records)
    errors: list[InputError] = []
    table = learn(toy, records, on_error=errors.append)
    assert [(e.line, e.field) for e in errors] == [(4, None), (6, "game bad")]
    assert table.sources[0]["refused"] == 2
    with pytest.raises(InputError, match="no such file"):
        learn(toy, records.with_name("none.jsonl"))


def test_a_rows_file_of_another_kind_or_torn_is_refused(toy, tmp_path: Path) -> None:
    file = tmp_path / "a.rows"
    write_rows(ROWS, [some_rows(5)], file)
    with pytest.raises(InputError, match=r"of tests:rows version 1, not toylearning:games version 1"):
        learn(toy, file)
    file.write_bytes(file.read_bytes()[:-1])
    with pytest.raises(InputError, match="damaged: 5 rows are announced"):
        read_rows(ROWS, file)
    file.write_bytes(b"nothing")
    with pytest.raises(InputError, match="no rows file"):
        read_rows(ROWS, file)


# ---- the command line -------------------------------------------------------------------------------------------


def test_learn_show_diff_and_merge(toy, records: Path, tmp_path: Path, cli) -> None:
    one, two, both, packed = (tmp_path / f"{name}.table" for name in ("one", "two", "both", "packed"))
    done = cli("learn", "toylearning:hand", records, "--out", one)
    assert done.exit_code == 0, done.stderr
    assert "games, " in done.stderr
    assert cli("learn", "toylearning:hand", "--play", 30, "--seed", 9, "--out", two, "--json").exit_code == 0
    assert cli("table", "merge", one, two, "--out", both).exit_code == 0
    merged, first, second = (find_table(path, toy) for path in (both, one, two))
    assert merged.games == first.games + second.games
    done = cli("table", "merge", two, both, "--out", packed)
    assert (done.exit_code, packed.exists()) == (2, False)
    assert "the same source is in several tables: " in done.stderr
    assert "seed 9" in done.stderr
    assert "games.jsonl" not in done.stderr
    assert cli("table", "merge", two, both, "--force", "--out", packed).exit_code == 0
    assert find_table(packed).games == first.games + 2 * second.games
    assert cli("table", "diff", one, one).exit_code == 0
    done = cli("table", "diff", one, both)
    assert done.exit_code == 1
    assert "changed: " in done.stdout
    shown = cli("table", "show", both)
    assert "source: deals 30" in shown.stdout
    assert "trumps (6), tops (4)" in shown.stdout
    text = tmp_path / "both.txt"
    text.write_text(cli("table", "show", "--buckets", both).stdout)
    assert "trumps tops won games ratio" in text.read_text()
    assert cli("table", "read", text, "--out", tmp_path / "again.table").exit_code == 0
    assert (tmp_path / "again.table").read_bytes() == both.read_bytes()
    text.write_text(text.read_text().replace("ratio\n", "ratio\n0 2 3 0.1\n", 1))
    done = cli("table", "read", text, "--out", tmp_path / "again.table")
    assert (done.exit_code, "both.txt:4: " in done.stderr) == (2, True)
    done = cli("rows", "toylearning:hand", records, "--out", tmp_path / "a.rows")
    assert done.exit_code == 0
    assert (
        cli("learn", "toylearning:hand", tmp_path / "a.rows", "--base", two, "--weight", 2, "--out", packed).exit_code
        == 0
    )
    assert find_table(packed).games == first.games + 2 * second.games
    assert cli("table", "diff", one, tmp_path / "other.table").exit_code == 2
    both_questions = "toylearning:hand,toylearning:leader"
    assert cli("learn", both_questions, records, "--out", tmp_path / "all", "--jobs", 2).exit_code == 0
    assert (tmp_path / "all" / "toylearning-hand.table").read_bytes() == one.read_bytes()
    leader = find_table(tmp_path / "all" / "toylearning-leader.table")
    assert leader == learn(find_question("toylearning:leader"), records)


def test_mistakes_on_the_command_line(toy, records: Path, tmp_path: Path, cli) -> None:
    out = tmp_path / "a.table"
    done = cli("learn", "toylearning:hands", records, "--out", out)
    assert done.exit_code == 2
    assert "did you mean 'toylearning:hand'" in done.stderr
    assert cli("learn", "toylearning:hand", "--out", out).exit_code == 2
    done = cli("learn", "toylearning:bad", records, "--out", out)
    assert done.exit_code == 2
    assert "feature too_small: is 2, outside of its domain 0 to 1, in game " in done.stderr
    records.write_text(records.read_text() + "{\n")
    assert cli("learn", "toylearning:hand", records, "--out", out).exit_code == 2
    done = cli("learn", "toylearning:hand", records, "--out", out, "--skip-bad")
    assert done.exit_code == 1
    assert "games.jsonl:61" in done.stderr
    cli("learn", "toylearning:leader", records, "--out", tmp_path / "leader.table", "--skip-bad")
    done = cli("table", "merge", out, tmp_path / "leader.table", "--out", tmp_path / "b.table")
    assert done.exit_code == 2
    assert "leader version 1, not hand version 1" in done.stderr
