"""Files of learned tables: a zip of a manifest and arrays, nothing pickled."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from tricktake import archive
from tricktake.archive import MANIFEST
from tricktake.errors import InputError
from tricktake.learning.counts import Counts
from tricktake.learning.question import Form
from tricktake.settings import json_in

if TYPE_CHECKING:
    from tricktake.learning.table import LearnedTable

FORMAT = "tricktake-table"
VERSION = 1
ARRAYS = ("keys", "won", "games")

SUFFIX = ".table"
MOST_BYTES = 1 << 25  # unpacked: a byte of it may be 18 in memory; the largest known has 1 MB


def file_of(question: str) -> str:
    """The usual file name for the table of a registered question."""
    return question.replace(":", "-") + SUFFIX


def manifest(table: LearnedTable) -> dict[str, Any]:
    """The manifest of a table file, without the hashes of its arrays."""
    pairs = zip(table.form.layers, table.layers, strict=True)
    counts = {name: {"buckets": len(layer), "games": layer.total} for (name, _), layer in pairs}
    return {
        "format": FORMAT,
        "version": VERSION,
        **_plain_form(table.form),
        "code": dict(table.code),
        "games": table.games,
        "won": table.won,
        "counts": counts,
        "sources": [dict(source) for source in table.sources],
    }


def save(table: LearnedTable, path: str | Path) -> None:
    """See ``LearnedTable.save``; written to a temporary file that is renamed when complete. Raises InputError."""
    members = {}
    for number, counts in enumerate(table.layers):
        # Differences of sorted keys are small and compress well.
        arrays = (np.diff(counts.keys, prepend=0), counts.won, counts.games)
        for name, array in zip(ARRAYS, arrays, strict=True):
            members[f"{number}.{name}.npy"] = _npy(array)
    archive.write(path, manifest(table), members, most=MOST_BYTES)


@frozen
class Stored:
    """What a table file holds."""

    form: Form
    code: Mapping[str, str]
    layers: tuple[Counts, ...]
    sources: tuple[Mapping[str, Any], ...]


def load(path: str | Path) -> Stored:
    """The contents of a table file. Raises InputError."""
    members = archive.contents(path, "table", MOST_BYTES)
    described = _manifest_of(path, members)
    hashes = described.get("sha256", {})
    for name, data in members.items():
        if name != MANIFEST and hashlib.sha256(data).hexdigest() != hashes.get(name):
            raise InputError(path, None, name, "damaged: its sha256 is not that of the manifest")
    form = form_of(path, described)
    layers = tuple(_counts_of(path, members, form, number) for number in range(len(form.layers)))
    return Stored(form, dict(described["code"]), layers, tuple(described["sources"]))


def _npy(array: NDArray[np.int64]) -> bytes:
    """An array as a .npy file of the smallest type that holds it."""
    most = int(array.max()) if len(array) else 0
    kind = next(kind for kind in (np.uint8, np.uint16, np.uint32, np.int64) if most <= np.iinfo(kind).max)
    return archive.npy(array.astype(kind))


def _manifest_of(path: str | Path, members: Mapping[str, bytes]) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json_in(members[MANIFEST])
        if found["format"] != FORMAT:
            raise ValueError("no table file")
        if not isinstance(found.get("sha256", {}), dict):
            raise ValueError("no hashes")
        if found["version"] != VERSION:
            raise InputError(path, None, "version", f"{found['version']} is not known to this version of tricktake")
    except (KeyError, TypeError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(path, None, MANIFEST, "damaged, or no table file") from error
    return found


def form_of(path: str | Path | None, described: Mapping[str, Any], line: int | None = None) -> Form:
    """The form a manifest describes. Raises InputError if it lacks something."""
    try:
        features = tuple((str(name), int(domain)) for name, domain in described["features"])
        layers = tuple((str(name), tuple(map(str, names))) for name, names in described["layers"])
        form = Form(
            str(described["question"]),
            int(described["question_version"]),
            features,
            layers,
            str(described["packing"]),
            int(described["confidence"]),
        )
        form.weights()
        dict(described["code"]), tuple(described["sources"])
    except (KeyError, TypeError, ValueError, LookupError, OverflowError) as error:
        raise InputError(path, line, MANIFEST, f"damaged: {type(error).__name__}: {error}") from error
    return form


def _plain_form(form: Form) -> dict[str, Any]:
    return {
        "question": form.question,
        "question_version": form.version,
        "features": [list(feature) for feature in form.features],
        "layers": [[name, list(names)] for name, names in form.layers],
        "packing": form.packing,
        "confidence": form.confidence,
    }


def _counts_of(path: str | Path, members: Mapping[str, bytes], form: Form, number: int) -> Counts:
    arrays = []
    for name in ARRAYS:
        member = f"{number}.{name}.npy"
        if member not in members:
            raise InputError(path, None, member, "damaged: it is missing")
        try:
            array = archive.array_in(members[member])
            if array.dtype.kind not in "iu":
                raise ValueError(f"of type {array.dtype}")
        except ValueError as error:
            raise InputError(path, None, member, f"damaged: {error}") from error
        arrays.append(array.astype(np.int64))
    keys, won, games = np.cumsum(arrays[0]), arrays[1], arrays[2]
    return checked(path, form, number, Counts(keys, won, games))


def checked(path: str | Path | None, form: Form, number: int, counts: Counts) -> Counts:
    """The counts if they can be counts of this layer. Raises InputError."""
    keys, won, games = counts.keys, counts.won, counts.games
    layer = form.layers[number][0]
    if not (keys.ndim == won.ndim == games.ndim == 1 and len(keys) == len(won) == len(games)):
        raise InputError(path, None, f"layer {layer}", "damaged: columns of different length")
    if np.any(np.diff(keys) <= 0) or np.any(won < 0) or np.any(won > games) or np.any(games < 1):
        raise InputError(path, None, f"layer {layer}", "damaged: keys out of order, or more games won than played")
    form.hash(number).unrank(keys)
    return counts
