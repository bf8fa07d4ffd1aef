"""core:manners: in every game, the card of the naive twin, and its own way with exact goals."""

from __future__ import annotations

import random

import numpy as np
import pytest

from tests import naive
from tests.property.test_random_rules import random_position
from tricktake.cards import bits
from tricktake.deal import deal
from tricktake.game import find_game
from tricktake.plugins import manager
from tricktake.search.limit import Limit
from tricktake.strategies.manners import Manners, follow
from tricktake.table import Table
from tricktake.testing import check_strategy


@pytest.mark.parametrize("name", manager().games.names())
def test_conforms_in_every_game(name: str) -> None:
    check_strategy(Manners(), manager().games.get(name), deals=1).require()


def test_replies_are_those_of_the_naive_twin() -> None:
    rng, replies = random.Random(4), 0
    while replies < 2000:
        state = random_position(rng)
        if state.over or not state.table:
            continue
        replies += 1
        choices = [int(c) for c in state.rules.compile().to_deck if c in state.legal()]
        winner = (state.leader + state.table.index(state.best())) % state.rules.seats
        reply = follow(
            state.rules,
            sum(1 << c for c in choices),
            state.best(),
            state.rules.goal(state.turn).sense > 0,
            state.rules.team(winner) == state.rules.team(state.turn),
            len(state.table) == state.rules.seats - 1,
        )
        assert reply == naive.mannerly(state, choices, choices[0])


def test_who_has_its_exact_bid_ducks() -> None:
    """Nobody who has taken the tricks it bid overtakes with a choice."""
    game, ducked = find_game("oh_hell"), 0
    for number in range(20):
        table = Table.at_contract(game, deal(game.layout, 9, number), game.contract("S:1,1,1,1"))
        while (turn := table.turn) is not None:
            view = table.view(turn)
            action = Manners().decide(view, Limit(), np.random.default_rng(number)).action
            assert table.tricks is not None
            if view.table and view.taken[turn] >= 1:
                over = view.rules.beaters_mask(table.tricks.best())
                under = [card for card in bits(view.legal_cards_mask()) if not over >> card & 1]
                assert not (under and over >> action.cards[0] & 1)
                ducked += bool(under)
            table.apply(action)
    assert ducked > 100
