"""Whether patterns, exchanges of cards and relaxed searches are exact where endings are too large for minimax.

Errors in them may need more cards than ``solver.exact`` can have: one needed seven in each of four hands. So the solver
is compared with itself, without all these.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tricktake.search.limit import Limit
from tricktake.search.opencard import Solver
from tricktake.search.positions import Positions
from tricktake.search.tables import Tables
from tricktake_lab.experiment import experiment
from tricktake_lab.outcome import Outcome
from tricktake_lab.solver.exact import KINDS, agreed, random_question

FEWEST = 5  # cards of each hand: ``solver.exact`` has fewer


@experiment(
    "solver.larger",
    item="docs/solver.md",
    seed=1,
    smoke={"positions": 40, "cards": 6},
    small={"positions": 3000},
    paper={"positions": 100_000, "nodes": 5_000_000},
)
def larger(
    seed: int, positions: int, cards: int = 8, nodes: int = 500_000, kinds: tuple[str, ...] = tuple(KINDS)
) -> Outcome:
    """Compare values of cards in larger random endings of random rules with those of a search without patterns.

    positions: that are compared. cards: the most in a hand. nodes: the most of either search for a position; one that
    takes more is left out. kinds: of rules. Raises RuntimeError at a difference.
    """
    rng = np.random.default_rng(seed)
    solver, plain, limit = Solver(1), Solver(1), Limit(nodes=nodes)
    solver.tables, plain.tables = Tables(relaxed=1), Tables(plain=True)
    counts: dict[str, NDArray[np.int64]] = {kind: np.zeros(5, np.int64) for kind in kinds}
    while sum(int(count[0]) for count in counts.values()) < positions:
        asked = random_question(rng, kinds, cards)
        if max(hand.bit_count() for hand in asked.state.hands) < FEWEST:
            continue
        position = Positions.from_states([asked.state], asked.side)
        found, wanted = (each.batch(position, "cards", limit=limit) for each in (solver, plain))
        if not (found.known[0] and wanted.known[0]):
            counts[asked.kind][4] += 1
            continue
        if found.values_of(0) != wanted.values_of(0):
            raise RuntimeError(f"{found.values_of(0)}, without patterns {wanted.values_of(0)}: {asked}")
        counts[asked.kind][:4] += (1, len(found.values_of(0)), int(found.nodes[0]), int(wanted.nodes[0]))
    return agreed(counts, "positions", "values of cards", "nodes", "nodes without patterns", "left out")
