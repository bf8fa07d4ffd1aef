"""Evaluation of tables and their player: win rate, agreement with the open-card solver, calibration (OUTER-20, 25)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from attrs import define

from tricktake.learning.question import Question
from tricktake.learning.rows import RowArray
from tricktake.learning.table import LearnedTable


@define
class Evaluation:
    """The evaluation of one question.

    games, won: their numbers. cells: games by (open-card prediction, result), 0 lost and 1 won, in the order 00 01 10
    11, without games the solver did not decide. answered: games for which the table has an answer. brier: sum over
    them of the squared difference between its probability and the result.
    """

    question: Question
    table: LearnedTable
    games: int = 0
    won: int = 0
    answered: int = 0
    brier: float = 0.0
    cells: Any = None

    def add(self, rows: RowArray, predicted: Any = None) -> None:
        """Add these games. predicted: the open-card solver's result of each row, if it was asked."""
        values, won, index = self.question.found(rows)
        self.games += len(won)
        self.won += int(won.sum())
        chances = self.table.probabilities(values)
        known = chances >= 0
        self.answered += int(known.sum())
        self.brier += float(np.square(chances[known] - won[known]).sum())
        if predicted is not None:
            said = np.asarray(predicted)[index]
            cells = np.bincount(said[said >= 0] * 2 + won[said >= 0], minlength=4)
            self.cells = cells if self.cells is None else self.cells + cells

    def to_json(self) -> dict[str, Any]:
        """The numbers, shares included; None for shares of nothing."""
        cells = None if self.cells is None else [int(n) for n in self.cells]
        return {
            "games": self.games,
            "won": self.won,
            "win_rate": _share(self.won, self.games),
            "cells": cells,
            "accuracy": None if cells is None else _share(cells[0] + cells[3], sum(cells)),
            "answered": self.answered,
            "brier": _share(self.brier, self.answered),
            "buckets": [len(layer) for layer in self.table.layers],
        }


def evaluate(
    tables: dict[str, tuple[Question, LearnedTable]], blocks: Iterable[RowArray], open_card: int
) -> dict[str, Any]:
    """Evaluate tables on rows not used for learning. open_card: number of rows for which the solver is asked."""
    found = {name: Evaluation(question, table) for name, (question, table) in tables.items()}
    left = open_card
    for rows in blocks:
        predicted = None
        if left > 0 and len(rows):
            predicted = np.full(len(rows), -1, np.int64)
            some = rows[:left]
            predicted[: len(some)] = next(iter(found.values())).question.rows.function("open_card")(some)
            left -= len(some)
        for one in found.values():
            one.add(rows, predicted)
    return {name: one.to_json() for name, one in found.items()}


def _share(part: float, whole: int) -> float | None:
    return round(part / whole, 6) if whole else None
