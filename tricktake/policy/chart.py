"""Learning curves of policies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tricktake.charts import Chart, figure
from tricktake.policy.train import Point

WIDTH = 40  # characters of the longest bar


def text(points: Sequence[Point]) -> str:
    """A curve as lines of text: seconds of learning, games, strength with its standard error, and a bar that begins
    at the lowest strength.
    """
    low, high = (pick(point.strength for point in points) for pick in (min, max))
    lines = ["seconds      games  gained a game over simple manners"]
    for point in points:
        bar = "█" * round(WIDTH * (point.strength - low) / (high - low or 1.0))
        lines.append(
            f"{point.seconds:7.1f} {point.games:10,.0f}  {point.strength:+.3g} ± {point.error:.1g}  {bar}".rstrip()
        )
    return "\n".join(lines)


def learning_curves(curves: Mapping[str, Sequence[Point]]) -> Chart:
    """The strength of each family against seconds of learning, with standard errors.

    Raises InputError without matplotlib.
    """
    drawn, (axes,) = figure()
    for name, points in curves.items():
        seconds, strengths = [point.seconds for point in points], [point.strength for point in points]
        axes.errorbar(seconds, strengths, [point.error for point in points], marker=".", capsize=2, label=name)
    axes.set_xlabel("seconds of learning, one core")
    axes.set_ylabel("gained a game over simple manners")
    axes.grid(alpha=0.3)
    axes.legend()
    return Chart(drawn)
