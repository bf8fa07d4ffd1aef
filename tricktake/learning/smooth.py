"""Smoothed tables: a bucket is drawn towards what fewer features say, the more so the fewer games it has."""

from __future__ import annotations

import numpy as np
from attrs import evolve

from tricktake.learning.counts import Counts
from tricktake.learning.table import LearnedTable

_PARTS = 64  # of a game: smoothed counts are kept in such parts


def smoothed(table: LearnedTable, kappa: float) -> LearnedTable:
    """The same answers, but each bucket as if ``kappa`` more games of it had ended as the next layer says.

    Every bucket answers then, so that fallback is left to vectors that were never met. Counts are in 64ths of games.
    """
    form = evolve(table.form, confidence=1)
    layers: list[Counts] = []
    for number in reversed(range(len(table.layers))):
        counts = table.layers[number]
        parent = np.full(len(counts.keys), table.won / max(1, table.games))
        if layers:
            vectors = np.zeros((len(counts.keys), len(form.features)), np.int64)
            vectors[:, form.columns(number)] = form.hash(number).unrank(counts.keys)
            below = evolve(form, layers=form.layers[number + 1 :])
            said = LearnedTable(below, table.code, tuple(layers)).probabilities(vectors)
            parent = np.where(said >= 0, said, parent)
        games = np.rint((counts.games + kappa) * _PARTS).astype(np.int64)
        won = np.minimum(games, np.rint((counts.won + kappa * parent) * _PARTS).astype(np.int64))
        layers.insert(0, Counts(counts.keys, won, games))
    return evolve(table, form=form, layers=tuple(layers))
