"""Deals bid by Kermit's bidder in one compiled loop, beside rule players."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from attrs import frozen
from tricktake_skat.deck import SEATS
from tricktake_skat.rows import RowArray

from tricktake.arrays import FloatArray, IntArray
from tricktake_kermit._kernels import deals as kernel
from tricktake_kermit._kernels import evaluate
from tricktake_kermit.bidder import PLAIN_GAMES, THRESHOLD
from tricktake_kermit.evaluation import Evaluation, Model, load


@frozen(eq=False)
class Kermit:
    """A bidder as ``kermit:bidder``; model: None for the one that ships."""

    threshold: float = THRESHOLD
    hands: bool = True
    ouvert: bool = True
    model: Model | None = None

    def row(self, number: int) -> FloatArray:
        """The settings for the kernel, with the number of its model."""
        return np.array([number, self.threshold, evaluate.CHOICES if self.ouvert else PLAIN_GAMES, self.hands], float)


def bid_rows(players: Sequence[Kermit | None], rows: RowArray, seats: IntArray) -> IntArray:
    """Bid, declare and discard the deals of rows, in place; how high each seat would have bid, (n, 3).

    players: None is the rule player. seats: (n, 3) number of the player on each seat.
    """
    models: list[Model] = []
    settings = []
    for player in players:
        if player is None:
            settings.append(np.array([-1.0, 0.0, 0.0, 0.0]))
            continue
        model = player.model or load()
        known = next((i for i, other in enumerate(models) if other is model), len(models))
        if known == len(models):
            models.append(model)
        settings.append(player.row(known))
    tables = Evaluation.of(models or [load()]).tables
    limits = np.zeros((len(rows), SEATS), np.int64)
    found = tuple(evaluate.tree() for _ in range(kernel.TREES))
    kernel.bid_deals(tables, np.stack(settings), seats, found, rows, limits)
    return limits
