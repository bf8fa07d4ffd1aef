"""Which contracts of Skat take long to be called won or lost, and whether another order of trying would save them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from tricktake_skat.rows import read_rows

from tricktake.arrays import IntArray
from tricktake.search.opencard import Solver
from tricktake_lab.experiment import experiment, log_file
from tricktake_lab.outcome import Cell, Estimate, Outcome, Sheet, mean_of
from tricktake_lab.solver.questions import contracts

BANDS = (0, 40, 50, 55, 60, 65, 70, 80, 121)  # the declarer's eyes with open cards
NEVER = 1 << 40  # nodes that no contract takes
SPREAD, LEAST_SPREAD = 0.15, 3.0  # of a weight that is disturbed: of itself, and besides
RESAMPLES = 1000
AGAIN = (5_000, 20_000)  # nodes after which another order is tried


@experiment(
    "solver.tail",
    item="docs/solver.md, hard contracts",
    seed=1,
    smoke={"games": 30, "orders": 1},
    small={"games": 200},
    paper={"games": 3000, "log": "xskat:906:85000"},
)
def tail(seed: int, games: int, log: str = "sample", orders: int = 8, hardest: int = 8) -> Outcome:
    """Nodes of won or lost by the value of the contract, and of the hardest ones with disturbed weights of the order.

    orders: sets of weights, each disturbed at random. hardest: contracts that are listed.
    """
    blocks, have = [], 0
    for rows in read_rows(log_file(log)):
        blocks.append(rows)
        have += len(rows)
        if have > 2 * games:  # some are passed in or Null
            break
    asked = contracts(np.concatenate(blocks), False, games)
    solver, rng = Solver(), np.random.default_rng(seed)
    values = np.concatenate([solver.batch(positions).value for positions in asked.positions])
    usual, found = solver.weights, [asked.nodes(solver, NEVER)]
    for _ in range(orders):
        spread = rng.normal(0, SPREAD, len(usual)) * usual + rng.normal(0, LEAST_SPREAD, len(usual)) * (usual != 0)
        solver.weights = usual + np.round(spread).astype(np.int64)
        found.append(asked.nodes(solver, NEVER))
    nodes, best = found[0], np.min(found, axis=0)
    most = np.argsort(-nodes)[:hardest]
    solver.weights = usual
    near = [asked.shifted(by).nodes(solver, NEVER) for by in (-1, 1)]
    listed = [(int(values[i]), *(int(x[i]) for x in (nodes, np.median(found[1:], axis=0), best, *near))) for i in most]
    all_orders = {"as shipped": nodes, "the best of all for each contract": best}
    all_orders |= {f"disturbed, {i}": each for i, each in enumerate(found[1:], 1)}
    all_orders |= {f"begun again after {most:,}": again(found, most) for most in AGAIN}
    return Outcome(
        (
            Sheet.of(
                "Nodes", ("weights", "mean", "p99 / mean", "most"), [(k, *_tail(n)) for k, n in all_orders.items()]
            ),
            Sheet.of("By value", ("eyes", "contracts", "nodes", "most", "share of all nodes"), _bands(nodes, values)),
            Sheet.of(
                "The hardest", ("eyes", "nodes", "median of disturbed", "best of all", "for 60", "for 62"), listed
            ),
        )
    )


def again(orders: Sequence[IntArray], most: int) -> IntArray:
    """Nodes if a contract is begun anew with the next order after ``most`` nodes, twice that, and so on; the last order
    has no end.
    """
    spent = np.zeros_like(orders[0])
    done = np.zeros(len(spent), bool)
    for i, nodes in enumerate(orders):
        last = i + 1 == len(orders)
        spent += np.where(done, 0, nodes if last else np.minimum(nodes, most << i))
        done |= nodes <= most << i
    return spent


def _tail(nodes: IntArray) -> tuple[Estimate, Estimate, int]:
    """The mean, the 99th percentile over the mean with its error by resampling, and the most."""
    rng = np.random.default_rng(0)
    some = nodes[rng.integers(0, len(nodes), (RESAMPLES, len(nodes)))]
    low, high = np.quantile(np.quantile(some, 0.99, axis=1) / some.mean(axis=1), (0.025, 0.975))
    ratio = Estimate(float(np.quantile(nodes, 0.99) / nodes.mean()), float(high - low) / 2, len(nodes), "", 1)
    return mean_of(nodes, digits=0), ratio, int(nodes.max())


def _bands(nodes: IntArray, values: IntArray) -> list[tuple[Cell, ...]]:
    """Nodes by the value of the contract."""
    rows: list[tuple[Cell, ...]] = []
    for first, end in pairwise(BANDS):
        some = nodes[(values >= first) & (values < end)]
        if len(some):
            share = float(some.sum() / nodes.sum())
            rows.append((f"{first} to {end - 1}", len(some), mean_of(some, digits=0), int(some.max()), share))
    return rows
