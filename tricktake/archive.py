"""Files that appear when complete; files of arrays: .npy members and a manifest with their hashes in a zip.

The same content gives the same bytes.
"""

from __future__ import annotations

import errno
import glob
import hashlib
import io
import json
import math
import os
import time
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np

from tricktake.errors import InputError
from tricktake.settings import json_in, require_end

MANIFEST = "manifest.json"
MOST_BYTES = 1 << 27  # unpacked, so that a hostile file cannot fill the memory
MOST_MANIFEST = 1 << 23  # as JSON values it may take 28 times as much
MOST_LIST = 1 << 20  # bytes that name the members; as objects they take some ten times as much
_END, _END64, _END_BYTES = b"PK\5\6", b"PK\6\7", 22  # of the list of members (APPNOTE.TXT 4.3.15 and 16)
LEFT_SECONDS = 3600.0
FULL = (errno.ENOSPC, errno.EFBIG, errno.EDQUOT)
_DATE = (1980, 1, 1, 0, 0, 0)  # of every member


@contextmanager
def naming(path: str | Path) -> Iterator[None]:
    """A disk that is full says of which file it was found out."""
    try:
        yield
    except OSError as error:
        if error.errno in FULL and error.filename is None:
            error.filename = str(path)
        raise


def _remove_left(target: Path) -> None:
    """Remove what processes that were killed left beside a target: nobody on this machine has their number, and nobody
    on another one has written for long.
    """
    for left in target.parent.glob(f".{glob.escape(target.name)}.*.part"):
        number = left.suffixes[-2][1:] if len(left.suffixes) > 1 else ""
        with suppress(OSError):
            old = time.time() - left.stat().st_mtime > LEFT_SECONDS
            if old and number.isdecimal() and not _is_running(int(number)):
                left.unlink()


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        pass
    return True


@contextmanager
def replacing(target: str | Path) -> Iterator[Path]:
    """A file beside the target to be written, which takes its place when complete, or is gone if that fails.

    Raises InputError for a device or a pipe, whose place a file would take.
    """
    target = Path(target)
    require_end(target)
    _remove_left(target)
    beside = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with naming(target):
            yield beside
            beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)


def npy(array: np.ndarray) -> bytes:
    """An array as a .npy file, little-endian."""
    stream = io.BytesIO()
    np.lib.format.write_array(stream, array.astype(array.dtype.newbyteorder("<")), allow_pickle=False)
    return stream.getvalue()


def array_in(data: bytes) -> np.ndarray:
    """The array of a .npy file. Raises ValueError, whatever is wrong with it."""
    stream = io.BytesIO(data)
    try:
        version = np.lib.format.read_magic(stream)
        reader = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}[version]
        shape, _, kind = reader(stream)
        if kind.hasobject:
            raise ValueError("Object arrays cannot be loaded")
        if math.prod(shape) * kind.itemsize != len(data) - stream.tell():
            raise ValueError("its size is not what its head says")
        stream.seek(0)
        return np.asarray(np.lib.format.read_array(stream, allow_pickle=False))
    except Exception as error:  # numpy parses the head as Python, with every error that has
        raise ValueError(f"no array: {type(error).__name__}: {error}") from error


def write(
    path: str | Path,
    manifest: Mapping[str, Any],
    members: Mapping[str, bytes],
    packing: int = zipfile.ZIP_DEFLATED,
    most: int = MOST_BYTES,
) -> None:
    """Write members by name; to a temporary file that is renamed when complete. Raises InputError, also if they are
    more than ``most`` bytes, and could not be read again.
    """
    hashes = {name: hashlib.sha256(data).hexdigest() for name, data in members.items()}
    described = json.dumps({**manifest, "sha256": hashes}, indent=1, sort_keys=True, ensure_ascii=False)
    _require_room(path, {MANIFEST: len(described), **{name: len(data) for name, data in members.items()}}, most)
    try:
        with replacing(path) as beside, zipfile.ZipFile(beside, "w", packing) as file:
            for name, data in {MANIFEST: described.encode(), **members}.items():
                file.writestr(zipfile.ZipInfo(name, _DATE), data, packing, 9)
    except OSError as error:
        raise InputError(path, None, None, error.strerror or str(error)) from error


def contents(path: str | Path, what: str, most: int = MOST_BYTES) -> dict[str, bytes]:
    """The members of a zip by name. what: such files are, for messages. Raises InputError, also for one of more than
    ``most`` bytes.
    """
    require_end(path)
    _require_short_list(path, what)
    try:
        with zipfile.ZipFile(path) as file:
            _require_room(path, {info.filename: info.file_size for info in file.infolist()}, most)
            return {info.filename: file.read(info) for info in file.infolist()}
    except InputError:  # a ValueError too
        raise
    except OSError as error:
        raise InputError(path, None, None, error.strerror or str(error)) from error
    except (zipfile.BadZipFile, EOFError, ValueError, NotImplementedError, RuntimeError, zlib.error) as error:
        raise InputError(path, None, None, f"damaged, or no {what} file: {error}") from error


def _require_room(path: str | Path, sizes: Mapping[str, int], most: int) -> None:
    """Raises InputError for members that are too large to be unpacked."""
    for what, size, bound in (
        ("unpacked", sum(sizes.values()), most),
        (f"of {MANIFEST}", sizes.get(MANIFEST, 0), MOST_MANIFEST),
    ):
        if size > bound:
            raise InputError(path, None, None, f"{size} bytes {what}, more than the {bound} that are read")


def _require_short_list(path: str | Path, what: str) -> None:
    """Raises InputError for a zip whose list of members is too long to be read; zipfile reads all of any."""
    try:
        with open(path, "rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - _END_BYTES - len(_END64) - 0xFFFF - 16))
            tail = file.read()
    except OSError as error:
        raise InputError(path, None, None, error.strerror or str(error)) from error
    last = len(tail) - _END_BYTES  # without a comment; zipfile looks there first
    at = last if tail[last:].startswith(_END) and tail.endswith(b"\0\0") else tail.rfind(_END)
    if at < 0:
        return  # no zip, which zipfile says
    if _END64 in tail[max(0, at - 20) : at] or int.from_bytes(tail[at + 12 : at + 16], "little") > MOST_LIST:
        raise InputError(path, None, None, f"more members than any {what} has")


def read(path: str | Path, kind: str) -> tuple[dict[str, Any], dict[str, bytes]]:
    """The manifest and the other members of a file whose ``format`` is ``kind``. Raises InputError for a file that is
    damaged or of another kind.
    """
    members = contents(path, kind)
    try:
        manifest: dict[str, Any] = json_in(members.pop(MANIFEST))
        hashes = dict(manifest["sha256"])
        if manifest["format"] != kind:
            raise ValueError("another kind of file")
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(path, None, MANIFEST, f"damaged, or no {kind} file") from error
    for name, data in members.items():
        if hashlib.sha256(data).hexdigest() != hashes.get(name):
            raise InputError(path, None, name, "damaged: its sha256 is not that of the manifest")
    return manifest, members
