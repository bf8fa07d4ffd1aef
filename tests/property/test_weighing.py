"""Choices by rules first: narrowing against a slow twin."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tricktake.strategies.weighing import narrow

RULES, CANDIDATES = 24, 66


def naive_narrow(penalties: list[list[int]], order: list[int]) -> list[int]:
    """The candidates left when one rule after the other keeps those with the least penalty."""
    left = list(range(len(penalties)))
    for rule in order:
        least = min(penalties[i][rule] for i in left)
        left = [i for i in left if penalties[i][rule] == least]
    return left


@pytest.mark.kernel
@given(
    seed=st.integers(0, 10**6),
    orders=st.lists(st.lists(st.integers(0, RULES - 1), max_size=8, unique=True), min_size=2, max_size=2),
)
@settings(max_examples=40, deadline=None)
def test_narrowing_against_the_naive_twin(seed: int, orders: list[list[int]]) -> None:
    """Rules one after the other, never leaving nothing; each kind by its own order."""
    rng = np.random.default_rng(seed)
    penalties, kinds = rng.integers(0, 3, (3, CANDIDATES, RULES)), rng.integers(0, 2, 3)
    rows = np.full((2, RULES), -1)
    for row, order in zip(rows, orders, strict=True):
        row[: len(order)] = order
    keep, relaxed = narrow(penalties, kinds, rows)
    for i, kind in enumerate(kinds):
        left = naive_narrow(penalties[i].tolist(), orders[kind])
        assert np.flatnonzero(keep[i]).tolist() == left
        for rule in range(RULES):
            least = penalties[i, left, rule].max() if rule in orders[kind] else 0
            assert relaxed[i, rule] == least
