"""The curve of an item, drawn from its result."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tricktake.errors import InputError
from tricktake_lab.reproduce.verdict import Number


def draw(result: Mapping[str, Any], chart: Mapping[str, Any], file: Path) -> None:
    """Write the chart as PNG. chart: see ``Item.chart``. Raises InputError without matplotlib."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise InputError(None, None, "chart", "charts need matplotlib: install tricktake[charts]") from error
    sheet = result["run"]["sheets"][chart.get("sheet", 0)]
    columns, rows = list(sheet["columns"]), sheet["rows"]
    figure = Figure(figsize=(6.4, 3.8), layout="constrained")
    axes = figure.subplots()
    x = [Number.of(row[columns.index(chart["x"])]).mean for row in rows]
    for name in chart["y"]:
        numbers = [Number.of(row[columns.index(name)]) for row in rows]
        factor = 100 if numbers[0].unit == "%" else 1
        y, bars = [factor * n.mean for n in numbers], [factor * n.error for n in numbers]
        axes.errorbar(x, y, bars, marker="o", markersize=4, capsize=2, label=name)
    axes.set(xlabel=chart["x"], ylabel=chart.get("unit", ""), title=f"{result['item']}: {result['says']}")
    axes.title.set_fontsize(9)
    axes.legend()
    file.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(file, dpi=110)
