"""Files read as a whole: whatever is wrong with them is an input error that says where."""

from __future__ import annotations

import io
import os
import stat
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tricktake import archive, settings
from tricktake.errors import InputError
from tricktake.records import scan
from tricktake.settings import json_in, text_of, toml_of


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"a = 1\nb = = 2\n", "x.toml:2: "),
        (b"a = [1,\n", "x.toml:1: "),
        (b"a = " + b"[" * 5000 + b"]" * 5000, "nested too deep"),
        (b"a = " + b"9" * 5000, "digits"),
        (b"a = '\xff'", "not a text file"),
    ],
)
def test_bad_toml(text: bytes, message: str, tmp_path: Path) -> None:
    file = tmp_path / "x.toml"
    file.write_bytes(text)
    with pytest.raises(InputError) as caught:
        toml_of(file)
    assert message in str(caught.value)
    assert caught.value.file == file


def test_what_is_too_long_or_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "MOST_BYTES", 10)
    monkeypatch.setattr(settings, "MOST_TOML", 4)
    (tmp_path / "x.toml").write_text("a = 1")
    with pytest.raises(InputError, match="longer than 4 bytes"):
        toml_of(tmp_path / "x.toml")
    (tmp_path / "x").write_text("a" * 11)
    for path in (tmp_path / "x", tmp_path, tmp_path / "missing", Path("/dev/zero")):
        with pytest.raises(InputError):
            text_of(path)
    with pytest.raises(ValueError, match="too deep"):
        json_in("[" * 100_000)


def test_a_zip_too_large_to_be_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All of it, its manifest, or the list of its members: said before any of that is read; nor is such a file made."""
    path = tmp_path / "x"
    archive.write(path, {"format": "x"}, {f"{n}.npy": bytes(100) for n in range(9)})
    for name, value in (("MOST_MANIFEST", 10), ("MOST_LIST", 100)):
        with monkeypatch.context() as patched:
            patched.setattr(archive, name, value)
            with pytest.raises(InputError, match="more "):
                archive.read(path, "x")
    with pytest.raises(InputError, match="more than the 800"):
        archive.contents(path, "x", 800)
    with pytest.raises(InputError, match="more than the 800"):
        archive.write(tmp_path / "y", {"format": "x"}, {"0.npy": bytes(900)}, most=800)
    assert not (tmp_path / "y").exists()
    assert len(archive.read(path, "x")[1]) == 9
    end = path.read_bytes()
    path.write_bytes(end[:-22] + b"PK\6\7" + bytes(16) + end[-22:])  # a list with sizes of 64 bits
    with pytest.raises(InputError, match="more members"):
        archive.read(path, "x")


def test_what_a_killed_process_left_is_removed_later(tmp_path: Path) -> None:
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    parts = {"dead": f".x.{dead.pid}.part", "mine": f".x.{os.getpid()}.part", "odd": ".x.y.part", "other": ".y.1.part"}
    for name in (*parts.values(), ".z.part"):
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (0, 0))
    with archive.replacing(tmp_path / "x") as beside:
        beside.touch()
        assert not (tmp_path / parts["dead"]).exists()
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {"x", parts["odd"], parts["other"], ".z.part"}  # one's own number is used again
    (tmp_path / parts["dead"]).touch()  # just now, by a machine that shares the folder
    with archive.replacing(tmp_path / "x") as beside:
        beside.touch()
    assert (tmp_path / parts["dead"]).exists()


def test_a_file_takes_the_place_of_no_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="a device or a pipe"), archive.replacing(tmp_path / "pipe"):
        pass
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)


def test_arrays_that_lie_about_their_size() -> None:
    whole = archive.npy(np.arange(5))
    assert archive.array_in(whole).tolist() == [0, 1, 2, 3, 4]
    objects = io.BytesIO()
    np.lib.format.write_array(objects, np.array([{}], object))
    for data in (b"", whole[:-1], whole + b"x", whole.replace(b"(5,)", b"(9,)"), objects.getvalue()):
        with pytest.raises(ValueError, match="no array"):
            archive.array_in(data)


def test_a_scanner_gives_up_on_what_has_no_records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tricktake_skat.rows import read_rows

    monkeypatch.setattr(scan, "BLOCK", 100)
    monkeypatch.setattr(scan, "LONGEST", 500)
    (tmp_path / "x.log").write_bytes(b"x" * 5000)
    errors: list[InputError] = []
    assert not list(read_rows(tmp_path / "x.log", "xskat", errors.append))
    assert "no record ends within 500 bytes" in str(errors[0])
