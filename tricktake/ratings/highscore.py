"""High-score lists: several systems side by side."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from typing import Any

from attrs import field, frozen

from tricktake.ratings.names import Title, title_of
from tricktake.ratings.ratings import Ratings
from tricktake.ratings.results import Results, Series
from tricktake.ratings.state import RatingList
from tricktake.ratings.system import System

CHUNK = 4096  # series rated together


def rate_all(lists: Sequence[RatingList], series: Iterable[Series]) -> int:
    """Rate series by several systems at once, in memory that grows only with the players; returns how many were new.

    A series is left out of a list that has counted it already. Raises InputError for a table a system cannot rate.
    """
    rated = 0
    source = iter(series)
    while chunk := list(itertools.islice(source, CHUNK)):
        new = 0
        for one in lists:
            fresh = [row for row in chunk if one.new(row)]
            if fresh:
                results = Results.from_series(fresh, one.rules.series, one.ratings.names)
                one.ratings = one.rules.system.rate(one.ratings, results)
            new = max(new, len(fresh))
        rated += new
    return rated


@frozen
class HighScore:
    """The players of one or more lists of the same series, ordered by the first list.

    length: number of games to which the average refers. least_games: players with fewer games are left out.
    """

    systems: tuple[System, ...]
    ratings: tuple[Ratings, ...]
    length: int
    titles: tuple[Title, ...] = ()
    least_games: int = 0
    unit: str = field(default="points")

    def as_rows(self) -> list[dict[str, Any]]:
        """One dictionary per player: rank, name, title, games, series, average, and rating and error by system."""
        first = self.ratings[0]
        columns = [
            (one.rating[:, 0], one.errors(), {name: i for i, name in enumerate(one.names)}) for one in self.ratings
        ]
        average = first.average(self.length)
        order = sorted(
            (i for i in range(len(first)) if first.games[i] >= self.least_games),
            key=lambda i: (-first.rating[i, 0], first.names[i]),
        )
        rows = []
        for rank, i in enumerate(order, 1):
            name = first.names[i]
            rows.append(
                {
                    "rank": rank,
                    "player": name,
                    "title": title_of(float(first.rating[i, 0]), self.titles),
                    "games": int(first.games[i]),
                    "series": round(float(first.seen[i, 0]), 3),
                    "average": _plain(average[i]),
                    "ratings": {
                        system.spec: {"rating": _plain(rating[where[name]]), "error": _plain(errors[where[name]])}
                        for system, (rating, errors, where) in zip(self.systems, columns, strict=True)
                    },
                }
            )
        return rows

    def columns(self) -> tuple[tuple[str, ...], list[tuple[object, ...]]]:
        """Columns and rows for people."""
        titled = ("title",) if self.titles else ()
        columns = ("", "player", *titled, "games", self.unit, *(system.spec for system in self.systems))
        rows = []
        for row in self.as_rows():
            cells = [_text(cell["rating"], cell["error"]) for cell in row["ratings"].values()]
            title = (row["title"],) if self.titles else ()
            average = "" if row["average"] is None else f"{row['average']:.1f}"
            rows.append((row["rank"], row["player"], *title, row["games"], average, *cells))
        return columns, rows


def _plain(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


def _text(rating: float | None, error: float | None) -> str:
    shown = "" if rating is None else f"{rating:.2f}"
    return shown if error is None else f"{shown} ± {error:.1f}"
