"""Who sits where: balance, and the sets the issue and KERMIT-20 name."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tricktake.tournament.schedule import LETTERS, Schedule, parse_seatings, roles, seat_roles, seatings


def letters(rows: tuple[tuple[int, ...], ...]) -> list[str]:
    return ["".join(LETTERS[p] for p in row) for row in rows]


def test_two_players_of_three_seats_as_in_kermit() -> None:
    assert letters(seatings(2, 3)) == ["ABB", "BAB", "BBA", "AAB", "ABA", "BAA"]


def test_as_many_players_as_seats_take_all_orders() -> None:
    assert sorted(letters(seatings(3, 3))) == ["ABC", "ACB", "BAC", "BCA", "CAB", "CBA"]


@given(st.integers(2, 5), st.integers(2, 5), st.sampled_from(["all", "pairs"]))
def test_every_player_has_every_seat_equally_often(players: int, seats: int, kind: str) -> None:
    rows = seatings(players, seats, kind)
    assert len(set(rows)) == len(rows)
    counts = Counter((seat, p) for row in rows for seat, p in enumerate(row))
    assert len(counts) == players * seats
    assert len(set(counts.values())) == 1
    assert all(len(set(row)) > 1 for row in rows)


@given(st.integers(2, 4), st.integers(2, 4))
def test_every_two_players_meet_equally_often(players: int, seats: int) -> None:
    met = Counter((a, b) for row in seatings(players, seats) for a in row for b in row if a < b)
    assert len(set(met.values())) == 1


def test_roles_are_swapped() -> None:
    assert roles(2) == ((0, 1), (1, 0))
    assert len(roles(4)) == 12
    assert seat_roles((7, 5), 0b010, 3) == (5, 7, 5)


def test_ids_are_stable_and_sorted_as_played() -> None:
    schedule = Schedule(3, seatings(2, 3))
    ids = [pairing.id for pairing in schedule]
    assert ids == sorted(ids)
    assert len(schedule) == len(set(ids)) == 18
    assert ids[7] == "d000001.s01"
    assert schedule.ids == set(ids)


@pytest.mark.parametrize(("rows", "reason"), [
    (["AB"], "2 letters"), (["ABC"], "beyond B"), (["ABB", "abb"], "twice"), ([], "no seatings"),
])  # fmt: skip
def test_wrong_seatings_are_named(rows: list[str], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        parse_seatings(rows, 2, 3)


def test_too_few_players() -> None:
    with pytest.raises(ValueError, match="two players"):
        seatings(1, 3)


def test_who_plays_all_seats_plays_every_deal() -> None:
    """A game all seats of which play together: one team."""
    assert seatings(3, 1) == ((0,), (1,), (2,)) == seatings(3, 1, "pairs")


@pytest.mark.parametrize("text", ["ABB,BAA", "ABB, BAA", '["ABB","BAA"]', "['ABB', 'BAA']"])
def test_seatings_on_the_command_line(cli, text: str, tmp_path) -> None:
    words = ("--game", "skat", "--player", "skat:rule", "--player", "core:random", "--deals", 1, "--isolate", "no")
    done = cli("tournament", *words, "--seatings", text, "--store", tmp_path / "games.jsonl", "--json")
    assert done.exit_code == 0, done.stderr
    assert json.loads(done.stdout)["games"] == 2


@pytest.mark.parametrize("text", ['["ABB"', "[1]", "[['ABB']]"])
def test_a_list_of_seatings_that_cannot_be_read(cli, text: str) -> None:
    done = cli("tournament", "--game", "skat", "--player", "skat:rule", "--player", "core:random", "--seatings", text)
    assert done.exit_code == 2
    assert done.stderr.startswith("error: --seatings: cannot read")
