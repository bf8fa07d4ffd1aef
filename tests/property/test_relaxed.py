"""A search that lets whichever opponent of a lone seat lead: against minimax of that game, and within the solver."""

from __future__ import annotations

import random

import numba
import numpy as np
import pytest

from tests import naive
from tricktake._kernels import opencard, play, relaxed
from tricktake._kernels import opencard_frame as F
from tricktake._kernels import opencard_state as S
from tricktake._kernels._jit import njit
from tricktake.cards import Deck
from tricktake.rules import Goal, GoalKind, TrickRules
from tricktake.search.opencard import Solver
from tricktake.search.positions import Positions
from tricktake.search.tables import Tables, transposition_table
from tricktake.trick import TrickState

pytestmark = pytest.mark.kernel

POSITIONS = 100 if not numba.config.DISABLE_JIT else 10
WORDS = 1 << 12  # of a table: small, so that entries are written over


@njit
def answers_of(header, cards, suits, weights, row, t, needs, found):
    """What a relaxed search says to some questions in turn, with one table."""
    w = np.zeros(opencard.WORK, np.int64)
    play.pack(header, cards, suits, w)
    opencard.set_weights(w, weights)
    opencard.begin(w, t, row.reshape(1, len(row)), 0, np.int64(1) << 40, 1)
    opencard.load(w, row)
    f = np.int64(S.FRAMES)
    for i in range(len(needs)):
        found[i] = relaxed.search(w, t, f, f + F.SIZE, needs[i])
    return w[S.LONE]


def ending(rng: random.Random, cards: int) -> TrickState:
    """A random ending of four, each for itself, who avoid cost; with trumps or lead limits at times."""
    deck = Deck("CDHS"[: rng.randint(2, 4)], "56789TJQKA")
    costs = tuple(rng.choice((0, 0, 1, 1, 6)) for _ in deck)
    limits = deck.of_suit_mask("D") if rng.random() < 0.5 else 0
    rules = TrickRules.plain(
        deck,
        4,
        trump="C" if rng.random() < 0.3 else None,
        card_cost=costs,
        trick_cost=rng.choice((0, 0, 1)),
        last_trick_bonus=rng.choice((0, 0, 3)),
        goals=(Goal(GoalKind.LEAST),) * 4,
        lead_limit=limits,
        breakers=limits,
    )
    order = rng.sample(range(len(deck)), 4 * cards)
    hands = [sum(1 << c for c in order[s * cards : (s + 1) * cards]) for s in range(4)]
    return TrickState(rules, hands, rng.randrange(4), first=False, broken=rng.random() < 0.5)


def test_a_relaxed_search_is_exact_in_the_relaxed_game_and_bounds_the_true_one() -> None:
    rng, looser = random.Random(11), 0
    weights = Solver().weights
    for _ in range(POSITIONS):
        state, lone = ending(rng, rng.choice((2, 2, 3))), rng.randrange(4)
        positions = Positions.from_states([state], 1 << lone)
        compiled = positions.rules.compile()
        wanted, true = naive.relaxed(state.copy(), lone), naive.minimax(state, 1 << lone)
        assert wanted >= true
        looser += wanted > true
        needs = np.array([*range(max(wanted - 3, 1), wanted + 4), wanted, max(wanted, 1)], np.int64)
        rng.shuffle(needs)
        found = np.zeros(len(needs), np.int64)
        table = transposition_table(WORDS, relaxed=1)
        arrays = compiled.header, compiled.cards, compiled.suits, weights, positions.rows[0]
        assert answers_of(*arrays, table, needs, found) == lone
        for need, value in zip(needs, found, strict=True):
            assert (value >= need) == (wanted >= need)
            assert value <= wanted if value >= need else value >= wanted
    assert looser > POSITIONS // 50


def test_values_are_those_of_minimax_however_many_cards_are_relaxed() -> None:
    rng, solver, plain = random.Random(12), Solver(), Solver()
    solver.tables, plain.tables = Tables(relaxed=1), Tables(relaxed=64)
    nodes = np.zeros(2, np.int64)
    for _ in range(POSITIONS):
        state, lone = ending(rng, 3), 1 << rng.randrange(4)
        values = naive.card_values(state, lone)
        for i, each in enumerate((solver, plain)):
            found = each.card_values(state, lone)
            assert found == values, (state.rules, state.hands, state.leader, lone)
            solved = each.solve(state, lone)  # the relaxed value is its first guess
            assert solved.value == (min if lone >> state.turn & 1 else max)(values.values())
            assert values[solved.card] == solved.value
            nodes[i] += solved.nodes
    assert nodes[0] != nodes[1]


def test_an_entry_says_of_all_cards_what_they_must_beat() -> None:
    """Found by chance: cards that must beat one of the lone seat's, but are not the lowest of these, were exchanged."""
    deck = Deck("CDH", "23456789TJQKA")
    power = (4, 12, 2, 5, 9, 8, 11, 7, 0, 6, 3, 1, 10)
    costly = {1: 6, 2: 7, 6: 7, 7: 9, 13: 8, 17: 9, 20: 10, 25: 6, 26: 4, 27: 3, 29: 8, 34: 4, 35: 4, 37: 7}
    costs = tuple(costly.get(c, 0) for c in range(len(deck)))
    goals = (Goal(GoalKind.LEAST),) * 4
    rules = TrickRules(deck, 4, tuple(c // 13 for c in range(39)), power * 3, None, costs, 3, goals=goals)
    state = TrickState(rules, [139053760546, 343597391956, 2181842944, 34360919560], 3, first=False)
    values = []
    for most in (1, 64):
        solver = Solver()
        solver.tables = Tables(relaxed=most)
        values.append(solver.card_values(state, 1 << 3))
    assert values[0] == values[1]
    assert values[0][35] == 43
