"""Rows of Skat games: the byte scanners against the parsers, records against self-play, and what is refused."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from tricktake_skat._kernels import rows as kernel
from tricktake_skat.games import play_deals, play_games, unplayed
from tricktake_skat.policy_rows import play_by
from tricktake_skat.rows import (
    GAMES,
    fill_row,
    from_records,
    game_rules,
    read_rows,
    rows_of_records,
)
from tricktake_skat.rows_play import Exploration, explored, open_card, open_eyes, play

from tricktake.errors import InputError
from tricktake.learning.selfplay import records_of
from tricktake.records import formats, scan
from tricktake.records.record import GameRecord
from tricktake.strategies.policy import find_policy

FORMATS = ("xskat", "pgn")


@pytest.fixture(scope="module")
def records() -> list[GameRecord]:
    """Games of the rule player, passed-in deals and Nulls among them."""
    return records_of("skat", "skat:rule", 5, 0, 80)


@pytest.fixture(scope="module")
def texts(records: list[GameRecord]) -> dict[str, str]:
    return {name: formats.get_format(name).dumps(records) for name in FORMATS}


def slowly(path: Path, form: str, errors: list[InputError]) -> np.ndarray:
    """Rows by the parser of the format alone."""
    found = formats.read(path, format=form, on_error=errors.append)
    return np.concatenate([GAMES.empty(0), *rows_of_records(found, errors.append)])


def fast(path: Path, form: str, errors: list[InputError], chunk: int = 1000) -> np.ndarray:
    return np.concatenate([GAMES.empty(0), *read_rows(path, form, errors.append, chunk)])


@pytest.mark.parametrize("form", FORMATS)
def test_scanner_reads_what_the_parser_reads(form: str, texts: dict[str, str], tmp_path: Path) -> None:
    path = tmp_path / "games.log"
    path.write_text(texts[form])
    errors: list[InputError] = []
    rows = fast(path, form, errors)
    assert len(rows) == 80
    assert {*rows["game"]} >= {-1, 0, 4}
    assert np.array_equal(rows, slowly(path, form, errors))
    assert not errors


@pytest.mark.parametrize("form", FORMATS)
def test_blocks_and_chunks_change_nothing(
    form: str, texts: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, packed = tmp_path / "games", tmp_path / "games.gz"
    path.write_text(texts[form])
    packed.write_bytes(gzip.compress(texts[form].rstrip("\n").encode()))
    whole = fast(path, form, [])
    monkeypatch.setattr(scan, "BLOCK", 777)
    for file in (path, packed):
        blocks = list(read_rows(file, form, chunk=7))
        assert {len(block) for block in blocks[:-1]} == {7}
        assert np.array_equal(np.concatenate(blocks), whole)


@pytest.mark.parametrize("form", FORMATS)
@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(where=st.floats(0, 1), letter=st.sampled_from("0123456789 -_.,:ACDHJKQSacdehl\n"), data=st.integers(0, 2))
@example(where=0.5, letter="\n", data=0)
@example(where=0.88671875, letter="1", data=2)
def test_damage_is_seen_alike(
    form: str, texts: dict[str, str], tmp_path: Path, where: float, letter: str, data: int
) -> None:
    """With a letter replaced, left out or put in, both ways read the same games and refuse at the same lines."""
    lines = [line for line in texts[form].splitlines(keepends=True) if not line.startswith(("[Auction", "[More"))]
    text = "".join(lines[: 120 if form == "xskat" else 20])
    at = int(where * (len(text) - 1))
    text = text[:at] + ("" if data == 1 else letter) + text[at + (data < 2) :]
    path = tmp_path / "games"
    path.write_text(text)
    one: list[InputError] = []
    two: list[InputError] = []
    rows, others = fast(path, form, one), slowly(path, form, two)
    assert np.array_equal(rows, others)
    assert sorted(map(str, one)) == sorted(map(str, two))


@pytest.mark.parametrize("form", FORMATS)
def test_a_bad_record_is_named_and_the_others_are_read(form: str, texts: dict[str, str], tmp_path: Path) -> None:
    path = tmp_path / "bad.log"
    lines = texts[form].splitlines(keepends=True)
    start = {"xskat": 34, "pgn": 7}[form]
    whole = (i for i, line in enumerate(lines) if (line[0] != "[" and len(line.split()) > 50) or line.startswith("Won"))
    at = next(i for i in whole if i >= start)
    lines[at] = "nonsense\n"
    path.write_text("".join(lines))
    errors: list[InputError] = []
    assert len(fast(path, form, errors)) == 79
    assert len(errors) == 1
    assert errors[0].file == str(path)
    assert errors[0].line is not None
    assert 0 <= at + 1 - errors[0].line < 40


def test_damaged_gzip_ends_with_an_error(texts: dict[str, str], tmp_path: Path) -> None:
    path = tmp_path / "cut.log.gz"
    path.write_bytes(gzip.compress(texts["xskat"].encode())[:-400])
    errors: list[InputError] = []
    rows = fast(path, "xskat", errors)
    assert 0 < len(rows) < 80
    assert errors


def test_other_formats_go_through_records(records: list[GameRecord], tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    formats.write(records, path, "jsonl")
    assert np.array_equal(fast(path, "jsonl", []), from_records(records))


def test_records_and_columns_of_self_play_agree(records: list[GameRecord]) -> None:
    """The player at a table and the compiled loop give the same rows."""
    by_records = from_records(records)
    games = play_deals(by_records["deal"]).rows
    by_records["eyes"][by_records["game"] == 5] = -1  # eyes of a Null are nobody's business
    assert np.array_equal(by_records, games)


def test_rows_know_the_rules(records: list[GameRecord]) -> None:
    rows = GAMES.empty(1)
    row = rows[0]
    record = next(r for r in records if r.contract is not None and len(r.plays) >= 30)

    def fault(**change: tuple[int, int]) -> int:
        fill_row(row, record, 0)
        for name, (at, value) in change.items():
            rows[name].reshape(-1)[at] = value
        return int(kernel.complete(game_rules(), row))

    fill_row(row, record, 0)
    first, last, second = int(row["cards"][0]), int(row["cards"][29]), int(row["deal"][1])
    assert fault() == kernel.SOUND
    assert fault(deal=(0, second)) == kernel.NO_DEAL
    assert fault(put=(0, 7)) == kernel.NO_EXCHANGE
    assert fault(cards=(0, last)) in (kernel.NOT_HELD, kernel.NOT_FOLLOWED)
    assert fault(cards=(29, first)) in (kernel.NOT_HELD, kernel.NOT_FOLLOWED)


def test_the_fields_of_a_row_keep_their_places() -> None:
    """Stored rows and compiled questions go by them: a new field stands at the end."""
    fields = "id deal declarer game hand ouvert announced bid bids put hands own trumps matadors cards winners"
    assert GAMES.dtype.names == (*fields.split(), "eyes", "tricks", "won", "value")
    assert GAMES.dtype.itemsize == 8 * 65


def test_self_play_depends_on_seed_and_number_only() -> None:
    whole = play(11, 0, 60)
    assert np.array_equal(whole, np.concatenate([play(11, 0, 25), play(11, 25, 35)]))
    assert not np.array_equal(whole, play(12, 0, 60))


def test_exploration_forces_what_it_says() -> None:
    rows = explored(3, 0, 600)
    played = rows[rows["declarer"] >= 0]
    assert {0, 4, 5} <= {*played["game"].tolist()}
    assert {*played["hand"][played["game"] == 5].tolist()} == {0, 1}
    assert not played["hand"][played["game"] < 5].any()  # not among the kinds drawn
    others = played["bids"].copy()
    others[np.arange(len(others)), played["declarer"]] = 0
    assert (others.max(axis=1) <= played["bid"]).all()
    trump = played[played["game"] < 5]
    assert (trump["winners"][:, 9] >= 0).all()
    # the rules agree that every card was legal
    again = rows.copy()
    assert all(kernel.complete(game_rules(), row) == kernel.SOUND for row in again)
    assert np.array_equal(again, rows)


def test_not_skat_is_refused(records: list[GameRecord]) -> None:
    import attrs

    with pytest.raises(InputError, match="is not Skat"):
        from_records([attrs.evolve(records[0], game="hearts")])


@pytest.mark.skipif(not hasattr(kernel.begin_all, "signatures"), reason="solves whole games without kernels")
def test_eyes_with_open_cards_are_enough_where_open_cards_win() -> None:
    rows = play_games(12, 0, 40).rows
    eyes, won = open_eyes(rows), open_card(rows)
    trumps = (rows["declarer"] >= 0) & (rows["game"] < 5)
    assert (eyes[~trumps] == -1).all()
    assert ((eyes >= 61) == (won == 1))[trumps].all()
    assert (won[trumps] == 1).any()
    assert (won[trumps] == 0).any()


def test_a_policy_leaves_schwarz_announced_to_rules() -> None:
    """Its tricks count, not its eyes, which the policy has not learned; beside it other suit games are the policy's."""
    rows = explored(3, 0, 60, Exploration(("suit",)))
    rows = unplayed(rows[rows["declarer"] >= 0])
    rows["hand"], rows["announced"] = 1, np.arange(len(rows)) % 2 * 2
    rows["put"] = rows["deal"][:, 3]
    by_policy, by_rule = rows.copy(), rows.copy()
    play_by(find_policy("skat:cards"), by_policy)
    play_by(None, by_rule)
    same = (by_policy["cards"] == by_rule["cards"]).all(axis=1)
    assert same[rows["announced"] == 2].all()
    assert same[rows["announced"] == 0].mean() < 0.2
