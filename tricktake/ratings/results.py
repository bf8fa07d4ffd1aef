"""Series as columns: the players of a table and their scores. Ratings need nothing else of a game (ELO-31)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

import numpy as np
from attrs import frozen

from tricktake.arrays import FloatArray, IntArray

NOBODY = -1


def series_key(*parts: object) -> int:
    """A number of 63 bits that identifies a series, the same on every machine."""
    text = "\n".join(str(part) for part in parts).encode("utf-8", "surrogateescape")
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "big") >> 1


@frozen
class Series:
    """One series at a table: a name, a score and the value of the games behind it for each player.

    scores: points of the whole series. values: the part of them that is the value of the games (ELO-15); 0 if unknown.
    games: number of games. key: identifies the series, so that it is never counted twice.
    """

    players: tuple[str, ...]
    scores: tuple[float, ...]
    games: int
    key: int
    values: tuple[float, ...] = ()


@frozen(eq=False)
class Results:
    """``n`` series at tables of up to ``seats`` players, in the order in which they are rated.

    names: of the players by number, which may include others. players, scores, values: (n, seats); ``NOBODY`` is an
    empty chair. games, keys: (n,). length: games of a full series. Raises ValueError for shapes that do not fit, player
    numbers without a name, a score that is no number or series without games.
    """

    names: tuple[str, ...]
    players: IntArray
    scores: FloatArray
    games: IntArray
    keys: IntArray
    values: FloatArray
    length: int

    def __attrs_post_init__(self) -> None:
        n = len(self.players)
        if self.players.ndim != 2 or not (self.scores.shape == self.values.shape == self.players.shape):
            raise ValueError("players, scores and values must have the same two dimensions")
        if self.games.shape != (n,) or self.keys.shape != (n,) or self.length < 1:
            raise ValueError("games and keys must have one entry a series, which has at least one game")
        if n and (self.players.min() < NOBODY or self.players.max() >= len(self.names)):
            raise ValueError("a player's number without a name")
        if n and self.games.min() < 1:
            raise ValueError("a series without games")
        if not np.isfinite(self.scores[self.players >= 0]).all():
            raise ValueError("a score that is no number")

    def __len__(self) -> int:
        return len(self.players)

    def __getitem__(self, rows: slice | IntArray) -> Results:
        """Some of the series; players keep their numbers."""
        return Results(
            self.names,
            self.players[rows],
            self.scores[rows],
            self.games[rows],
            self.keys[rows],
            self.values[rows],
            self.length,
        )

    @property
    def shares(self) -> FloatArray:
        """Games of each series as shares of a full one."""
        return self.games / self.length

    @classmethod
    def of(
        cls,
        names: Sequence[str],
        players: Sequence[Sequence[int]] | IntArray,
        scores: Sequence[Sequence[float]] | FloatArray,
        length: int = 1,
        games: Sequence[int] | IntArray | None = None,
    ) -> Results:
        """Full series (unless ``games`` says otherwise), numbered by position."""
        who = np.array(players, np.int64, ndmin=2).reshape(len(players), -1)
        got = np.array(scores, np.float64, ndmin=2).reshape(who.shape)
        n = len(who)
        count = np.full(n, length, np.int64) if games is None else np.array(games, np.int64)
        keys = np.arange(1, n + 1, dtype=np.int64)
        return cls(tuple(names), who, got, count, keys, np.zeros(who.shape), length)

    @classmethod
    def from_series(cls, series: Iterable[Series], length: int, names: Sequence[str] = ()) -> Results:
        """Series as columns. ``names``: players with known numbers. Raises ValueError for a name on two chairs."""
        rows = list(series)
        numbers = {name: number for number, name in enumerate(names)}
        seats = max((len(row.players) for row in rows), default=2)
        players = np.full((len(rows), seats), NOBODY, np.int64)
        scores, values = np.zeros((len(rows), seats)), np.zeros((len(rows), seats))
        for t, row in enumerate(rows):
            n = len(row.players)
            if len(set(row.players)) < n or len(row.scores) != n:
                raise ValueError(f"series {t + 1}: every player has one score")
            players[t, :n] = [numbers.setdefault(name, len(numbers)) for name in row.players]
            scores[t, :n] = row.scores
            if row.values:
                values[t, :n] = row.values
        games = np.array([row.games for row in rows], np.int64)
        keys = np.array([row.key for row in rows], np.int64)
        return cls(tuple(numbers), players, scores, games, keys, values, length)
