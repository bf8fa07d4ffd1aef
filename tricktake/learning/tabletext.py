"""Tables as text: a line per bucket, readable by people and by ``read_learned`` (OUTER-9)."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, TextIO

import numpy as np

from tricktake.errors import InputError
from tricktake.learning.counts import Counts
from tricktake.learning.question import Form, Question
from tricktake.learning.table import LearnedTable, bound
from tricktake.learning.tablefile import checked, form_of, manifest
from tricktake.settings import json_in


def print_learned(table: LearnedTable, stream: TextIO) -> None:
    """TablePrinter of OUTER-9: a line per bucket, features in lexicographic order, then won, games and their ratio."""
    stream.write(f"# {json.dumps(manifest(table), sort_keys=True, ensure_ascii=False)}\n")
    for number, (name, _) in enumerate(table.form.layers):
        names = [table.form.names[i] for i in table.form.columns(number)]
        stream.write(f"# layer {name}\n{' '.join([*names, 'won', 'games', 'ratio'])}\n")
        for layer, values, won, games in table:
            if layer == name:
                stream.write(f"{' '.join(map(str, values))} {won} {games} {won / games:.6f}\n")


def read_learned(lines: Iterable[str], question: Question | None = None, name: str = "<text>") -> LearnedTable:
    """TableReader of OUTER-9: the table ``print_learned`` wrote. Raises InputError naming the line."""
    described: dict[str, Any] = {}
    form: Form | None = None
    buckets: list[list[tuple[int, int, int]]] = []
    names: list[str] = []
    for number, text in enumerate(lines, 1):
        words = text.split()
        if not words:
            continue
        if form is None:
            try:
                described = json_in(text.removeprefix("#"))
            except ValueError:
                raise InputError(name, number, None, "no printed table: it begins with # and its manifest") from None
            form = form_of(name, described, number)
            continue
        if words[0] == "#":
            layer = len(buckets)
            if layer >= len(form.layers) or words[1:] != ["layer", form.layers[layer][0]]:
                raise InputError(name, number, "layer", "not the next one of the manifest")
            buckets.append([])
            names = [form.names[i] for i in form.columns(layer)]
            continue
        if not buckets:
            raise InputError(name, number, None, "a line before the first layer")
        if words[0] in names:
            continue
        buckets[-1].append(_bucket(name, number, form, len(buckets) - 1, words))
    if form is None or len(buckets) < len(form.layers):
        raise InputError(name, None, None, "ends before its last layer")
    layers = []
    for number, found in enumerate(buckets):
        columns = np.array(found, np.int64).reshape(-1, 3).T
        layers.append(checked(name, form, number, Counts(columns[0].copy(), columns[1].copy(), columns[2].copy())))
    table = LearnedTable(form, dict(described["code"]), tuple(layers), tuple(described["sources"]))
    return table if question is None else bound(table, question, name)


def _bucket(name: str, line: int, form: Form, layer: int, words: list[str]) -> tuple[int, int, int]:
    """Key, won and games of a line."""
    width = len(form.columns(layer))
    try:
        values, won, games = [int(word) for word in words[:width]], int(words[width]), int(words[width + 1])
        ratio = float(words[width + 2])
        (key,) = form.hash(layer).rank([values]).tolist()
    except (IndexError, ValueError, OverflowError) as error:
        reason = error.reason if isinstance(error, InputError) else f"{width} values, won, games and ratio are needed"
        raise InputError(name, line, None, reason) from error
    if len(words) != width + 3:
        raise InputError(name, line, None, f"{len(words)} words, {width + 3} are needed")
    if not 0 <= won <= games or games < 1 or abs(ratio - won / games) > 1e-6:
        raise InputError(name, line, None, f"{won} of {games} games are no ratio of {words[-1]}")
    return key, won, games
