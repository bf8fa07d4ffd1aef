"""Tables of a solver by what is asked."""

from __future__ import annotations

from itertools import pairwise

import attrs
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tricktake._kernels.position import P_HANDS, ROW
from tricktake.bench import deals, eyes_rules
from tricktake.search.opencard import Solver
from tricktake.search.positions import Positions
from tricktake.search.tables import WORDS, Tables, filled

pytestmark = pytest.mark.kernel


def rows_of(lengths: list[int]) -> np.ndarray:
    """Rows in which the second hand is the longest, of so many cards."""
    rows = np.zeros((len(lengths), ROW), np.int64)
    for row, length in zip(rows, lengths, strict=True):
        row[P_HANDS + 1] = np.uint64((1 << length) - 1).astype(np.int64)
        row[P_HANDS] = (1 << length // 2) - 1
    return rows


@given(st.lists(st.integers(0, 64), max_size=30), st.integers(1, 9))
def test_parts_keep_the_order_and_need_one_size_each(lengths, most):
    tables, rows = Tables(), rows_of(lengths)
    wanted = [next(words for longest, words in WORDS if length <= longest) for length in lengths]
    assert tables.sizes(rows).tolist() == wanted
    parts = tables.parts(rows, most)
    assert [i for part in parts for i in range(len(lengths))[part]] == list(range(len(lengths)))
    assert all(len({*wanted[part]}) == 1 and len(wanted[part]) <= most for part in parts if lengths)
    # No more parts than needed: neighbours of one size are full.
    for one, two in pairwise(parts):
        assert len(wanted[one]) == most or wanted[one][0] != wanted[two][0]
    assert parts


def test_a_table_is_as_large_as_the_longest_hand_needs_and_kept():
    tables = Tables()
    small, large = tables.of(rows_of([3])), tables.of(rows_of([3, 8]))
    assert (small.size, large.size) == (WORDS[0][1], WORDS[1][1])
    assert tables.of(rows_of([6, 5])) is small
    assert tables.of(rows_of([])) is small
    assert Tables(1 << 12).of(rows_of([13])).size == 1 << 12


def test_a_batch_of_mixed_lengths_costs_what_its_positions_cost():
    rules = eyes_rules()
    states = [state for cards in (4, 7, 5, 8, 8) for state in deals(rules, cards, 2)]
    found = Solver().batch(Positions.from_states(states, 1))
    alone = [Solver().solve(state, 1, line=False) for state in states]
    assert found.nodes.tolist() == [each.nodes for each in alone]
    assert found.value.tolist() == [each.value for each in alone]


def test_no_positions_have_no_solutions():
    positions = Positions.from_states(deals(eyes_rules(), 3, 1), 1)
    assert len(Solver().batch(positions[:0])) == 0


def test_what_a_question_fills_is_told():
    solver = Solver()
    for rules, apart in ((eyes_rules(), False), (attrs.evolve(eyes_rules(), overtake=True), True)):
        shares = []
        for state in deals(rules, 5, 10):
            positions = Positions.from_states([state], 1)
            solver.batch(positions)
            shares.append(filled(solver.tables.of(positions.rows)))
        heads, entries, places = map(max, zip(*shares, strict=True))
        assert (heads > 0, entries > 0, places > 0) == (not apart, not apart, apart)
        assert max(heads, entries) < 0.5
