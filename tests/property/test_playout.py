"""Random playouts are the same games a slow player with the same random numbers plays."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import naive
from tests.strategies import random_positions
from tricktake._kernels import playout as kernel
from tricktake.search.playout import aims_of, playouts
from tricktake.search.positions import Positions

pytestmark = pytest.mark.kernel


@given(random_positions(max_hand=6), st.integers(1, 2**63 - 1), st.booleans(), st.data())
def test_playouts_are_legal_and_counted(state, seed, manners, data):
    side = data.draw(st.integers(1, 2**state.rules.seats - 1))
    positions = Positions.from_states([state], side)
    compiled = state.rules.compile()
    totals = np.zeros((1, 3), np.int64)
    aims = aims_of(positions) if manners else np.zeros((1, 2 * state.rules.seats), np.int64)
    kernel.play_out_rows(
        compiled.header, compiled.cards, compiled.suits, positions.rows, np.array([seed]), aims, totals
    )
    x = seed
    for total in totals[0]:
        costs, x = naive.play_out(state.copy(), x, manners)
        assert total == state.side_taken(side) + sum(c for s, c in enumerate(costs) if side >> s & 1)


@given(random_positions(max_hand=4))
def test_the_same_generator_gives_the_same_playouts(state):
    positions = Positions.from_states([state, state])
    first, again = (playouts(positions, 5, np.random.default_rng(3)) for _ in range(2))
    assert (first == again).all()
    assert first.shape == (2, 5)


def test_a_negative_number_of_games_is_refused():
    with pytest.raises(ValueError, match="cannot"):
        playouts(Positions(None, 1, 1, np.zeros((0, 1), np.int64)), -1, np.random.default_rng())
