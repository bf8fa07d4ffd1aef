"""What the table of Null is worth: ``python -m tricktake_lab.null.study SEED DEALS [TABLE]`` (docs/results.md).

Judged by forced Null games of a seed it was not learned from, all of them, not only those with one weak suit.
"""

from __future__ import annotations

import sys
from collections import Counter

import numpy as np
from numpy.typing import NDArray
from tricktake_null_tables.builder import NullTable, build, config_name
from tricktake_null_tables.question import SUIT
from tricktake_skat._kernels.features_null import CONFIG, CONFIGS, GAP, null_chance

from tricktake.errors import InputError
from tricktake.learning import Table
from tricktake.learning.rows import RowArray
from tricktake.plugins import manager
from tricktake_lab.null.mining import hits
from tricktake_lab.null.selfplay import games

KINDS = ("Null", "Null Hand", "Null ouvert", "Null ouvert Hand")
COMMON = (
    "8",
    "9",
    "T",
    "J",
    "Q",
    "K",
    "A",
    "7T",
    "7J",
    "7Q",
    "7A",
    "8T",
    "89",
    "9T",
    "78Q",
    "78A",
    "79Q",
    "7TQ",
    "79JA",
)


def chances(table: NullTable, rows: RowArray) -> NDArray[np.float64]:
    """How likely each Null is won."""
    puts = np.where(rows["hand"] == 1, 0, rows["put"])
    kinds = rows["hand"] + 2 * rows["ouvert"]
    columns = zip(rows["own"], puts, kinds, (rows["declarer"] == 0).astype(np.int64), strict=True)
    return np.array([null_chance(table.array, *column) for column in columns])


def weak_suits(rows: RowArray) -> NDArray[np.int64]:
    """How many suits of each hand are weak."""
    return sum((GAP[CONFIG[rows["own"] >> 8 * suit & 0xFF]] > 0).astype(np.int64) for suit in range(4))


def _line(*cells: object) -> None:
    print("|", " | ".join(map(str, cells)), "|")  # noqa: T201


def _extremes(table: NullTable) -> None:
    _line("suit", "Null", "leads", "Hand", "ouvert", "ouvert, leads", "games")
    _line(*["---"] * 7)
    for name in COMMON:
        cells = (
            table.suit(name, leads=False),
            table.suit(name, leads=True),
            table.suit(name, leads=False, by_hand=True),
            table.suit(name, leads=False, ouvert=True),
            table.suit(name, leads=True, ouvert=True),
        )
        config = sum(1 << "789TJQKA".index(rank) for rank in name)
        _line(name, *(f"{cell:.1%}" for cell in cells), int(table.games[..., config].sum()))
    weakest = sorted(range(CONFIGS), key=lambda c: float(table.array[0, 0, 0, c]))
    known = [c for c in weakest if GAP[c] > 0 and table.games[..., c].sum() >= 200]
    print("\nworst:", ", ".join(f"{config_name(c)} {table.array[0, 0, 0, c]:.1%}" for c in known[:8]))  # noqa: T201
    print("best of the weak:", ", ".join(f"{config_name(c)} {table.array[0, 0, 0, c]:.1%}" for c in known[-8:]))  # noqa: T201


def main() -> None:
    """Print the table's extremes, how well it tells who wins, and by which cards weak suits are hit."""
    if len(sys.argv) not in (3, 4) or not (sys.argv[1] + sys.argv[2]).isdecimal():
        raise InputError(None, None, "arguments", "a seed and a number of deals are needed, and perhaps a table")
    if len(sys.argv) == 4:
        table = build(Table.load(sys.argv[3], SUIT))
    else:
        table = manager().tables.get("null_tables:skat-null")
    _extremes(table)
    blocks = list(games(int(sys.argv[1]), int(sys.argv[2])))
    rows = np.concatenate(blocks)
    said, weak, kinds = chances(table, rows), weak_suits(rows), rows["hand"] + 2 * rows["ouvert"]
    won = rows["won"]
    print()  # noqa: T201
    _line("games", "number", "said", "won", "Brier", "of the mean alone")
    _line(*["---"] * 6)
    groups = [(f"{n} weak suits", weak == n) for n in range(5)] + [(k, kinds == i) for i, k in enumerate(KINDS)]
    for name, chosen in [*groups, ("all", weak >= 0)]:
        if chosen.sum() == 0:
            continue
        p, w = said[chosen], won[chosen]
        alone = w.mean() * (1 - w.mean())
        _line(name, len(w), f"{p.mean():.1%}", f"{w.mean():.1%}", f"{np.square(p - w).mean():.4f}", f"{alone:.4f}")
    print()  # noqa: T201
    _line("said", "games", "mean said", "won")
    _line(*["---"] * 4)
    for i in range(10):
        chosen = (said >= i / 10) & (said < (i + 1) / 10 + (i == 9))
        if chosen.sum():
            p, w = said[chosen].mean(), won[chosen].mean()
            _line(f"{i / 10:.0%} to {(i + 1) / 10:.0%}", int(chosen.sum()), f"{p:.1%}", f"{w:.1%}")
    found: Counter[tuple[str, str, str]] = hits(rows[:200_000])
    print("\nhit most often (held: led, took):", end=" ")  # noqa: T201
    print(", ".join(f"{held}: {led}, {took} ({n})" for (held, led, took), n in found.most_common(12)))  # noqa: T201


if __name__ == "__main__":
    main()
