"""What the table of Null is worth (docs/results.md).

Judged by forced Null games of a seed it was not learned from, all of them, not only those with one weak suit.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from tricktake_null_tables.builder import NullTable, build, config_name
from tricktake_null_tables.question import SUIT
from tricktake_skat.kernels import CONFIG, CONFIGS, GAP, null_chance

from tricktake.learning import LearnedTable
from tricktake.learning.rows import RowArray
from tricktake.plugins import manager
from tricktake.strategies.policy import find_policy
from tricktake_lab.experiment import experiment
from tricktake_lab.null.mining import hits
from tricktake_lab.null.selfplay import games
from tricktake_lab.outcome import Outcome, Sheet, share_of

CARDS = "skat:cards"
KNOWN = 200  # games of a suit whose chance is named
ENDS = 8
HITS_OF = 200_000  # games
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


def _suits(table: NullTable) -> list[Sheet]:
    rows = []
    for name in COMMON:
        cells = (
            table.suit(name, leads=False),
            table.suit(name, leads=True),
            table.suit(name, leads=False, by_hand=True),
            table.suit(name, leads=False, ouvert=True),
            table.suit(name, leads=True, ouvert=True),
        )
        config = sum(1 << "789TJQKA".index(rank) for rank in name)
        rows.append((name, *cells, int(table.games[..., config].sum())))
    columns = ("suit", "Null", "leads", "Hand", "ouvert", "ouvert, leads", "games")
    weakest = sorted(range(CONFIGS), key=lambda c: float(table.array[0, 0, 0, c]))
    known = [c for c in weakest if GAP[c] > 0 and table.games[..., c].sum() >= KNOWN]
    ends = [(config_name(c), float(table.array[0, 0, 0, c])) for c in [*known[:ENDS], *known[-ENDS:]]]
    title = f"The {ENDS} worst suits, then the {ENDS} best of the weak, of at least {KNOWN} games"
    return [Sheet.of("Chances by suit", columns, rows), Sheet.of(title, ("suit", "Null"), ends)]


@experiment(
    "null.study",
    item="OUTER-19; docs/results.md, Null",
    seed=9001,
    smoke={"deals": 300},
    small={"deals": 15_000},
    paper={"deals": 150_000},
)
def study(seed: int, deals: int, table: str | None = None, policy: str = CARDS) -> Outcome:
    """The chances of the Null table, how well they tell who wins, and by which cards weak suits are hit.

    policy: plays the cards, "" for the rule player.
    """
    asked = build(LearnedTable.load(table, SUIT)) if table else manager().tables.get("null_tables:skat-null")
    plays = find_policy(policy) if policy else None
    rows = np.concatenate(list(games(seed, deals, policy=plays)))
    said, weak, kinds = chances(asked, rows), weak_suits(rows), rows["hand"] + 2 * rows["ouvert"]
    won = rows["won"]
    groups = [(f"{n} weak suits", weak == n) for n in range(5)] + [(k, kinds == i) for i, k in enumerate(KINDS)]
    lines = []
    for name, chosen in [*groups, ("all", weak >= 0)]:
        p, w = said[chosen], won[chosen]
        if len(w):
            brier, alone = float(np.square(p - w).mean()), float(w.mean() * (1 - w.mean()))
            lines.append((name, len(w), float(p.mean()), share_of(w), brier, alone))
    columns = ("games", "number", "said", "won", "Brier", "of the mean alone")
    bins = []
    for i in range(10):
        chosen = (said >= i / 10) & (said < (i + 1) / 10 + (i == 9))
        if chosen.sum():
            bins.append(
                (
                    f"{i / 10:.0%} to {(i + 1) / 10:.0%}",
                    int(chosen.sum()),
                    float(said[chosen].mean()),
                    share_of(won[chosen]),
                )
            )
    found = hits(rows[:HITS_OF]).most_common(12)
    sheets = (
        *_suits(asked),
        Sheet.of("Judged", columns, lines),
        Sheet.of("Said and won", ("said", "games", "mean said", "won"), bins),
        Sheet.of("Hit most often", ("held", "led", "took", "games"), [(*which, n) for which, n in found]),
    )
    return Outcome(sheets)
