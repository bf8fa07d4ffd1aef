"""Questions: the features of a game on which an early decision depends, and what counts as won (OUTER-2, 4)."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

import numpy as np
from attrs import field, frozen

from tricktake.arrays import IntArray
from tricktake.errors import InputError, PluginError, UnknownName
from tricktake.learning import compiled
from tricktake.learning.code import digest
from tricktake.learning.feature import Feature, Function
from tricktake.learning.hash import Hash, packing
from tricktake.learning.rows import RowArray, Rows
from tricktake.plugins import manager

Layers = Mapping[str, Literal["all"] | Sequence[str]]


@frozen
class Form:
    """The layout of a question's tables, without the code of the features; part of every table.

    question, version; features: (name, domain) each; layers: (name, names of features) each, the foreground first;
    packing: "mixed-radix" or "bit-packed"; confidence: with fewer games than this the next layer is asked.
    """

    question: str
    version: int
    features: tuple[tuple[str, int], ...]
    layers: tuple[tuple[str, tuple[str, ...]], ...]
    packing: str
    confidence: int

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self.features)

    @property
    def domains(self) -> tuple[int, ...]:
        return tuple(domain for _, domain in self.features)

    def columns(self, layer: int) -> tuple[int, ...]:
        """Which features a layer has, in the question's order."""
        wanted = self.layers[layer][1]
        return tuple(i for i, name in enumerate(self.names) if name in wanted)

    def hash(self, layer: int) -> Hash:
        """The hash of a layer over its own features. Raises InputError if they do not fit a word."""
        columns = self.columns(layer)
        names = [self.names[i] for i in columns]
        made: Hash = packing(self.packing)([self.domains[i] for i in columns], names)
        return made

    def weights(self) -> IntArray:
        """Shape (layers, features): the weight of each feature in the key of each layer, 0 if it is not in it."""
        out = np.zeros((len(self.layers), len(self.features)), np.int64)
        for layer in range(len(self.layers)):
            out[layer, list(self.columns(layer))] = self.hash(layer).weights
        return out


def _features(given: Iterable[Feature]) -> tuple[Feature, ...]:
    return tuple(given)


@frozen(eq=False)
class Question:
    """A question about games: features, layers, games to leave out, and what counts as won.

    name, version: identify its tables; raise the version when the meaning changes. rows: input of the features.
    features: in order of the printed table. layers: name -> "all" or names of features, the foreground first; a
    background has fewer features and so more games per bucket. excluded, won: plain functions of a row; by default no
    game is excluded. packing: how keys are made ("mixed-radix", the minimal one, or "bit-packed"). confidence:
    a bucket with fewer games leaves the answer to the next layer; 1 is the papers' rule (OUTER-4).

    Raises InputError for an invalid question: unknown features, a hash that does not fit a word.
    """

    name: str
    rows: Rows
    features: tuple[Feature, ...] = field(converter=_features)
    won: Function
    version: int = 1
    layers: Layers = field(factory=lambda: {"foreground": "all"})
    excluded: Function | None = None
    packing: str = "mixed-radix"
    confidence: int = 1

    def __attrs_post_init__(self) -> None:
        where = f"question {self.name}"
        names = [f.name for f in self.features if isinstance(f, Feature)]
        if not names or len(names) < len(self.features):
            raise InputError(None, None, where, "needs features: functions decorated with @feature(domain=...)")
        if len(set(names)) < len(names):
            raise InputError(None, None, where, f"two features of the same name: {', '.join(sorted(names))}")
        if not self.layers:
            raise InputError(None, None, where, "needs a layer, such as {'foreground': 'all'}")
        if self.confidence < 1:
            raise InputError(None, None, where, "confidence is a number of games, at least 1")
        for layer, wanted in self.layers.items():
            if not wanted or (isinstance(wanted, str) and wanted != "all"):
                raise InputError(None, None, f"{where}: layer {layer}", "is 'all' or a list of names of features")
            for name in () if wanted == "all" else wanted:
                if name not in names:
                    raise UnknownName("feature", name, names, f"{where}, layer {layer}")
        self.form.weights()

    @functools.cached_property
    def form(self) -> Form:
        """The layout of this question's tables."""
        names = tuple(f.name for f in self.features)
        layers = {layer: names if wanted == "all" else tuple(wanted) for layer, wanted in self.layers.items()}
        features = tuple((f.name, f.domain) for f in self.features)
        return Form(self.name, self.version, features, tuple(layers.items()), self.packing, self.confidence)

    @functools.cached_property
    def code(self) -> dict[str, str]:
        """Name of each feature, ``excluded`` and ``won`` -> hash of its source with all it uses."""
        functions: dict[str, Any] = {f"feature {f.name}": f.function for f in self.features}
        functions["won"] = self.won
        if self.excluded is not None:
            functions["excluded"] = self.excluded
        return {name: digest(function) for name, function in functions.items()}

    def found(self, rows: RowArray, where: str = "") -> tuple[IntArray, IntArray, IntArray]:
        """Of the rows that are not excluded: features, shape (n, features); 1 or 0 for won, (n,); row numbers, (n,).

        Raises InputError naming feature, value and game for a value outside of its domain.
        """
        return compiled.found(self, self.rows.check(rows, where), where)

    def vectors(self, rows: RowArray) -> IntArray:
        """The features of every row, excluded or not, shape (n, features). Raises InputError as ``found``."""
        return compiled.vectors(self, self.rows.check(rows))


def find_question(name: str) -> Question:
    """A registered question by its name ``plugin:question``. Raises UnknownName, PluginError."""
    registry = manager().questions
    question = registry.get(name)
    if not isinstance(question, Question):
        raise PluginError(registry.owner(name), f"question {name!r} is no tricktake.learning.Question")
    return question
