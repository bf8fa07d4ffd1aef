"""Ratings as values: a rating list at one moment."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from attrs import evolve, field, frozen

from tricktake.arrays import FloatArray, IntArray
from tricktake.ratings.results import NOBODY, Results, series_key

CONFIDENCE = 0.95
REPLICATES = 100  # of the bootstrap: the error itself then has an error of about 7 %


def _matrix() -> FloatArray:
    return np.zeros((0, 1))


@frozen(eq=False)
class Ratings:
    """The ratings of all players so far.

    names: by number. rating: (players, 1 + replicates); column 0 is the rating, the others are those of the bootstrap,
    in which every series counts Poisson(1) times, decided by its key (Oza's online bootstrap), so that a continued
    list has errors, too. seen: the same for the number of series, a short one in proportion. games: (players,) games
    played. points: (players,) points in them. deviation: (players,) standard deviations of a system that has its own.
    seed: of the bootstrap.
    """

    names: tuple[str, ...] = ()
    rating: FloatArray = field(factory=_matrix)
    seen: FloatArray = field(factory=_matrix)
    games: IntArray = field(factory=lambda: np.zeros(0, np.int64))
    points: FloatArray = field(factory=lambda: np.zeros(0))
    deviation: FloatArray | None = None
    seed: int = 0

    @classmethod
    def empty(cls, replicates: int = 0, seed: int = 0) -> Ratings:
        """Ratings without players, with this number of bootstrap replicates. Raises ValueError if it is below 0."""
        return cls(rating=np.zeros((0, 1 + replicates)), seen=np.zeros((0, 1 + replicates)), seed=seed)

    def drawn_by(self, keys: IntArray) -> IntArray:
        """Random numbers that decide how often the series with these keys count in each replicate."""
        return keys ^ series_key("bootstrap", self.seed)

    @property
    def replicates(self) -> int:
        return self.rating.shape[1] - 1

    def __len__(self) -> int:
        return len(self.names)

    def __getitem__(self, name: str) -> float:
        """The rating of a player. Raises KeyError."""
        if name not in self.names:
            raise KeyError(name)
        return float(self.rating[self.names.index(name), 0])

    def known(self, names: Sequence[str], start: float, deviation: float | None = None) -> Ratings:
        """With the additional players of ``names``, who enter at ``start``; ``names`` begins with the known ones.

        Raises ValueError if the known players have other numbers in ``names``.
        """
        if tuple(names[: len(self)]) != self.names:
            raise ValueError("the results number the players otherwise than the ratings")
        new, width = len(names) - len(self), self.rating.shape[1]
        own = self.deviation
        if deviation is not None:
            own = np.append(np.zeros(0) if own is None else own, np.full(new, deviation))
        return evolve(
            self,
            names=tuple(names),
            rating=np.vstack([self.rating, np.full((new, width), start)]),
            seen=np.vstack([self.seen, np.zeros((new, width))]),
            games=np.append(self.games, np.zeros(new, np.int64)),
            points=np.append(self.points, np.zeros(new)),
            deviation=own,
        )

    def counted(self, results: Results) -> Ratings:
        """With the games and points of these series added; the arrays are new."""
        games, points = self.games.copy(), self.points.copy()
        there = results.players != NOBODY
        seats = results.players[there]
        np.add.at(games, seats, np.broadcast_to(results.games[:, None], there.shape)[there])
        np.add.at(points, seats, results.scores[there])
        return evolve(self, games=games, points=points)

    def average(self, length: int) -> FloatArray:
        """Mean score of each player in ``length`` games; nan for none played."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return self.points / self.games * length

    def errors(self) -> FloatArray:
        """Half the 95 % interval of each rating: of the bootstrap, else by the system's own deviation, else nan."""
        if self.replicates > 1:
            low, high = np.quantile(self.rating[:, 1:], [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2], axis=1)
            return (high - low) / 2
        if self.deviation is not None:
            return 1.959964 * self.deviation
        return np.full(len(self), np.nan)
