"""Generalized linear models of table features (KERMIT-1): a value is l(w0 + sum of w_i f_i).

l is a link, the identity or the logistic function, and a feature is an entry of a table with one axis for each index
function, or the sum of such entries if its indices are taken of several parts of a position, such as suits (M. Buro,
From Simple Features to Sophisticated Evaluation Functions, 1999). What the indices are is the game's business: a model
is given the numbers of cells, ``TableFeature.cells`` makes them of indices. ``glemfit`` fills tables and finds weights.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np
from attrs import field, frozen
from numpy.typing import ArrayLike

from tricktake import archive
from tricktake.arrays import FloatArray, IntArray
from tricktake.errors import InputError

Link: TypeAlias = Literal["linear", "logistic"]
LINKS = ("linear", "logistic")
FORMAT, FILE_VERSION, SUFFIX = "tricktake-glem", 1, ".glem"
NOTHING = -1  # a cell that adds nothing: a part that is not there


def linked(score: FloatArray, link: Link) -> FloatArray:
    """A value of a score: the score itself, or 1 / (1 + exp(-score))."""
    return score if link == "linear" else np.asarray(1 / (1 + np.exp(-score)))


def _flat(values: ArrayLike) -> FloatArray:
    return np.ascontiguousarray(values, np.float64).ravel()


@frozen(eq=False)
class TableFeature:
    """A table of numbers. axes: name and size of each index function; values: float64, one for each cell, by the last
    index fastest. Raises ValueError if there are more or fewer.
    """

    name: str
    axes: tuple[tuple[str, int], ...]
    values: FloatArray = field(converter=_flat)

    def __attrs_post_init__(self) -> None:
        if len(self.values) != self.size:
            raise ValueError(f"table {self.name} has {self.size} cells, not {len(self.values)}")

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(size for _, size in self.axes)

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    def cells(self, *indices: Any) -> IntArray:
        """Numbers of cells, of one index for each axis; arrays are broadcast. Raises ValueError."""
        if len(indices) != len(self.axes):
            raise ValueError(f"table {self.name} has {len(self.axes)} indices, not {len(indices)}")
        return np.asarray(np.ravel_multi_index(np.broadcast_arrays(*indices), self.shape), np.int64)

    def value(self, cells: IntArray) -> FloatArray:
        """The feature, (n,), of cells (n,) or (n, parts); ``NOTHING`` counts 0."""
        found = np.where(cells >= 0, self.values[np.maximum(cells, 0)], 0.0)
        return found if found.ndim == 1 else np.asarray(found.sum(axis=1))


@frozen(eq=False)
class Glem:
    """A model. constant: w0. weights: w_i, one for each feature. Raises ValueError."""

    features: tuple[TableFeature, ...]
    weights: tuple[float, ...]
    constant: float = 0.0
    link: Link = "logistic"

    def __attrs_post_init__(self) -> None:
        if len(self.weights) != len(self.features):
            raise ValueError(f"{len(self.weights)} weights for {len(self.features)} features")
        if self.link not in LINKS:
            raise ValueError(f"no link {self.link!r}: {', '.join(LINKS)}")

    def found(self, cells: Sequence[IntArray]) -> FloatArray:
        """What the features say, (n, features); cells: of each feature, as ``TableFeature.value`` takes them."""
        return np.stack([f.value(at) for f, at in zip(self.features, cells, strict=True)], axis=1)

    def score(self, cells: Sequence[IntArray]) -> FloatArray:
        """The weighted sum, before the link: (n,)."""
        return np.asarray(self.constant + self.found(cells) @ np.array(self.weights))

    def value(self, cells: Sequence[IntArray]) -> FloatArray:
        """What positions are worth, (n,)."""
        return linked(self.score(cells), self.link)


# -- files ------------------------------------------------------------------------------------------------------------


@frozen(eq=False)
class Glems:
    """Models that belong together, by name, and what made them: the content of a ``.glem`` file."""

    models: Mapping[str, Glem]
    made: Mapping[str, Any] = field(factory=dict)

    def save(self, path: str | Path) -> None:
        """Write a zip of a manifest and float32 tables; equal content gives equal bytes. Raises InputError."""
        described = {
            name: {
                "link": model.link,
                "constant": model.constant,
                "weights": list(model.weights),
                "features": [{"name": f.name, "axes": [list(axis) for axis in f.axes]} for f in model.features],
            }
            for name, model in self.models.items()
        }
        members = {
            f"{name}.{f.name}.npy": archive.npy(f.values.astype(np.float32))
            for name, model in self.models.items()
            for f in model.features
        }
        manifest = {"format": FORMAT, "file_version": FILE_VERSION, "models": described, "made": dict(self.made)}
        archive.write(path, manifest, members)

    @classmethod
    def load(cls, path: str | Path) -> Glems:
        """Read a ``.glem`` file. Raises InputError for a damaged one or none at all."""
        manifest, members = archive.read(path, FORMAT)
        if manifest.get("file_version") != FILE_VERSION:
            raise InputError(path, None, "file_version", f"{manifest.get('file_version')} is not {FILE_VERSION}")
        try:
            models = {name: _model(name, entry, members) for name, entry in manifest["models"].items()}
            return cls(models, dict(manifest["made"]))
        except (KeyError, TypeError, ValueError, EOFError, OSError, OverflowError) as error:
            raise InputError(path, None, None, f"damaged: {type(error).__name__}: {error}") from error


def _model(name: str, entry: Mapping[str, Any], members: Mapping[str, bytes]) -> Glem:
    features = []
    for feature in entry["features"]:
        data = members[f"{name}.{feature['name']}.npy"]
        values = archive.array_in(data)
        features.append(TableFeature(feature["name"], tuple((str(a), int(n)) for a, n in feature["axes"]), values))
    weights = tuple(map(float, entry["weights"]))
    return Glem(tuple(features), weights, float(entry["constant"]), entry["link"])
