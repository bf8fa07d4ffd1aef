"""Hidden teams: what a seat knows of them, and that every search plays for the side of each world."""

from __future__ import annotations

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import naive
from tests.property.test_knowledge import Plain
from tricktake import worlds
from tricktake.alliance import DECLARER, OTHERS, UNKNOWN, Alliance
from tricktake.cards import Deck, unsigned
from tricktake.deal import Deal
from tricktake.knowledge import Knowledge
from tricktake.rules import Duty, Goal, GoalKind, TrickRules
from tricktake.search.alphamu import alpha_mu
from tricktake.search.opencard import Solver, wins
from tricktake.search.playout import playouts
from tricktake.search.positions import Positions
from tricktake.search.valuation import Valuation
from tricktake.table import Table
from tricktake.testing import check_game
from tricktake.trick import TrickState

pytestmark = pytest.mark.kernel

DECK = Deck("CSH", "789TKA")
ACE = DECK.parse_mask("CA")
GOALS = (Goal(GoalKind.AT_LEAST, 8), Goal(GoalKind.AT_LEAST, 9))
COSTS = tuple({"A": 4, "T": 3, "K": 1}.get(card.rank, 0) for card in DECK)
CALLED = TrickRules.plain(DECK, 4, "H", card_cost=COSTS, alliance=Alliance(ACE, 1), duty=Duty(ACE, 3), goals=GOALS)
QUEENS = TrickRules.plain(DECK, 4, "H", card_cost=COSTS, alliance=Alliance(DECK.parse_mask("CA SA")), goals=GOALS)
RULES = {"called ace": CALLED, "queens": QUEENS}
SOLVER = Solver(1)
FEW = 3000  # worlds that are looked at one by one


def table_of(data: st.DataObject, rules: TrickRules, size: int = 3, most: int | None = None) -> tuple[Table, list[int]]:
    """A table some cards after the deal, and the hands as dealt."""
    game = Plain(rules, size, 18 - 4 * size, data.draw(st.integers(0, 3)))
    order = data.draw(st.permutations(range(18)))
    table = Table.start(game, Deal.from_cards(game.layout, order))
    dealt = list(table.places[:4])
    for _ in range(data.draw(st.integers(0, 4 * size - 1 if most is None else most))):
        table.apply(data.draw(st.sampled_from(table.legal())))
    return table, dealt


def true_teams(rules: TrickRules, dealt: list[int]) -> list[int]:
    assert rules.alliance is not None
    own = {s for s in range(4) if dealt[s] & rules.alliance.cards} | {rules.alliance.declarer}
    return [DECLARER if s in own else OTHERS for s in range(4)]


@pytest.mark.parametrize("name", RULES)
def test_views_tell_what_follows_and_nothing_else(name: str) -> None:
    rules = RULES[name]

    @settings(max_examples=25, deadline=None)
    @given(st.data())
    def check(data: st.DataObject) -> None:
        table, dealt = table_of(data, rules, most=data.draw(st.integers(5, 11)))
        truth = true_teams(rules, dealt)
        assert table.tricks is not None
        assert list(table.tricks.rules.teams or ()) == truth
        for seat in range(4):
            view = table.view(seat)
            if worlds.count(Knowledge.from_view(view)) > FEW:
                continue
            assert view.rules is not None
            assert view.rules.teams is not None
            possible = []
            for world in worlds.enumerate(Knowledge.from_view(view)):
                hands = [unsigned(mask) | gone for mask, gone in zip(world, view.played, strict=False)]
                possible.append(true_teams(rules, hands))
                assert list(view.state(world).rules.teams or ()) == possible[-1]
            assert truth in possible
            for other, team in enumerate(view.rules.teams):
                found = {teams[other] for teams in possible}
                assert team == UNKNOWN or found == {team}
            assert view.rules.team(seat) == truth[seat]

    check()


@pytest.mark.parametrize("name", RULES)
def test_worlds_are_valued_for_their_own_side(name: str) -> None:
    rules = RULES[name]

    @settings(max_examples=25, deadline=None)
    @given(st.data())
    def check(data: st.DataObject) -> None:
        table, _ = table_of(data, rules, 2, 5)
        if table.turn is None:
            return
        seat = table.turn
        view = table.view(seat)
        rows = worlds.sample(Knowledge.from_view(view), 4, np.random.default_rng(1))
        found = Valuation(view, rows).bounds()
        states = [view.state(row) for row in rows]
        positions, same = Positions.from_worlds(view, rows), Positions.from_states(states, seat=seat)
        assert (positions.rows == same.rows).all()
        for i, state in enumerate(states):
            side = state.rules.side_mask(seat)
            wanted = naive.card_values(state, side)
            assert dict(zip(view_cards(view), found.low[i].tolist(), strict=True)) == wanted
            assert SOLVER.card_values(state) == wanted
            goal = state.rules.goal(seat)
            assert bool(wins(state, seat)) == goal.met(naive.minimax(state, side))
        assert (playouts(positions, 3, np.random.default_rng(2), manners=True) >= 0).all()
        alpha_mu(view, rows, 2)

    check()


def view_cards(view) -> list[int]:
    return [card for card in range(len(DECK)) if view.legal_cards_mask() >> card & 1]


def test_a_partner_found_by_tricks() -> None:
    spades = DECK.of_suit_mask("S")
    rules = TrickRules.plain(DECK, 4, "H", alliance=Alliance(0, 2, 2, spades), goals=GOALS)
    hands = [DECK.parse_mask(hand) for hand in ("CA SA", "C7 S7", "C8 S8", "C9 S9")]
    state = TrickState(rules.in_world(hands), hands)
    assert state.rules.side_mask(2) == 0b0100
    for name in ("CA", "C7", "C8", "C9"):
        state.play(DECK.card(name).index)
    assert state.rules.side_mask(2) == 0b0100  # clubs were led
    for name in ("SA", "S7", "S8", "S9"):
        state.play(DECK.card(name).index)
    assert state.rules.side_mask(2) == 0b0101
    assert state.rules.goal(0) == GOALS[0]
    state.undo()
    assert state.rules.side_mask(2) == 0b0100
    late = evolve(rules, alliance=Alliance(0, 2, 1, spades))
    state = TrickState(late.in_world(hands), hands)
    for name in ("CA", "C7", "C8", "C9", "SA", "S7", "S8", "S9"):
        state.play(DECK.card(name).index)
    assert state.rules.side_mask(2) == 0b0100  # too late: he stays alone


@pytest.mark.parametrize("name", RULES)
def test_games_with_hidden_teams_conform(name: str) -> None:
    check_game(Plain(RULES[name], 3, 6), deals=2).require()
