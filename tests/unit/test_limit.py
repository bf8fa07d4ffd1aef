"""What is left of a limit."""

from __future__ import annotations

import time

import pytest

from tricktake.search.limit import LEAST_SECONDS, Budget, Limit


def test_without_a_limit_nothing_ends() -> None:
    budget = Budget.of(None)
    budget.spend(10**12)
    assert (budget.nodes, budget.seconds, budget.over, budget.left()) == (None, None, False, Limit())
    assert budget.affords(10**12, 10.0)


def test_nodes_are_counted_to_the_last_one() -> None:
    budget = Budget.of(Limit(nodes=10, worlds=3))
    budget.spend(9)
    assert (budget.nodes, budget.over, budget.left()) == (1, False, Limit(nodes=1, worlds=3))
    budget.spend(1)
    assert (budget.nodes, budget.over) == (0, True)
    assert budget.left() == Limit(nodes=1, worlds=3)  # never nothing
    assert budget.affords(5, 2.0)
    assert not budget.affords(5, 2.1)


def test_the_clock_runs_from_the_start() -> None:
    budget = Budget(Limit(seconds=100.0), start=time.monotonic() - 99.0)
    assert not budget.late
    assert budget.seconds == pytest.approx(1.0, abs=0.5)
    assert not budget.affords(0, 2.0)
    late = Budget(Limit(seconds=100.0), start=time.monotonic() - 100.0)
    assert late.late
    assert late.over
    assert late.left() == Limit(seconds=LEAST_SECONDS)


def test_the_lower_of_two_bounds_counts() -> None:
    assert Limit().at_most_worlds(5) == Limit(worlds=9).at_most_worlds(5) == 5
    assert Limit(worlds=2).at_most_worlds(5) == 2
    assert Limit().at_most_nodes(5) == Limit(nodes=9).at_most_nodes(5) == Limit(nodes=5)
    assert Limit(nodes=2).at_most_nodes(5) == Limit(nodes=2)
