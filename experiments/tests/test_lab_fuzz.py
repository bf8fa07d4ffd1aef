"""Every parser meets damaged files: each is read, or refused with an input error. A short form of ``trust.fuzz``."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest
from tricktake_lab.fuzz import mutations
from tricktake_lab.fuzz.mutations import mutated
from tricktake_lab.fuzz.targets import TARGETS, attack

pytest.importorskip("pyarrow")

INPUTS, HEAVY = 25, 6  # damaged files of each target; of those packed in a zip
SEED = 5


@pytest.mark.parametrize("name", sorted(TARGETS))
def test_damage_is_an_input_error(name: str, tmp_path: Path) -> None:
    target, rng = TARGETS[name], random.Random(f"{name} {SEED}")
    samples = list(target.samples())
    for sample in samples:
        (tmp_path / f"x{target.suffix}").write_bytes(sample)
        target.run(tmp_path / f"x{target.suffix}")  # whole, it is read
    for _ in range(HEAVY if target.how is mutations.ZIP else INPUTS):
        data = mutated(rng.choice(samples), rng, target.how)
        error = attack(target, data, tmp_path)
        assert error is None, (data[:2000], len(data))


def test_what_is_no_file_is_an_input_error() -> None:
    """Nothing, a folder, a device without end, a gzip bomb: each within a gigabyte, by a process that has no more."""
    done = subprocess.run(
        [sys.executable, "-m", "tricktake_lab.fuzz.strange"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["findings"] == []
    assert found["inputs"] > 5 * 15
    assert found["megabytes"] < 1024


CUT = ("iss", "dds", "pgn", "lin", "jsonl", "view", "engine", "seat")


@pytest.mark.parametrize("name", CUT)
def test_cut_anywhere_it_is_an_input_error(name: str, tmp_path: Path) -> None:
    """Samples end after each of their first and last hundred bytes, and at some between."""
    target = TARGETS[name]
    data = target.samples()[0]
    ends = {*range(100), *range(len(data) - 100, len(data)), *range(0, len(data), max(1, len(data) // 100))}
    for end in sorted(end for end in ends if 0 <= end < len(data)):
        assert attack(target, data[:end], tmp_path) is None, end


def test_what_fuzzing_found_in_series(tmp_path: Path) -> None:
    """A number of games without end; a store whose game is no text."""
    series, store = TARGETS["rated"].samples()
    long = series + b"9,a,1," + b"9" * 70_000 + b"\n"
    assert attack(TARGETS["rated"], long, tmp_path) is None
    untrue = store.replace(b'"game":"skat"', b'"game":true')
    assert untrue != store
    assert attack(TARGETS["rated"], untrue, tmp_path) is None
