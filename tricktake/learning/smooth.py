"""What few games say: buckets drawn towards what fewer features or a regression say, and unknown values."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from attrs import evolve
from numpy.typing import NDArray

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


def with_unknown(table: LearnedTable, feature: str, unknown: int) -> LearnedTable:
    """With what is known of all values of a feature where its value is ``unknown``, in the layers that ask for it."""
    layers = []
    for number, counts in enumerate(table.layers):
        at = [i for i, column in enumerate(table.form.columns(number)) if table.form.names[column] == feature]
        if not at:
            layers.append(counts)
            continue
        own = table.form.hash(number)
        vectors = own.unrank(counts.keys)
        known = vectors[:, at[0]] != unknown
        vectors[:, at[0]] = unknown
        keys, inverse = np.unique(own.rank(vectors), return_inverse=True)
        won, games = (np.bincount(inverse, column, len(keys)).astype(np.int64) for column in (counts.won, counts.games))
        together = np.concatenate((keys, counts.keys[known]))
        order = np.argsort(together)
        won, games = np.concatenate((won, counts.won[known])), np.concatenate((games, counts.games[known]))
        layers.append(Counts(together[order], won[order], games[order]))
    return evolve(table, layers=tuple(layers))


def dense(
    table: LearnedTable, prior: Mapping[str, NDArray[np.float64]], axes: Mapping[str, NDArray[np.int64]], kappa: float
) -> NDArray[np.float32]:
    """Chances for whole ranges of values of the features: what the first layer counted, and a prior worth ``kappa``
    games (KERMIT-1).

    prior: log odds of each value of a feature, the constant under "one". axes: the values of each feature, arrays that
    broadcast to the shape of the result.
    """
    counts, hash_ = table.layers[0], table.form.hash(0)
    weights = dict(zip((table.form.names[i] for i in table.form.columns(0)), hash_.weights, strict=True))
    keys, odds = np.zeros((), np.int64), np.asarray(prior["one"][0], np.float32)
    for name, values in axes.items():
        keys = keys + values * weights[name]
        odds = odds + prior[name][values].astype(np.float32)
    chance = 1 / (1 + np.exp(-odds))
    if len(counts):
        at = np.minimum(np.searchsorted(counts.keys, keys), len(counts) - 1)
        counted = counts.keys[at] == keys
        won, games = (np.where(counted, column[at], 0).astype(np.float32) for column in (counts.won, counts.games))
        chance = (won + np.float32(kappa) * chance) / (games + np.float32(kappa))
    return np.asarray(chance, np.float32)
