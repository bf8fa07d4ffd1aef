"""Charts of learning: what a table says of one feature, and an outer loop batch by batch (OUTER-25)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tricktake.charts import Chart, figure
from tricktake.errors import InputError
from tricktake.learning.table import LearnedTable

CURVES = (("win_rate", "games won"), ("accuracy", "games as the open cards say"), ("brier", "Brier score of the table"))
FEWEST = 30  # games of a value; with fewer its share says nothing


def chances(table: LearnedTable, feature: str) -> Chart:
    """The share of games won by the value of one feature of the first layer, with standard errors.

    Values with fewer than ``FEWEST`` games are left out. Raises InputError for an unknown feature, or without
    matplotlib.
    """
    form, counts = table.form, table.layers[0]
    features = [form.names[i] for i in form.columns(0)]
    if feature not in features:
        raise InputError(None, None, "feature", f"the first layer has {', '.join(features)}, not {feature!r}")
    values = form.hash(0).unrank(counts.keys)[:, features.index(feature)]
    games, won = np.bincount(values, counts.games), np.bincount(values, counts.won)
    shown = np.flatnonzero(games >= FEWEST)
    share = won[shown] / games[shown]
    drawn, (axes,) = figure()
    axes.errorbar(shown, share, np.sqrt(share * (1 - share) / games[shown]), marker="o", capsize=3)
    axes.set_xlabel(feature)
    axes.set_ylabel("share of games won")
    axes.set_xticks(shown)
    axes.grid(alpha=0.3)
    return Chart(drawn)


def _error(key: str, judged: dict[str, Any]) -> float:
    """One standard error of a share; the Brier score has none here."""
    games = {"win_rate": judged["games"], "accuracy": sum(judged["cells"] or ())}.get(key)
    share = judged[key]
    return float((share * (1 - share) / games) ** 0.5) if games else 0.0


def loop_curves(results: Sequence[dict[str, Any]]) -> Chart:
    """Win rate, agreement with the open-card solver and Brier score after each batch, with standard errors.

    Raises InputError without matplotlib.
    """
    shown = [c for c in CURVES if any(j.get(c[0]) is not None for r in results for j in r["judged"].values())]
    drawn, several = figure(1, len(shown), share=False)
    for axes, (key, label) in zip(several, shown, strict=True):
        for name in results[0]["judged"]:
            known = [(r["games"], r["judged"][name]) for r in results if r["judged"][name][key] is not None]
            values = [judged[key] for _, judged in known]
            errors = [_error(key, judged) for _, judged in known]
            axes.errorbar([games for games, _ in known], values, errors, marker="o", capsize=3, label=name)
        axes.set_ylabel(label)
        axes.grid(alpha=0.3)
    several[0].legend()
    several[-1].set_xlabel("games of self-play; a mark is a batch, after which new tables were made")
    return Chart(drawn)


def draw(results: Sequence[dict[str, Any]], folder: Path) -> list[Path]:
    """Write ``loop_curves`` as ``curves.png`` and ``curves.svg``; returns the files."""
    files = [folder / "curves.png", folder / "curves.svg"]
    chart = loop_curves(results)
    for file in files:
        chart.save(file)
    return files
