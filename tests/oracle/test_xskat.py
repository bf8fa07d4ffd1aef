"""XSkat plays, we replay: every game and the totals the program prints must be ours."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tricktake.records.formats import get_game, read
from tricktake.records.recording import Recording

XSKAT = shutil.which("xskat") or shutil.which("xskat", path="/usr/games")
GAMES = 2000

pytestmark = [
    pytest.mark.oracle,
    pytest.mark.skipif(XSKAT is None, reason="xskat is not installed (Debian: apt-get install xskat)"),
]


def test_fresh_games_of_xskat_agree_and_so_do_its_totals(tmp_path: Path) -> None:
    assert XSKAT is not None
    (tmp_path / "seed").write_text("random_seed 31415 0 2\n")
    command = [XSKAT, "-auto", str(GAMES), "-noramsch", "-lang", "english", "-game", "seed", "-log", "games.log"]
    environment = {**os.environ, "HOME": str(tmp_path)}  # it would read settings there
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    printed = tuple(int(word) for word in done.stdout.split()[-3:])
    game = get_game("skat")
    assert game is not None
    totals = {f"Computer{k}": 0 for k in (1, 2, 3)}
    count = 0
    for record in read(tmp_path / "games.log", "skat", strict=True):
        assert Recording.of(game).verify(record) == [], record.source
        for name, points in zip(record.players, Recording.of(game).score(record).points, strict=True):
            totals[name] += points
        count += 1
    assert count == GAMES
    assert tuple(totals.values()) == printed
