"""The rating lists of a server: one for each game, of all finished games in which everybody decided alone."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from tricktake.game import find_game
from tricktake.ratings.ratings import Ratings
from tricktake.ratings.results import Results, Series, series_key
from tricktake.ratings.state import RatingList, Rules
from tricktake.ratings.system import get_system
from tricktake.server.store import Game, Store

SYSTEM = "proportional"  # what ``tricktake rate`` uses unless told otherwise
REPLICATES = 100


class RatingLists:
    """Games are rated when somebody asks: each is then a short series of one game (ELO-31)."""

    def __init__(self, store: Store) -> None:
        self._store, self._last = store, (-1.0, "")
        self._lists: dict[str, RatingList] = {}
        self._lock = asyncio.Lock()

    async def of(self, game: str) -> list[dict[str, Any]]:
        """The list of a game, the best first."""
        async with self._lock:
            new = self._store.rated(self._last)
            if new:
                self._last = (new[-1].ended, new[-1].id)
            await asyncio.to_thread(self._rate, new)
        found = self._lists.get(game)
        return [] if found is None else _rows(found)

    def _rate(self, games: Sequence[Game]) -> None:
        by_game: dict[str, list[Series]] = {}
        for game in games:
            one = Series(game.players, game.points, 1, series_key("server", game.id, game.ended))
            by_game.setdefault(game.game, []).append(one)
        for name, series in by_game.items():
            rules = find_game(name)
            if name not in self._lists:
                of = Rules(get_system(SYSTEM), name, rules.series)
                self._lists[name] = RatingList(of, Ratings.empty(REPLICATES))
            mine = self._lists[name]
            fresh = [one for one in series if mine.new(one)]
            results = Results.from_series(fresh, rules.series, mine.ratings.names)
            mine.ratings = mine.rules.system.rate(mine.ratings, results)


def _rows(found: RatingList) -> list[dict[str, Any]]:
    ratings = found.ratings
    errors, average = ratings.errors(), ratings.average(found.rules.series)
    rows = [
        {
            "name": name,
            "rating": round(float(ratings.rating[n, 0]), 1),
            "error": round(float(errors[n]), 1),
            "games": int(ratings.games[n]),
            "average": round(float(average[n]), 1),
        }
        for n, name in enumerate(ratings.names)
    ]
    return sorted(rows, key=lambda row: -row["rating"])
