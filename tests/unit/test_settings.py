"""Files read as a whole: whatever is wrong with them is an input error that says where."""

from __future__ import annotations

import io
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
    (tmp_path / "x").write_text("a" * 11)
    for path in (tmp_path / "x", tmp_path, tmp_path / "missing", Path("/dev/zero")):
        with pytest.raises(InputError):
            text_of(path)
    with pytest.raises(ValueError, match="too deep"):
        json_in("[" * 100_000)


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
