"""The open-card solver against plain minimax."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import naive
from tests.strategies import random_positions
from tricktake.search import opencard

pytestmark = pytest.mark.kernel

SOLVER = opencard.Solver(1)


def sides(state):
    return st.integers(1, (1 << state.rules.seats) - 1)


@given(st.data())
@settings(max_examples=300)
def test_value_and_cards_are_those_of_minimax(data):
    state = data.draw(random_positions(max_hand=4))
    side = data.draw(sides(state))
    wanted = naive.card_values(state, side)
    best = max if naive.wants_more(state, side) else min
    found = SOLVER.card_values(state, side)
    assert found == wanted
    guess = data.draw(st.integers(-20, 60))
    solution = SOLVER.solve(state, side, guess=guess)
    assert solution.value == best(wanted.values())
    assert wanted[solution.card] == solution.value
    assert solution.line[0] == solution.card
    at = state.copy()
    for card in solution.line:
        assert card in at.legal()
        values = naive.card_values(at, side)
        assert values[card] == solution.value
        at.play(card)
    assert at.over
    assert at.side_taken(side) == solution.value
