"""Control variates: what the cards dealt tell of the scores is taken off them, without bias.

A game says by a ``Control`` what its hands are worth to each seat, from the deal alone. The mean of that over all deals
is known (from many other deals), so what the deals of a tournament lie above or below it can be taken off its scores,
as much of it as the scores follow it (Lavenberg and Welch, 1981, A perspective on the use of control variables). The
coefficients are fitted on other deals than those they are used on (cross-fitting), so the mean stays the same in
expectation whatever the control says.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np
from attrs import frozen

from tricktake.arrays import FloatArray, IntArray
from tricktake.deal import deals
from tricktake.errors import InputError
from tricktake.game import Game
from tricktake.plugins import manager
from tricktake.tournament.config import Config
from tricktake.tournament.stats import Estimate, Statistics, student

FRESH = 20_000  # other deals that the means are taken from
FOLDS = 10
LEAST = 10  # deals for each coefficient


@runtime_checkable
class Control(Protocol):
    """What a deal is worth to its seats, as a game sees it; registered by ``register_controls``."""

    def values(self, game: Game, masks: IntArray, boards: IntArray) -> FloatArray:
        """(n, seats, k): k numbers for each seat of n deals, functions of the deal alone, whoever plays.

        masks: (n, places). boards: (n,) number of the deal in its round.
        """


def control_of(game: Game) -> Control | None:
    """What a plugin registered for a game. Raises InputError if it is no ``Control``."""
    registry = manager().controls
    if game.name not in registry:
        return None
    found: Any = registry.make(game.name)
    if not isinstance(found, Control):
        raise InputError(None, None, f"control {game.name}", "has no method values(game, masks, boards)")
    return found


@frozen
class Controlled:
    """An estimate with the control taken off. saved: the share of the variance that this saves."""

    estimate: Estimate
    saved: float


@frozen(eq=False)
class Controls:
    """The control of a tournament's deals, less its mean over all deals of the same board.

    here: (deals, seats, k), for the deals of ``table`` in order. fresh: the same of other deals.
    """

    table: Statistics
    rows: Sequence[tuple[int, ...]]
    here: FloatArray
    fresh: FloatArray

    @classmethod
    def of(cls, config: Config, table: Statistics) -> Controls | None:
        """None where the game has no control, or the deals are not those of the seed (contracts, records)."""
        game = config.make_game()
        control = None if config.mode != "match" else control_of(game)
        numbers = np.array(sorted({row["deal"] for row in table.rows}), np.int64)
        if control is None or not len(numbers):
            return None
        text = f"{config.seed}/controls"
        other = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")
        boards, fresh_boards = numbers % game.boards, np.arange(FRESH) % game.boards
        dealt = deals(game.layout, config.seed, 0, int(numbers[-1]) + 1)[numbers]
        here = control.values(game, dealt, boards)
        fresh = control.values(game, deals(game.layout, other, 0, FRESH), fresh_boards)
        means = np.stack([fresh[fresh_boards == board].mean(axis=0) for board in range(game.boards)])
        return cls(table, config.schedule().rows, here - means[boards], fresh - means[fresh_boards])

    def score(self, player: int) -> Controlled | None:
        """Of ``Statistics.score``; None with too few deals."""
        points = self.table.by_deal(player)
        each = np.array([y / m for _, (y, m) in sorted(points.items())])
        return self._controlled(each, self._shares(player, None), sum(m for _, m in points.values()))

    def difference(self, first: int, second: int) -> Controlled | None:
        """Of ``Statistics.difference``; None with too few deals, or if they never met."""
        each = np.array(list(self.table.each(first, second).values()))
        if not len(each):
            return None
        shares = self._shares(first, second) - self._shares(second, first)
        return self._controlled(each, shares, len(each))

    def _shares(self, player: int, rival: int | None) -> FloatArray:
        """How often a player has each seat, of all its games (with the rival) of a deal."""
        met = [row for row in self.rows if rival is None or rival in row]
        counts = np.array([[who == player for who in row] for row in met], np.float64).sum(axis=0)
        found: FloatArray = counts / counts.sum()
        return found

    def _controlled(self, each: FloatArray, shares: FloatArray, n: int) -> Controlled | None:
        """Columns: what the player's seats got, and what all seats got, which says what kind of deal it was."""
        columns, fresh = (
            np.concatenate([np.einsum("s,dsk->dk", shares, z), z.mean(axis=1)], axis=1) for z in (self.here, self.fresh)
        )
        if len(each) < LEAST * columns.shape[1]:
            return None
        adjusted, weights = cross_fitted(each, columns)
        scale, count = self.table.series, len(each)
        plain = float(each.var(ddof=1)) / count
        left = float(adjusted.var(ddof=1)) / count + float(weights @ np.cov(fresh.T) @ weights) / len(fresh)
        if not plain:
            return None
        mean, error = scale * float(adjusted.mean()), scale * student(count) * math.sqrt(left)
        return Controlled(Estimate(mean, mean - error, mean + error, n, count), 1 - left / plain)


def cross_fitted(each: FloatArray, columns: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Values less what columns of known mean 0 explain of them, by coefficients from the other folds, and the mean of
    these coefficients.
    """
    fold = np.arange(len(each)) % FOLDS
    out, weights = each.copy(), np.zeros(columns.shape[1])
    for number in range(FOLDS):
        others = fold != number
        x, y = columns[others], each[others]
        fitted, *_ = np.linalg.lstsq(x - x.mean(axis=0), y - y.mean(), rcond=1e-8)
        out[~others] -= columns[~others] @ fitted
        weights += fitted / FOLDS
    return out, weights
