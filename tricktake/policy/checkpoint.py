"""Checkpoints: files from which learning goes on as if it had never stopped.

A file of named arrays and a few words about whose they are (``archive``). It is read as files of others are: what does
not fit the training at hand is refused before a kernel sees it.
"""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tricktake import archive
from tricktake.errors import InputError

FORMAT = "tricktake-checkpoint"
VERSION = 1

Arrays = dict[str, NDArray[Any]]


def save(path: Path, words: Mapping[str, str], arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write a checkpoint; put in place when complete. words: whose it is. Raises InputError."""
    members = {f"{name}.npy": archive.npy(array) for name, array in arrays.items()}
    # stored as they are: to pack 40 MB takes seconds, and this is done every half a minute
    archive.write(path, {"format": FORMAT, "version": VERSION, **words}, members, zipfile.ZIP_STORED)


def load(path: Path, words: Mapping[str, str]) -> Arrays:
    """The arrays of a checkpoint. Raises InputError for a damaged one, and for one of other ``words``."""
    described, members = archive.read(path, FORMAT)
    for name, wanted in {"version": VERSION, **words}.items():
        if described.get(name) != wanted:
            raise InputError(path, None, name, "the checkpoint is of another training; remove it to begin anew")
    try:
        return {name.removesuffix(".npy"): archive.array_in(data) for name, data in members.items()}
    except ValueError as error:
        raise InputError(path, None, None, f"damaged checkpoint: {error}") from error


def require(true: bool, what: str) -> None:
    """Raises ValueError unless something of a checkpoint is as it has to be."""
    if not true:
        raise ValueError(what)


def copy_to(target: NDArray[Any], found: NDArray[Any], what: str) -> None:
    """Fill an array with one of the same shape and type, all finite. Raises ValueError."""
    require(found.shape == target.shape and found.dtype == target.dtype, f"{what}: another shape or type")
    require(bool(np.isfinite(found).all()), f"{what}: not all are numbers")
    target[:] = found
