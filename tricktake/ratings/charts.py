"""Charts of ratings (``tricktake.charts``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from tricktake.arrays import FloatArray
from tricktake.charts import Chart, figure
from tricktake.ratings.ratings import Ratings
from tricktake.ratings.results import Results
from tricktake.ratings.sensitivity import Spread

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PLAYERS = 5  # more curves cannot be distinguished
View = Literal["contracted", "expanded"]


def leaders(ratings: Ratings, number: int = PLAYERS) -> list[int]:
    """The numbers of the players with the highest ratings."""
    return sorted(range(len(ratings)), key=lambda p: (-ratings.rating[p, 0], ratings.names[p]))[:number]


def most_active(ratings: Ratings, number: int = PLAYERS) -> list[int]:
    """The numbers of the players who have played most."""
    return sorted(range(len(ratings)), key=lambda p: (-ratings.games[p], ratings.names[p]))[:number]


def _curves(
    axes: Axes,
    results: Results,
    curve: FloatArray,
    names: Sequence[str],
    players: Sequence[int],
    view: View,
    start: float,
) -> None:
    for color, player in enumerate(players):
        tables, seats = np.nonzero(results.players == player)
        values = np.concatenate([[start], curve[tables, seats]])
        x = np.arange(len(values))
        if view == "expanded":
            x, values = np.concatenate([[0], tables + 1, [len(results)]]), np.append(values, values[-1])
        style: dict[str, Any] = {} if view == "contracted" else {"drawstyle": "steps-post"}
        axes.plot(x, values, color=f"C{color}", linewidth=1.2, label=names[player], **style)
    axes.axhline(start, color="0.7", linewidth=0.8, zorder=0)
    axes.set_xlabel("series of the player" if view == "contracted" else "series of all players")
    axes.spines[["top", "right"]].set_visible(False)


def rating_curves(
    results: Results, curve: FloatArray, ratings: Ratings, start: float, players: Sequence[int] | None = None
) -> Chart:
    """Ratings over time, contracted (only a player's own series on the axis) and expanded (all series) (ELO-28).

    players: by number; by default the five with the highest ratings.
    """
    chosen = leaders(ratings) if players is None else players
    drawn, (left, right) = figure(2)
    _curves(left, results, curve, ratings.names, chosen, "contracted", start)
    _curves(right, results, curve, ratings.names, chosen, "expanded", start)
    left.set_title("time contracted", fontsize="medium")
    right.set_title("time expanded", fontsize="medium")
    left.set_ylabel("rating")
    drawn.legend(*left.get_legend_handles_labels(), loc="outside lower center", ncols=len(chosen), frameon=False)
    return Chart(drawn)


def four_settings(
    settings: Mapping[str, tuple[Results, FloatArray]], names: Sequence[str], start: float, players: Sequence[int]
) -> Chart:
    """The same players under several corrections for luck, time contracted, on one scale (ELO-28)."""
    columns = 2 if len(settings) > 1 else 1
    drawn, grid = figure(columns, -(-len(settings) // columns))
    for axes, (title, (results, curve)) in zip(grid, settings.items(), strict=False):
        _curves(axes, results, curve, names, players, "contracted", start)
        axes.set_title(title, fontsize="medium")
    for axes in grid[len(settings) :]:
        axes.set_visible(False)
    for axes in grid[::columns]:
        axes.set_ylabel("rating")
    for axes in grid[: max(0, len(settings) - columns)]:
        axes.set_xlabel("")
    drawn.legend(*grid[0].get_legend_handles_labels(), loc="outside lower center", ncols=len(players), frameon=False)
    return Chart(drawn)


def sensitivity_chart(rows: Sequence[Spread]) -> Chart:
    """Range, 10-90 % and 25-75 % of the ratings by K, for each correction for luck (ELO-27)."""
    lucks = list(dict.fromkeys(row.luck for row in rows))
    ks = sorted({row.k for row in rows})
    drawn, (axes,) = figure()
    width = 0.8 / len(lucks)
    for color, luck in enumerate(lucks):
        for row in (row for row in rows if row.luck == luck):
            x = ks.index(row.k) + (color - (len(lucks) - 1) / 2) * width
            style: dict[str, Any] = {"color": f"C{color}", "solid_capstyle": "butt"}
            first = row.k == ks[0]
            axes.plot([x, x], [row.lowest, row.highest], linewidth=1.2, **style)
            axes.plot([x, x], [row.top[3], row.top[0]], linewidth=5, alpha=0.45, **style)
            label = " + ".join(luck) or "no correction"
            axes.plot([x, x], [row.top[2], row.top[1]], linewidth=9, label=label if first else None, **style)
            axes.plot([x], [row.mean], marker="_", markersize=9, color="white")
    axes.set_xticks(range(len(ks)), [f"{k:g}" for k in ks])
    axes.set_xlabel("K")
    axes.set_ylabel("rating")
    axes.set_title("range, 10-90 % and 25-75 % of the ratings, mean in white", fontsize="medium")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(loc="upper left", frameon=False)
    return Chart(drawn)
