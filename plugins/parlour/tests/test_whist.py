"""Whist: hands worked out by the laws of the game (Clay and Baldwin, Laws of Short Whist), a slow twin."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tricktake_parlour.whist import ROTATION, Whist

from plugins.parlour.tests.parlour_tables import Twin, play_along, run, scripted
from tricktake.testing import check_game

ALL = "AKQJT98765432"
SUITS = " | ".join(run(suit, ALL) for suit in "CSHD")


@pytest.mark.parametrize(("board", "points"), [(0, 7), (1, 7), (2, -7), (3, -7), (4, 7)])
def test_a_slam_for_who_holds_all_trumps(board: int, points: int) -> None:
    """Hearts, clubs, diamonds, spades: seats 2, 0, 3 and 1 take all; a slam is seven odd tricks."""
    table = scripted(Whist(), SUITS, board=board)
    assert table.contract.kind == ROTATION[board % 4]
    assert table.score().points == (points, -points) * 2


def test_the_odd_trick() -> None:
    """Seven hearts from the top, then six clubs that the second hand beats: one odd trick."""
    hands = (
        f"{run('H', 'AKQJT98')} {run('C', '765432')}",
        f"{run('H', '765432')} {run('C', 'AKQJT98')}",
        run("D", ALL),
        run("S", ALL),
    )
    table = scripted(Whist(), " | ".join(hands))
    assert table.score().detail["tricks"] == (7, 6, 0, 0)
    assert table.score().points == (1, -1, 1, -1)


def test_ruffs_and_revoking() -> None:
    """Third hand ruffs a club low and is overruffed; he may not ruff while he holds a club."""
    hands = (
        f"{run('C', 'AKQ')} {run('D', 'AKQJT98765')}",
        f"{run('C', 'JT9')} {run('S', 'AKQJT98765')}",
        f"{run('C', '87')} {run('H', '23456789T')} {run('S', '43')}",
        f"{run('C', '65432')} {run('H', 'AKQJ')} D4 D3 D2 S2",
    )
    table = scripted(Whist(), " | ".join(hands), "CA", "C9", "C7", "C2", "CK", "CT", "C8", "C3", "CQ", "CJ", "H2", "C4")
    assert table.tricks is not None
    assert [trick.winner for trick in table.tricks.tricks[:3]] == [0, 0, 2]
    assert table.tricks.tricks[0].cost == 1


@given(st.integers(0, 1 << 30), st.integers(0, 3))
def test_a_slow_twin_agrees(number: int, board: int) -> None:
    table, twin = play_along(Whist(), number, lambda table, hands: Twin(hands, 0, "HCDS"[board]), board)
    assert twin is not None
    ours = twin.won(0, 2) - 6
    points = ours if ours > 0 else -(twin.won(1, 3) - 6)
    assert table.score().points == (points, -points, points, -points)


def test_conformance() -> None:
    check_game(Whist(), deals=3).require()
