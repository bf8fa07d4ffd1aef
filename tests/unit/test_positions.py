"""Positions of worlds are those of the states of these worlds."""

from __future__ import annotations

import numpy as np
import pytest

from tests.toygame import DECK, ToyGame
from tricktake import worlds
from tricktake.deal import Deal
from tricktake.knowledge import Knowledge
from tricktake.search.positions import Positions
from tricktake.table import Table


def same(view, sampled, side):
    rows = Positions.from_worlds(view, sampled, side).rows
    states = [view.state(tuple(int(m) for m in world)) for world in sampled]
    assert (rows == Positions.from_states(states, side).rows).all()


@pytest.mark.parametrize("played", range(5))
def test_worlds_of_a_small_game(played):
    rng = np.random.default_rng(played)
    game = ToyGame()
    deal = Deal.from_cards(game.layout, [int(c) for c in rng.permutation(len(DECK))])
    table = Table.start(game, deal)
    table.apply(next(a for a in table.legal() if a.verb == "name"))
    for _ in range(played):
        table.apply(table.legal()[0])
    view = table.view(table.turn)
    sampled = worlds.sample(Knowledge.from_view(view), 20, rng)
    for side in (None, 1, 6):
        same(view, sampled, side)


@pytest.mark.parametrize("seat", range(3))
def test_the_skat_of_each_world_is_the_declarers(seat):
    skat = pytest.importorskip("tricktake_skat.game")
    contract = pytest.importorskip("tricktake_skat.contract")
    rng = np.random.default_rng(seat)
    game = skat.SkatGame()
    deal = Deal.from_cards(game.layout, [int(c) for c in rng.permutation(32)])
    table = Table.at_contract(game, deal, contract.SkatContract.from_text("1:GH@24"))
    while table.turn != seat:
        table.apply(next(a for a in table.legal() if a.verb == "play"))
    view = table.view(seat)
    sampled = worlds.sample(Knowledge.from_view(view), 20, rng)
    for side in (0b010, 0b101):
        same(view, sampled, side)
    assert len(set(Positions.from_worlds(view, sampled, 0b010).rows[:, -1])) > 1  # the skat differs


def test_shapes_are_checked():
    game = ToyGame()
    table = Table.start(game, Deal.from_cards(game.layout, list(range(len(DECK)))))
    with pytest.raises(ValueError, match="no tricks"):
        Positions.from_worlds(table.view(0), np.zeros((1, 3), np.int64))
    table.apply(next(a for a in table.legal() if a.verb == "name"))
    with pytest.raises(ValueError, match="shape"):
        Positions.from_worlds(table.view(0), np.zeros((1, 2), np.int64))
