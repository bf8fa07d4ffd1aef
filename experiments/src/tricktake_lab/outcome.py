"""What an experiment found: tables of cells, numbers with error bars, and texts that could be shipped."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from attrs import field, frozen
from numpy.typing import ArrayLike

Z95 = 1.959964  # standard errors in half a 95 % interval


@frozen
class Estimate:
    """A number with half the width of its 95 % interval (nan if unknown), from n observations; unit "%" for shares."""

    mean: float
    error: float
    n: int
    unit: str = ""
    digits: int = 3

    def __str__(self) -> str:
        if math.isnan(self.mean):
            return "-"
        factor, digits = (100, max(0, self.digits - 2)) if self.unit == "%" else (1, self.digits)
        text = f"{factor * self.mean:.{digits}f}"
        if not math.isnan(self.error):
            text += f" ± {factor * self.error:.{digits}f}"
        return f"{text} %" if self.unit == "%" else text

    def as_json(self) -> dict[str, Any]:
        """``null`` for what is not known."""
        mean, error = (None if math.isnan(x) else x for x in (self.mean, self.error))
        return {"mean": mean, "error": error, "n": self.n, "unit": self.unit}


def mean_of(values: ArrayLike, unit: str = "", digits: int = 3) -> Estimate:
    """The mean of independent values, with the normal 95 % interval."""
    x = np.asarray(values, np.float64)
    if not len(x):
        return Estimate(math.nan, math.nan, 0, unit, digits)
    error = Z95 * float(x.std(ddof=1)) / math.sqrt(len(x)) if len(x) > 1 else math.nan
    return Estimate(float(x.mean()), error, len(x), unit, digits)


def share_of(yes: ArrayLike, digits: int = 3) -> Estimate:
    """The share of trues, with the normal 95 % interval."""
    return mean_of(np.asarray(yes, np.bool_), "%", digits)


def bootstrapped(values: ArrayLike, digits: int = 3, replicates: int = 2000) -> Estimate:
    """The mean of few values that may be far from normal, such as leagues; the interval is a bootstrap over them."""
    x = np.asarray(values, np.float64)
    means = x[np.random.default_rng(0).integers(0, len(x), (replicates, len(x)))].mean(axis=1)
    low, high = np.quantile(means, [0.025, 0.975])
    return Estimate(float(x.mean()), float(high - low) / 2, len(x), "", digits)


Cell: TypeAlias = "str | int | float | Estimate"


@frozen
class Sheet:
    """A table. Every row has a cell for each column."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]

    def __attrs_post_init__(self) -> None:
        """Raises ValueError for a row of another length."""
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"{self.title}: {len(row)} cells in {len(self.columns)} columns: {row}")

    @classmethod
    def of(cls, title: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> Sheet:
        """The same from any sequences."""
        return cls(title, tuple(columns), tuple(map(tuple, rows)))

    def markdown(self) -> str:
        """As docs/results.md shows it."""
        lines = [self.columns, ("---",) * len(self.columns), *(tuple(map(text, row)) for row in self.rows)]
        return "\n".join([f"{self.title}\n", *(f"| {' | '.join(line)} |" for line in lines)])

    def as_json(self) -> dict[str, Any]:
        """Estimates as objects, all else as it is."""
        rows = [[plain(cell) for cell in row] for row in self.rows]
        return {"title": self.title, "columns": list(self.columns), "rows": rows}


def text(cell: Cell) -> str:
    """A cell to be read."""
    if isinstance(cell, float | np.floating):
        return f"{cell:.4g}"
    return f"{cell:,}" if isinstance(cell, int | np.integer) and not isinstance(cell, bool) else str(cell)


def plain(value: Any) -> Any:
    """A value as JSON knows it: estimates as objects, numpy's numbers and arrays as Python's, nan as null."""
    if isinstance(value, Estimate):
        return value.as_json()
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist())
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return str(value) if isinstance(value, Path) else value


@frozen
class Outcome:
    """sheets: the tables. facts: numbers by name. ships: contents of the product's files this experiment is behind,
    by path within the checkout; written only if asked for.
    """

    sheets: tuple[Sheet, ...] = ()
    facts: Mapping[str, Any] = field(factory=dict)
    ships: Mapping[Path, bytes] = field(factory=dict)
