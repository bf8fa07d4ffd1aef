"""A log of XSkat read twice: by the parser of records and by the scanner of bytes. And the same games as a series.

``XSKAT_GAMES=200000`` compares as many games (some minutes) instead of 10,000.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from tricktake_skat.rows import read_rows, rows_of_records

from tricktake.errors import InputError
from tricktake.records import formats

XSKAT = shutil.which("xskat") or shutil.which("xskat", path="/usr/games")
BLOCK = 5000
GAMES = int(os.environ.get("XSKAT_GAMES", "10000"))

pytestmark = [
    pytest.mark.oracle,
    pytest.mark.skipif(XSKAT is None, reason="xskat is not installed (Debian: apt-get install xskat)"),
]


def test_parser_and_scanner_read_the_same_games(tmp_path: Path) -> None:
    assert XSKAT is not None
    (tmp_path / "seed").write_text("random_seed 27182 0 1\n")
    command = [XSKAT, "-auto", str(GAMES), "-noramsch", "-lang", "english", "-game", "seed", "-log", "games.log"]
    environment = {**os.environ, "HOME": str(tmp_path)}  # it would read settings there
    subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, timeout=600, check=True)
    errors: list[InputError] = []
    log, series = tmp_path / "games.log", tmp_path / "games.pgn"
    scanned = np.concatenate([*read_rows(log, "xskat", errors.append)])
    assert len(scanned) == GAMES
    records = formats.read(log, format="xskat", on_error=errors.append)
    for first in range(0, GAMES, BLOCK):
        block = list(islice(records, BLOCK))
        parsed = np.concatenate([*rows_of_records(block, errors.append)])
        assert np.array_equal(parsed, scanned[first : first + BLOCK])
        # The series notation has all of it but who bid what, in its own words.
        formats.write(block, series, "pgn")
        by_bytes = np.concatenate([*read_rows(series, "pgn", errors.append)])
        by_words = formats.read(series, format="pgn", on_error=errors.append)
        assert np.array_equal(by_bytes, np.concatenate([*rows_of_records(by_words, errors.append)]))
        names = [name for name in parsed.dtype.names or () if name not in ("id", "bids")]
        assert np.array_equal(by_bytes[names], parsed[names])
    assert not errors
