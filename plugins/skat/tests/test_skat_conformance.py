"""The checks every game must pass."""

from __future__ import annotations

from plugins.skat.tests.skat_tables import GAME
from tricktake.testing import check_game


def test_skat_passes_the_checks_of_a_game() -> None:
    check_game(GAME, deals=20).require()
