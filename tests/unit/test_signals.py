"""SIGTERM and SIGHUP end a command as Ctrl-C does."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.tournaments import ENV

ISS = Path(__file__).parents[1] / "data/iss-23.sgf"


def converting(folder: Path, hangup: signal.Handlers) -> subprocess.Popen[str]:
    """``tricktake convert`` that has begun to write and waits for more records on its input."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tricktake", "convert", "--format", "iss", "-", "out.jsonl"],
        env=ENV,
        cwd=folder,
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGHUP, hangup),
    )
    assert process.stdin is not None
    process.stdin.write(ISS.read_text().splitlines(keepends=True)[0])
    process.stdin.flush()
    limit = time.monotonic() + 60
    while not list(folder.glob(".*.part")):
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < limit
        time.sleep(0.02)
    return process


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_what_is_half_written_is_taken_away(number: signal.Signals, code: int, tmp_path: Path) -> None:
    process = converting(tmp_path, signal.SIG_DFL)
    os.kill(process.pid, number)
    _, err = process.communicate(timeout=60)
    assert process.returncode == code, err
    assert err.strip() == "interrupted"
    assert not list(tmp_path.iterdir())


def test_hangups_that_are_ignored_stay_so(tmp_path: Path) -> None:
    """As under ``nohup``."""
    process = converting(tmp_path, signal.SIG_IGN)
    os.kill(process.pid, signal.SIGHUP)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    assert (tmp_path / "out.jsonl").is_file()
