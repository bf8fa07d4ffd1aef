"""Elo ratings fitted to all results at once, whatever their order (ELO-30).

The model is that of Bradley and Terry for every pair of a table. The spread of such ratings is the measure of Duersch,
Lambrecht and Oechssler (European Economic Review 127, 2020) for the share of skill in a game.
"""

from __future__ import annotations

import itertools

import numpy as np
from attrs import evolve

from tricktake.arrays import FloatArray, IntArray
from tricktake.ratings.ratings import Ratings
from tricktake.ratings.results import Results

SCALE = 400 / np.log(10)  # rating points per unit of log odds
PRIOR = 1.0  # drawn games of every player against one of rating 0; keeps ratings finite for players who won all games
STEPS = 50
SMALL = 1e-9


def duels(results: Results) -> tuple[IntArray, FloatArray, IntArray]:
    """Every pair of every table: players, (n, 2); points of the first (1, 1/2 or 0) and number of the series, (n,)."""
    who, points, series = [], [], []
    for i, j in itertools.combinations(range(results.players.shape[1]), 2):
        there = np.flatnonzero((results.players[:, i] >= 0) & (results.players[:, j] >= 0))
        gain = np.sign(results.scores[there, i] - results.scores[there, j])
        who.append(results.players[there][:, [i, j]])
        points.append((gain + 1) / 2)
        series.append(there)
    return np.concatenate(who), np.concatenate(points), np.concatenate(series)


def fit(who: IntArray, points: FloatArray, weights: FloatArray, players: int) -> FloatArray:
    """Maximum likelihood log odds of each player for these pairs, by Newton's method; their mean is 0."""
    won = np.zeros((players, players))
    np.add.at(won, (who[:, 0], who[:, 1]), weights * points)
    np.add.at(won, (who[:, 1], who[:, 0]), weights * (1 - points))
    met = won + won.T
    skill = np.zeros(players)
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(skill[None, :] - skill[:, None]))
        own = 1 / (1 + np.exp(-skill))
        slope = (won - met * chance).sum(axis=1) + PRIOR * (0.5 - own)
        curvature = -met * chance * (1 - chance)
        np.fill_diagonal(curvature, -curvature.sum(axis=1) + PRIOR * own * (1 - own))
        step = np.linalg.solve(curvature, slope)
        skill += np.clip(step, -2, 2)
        if np.abs(step).max() < SMALL:
            break
    return np.asarray(skill - skill.mean())


def best_fit(results: Results, start: float = 1500.0, replicates: int = 0, seed: int = 0) -> Ratings:
    """Best-fit Elo ratings with mean ``start``, with ``replicates`` of a bootstrap over series.

    Only the places in each series count, not the scores or the order of the series. Memory grows with the pairs of
    players.
    """
    players = len(results.names)
    known = Ratings.empty(replicates, seed).known(results.names, start).counted(results)
    if not len(results):
        return known
    who, points, series = duels(results)
    rng = np.random.default_rng(seed)
    rating, seen = known.rating.copy(), known.seen.copy()
    for column in range(1 + replicates):
        n = len(results)
        times = np.ones(n) if column == 0 else np.bincount(rng.integers(0, n, n), minlength=n).astype(np.float64)
        rating[:, column] = start + SCALE * fit(who, points, times[series], players)
        for seat in range(results.players.shape[1]):
            there = results.players[:, seat] >= 0
            np.add.at(seen[:, column], results.players[there, seat], times[there])
    return evolve(known, rating=rating, seen=seen)
