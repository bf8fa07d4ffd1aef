"""The learner of the move ordering: a search among weights that keeps what saves nodes.

One weight, or one column of a table, is changed at a time; a change is kept if the solver then needs fewer nodes for
the questions it learns on: less in the sum of their square roots, so that neither the many easy nor the few hard
questions decide alone. Most changes are refused after a part of the questions. Nothing but node counts is looked at:
what a game is about need not be known, and the same seed learns the same weights on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from attrs import frozen

from tricktake.arrays import IntArray
from tricktake.search.opencard import Solver
from tricktake.search.ordering import SHAPES, Ordering
from tricktake_lab.solver.questions import Questions

LARGEST_STEP = 64
PATIENCE = 0.01  # a change goes on to the next part if it is no worse than this
COLUMN = 0.15  # share of changes to a whole column,
ZERO = 0.1  # and of those that set a weight to zero
MEGABYTES = 64
LIMIT = 30_000  # nodes a question; more count as twice that


@frozen(eq=False)
class Learned:
    """What came of it: the ordering, and the mean root of nodes when it began and after each change that was kept."""

    ordering: Ordering
    course: tuple[tuple[int, float], ...]


def roots(questions: Questions, solver: Solver, ordering: Ordering, limit: int) -> float:
    """The sum of the square roots of the nodes of all questions."""
    solver.weights = ordering.array
    return float(np.sqrt(questions.nodes(solver, limit)).sum())


def changed(table: IntArray, rng: np.random.Generator) -> IntArray:
    """A table with one weight or one column moved by up to ``LARGEST_STEP``, small steps being likelier."""
    found = table.copy()
    step = int(np.exp(rng.uniform(0, np.log(LARGEST_STEP)))) * (1 if rng.random() < 0.5 else -1)
    row, column = (int(rng.integers(size)) for size in table.shape)
    kind = rng.random()
    if kind < COLUMN:
        found[:, column] += step
    elif kind < COLUMN + ZERO:
        found[row, column] = 0
    else:
        found[row, column] += step
    return found


def climb(
    name: str, start: Ordering, questions: Sequence[Questions], steps: int, rng: np.random.Generator, limit: int = LIMIT
) -> Learned:
    """Learn the table ``name`` (of ``SHAPES``) from ``start`` on; questions: those to learn on, in parts."""
    if name not in SHAPES:
        raise ValueError(f"no table is called {name!r}")
    solver, best = Solver(MEGABYTES), start
    scores = [roots(part, solver, best, limit) for part in questions]
    n = sum(map(len, questions))
    course = [(0, sum(scores) / n)]
    for step in range(1, steps + 1):
        other = best.with_table(name, changed(getattr(best, name), rng))
        found: list[float] = []
        for i, part in enumerate(questions):
            found.append(roots(part, solver, other, limit))
            last = i + 1 == len(questions)
            if sum(found) > sum(scores[: i + 1]) * (1 if last else 1 + PATIENCE):
                break
        if len(found) == len(questions) and sum(found) < sum(scores):
            best, scores = other, found
            course.append((step, sum(scores) / n))
    return Learned(best, tuple(course))
