"""How well decisions keep a limit of seconds, by the clock of the wall."""

from __future__ import annotations

import time
from itertools import islice

import numpy as np

from tricktake.game import find_game
from tricktake.search.limit import Limit
from tricktake.strategies.player import StrategySpec
from tricktake_lab.experiment import experiment, log_file
from tricktake_lab.outcome import Cell, Outcome, Sheet
from tricktake_lab.proof_times import questions

SPARE = 0.05  # seconds a decision may take beyond its limit


@experiment(
    "limits.clock",
    item="docs/results.md, limits of seconds",
    seed=0,
    smoke={"decisions": 2, "seconds": ("0.05",), "parts": ("core:pimc",)},
    small={"decisions": 100, "seconds": ("0.1",)},
    paper={"decisions": 1000},
)
def clock(
    seed: int,
    decisions: int,
    seconds: tuple[str, ...] = ("0.1", "0.5"),
    parts: tuple[str, ...] = ("skat:player", "skat:ensemble", "core:pimc"),
    log: str = "sample",
    game: str = "skat",
) -> Outcome:
    """What decisions take beyond their limit, card by card of recorded games, on a machine that does nothing else."""
    kinds = frozenset(("suit", "grand", "null", "null-ouvert"))
    views = [view for _, view in islice(questions(find_game(game), log_file(log), kinds, decisions, 0), decisions)]
    rows: list[tuple[Cell, ...]] = []
    for name in parts:
        strategy = StrategySpec.from_text(name).make()
        strategy.decide(views[0], Limit(seconds=5.0), np.random.default_rng(seed))  # compiles
        for limit in seconds:
            took = []
            for number, view in enumerate(views):
                rng = np.random.default_rng([seed, number])
                before = time.perf_counter()
                strategy.decide(view, Limit(seconds=float(limit)), rng)
                took.append(time.perf_counter() - before)
            beyond = 1000 * (np.array(took) - float(limit))
            middle, high, highest = np.quantile(beyond, (0.5, 0.99, 0.999)).tolist()
            late = float((beyond > 1000 * SPARE).mean())
            rows.append((name, limit, len(took), middle, high, highest, float(beyond.max()), late))
    columns = ("part", "seconds", "decisions", "median", "p99", "p99.9", "most", "later than 50 ms")
    return Outcome((Sheet.of("Milliseconds beyond the limit", columns, rows),))
