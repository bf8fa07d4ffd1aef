"""Charts (extra ``charts``): written as PNG or SVG, and shown by notebooks."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
from attrs import frozen

from tricktake.errors import InputError

DPI = 144
SIZE = (7.5, 4.2)  # inches of one chart
SIDE_BY_SIDE, ABOVE = 1.55, 1.6  # times that for several


def figure(columns: int = 1, rows: int = 1, *, share: bool = True) -> tuple[Any, list[Any]]:
    """A figure of matplotlib and its axes, row by row. share: one scale of y for all. Raises InputError without it."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise InputError(None, None, "chart", "charts need matplotlib: pip install tricktake[charts]") from None
    size = (SIZE[0] * (1 if columns == 1 else SIDE_BY_SIDE), SIZE[1] * (1 if rows == 1 else ABOVE))
    made = Figure(figsize=size, layout="constrained")
    return made, list(np.ravel(made.subplots(rows, columns, sharey=share, squeeze=False)))


@frozen(eq=False)
class Chart:
    """A figure, displayed by notebooks."""

    figure: Any

    def _as(self, kind: str) -> bytes:
        import matplotlib

        out = io.BytesIO()
        # no time stamp, no version and no random ids, so that equal charts give equal files
        with matplotlib.rc_context({"svg.hashsalt": "tricktake", "svg.fonttype": "none"}):
            metadata = {"svg": {"Date": None}, "png": {"Software": None}}[kind]
            self.figure.savefig(out, format=kind, dpi=DPI, metadata=metadata)
        return out.getvalue()

    def _repr_png_(self) -> bytes:
        return self._as("png")

    def _repr_svg_(self) -> str:
        return self._as("svg").decode()

    def save(self, path: Path) -> None:
        """Write the chart in the format of the suffix, .png or .svg. Raises InputError for another one."""
        kind = path.suffix.lower().lstrip(".")
        if kind not in ("png", "svg"):
            raise InputError(path, None, "chart", "the suffix of a chart is .png or .svg")
        data = self._as(kind)
        try:
            path.write_bytes(data)
        except OSError as error:
            raise InputError(path, None, "chart", error.strerror or str(error)) from None
