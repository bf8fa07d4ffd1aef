"""Curves of an outer loop: win rate and agreement with the open-card solver after each batch (OUTER-25)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tricktake.errors import TricktakeError

CURVES = (("win_rate", "games won"), ("accuracy", "games as the open cards say"), ("brier", "Brier score of the table"))


def _error(key: str, judged: dict[str, Any]) -> float:
    """One standard error of a share; the Brier score has none here."""
    games = {"win_rate": judged["games"], "accuracy": sum(judged["cells"] or ())}.get(key)
    share = judged[key]
    return float((share * (1 - share) / games) ** 0.5) if games else 0.0


def draw(results: Sequence[dict[str, Any]], folder: Path) -> list[Path]:
    """Write ``curves.png`` and ``curves.svg`` with standard errors; returns the files.

    Raises TricktakeError without matplotlib.
    """
    try:
        import matplotlib
    except ImportError:
        raise TricktakeError("charts need matplotlib: pip install tricktake[charts]") from None
    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "tricktake"  # equal curves give equal bytes
    from matplotlib import pyplot

    shown = [c for c in CURVES if any(j.get(c[0]) is not None for r in results for j in r["judged"].values())]
    figure, axes = pyplot.subplots(len(shown), 1, figsize=(8, 3 * len(shown)), sharex=True, squeeze=False)
    for axis, (key, label) in zip(axes[:, 0], shown, strict=True):
        for name in results[0]["judged"]:
            known = [(r["games"], r["judged"][name]) for r in results if r["judged"][name][key] is not None]
            values = [judged[key] for _, judged in known]
            errors = [_error(key, judged) for _, judged in known]
            axis.errorbar([games for games, _ in known], values, errors, marker="o", capsize=3, label=name)
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
