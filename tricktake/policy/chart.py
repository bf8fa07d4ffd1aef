"""Learning curves of policies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from tricktake.errors import TricktakeError
from tricktake.policy.train import Point


def draw(curves: Mapping[str, Sequence[Point]], file: Path) -> None:
    """Write the strength of each family against seconds of learning, with standard errors, as a PNG.

    Raises TricktakeError without matplotlib.
    """
    try:
        import matplotlib
    except ImportError:
        raise TricktakeError("charts need matplotlib: pip install tricktake[charts]") from None
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(8, 4))
    for name, points in curves.items():
        seconds, strengths = [point.seconds for point in points], [point.strength for point in points]
        axes.errorbar(seconds, strengths, [point.error for point in points], marker=".", capsize=2, label=name)
    axes.set_xlabel("seconds of learning, one core")
    axes.set_ylabel("gained a game over simple manners")
    axes.grid(alpha=0.3)
    axes.legend()
    figure.tight_layout()
    figure.savefig(file, dpi=120, metadata={"Software": None})
    pyplot.close(figure)
