"""The store: append-only, repaired after a crash, and faithful to its configuration."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tricktake.errors import InputError
from tricktake.tournament import store as store_module
from tricktake.tournament.store import Store, config_hash, load

CONFIG = {"game": "toy", "seed": 1, "players": [{"name": "a"}, {"name": "b"}]}


def filled(path: Path, games: int) -> bytes:
    with Store(path, CONFIG) as store:
        for n in range(games):
            store.add({"id": f"d{n}", "points": [n, -n]})
    return path.read_bytes()


def test_what_is_added_is_there_again(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "games.jsonl"
    filled(path, 3)
    with Store(path, CONFIG) as store:
        assert list(store.rows) == ["d0", "d1", "d2"]
        store.add({"id": "d3"})
        store.add_session({"seconds": 2.0})
    header, rows, sessions = load(path)
    assert header["hash"] == config_hash(CONFIG)
    assert list(rows) == ["d0", "d1", "d2", "d3"]
    assert sessions == [{"seconds": 2.0}]


def test_every_way_to_tear_the_file(tmp_path: Path) -> None:
    """Cut anywhere, it opens, has only whole games, and can be filled up to the same bytes."""
    path = tmp_path / "games.jsonl"
    whole = filled(path, 3)
    for cut in range(len(whole)):
        path.write_bytes(whole[:cut])
        with Store(path, CONFIG) as store:
            assert list(store.rows) == [f"d{n}" for n in range(max(0, whole[:cut].count(b"\n") - 1))]
            for n in range(len(store.rows), 3):
                store.add({"id": f"d{n}", "points": [n, -n]})
        assert path.read_bytes() == whole


def test_another_configuration_is_refused_by_field(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    before = filled(path, 1)
    other = {**CONFIG, "seed": 2, "players": [{"name": "a"}, {"name": "c"}]}
    with pytest.raises(InputError) as caught:
        Store(path, other)
    assert "seed is 1 there, 2 here" in str(caught.value)
    assert 'players[2].name is "b" there, "c" here' in str(caught.value)
    assert str(path) in str(caught.value)
    assert path.read_bytes() == before


def test_two_runs_at_a_time_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    with Store(path, CONFIG), pytest.raises(InputError, match="another run"):
        Store(path, CONFIG)


@pytest.mark.parametrize("text", ["something of mine", "something\nof mine\n", '{"a": 1}\n', "[1]\n"])
def test_foreign_files_are_left_alone(tmp_path: Path, text: str) -> None:
    path = tmp_path / "notes.txt"
    path.write_text(text)
    with pytest.raises(InputError, match=r"notes.txt:1: "):
        Store(path, CONFIG)
    assert path.read_text() == text


def test_damage_in_the_middle_is_named(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    lines = filled(path, 3).split(b"\n")
    path.write_bytes(b"\n".join([*lines[:2], lines[2][:-4], *lines[3:]]))
    with pytest.raises(InputError, match=r"games.jsonl:3: no JSON"):
        Store(path, CONFIG)
    path.write_bytes(b"\n".join([*lines[:2], lines[1], *lines[2:]]))
    with pytest.raises(InputError, match="d0 is there twice"):
        Store(path, CONFIG)


def test_a_line_without_end_is_not_read_to_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "s.jsonl"
    with Store(path, CONFIG) as store:
        store.add({"id": "0-0"})
    monkeypatch.setattr(store_module, "LONGEST_LINE", path.stat().st_size)
    path.write_bytes(path.read_bytes() + b"x" * 2 * path.stat().st_size)
    for read in (lambda: load(path), lambda: Store(path, CONFIG)):
        with pytest.raises(InputError, match=r":3: a line longer than"):
            read()


def test_a_game_is_not_added_twice(tmp_path: Path) -> None:
    with Store(tmp_path / "games.jsonl", CONFIG) as store:
        store.add({"id": "d0"})
        with pytest.raises(ValueError, match="already"):
            store.add({"id": "d0"})


def test_lines_are_canonical_json(tmp_path: Path) -> None:
    for line in filled(tmp_path / "games.jsonl", 2).splitlines():
        assert json.dumps(json.loads(line), sort_keys=True, separators=(",", ":")).encode() == line


def test_names_of_fields_are_the_same_objects_in_all_games(tmp_path: Path) -> None:
    """They were most of the memory of a long store."""
    filled(tmp_path / "games.jsonl", 2)
    _, rows, _ = load(tmp_path / "games.jsonl")
    one, two = rows.values()
    assert [*map(id, one)] == [*map(id, two)]
