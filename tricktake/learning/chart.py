"""Curves of an outer loop: win rate and agreement with the open-card solver after each batch (OUTER-25)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tricktake.errors import TricktakeError

CURVES = (("win_rate", "games won"), ("accuracy", "games as the open cards say"), ("brier", "Brier score of the table"))


def draw(results: Sequence[dict[str, Any]], folder: Path) -> list[Path]:
    """Write ``curves.png`` and ``curves.svg``; the files. Raises TricktakeError without matplotlib."""
    try:
        import matplotlib
    except ImportError:
        raise TricktakeError("charts need matplotlib: pip install tricktake[charts]") from None
    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "tricktake"  # the same curves give the same bytes
    from matplotlib import pyplot

    shown = [c for c in CURVES if any(j.get(c[0]) is not None for r in results for j in r["judged"].values())]
    figure, axes = pyplot.subplots(len(shown), 1, figsize=(8, 3 * len(shown)), sharex=True, squeeze=False)
    for axis, (key, label) in zip(axes[:, 0], shown, strict=True):
        for name in results[0]["judged"]:
            points = [(r["games"], r["judged"][name][key]) for r in results]
            known = [(games, value) for games, value in points if value is not None]
            axis.plot([games for games, _ in known], [value for _, value in known], marker="o", label=name)
        axis.set_ylabel(label)
        axis.grid(alpha=0.3)
    axes[0, 0].legend()
    axes[-1, 0].set_xlabel("games of self-play; a mark is a batch, after which new tables were made")
    figure.tight_layout()
    files = [folder / "curves.png", folder / "curves.svg"]
    figure.savefig(files[0], dpi=120, metadata={"Software": None})
    figure.savefig(files[1], metadata={"Date": None})
    pyplot.close(figure)
    return files
