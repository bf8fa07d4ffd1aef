"""Files of arrays: .npy members and a manifest with their hashes in a zip; the same content gives the same bytes."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from tricktake.errors import InputError

MANIFEST = "manifest.json"
_DATE = (1980, 1, 1, 0, 0, 0)  # of every member


def npy(array: np.ndarray) -> bytes:
    """An array as a .npy file, little-endian."""
    stream = io.BytesIO()
    np.lib.format.write_array(stream, array.astype(array.dtype.newbyteorder("<")), allow_pickle=False)
    return stream.getvalue()


def write(path: str | Path, manifest: Mapping[str, Any], members: Mapping[str, bytes]) -> None:
    """Write members by name; to a temporary file that is renamed when complete. Raises InputError."""
    hashes = {name: hashlib.sha256(data).hexdigest() for name, data in members.items()}
    described = json.dumps({**manifest, "sha256": hashes}, indent=1, sort_keys=True, ensure_ascii=False)
    target = Path(path)
    beside = target.with_name(f".{target.name}.part")
    try:
        with zipfile.ZipFile(beside, "w", zipfile.ZIP_DEFLATED) as file:
            for name, data in {MANIFEST: described.encode(), **members}.items():
                file.writestr(zipfile.ZipInfo(name, _DATE), data, zipfile.ZIP_DEFLATED, 9)
        beside.replace(target)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise InputError(target, None, None, error.strerror or str(error)) from error
