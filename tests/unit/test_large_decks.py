"""Decks beyond 64 cards: played, seen and known in Python; kernels, and so the solver, refuse them."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from tests import naive
from tricktake import worlds
from tricktake.cards import Deck, bits, signed, unsigned
from tricktake.deal import Layout, deal, deals
from tricktake.errors import TooManyCards
from tricktake.game import Game, Score
from tricktake.knowledge import Knowledge
from tricktake.phase import Tricks
from tricktake.rules import TrickRules
from tricktake.search.limit import Limit
from tricktake.search.opencard import solve
from tricktake.strategies.manners import Manners
from tricktake.strategies.pimc import Pimc
from tricktake.strategies.playout import Playout
from tricktake.table import Table
from tricktake.testing import check_game, check_strategy

DECK = Deck("CDHS", "9JQKT", copies=4)  # 80 cards


class Eighty(Game):
    """Four seats, twenty cards each, tens and kings count; who cannot follow trumps."""

    name = "eighty"
    layout = Layout(DECK, (20,) * 4)
    phases = (Tricks,)
    teams = (0, 1, 0, 1)

    def rules(self, table):
        costs = tuple(10 * (card.rank in "KT") for card in DECK)
        return TrickRules.plain(DECK, 4, "S", card_cost=costs, teams=(0, 1, 0, 1), trump_when_void=True)

    def score(self, table):
        return Score(tuple(table.tricks.side_taken(0b0101 << seat % 2) for seat in range(4)))


def test_it_conforms() -> None:
    check_game(Eighty(), deals=1, seed=1).require()


def test_manners_play_it() -> None:
    check_strategy(Manners(), Eighty(), deals=1).require()


def test_every_card_is_dealt_once() -> None:
    dealt = deal(Eighty.layout, 1, 0).masks
    assert sum(dealt) == DECK.full_mask
    assert {mask.bit_count() for mask in dealt} == {20}
    last = Counter(deal(Eighty.layout, 1, n).owners()[79] for n in range(80))
    assert sorted(last) == [0, 1, 2, 3]


def near_the_end(left: int) -> Table:
    table = Table.start(Eighty(), deal(Eighty.layout, 2, 0))
    rng = np.random.default_rng(3)
    while table.hands[0].bit_count() > left or table.tricks.table:
        table.apply(Manners().decide(table.view(table.turn), Limit(), rng).action)
    return table


def test_worlds_fit_and_are_counted() -> None:
    view = near_the_end(2).view(0)
    k = Knowledge.from_view(view)
    every = worlds.enumerate(k)
    assert len(every) == worlds.count(k) == len({tuple(world) for world in every}) > 10
    assert all(k.contains(world) for world in every)
    drawn = Counter(tuple(world) for world in worlds.sample(k, 50 * len(every), np.random.default_rng(1)))
    assert len(drawn) == len(every)
    assert max(drawn.values()) < 100


def test_worlds_of_a_whole_deal() -> None:
    view = Table.start(Eighty(), deal(Eighty.layout, 2, 0)).view(1)
    k = Knowledge.from_view(view)
    for world in worlds.sample(k, 20, np.random.default_rng(1)):
        assert k.contains(world)
        assert sum(world) == DECK.full_mask
        assert world[1] == view.hand_mask


def test_a_world_is_played_on() -> None:
    view = near_the_end(2).view(0)
    for world in worlds.sample(Knowledge.from_view(view), 3, np.random.default_rng(1)):
        state = view.state(world)
        assert list(bits(state.hands[0])) == list(bits(view.hand_mask))
        assert naive.minimax(state, 0b0101) >= state.side_taken(0b0101)


def test_kernels_refuse() -> None:
    table = near_the_end(3)
    for ask in (
        lambda: solve(table.open_cards()),
        lambda: Pimc(worlds=2).decide(table.view(table.turn), Limit(), np.random.default_rng(1)),
        lambda: Playout(worlds=2, games=1).decide(table.view(table.turn), Limit(), np.random.default_rng(1)),
        lambda: deals(Eighty.layout, 1, 0, 2),
    ):
        with pytest.raises(TooManyCards, match="80 cards cannot be searched"):
            ask()
    with pytest.raises(OverflowError):
        signed(1 << 64)
    assert unsigned(1 << 70) == 1 << 70
