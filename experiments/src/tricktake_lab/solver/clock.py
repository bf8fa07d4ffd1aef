"""How well a single question keeps a limit of seconds, and what threads save of the time of many."""

from __future__ import annotations

import time

import numpy as np
from attrs import frozen

from tricktake import bench
from tricktake.cards import Deck
from tricktake.rules import TrickRules
from tricktake.search.limit import Limit
from tricktake.search.opencard import Mode, Solver, solve_batch
from tricktake.search.positions import Positions
from tricktake_lab.experiment import experiment
from tricktake_lab.outcome import Cell, Outcome, Sheet, mean_of

ALLOWED = 0.02  # seconds a question may take beyond its limit
WARM_UP = 40  # positions: one more slice than a thread takes


@frozen
class Kind:
    """Whole deals of rules: cards of each hand, and the side whose value is asked."""

    rules: TrickRules
    cards: int
    side: int


def kinds() -> dict[str, Kind]:
    """Games of different cost: eyes as in Skat, tricks as in bridge, with and without trumps, hearts."""
    deck = Deck("CDHS", "23456789TJQKA")
    bridge = {
        name: TrickRules.plain(deck, 4, trump=trump, trick_cost=1, teams=(0, 1, 0, 1))
        for name, trump in (("tricks, trumps", "S"), ("tricks, none", None))
    }
    return {
        "eyes": Kind(bench.eyes_rules(), 10, 1),
        **{name: Kind(rules, 13, 0b0101) for name, rules in bridge.items()},
        "hearts": Kind(bench.hearts_rules(), 9, 1),
    }


@experiment(
    "limits.question",
    item="docs/solver.md, limits of seconds",
    seed=0,
    smoke={"deals": 2, "seconds": ("0.01",)},
    small={"deals": 100},
    paper={"deals": 1000},
)
def question(seed: int, deals: int, seconds: tuple[str, ...] = ("0.01", "0.1")) -> Outcome:
    """What exact values of whole deals take beyond a limit of seconds, on a machine that does nothing else."""
    rows: list[tuple[Cell, ...]] = []
    for name, kind in kinds().items():
        solver = Solver()
        solver.warm_up()
        states = bench.deals(kind.rules, kind.cards, deals, seed)
        solver.solve(states[0], kind.side, Limit(nodes=100))
        for text in seconds:
            beyond, cut = [], 0
            for state in states:
                before = time.perf_counter()
                found = solver.solve(state, kind.side, Limit(seconds=float(text)))
                took = time.perf_counter() - before
                if not found.known:
                    cut += 1
                    beyond.append(1000 * (took - float(text)))
            if beyond:
                late = 1000 * ALLOWED
                middle, high = np.quantile(beyond, (0.5, 0.99)).tolist()
                rows.append((name, text, cut, middle, high, max(beyond), int(np.sum(np.array(beyond) > late))))
    columns = ("deals", "seconds", "ended by the clock", "median", "p99", "most", "later than 20 ms")
    return Outcome((Sheet.of("Milliseconds beyond the limit", columns, rows),))


@experiment(
    "solver.threads",
    item="docs/solver.md, batches",
    seed=0,
    smoke={"deals": 40, "runs": 1},
    small={"deals": 1000},
    paper={"deals": 4000},
)
def threads(seed: int, deals: int, runs: int = 3, jobs: int = 2, mode: Mode = "value") -> Outcome:
    """How many times as fast ``jobs`` threads answer about deals for eyes as one, run in turn.

    The answers are compared on the way.
    """
    positions = Positions.from_states(bench.deals(bench.eyes_rules(), 10, deals, seed), 1)
    threshold = 61 if mode == "win" else None
    solve_batch(positions[:WARM_UP], mode, threshold=threshold, jobs=jobs)  # compiles
    took: dict[int, list[float]] = {1: [], jobs: []}
    answers = []
    for _ in range(runs):
        for number, times in took.items():
            before = time.perf_counter()
            found = solve_batch(positions, mode, threshold=threshold, jobs=number)
            times.append(time.perf_counter() - before)
            answers.append((found.lower.tolist(), found.card.tolist(), found.nodes.tolist()))
    if any(answer != answers[0] for answer in answers):
        raise AssertionError("the answers depend on the number of threads")
    ratios = [one / more for one, more in zip(took[1], took[jobs], strict=True)]
    row = (deals, mean_of(took[1]), mean_of(took[jobs]), mean_of(ratios))
    return Outcome((Sheet.of("Seconds", ("deals", "one thread", f"{jobs} threads", "times as fast"), (row,)),))
