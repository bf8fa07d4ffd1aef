"""Every parser meets damaged files: each is read, or refused with an input error. A short form of ``trust.fuzz``."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest
from tricktake_lab.fuzz import campaign, mutations
from tricktake_lab.fuzz.mutations import mutated
from tricktake_lab.fuzz.targets import TARGETS, attack

from tricktake.errors import UnknownName

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


LENGTH = 400_000  # below that of a line that is read; what goes with the square of it takes minutes
BOARD = b"qx|o1|md|1S|sv|o|ah|Board %s|pg||\n"
WORST = {
    "a number of a board": ("lin", BOARD % (b"9" * LENGTH + b"x")),
    "a pair in many lines": ("lin", b"nt|" + b"a\n" * (LENGTH // 2)),
    "a long head, many boards": ("lin", b"bn|%s|\n" % (b"7," * 20_000) + b"qx|o1|\n" * (LENGTH // 20)),
    "a comment in many lines": ("pbn", b"{\n" * (LENGTH // 2)),
    "comments in a line that is not ASCII": ("pbn", "ż{}".encode() + b"[" * LENGTH),
    "a value of escapes": ("pbn", b'[Event "; ' + b"\\" * LENGTH + b'"]\n'),
    "values that last": ("pbn", b"".join(b'[T%d "##x"]\n\n' % n for n in range(LENGTH // 30))),
    "seats without end": ("pgn", b"[Seat1: " * (LENGTH // 8)),
    "a key with dots": ("scenario", b"a." * (LENGTH // 2)),
    "a record without end": ("openschafkopf", b'[{"a":[' + b"0,\n" * (LENGTH // 2)),
    "lines of one record": ("dds", b'PBN 0 0 0 0 ""\n' + b"a\n" * LENGTH),
}


@pytest.mark.parametrize("what", WORST)
def test_time_does_not_go_with_the_square_of_the_length(what: str, tmp_path: Path) -> None:
    """Most of these took minutes; now they are refused, or read, at once."""
    name, data = WORST[what]
    assert attack(TARGETS[name], data, tmp_path) is None


def test_what_is_no_target_is_told() -> None:
    with pytest.raises(UnknownName, match="engine"):
        campaign.fuzz(1, 0.01, engine="x")
    with pytest.raises(UnknownName, match="target"):
        campaign.fuzz(1, 0.01, ("lin", "x"))


def test_atheris_is_guided_and_keeps_what_it_found(tmp_path: Path) -> None:
    pytest.importorskip("atheris", reason="pip install atheris")
    words = [sys.executable, "-m", "tricktake_lab.fuzz.child", "dds", "1", "2", "atheris", str(tmp_path)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout.splitlines()[-1])["findings"] == []
    assert len(list((tmp_path / "dds").iterdir())) > len(TARGETS["dds"].samples())


def test_what_fuzzing_found_in_series(tmp_path: Path) -> None:
    """A number of games without end; a store whose game is no text."""
    series, store = TARGETS["rated"].samples()
    long = series + b"9,a,1," + b"9" * 70_000 + b"\n"
    assert attack(TARGETS["rated"], long, tmp_path) is None
    untrue = store.replace(b'"game":"skat"', b'"game":true')
    assert untrue != store
    assert attack(TARGETS["rated"], untrue, tmp_path) is None
