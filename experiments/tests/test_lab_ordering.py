"""The learner of the move ordering."""

from __future__ import annotations

import numpy as np
import pytest
from tricktake_lab.solver.climb import changed, climb
from tricktake_lab.solver.ordering import bench_nodes, nothing, questions
from tricktake_lab.solver.questions import endings, of_states
from tricktake_lab.solver.tail import again

from tricktake import bench
from tricktake.search.opencard import Solver
from tricktake.search.ordering import SHAPES, shipped


def test_it_learns_to_save_nodes() -> None:
    """From nothing, in a few steps, on fresh deals of the game it learned on; and the same seed learns the same."""
    rules = bench.null_rules()
    asked = endings([rules], 7, 24, np.random.default_rng(1))
    one, two = (climb("avoids", nothing(), asked.split(4), 120, np.random.default_rng(2)) for _ in range(2))
    assert np.array_equal(one.ordering.array, two.ordering.array)
    scores = [score for _, score in one.course]
    assert scores == sorted(scores, reverse=True)
    assert len(scores) > 3
    for name in ("wants", "tricks"):
        assert not getattr(one.ordering, name).any()
    fresh = endings([rules], 7, 60, np.random.default_rng(3))
    solver = Solver(16)
    counts = {}
    for name, ordering in (("nothing", nothing()), ("learned", one.ordering)):
        solver.weights = ordering.array
        counts[name] = fresh.nodes(solver, 1_000_000).sum()
    assert counts["learned"] < 0.9 * counts["nothing"], counts


def test_changes_are_small_and_leave_the_table_alone() -> None:
    table, rng = shipped().wants, np.random.default_rng(0)
    for _ in range(200):
        other = changed(table, rng)
        moved = np.argwhere(other != table)
        assert len(set(moved[:, 1].tolist())) <= 1
        zeroed = (other[other != table] == 0).all()
        assert zeroed or abs(other - table).max() <= 64


def test_questions_of_every_table() -> None:
    for table in SHAPES:
        asked = questions(table, 5, 12, None, 4)
        assert 12 <= len(asked) <= 15
        parts = asked.split(4)
        assert sum(map(len, parts)) == len(asked)
        whole = np.sort(asked.nodes(Solver(4), 10_000_000))
        assert np.array_equal(whole, np.sort(np.concatenate([p.nodes(Solver(4), 10_000_000) for p in parts])))
    assert len(of_states(bench.deals(bench.hearts_rules(), 3, 5))) == 5
    with pytest.raises(ValueError, match="no table"):
        climb("x", nothing(), parts, 1, np.random.default_rng(0))


def test_a_contract_begun_again_costs_what_was_spent_before() -> None:
    orders = [np.array(nodes) for nodes in ([5, 20, 20, 20], [9, 7, 30, 30], [9, 9, 9, 99])]
    assert again(orders, 10).tolist() == [5, 17, 39, 129]
    assert orders[0].tolist() == [5, 20, 20, 20]


def test_the_benches_with_other_weights() -> None:
    assert bench_nodes(bench.eyes_win, shipped()) == bench.eyes_win().signature
    assert bench_nodes(bench.eyes_win, nothing()) > 2 * bench.eyes_win().signature
    assert bench.Solver is Solver
