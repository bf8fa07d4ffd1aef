"""Charts show what they are about, and equal ones are equal files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tricktake.errors import InputError
from tricktake.learning.chart import FEWEST, chances
from tricktake.learning.counts import Counts
from tricktake.learning.question import Form
from tricktake.learning.table import LearnedTable
from tricktake.policy.chart import learning_curves
from tricktake.policy.train import Point

pytest.importorskip("matplotlib", reason="matplotlib is not installed: pip install tricktake[charts]")

VECTORS = np.array([[0, 0], [0, 1], [1, 0], [2, 2]])
WON, GAMES = np.array([10, 20, 90, 1]), np.array([100, 50, 100, FEWEST - 1])


def table() -> LearnedTable:
    """Features ``own`` and ``other``; ``far`` is in the background layer only."""
    form = Form(
        "toy", 1, (("own", 3), ("other", 4), ("far", 2)), (("both", ("own", "other")), ("far", ("far",))),
        "mixed-radix", 1,
    )  # fmt: skip
    keys = form.hash(0).rank(VECTORS)
    order = np.argsort(keys)
    layers = (Counts(keys[order], WON[order], GAMES[order]), Counts.empty())
    return LearnedTable(form, {}, layers)


def test_a_table_by_one_feature() -> None:
    (axes,) = chances(table(), "own").figure.axes
    line = axes.lines[0]
    assert list(line.get_xdata()) == [0, 1], "two has too few games"
    assert list(line.get_ydata()) == pytest.approx([30 / 150, 90 / 100])
    (bars,) = axes.collections
    low, high = bars.get_segments()[0][:, 1]
    assert (high - low) / 2 == pytest.approx((0.2 * 0.8 / 150) ** 0.5)
    assert axes.get_xlabel() == "own"


def test_a_feature_that_is_not_there() -> None:
    with pytest.raises(InputError, match="own, other, not 'far'"):
        chances(table(), "far")


def test_learning_curves_are_saved_the_same(tmp_path: Path) -> None:
    curve = [Point(0, 0, 0.0, 0.0, -1.0, 0.1), Point(10, 30, 2.0, 0.0, 0.5, 0.1)]
    chart = learning_curves({"play": curve})
    (axes,) = chart.figure.axes
    assert list(axes.lines[0].get_ydata()) == [-1.0, 0.5]
    for name in ("a.png", "b.png", "a.svg", "b.svg"):
        learning_curves({"play": curve}).save(tmp_path / name)
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
    for wrong in (tmp_path / "a.gif", tmp_path / "nowhere" / "a.png"):
        with pytest.raises(InputError):
            chart.save(wrong)
