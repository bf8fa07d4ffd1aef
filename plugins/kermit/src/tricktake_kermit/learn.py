"""Learning the evaluation from played games: tables of their tricks, weights by logistic regression (KERMIT-4, 10)."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray
from tricktake_skat.kernels import GRAND
from tricktake_skat.rows import RowArray
from tricktake_skat.rules import WIN

from tricktake.arrays import FloatArray, IntArray
from tricktake.learning.glem import Glem, TableFeature
from tricktake.learning.glemfit import Tally, fit_tables, fit_weights
from tricktake_kermit import features
from tricktake_kermit._kernels import tally as kernel
from tricktake_kermit.features import Kind, Secured

KAPPA = 10.0  # games that the background of a cell counts for
MOST = 1_000_000  # games that the five weights are fitted to
PENALTY = 30.0  # games that an entry's start counts for if whole tables are fitted


@frozen
class Filling:
    """How tables are filled. led: a trick counts for the class led only, not, as printed, for every class with a card
    in it: tables are better so (experiment ``kermit.filling``). everyone: defenders' hands are credited too. secured:
    what ``sideTricks`` and ``trumpTricks`` count.
    """

    led: bool = True
    everyone: bool = False
    secured: Secured = "printed"


@frozen(eq=False)
class Seen:
    """What learning keeps of games of one kind: tallies of both classes, positions (n, 4) and which were won (n,)."""

    sides: Tally
    trumps: Tally
    positions: IntArray = field(factory=lambda: np.zeros((0, 4), np.int64))
    won: NDArray[np.bool_] = field(factory=lambda: np.zeros(0, np.bool_))

    def __add__(self, other: Seen) -> Seen:
        return Seen(
            self.sides + other.sides,
            self.trumps + other.trumps,
            np.concatenate([self.positions, other.positions]),
            np.concatenate([self.won, other.won]),
        )

    def __len__(self) -> int:
        return len(self.won)


def positions_of(rows: RowArray, kind: Kind) -> tuple[IntArray, NDArray[np.bool_]]:
    """Positions (n, 4) game, own, put, seat, and whether 61 eyes were made, of all games of a kind."""
    some = rows[(rows["declarer"] >= 0) & ((rows["game"] < GRAND) if kind == "suit" else (rows["game"] == GRAND))]
    found = np.stack([some["game"], some["own"], some["put"], some["declarer"]], axis=1)
    return found, some["eyes"] >= WIN


def see(rows: RowArray, kind: Kind, how: Filling) -> Seen:
    """What is learned of some games; those that were not played out fill no tables."""
    tallies = []
    for axes in (features.side_axes(kind), features.trump_axes(kind)):
        size = int(np.prod([n for _, n in axes]))
        tallies.append((np.zeros((size, kernel.OUTCOMES)), np.zeros(size)))
    (sides, side_games), (trumps, trump_games) = tallies
    kernel.tally(rows, kind == "grand", how.led, how.everyone, sides, side_games, trumps, trump_games)
    return Seen(Tally(side_games, sides), Tally(trump_games, trumps), *positions_of(rows, kind))


def tables_of(seen: Seen, kind: Kind, how: Filling, kappa: float = KAPPA) -> tuple[TableFeature, ...]:
    """The four tables: mean points and tricks by cell, drawn towards a linear model of what the cells are like."""
    made: list[TableFeature] = []
    for names, axes, tally, design in (
        (features.SIDE, features.side_axes(kind), seen.sides, features.side_design(kind)),
        (features.TRUMP, features.trump_axes(kind), seen.trumps, features.trump_design(kind)),
    ):
        rows, like = design
        counted = Tally(tally.games[rows], features.outcomes(tally.sums[rows], how.secured))
        means = np.zeros((len(tally.games), len(names)))
        means[rows] = counted.means(counted.background(like), kappa)
        made += [TableFeature(name, axes, column) for name, column in zip(names, means.T, strict=True)]
    return tuple(made)


def looked_up(positions: IntArray) -> tuple[IntArray, ...]:
    """The cells that the four features look up."""
    sides, trumps = features.cells(positions)
    return sides, sides, trumps, trumps


def fitted(halves: tuple[Seen, Seen], kind: Kind, how: Filling, kappa: float = KAPPA) -> Glem:
    """The model of two halves of games. Its weights are fitted to games that the tables they are fitted with have not
    seen, since a table knows its own games too well; its tables are of all games. Raises ValueError without games.
    """
    x, y = [], []
    for tabled, judged in (halves, halves[::-1]):
        tables = tables_of(tabled, kind, how, kappa)
        at = looked_up(judged.positions[: MOST // 2])
        x.append(np.stack([f.value(part) for f, part in zip(tables, at, strict=True)], axis=1))
        y.append(judged.won[: MOST // 2].astype(np.float64))
    constant, weights = fit_weights(np.concatenate(x), np.concatenate(y))
    return Glem(tables_of(halves[0] + halves[1], kind, how, kappa), weights, constant)


def fitted_tables(start: Glem, seen: Seen, penalty: float = PENALTY) -> Glem:
    """The same features with all entries fitted to who won (Buro's GLEM): one table of sides and one of trumps, that
    begin as the weighted sums of ``start``.
    """
    added = [w * f.values for w, f in zip(start.weights, start.features, strict=True)]
    joined = (
        TableFeature("sides", start.features[0].axes, added[0] + added[1]),
        TableFeature("trumps", start.features[2].axes, added[2] + added[3]),
    )
    sides, trumps = features.cells(seen.positions)
    y = seen.won.astype(np.float64)
    return fit_tables(Glem(joined, (1.0, 1.0), start.constant), (sides, trumps), y, penalty)


def learn(blocks: Iterable[RowArray], kind: Kind, how: Filling | None = None, kappa: float = KAPPA) -> Glem:
    """The evaluation of suit games or grands from blocks of games (``tricktake_skat.rows``); every second game of a
    block is of the other half. Raises ValueError if there are no two games of that kind.
    """
    how = how or Filling()
    return fitted(halves_of(blocks, kind, how), kind, how, kappa)


def halves_of(blocks: Iterable[RowArray], kind: Kind, how: Filling) -> tuple[Seen, Seen]:
    """What is learned of every second game of blocks, and of the others. Raises ValueError as ``learn`` does."""
    halves: list[list[Seen]] = [[], []]
    for rows in blocks:
        for half, parts in enumerate(halves):
            parts.append(see(rows[half::2], kind, how))
    one, other = (sum(parts[1:], parts[0]) if parts else None for parts in halves)
    if one is None or other is None or not len(one) or not len(other):
        raise ValueError(f"there are no two games of the kind {kind} to learn from")
    return one, other


def said(model: Glem, positions: IntArray) -> FloatArray:
    """The chances of positions (n, 4) by a model with four tables or with two."""
    at = looked_up(positions)
    return model.value(at if len(model.features) == len(features.NAMES) else (at[0], at[2]))
