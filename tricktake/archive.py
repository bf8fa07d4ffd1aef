"""Files that appear when complete; files of arrays: .npy members and a manifest with their hashes in a zip.

The same content gives the same bytes.
"""

from __future__ import annotations

import errno
import hashlib
import io
import json
import math
import os
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from tricktake.errors import InputError
from tricktake.settings import json_in, require_end

MANIFEST = "manifest.json"
MOST_BYTES = 1 << 28  # unpacked, so that a hostile file cannot fill the memory
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


@contextmanager
def replacing(target: str | Path) -> Iterator[Path]:
    """A file beside the target to be written, which takes its place when complete, or is gone if that fails."""
    target = Path(target)
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
    path: str | Path, manifest: Mapping[str, Any], members: Mapping[str, bytes], packing: int = zipfile.ZIP_DEFLATED
) -> None:
    """Write members by name; to a temporary file that is renamed when complete. Raises InputError."""
    hashes = {name: hashlib.sha256(data).hexdigest() for name, data in members.items()}
    described = json.dumps({**manifest, "sha256": hashes}, indent=1, sort_keys=True, ensure_ascii=False)
    try:
        with replacing(path) as beside, zipfile.ZipFile(beside, "w", packing) as file:
            for name, data in {MANIFEST: described.encode(), **members}.items():
                file.writestr(zipfile.ZipInfo(name, _DATE), data, packing, 9)
    except OSError as error:
        raise InputError(path, None, None, error.strerror or str(error)) from error


def contents(path: str | Path, what: str) -> dict[str, bytes]:
    """The members of a zip by name. what: such files are, for messages. Raises InputError, also for one too large."""
    require_end(path)
    try:
        with zipfile.ZipFile(path) as file:
            size = sum(info.file_size for info in file.infolist())
            if size > MOST_BYTES:
                raise InputError(path, None, None, f"{size} bytes unpacked, more than any {what} has")
            return {info.filename: file.read(info) for info in file.infolist()}
    except InputError:  # a ValueError too
        raise
    except OSError as error:
        raise InputError(path, None, None, error.strerror or str(error)) from error
    except (zipfile.BadZipFile, EOFError, ValueError, NotImplementedError, RuntimeError, zlib.error) as error:
        raise InputError(path, None, None, f"damaged, or no {what} file: {error}") from error


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
