"""Charts of ratings (extra ``charts``): written as PNG or SVG, and shown by notebooks."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from attrs import frozen

from tricktake.arrays import FloatArray
from tricktake.errors import InputError
from tricktake.ratings.ratings import Ratings
from tricktake.ratings.results import Results
from tricktake.ratings.sensitivity import Spread

if TYPE_CHECKING:
    from matplotlib.axes import Axes

DPI = 144
PLAYERS = 5  # more curves cannot be distinguished
SIZE = (7.5, 4.2)  # inches
View = Literal["contracted", "expanded"]


def _figure(columns: int = 1, rows: int = 1, share: bool = True) -> tuple[Any, list[Any]]:
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise InputError(None, None, "chart", "charts need matplotlib: install tricktake[charts]") from None
    figure = Figure(
        figsize=(SIZE[0] * (1 if columns == 1 else 1.55), SIZE[1] * (1 if rows == 1 else 1.6)), layout="constrained"
    )
    return figure, list(np.ravel(figure.subplots(rows, columns, sharey=share, squeeze=False)))


@frozen(eq=False)
class Chart:
    """A figure, displayed by notebooks."""

    figure: Any

    def _as(self, kind: str) -> bytes:
        import matplotlib

        out = io.BytesIO()
        # no time stamp and no random ids, so that equal ratings give equal files
        with matplotlib.rc_context({"svg.hashsalt": "tricktake", "svg.fonttype": "none"}):
            self.figure.savefig(out, format=kind, dpi=DPI, metadata={"Date": None} if kind == "svg" else None)
        return out.getvalue()

    def _repr_png_(self) -> bytes:
        return self._as("png")

    def _repr_svg_(self) -> str:
        return self._as("svg").decode()

    def save(self, path: Path) -> None:
        """Write the chart in the format of the suffix, .png or .svg. Raises InputError for another one."""
        kind = path.suffix.lower().lstrip(".")
        if kind not in ("png", "svg"):
            raise InputError(path, None, "chart", "the suffix of a chart is .png or .svg")
        data = self._as(kind)
        try:
            path.write_bytes(data)
        except OSError as error:
            raise InputError(path, None, "chart", error.strerror or str(error)) from None


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
    figure, (left, right) = _figure(2)
    _curves(left, results, curve, ratings.names, chosen, "contracted", start)
    _curves(right, results, curve, ratings.names, chosen, "expanded", start)
    left.set_title("time contracted", fontsize="medium")
    right.set_title("time expanded", fontsize="medium")
    left.set_ylabel("rating")
    figure.legend(*left.get_legend_handles_labels(), loc="outside lower center", ncols=len(chosen), frameon=False)
    return Chart(figure)


def four_settings(
    settings: Mapping[str, tuple[Results, FloatArray]], names: Sequence[str], start: float, players: Sequence[int]
) -> Chart:
    """The same players under several corrections for luck, time contracted, on one scale (ELO-28)."""
    columns = 2 if len(settings) > 1 else 1
    figure, grid = _figure(columns, -(-len(settings) // columns))
    for axes, (title, (results, curve)) in zip(grid, settings.items(), strict=False):
        _curves(axes, results, curve, names, players, "contracted", start)
        axes.set_title(title, fontsize="medium")
    for axes in grid[len(settings) :]:
        axes.set_visible(False)
    for axes in grid[::columns]:
        axes.set_ylabel("rating")
    for axes in grid[: max(0, len(settings) - columns)]:
        axes.set_xlabel("")
    figure.legend(*grid[0].get_legend_handles_labels(), loc="outside lower center", ncols=len(players), frameon=False)
    return Chart(figure)


def sensitivity_chart(rows: Sequence[Spread]) -> Chart:
    """Range, 10-90 % and 25-75 % of the ratings by K, for each correction for luck (ELO-27)."""
    lucks = list(dict.fromkeys(row.luck for row in rows))
    ks = sorted({row.k for row in rows})
    figure, (axes,) = _figure()
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
    return Chart(figure)
