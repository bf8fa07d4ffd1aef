"""Every installed game keeps the rules of the house, whoever wrote it."""

from __future__ import annotations

import pytest

from tricktake.plugins import manager
from tricktake.testing import check_game


@pytest.mark.parametrize("name", manager().games.names())
def test_installed_games(name: str) -> None:
    report = check_game(manager().games.get(name), deals=12, seed=2).require()
    assert all(check.count for check in report.checks)
