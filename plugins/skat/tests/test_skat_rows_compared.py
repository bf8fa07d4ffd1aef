"""Rows of files are compared with the rules of Skat before features index anything by them."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from tricktake_skat.contract import GAMES as GAMES_OF_SKAT
from tricktake_skat.deck import SKAT, SKAT_PLACE
from tricktake_skat.rows import GAMES, from_records

from plugins.skat.tests import naive_skat
from tricktake.cards import bits
from tricktake.cli.main import main
from tricktake.errors import InputError
from tricktake.learning.columns import read_columns, write_columns
from tricktake.learning.learn import open_source
from tricktake.learning.selfplay import records_of
from tricktake.learning.store import write_rows

PATH = "some.rows"


@pytest.fixture(scope="module")
def sound() -> np.ndarray:
    """Rows of the rule player: games of all kinds, and deals that were passed in."""
    return from_records(records_of("skat", "skat:rule", 5, 0, 80))


def naive(row: np.void) -> bool:
    """Whether hands, trumps and matadors are those of deal, contract and discard, by sets of cards."""
    deal = [set(bits(int(mask))) for mask in row["deal"]]
    if [len(cards) for cards in deal] != [10, 10, 10, 2] or set.union(*deal) != set(range(len(SKAT))):
        return False
    put, hands = set(bits(int(row["put"]))), [set(bits(int(mask))) for mask in row["hands"]]
    own, trumps = set(bits(int(row["own"]))), set(bits(int(row["trumps"])))
    declarer, skat = int(row["declarer"]), deal[SKAT_PLACE]
    if (declarer < 0) != (row["game"] < 0):
        return False
    if declarer < 0:
        return put == skat and hands == deal[:3] and not own and not trumps and row["matadors"] == 0
    twelve, trump = deal[declarer] | skat, GAMES_OF_SKAT[row["game"]]
    if len(put) != 2 or not put <= twelve or (row["hand"] == 1 and put != skat):
        return False
    deal[declarer] = twelve - put
    run = 0 if trump == "N" else naive_skat.matadors(sum(1 << card for card in twelve), trump)
    named = {n for n in range(len(SKAT)) if trump != "N" and (SKAT[n].rank == "J" or SKAT[n].suit == trump)}
    return hands == deal[:3] and own == deal[declarer] and trumps == named and run == row["matadors"]


def test_sound_rows_are_sound(sound: np.ndarray) -> None:
    assert GAMES.compare(sound, PATH) is sound
    assert all(naive(row) for row in sound)
    assert {*sound["declarer"]} == {-1, 0, 1, 2}


@settings(max_examples=150)
@given(
    place=st.integers(0, 79),
    name=st.sampled_from(sorted({*GAMES.limits, *GAMES.given})),
    at=st.integers(0, 29),
    change=st.one_of(st.integers(0, 62).map(lambda bit: 1 << bit), st.sampled_from([-1, -(1 << 63), 3, 31, 10**12])),
)
def test_a_damaged_row_is_named(sound: np.ndarray, place: int, name: str, at: int, change: int) -> None:
    rows = sound.copy()
    values = rows[name].reshape(len(rows), -1)
    values[place, at % values.shape[1]] ^= change
    low, high = GAMES.limits.get(name, (-(1 << 63), (1 << 63) - 1))
    within = bool(((low <= values[place]) & (values[place] <= high)).all())
    if within and naive(rows[place]):
        GAMES.compare(rows, PATH)
        return
    with pytest.raises(InputError) as told:
        GAMES.compare(rows, PATH, first=100)
    assert told.value.line == 100 + place
    assert told.value.field == name or within


@pytest.mark.parametrize("suffix", [".rows", ".parquet"])
def test_features_never_see_it(sound: np.ndarray, suffix: str, tmp_path: Path) -> None:
    if suffix == ".parquet":
        pytest.importorskip("pyarrow")
    rows = np.concatenate([sound] * 40)  # more than are compared at a time
    place = 80 * 39 + int((sound["game"] == 0).argmax())
    rows["own"][place] |= 0xFFFF
    path = tmp_path / f"x{suffix}"
    (write_columns if suffix == ".parquet" else write_rows)(GAMES, [rows], path)
    done = CliRunner().invoke(main, ["learn", "skat:suit", str(path), "--out", str(tmp_path / "x.table")])
    assert done.exit_code == 2
    assert f"{path}:{place + 1}: own: game " in done.output
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_columns_bring_what_is_compared(sound: np.ndarray, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    path = tmp_path / "x.parquet"
    write_columns(GAMES, [sound], path)
    (block,) = read_columns(GAMES, path, ["eyes"])
    assert np.array_equal(block["eyes"], sound["eyes"])
    assert np.array_equal(block["deal"], sound["deal"])
    assert not block["cards"].any()


def test_a_rows_file_is_read_without_being_copied(sound: np.ndarray, tmp_path: Path) -> None:
    path = tmp_path / "x.rows"
    write_rows(GAMES, [sound], path)
    (block,) = open_source(GAMES, path)
    assert np.array_equal(block, sound)
    assert os.path.getsize(path) > block.nbytes
