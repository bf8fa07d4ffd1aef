"""alpha-mu against a search that keeps every vector, and against PIMC."""

from __future__ import annotations

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.situations import situations, trumps
from tests.strategies import random_rules
from tests.whist import Plain
from tricktake import worlds
from tricktake.deal import deal
from tricktake.knowledge import Knowledge
from tricktake.rules import Goal, GoalKind
from tricktake.search import opencard
from tricktake.search.alphamu import _Search, _undominated, alpha_mu, best_count
from tricktake.search.limit import Limit
from tricktake.strategies.alphamu import AlphaMu
from tricktake.strategies.pimc import Pimc
from tricktake.strategies.recommend import Situation
from tricktake.table import Table


def naive(states, active, m, own, side, goal):
    """Every vector that can be reached, none dropped: a set of sets of worlds won."""
    first = states[min(active)]
    if first.over:
        return {frozenset(i for i in active if goal.met(states[i].side_taken(side)))}

    def after(card, possible, m):
        follow = {i: states[i].copy() for i in possible}
        for state in follow.values():
            state.play(card)
        return naive(follow, possible, m, own, side, goal)

    if first.turn in own:
        if m == 0:
            return {frozenset(i for i in active if goal.met(opencard.solve(states[i], side, line=False).value))}
        return {vector for card in first.legal() for vector in after(card, active, m - 1)}
    helping = side >> first.turn & 1
    total = None
    for card in sorted({card for i in active for card in states[i].legal()}):
        possible = frozenset(i for i in active if card in states[i].legal())
        child = after(card, possible, m)
        if helping:
            total = child if total is None else {a | b for a in total for b in child}
        else:  # a world in which the card cannot be played is not hurt by it
            child = {vector | (active - possible) for vector in child}
            total = child if total is None else {a & b for a in total for b in child}
    return total


def maximal(vectors):
    return {v for v in vectors if not any(v < other for other in vectors)}


def as_sets(front):
    return {frozenset(i for i in range(64) if vector >> i & 1) for vector in front}


def searched(view, rows, m):
    search = _Search(view, rows, None)
    front = search._value(search.everywhere, m, frozenset())
    side = view.rules.side_mask(view.turn)
    states = {i: view.state(row) for i, row in enumerate(rows)}
    expected = naive(states, frozenset(states), m, search.own, side, view.rules.goal(view.turn))
    return as_sets(front), maximal(expected)


def in_doubt(view, rows):
    """The view with a goal that some cards reach in some of the worlds."""
    side = view.rules.side_mask(view.turn)
    found = sorted(v for row in rows for v in opencard.card_values(view.state(row), side).values())
    goal = Goal(GoalKind.AT_LEAST, found[len(found) // 2] + 1)
    return evolve(view, rules=evolve(view.rules, goals=(goal, goal)))


@pytest.mark.parametrize("m", [2, 3])
def test_fronts_of_small_endings(m):
    several = less = 0
    for number in range(150 if m == 2 else 15):
        for situation in situations(trumps(number % 3), number, left=3):
            if situation.world_count < 8 or situation.view.hand_mask.bit_count() < 3:
                continue
            rows = worlds.sample(situation.knowledge, 5, np.random.default_rng(number))
            view = in_doubt(situation.view, rows)
            found, expected = searched(view, rows, m)
            assert found == expected
            several += len(expected) > 1
            shallow, _ = searched(view, rows, 1)
            less += max(map(len, found)) < max(map(len, shallow))
    if m == 2:
        assert several >= 3  # fronts, not single vectors
        assert less >= 1  # having to choose once for all worlds costs something


@settings(max_examples=40, deadline=None)
@given(rules=random_rules(max_seats=4, max_cards=9), seed=st.integers(0, 1 << 20), m=st.integers(1, 3))
def test_fronts_of_any_game(rules, seed, m):
    size = max(1, len(rules.deck) // rules.seats)
    game = Plain(rules, size, len(rules.deck) - size * rules.seats)
    table = Table.start(game, deal(game.layout, seed, 0))
    rng = np.random.default_rng(seed)
    for _ in range(rng.integers(size * rules.seats)):
        legal = table.legal()
        table.apply(legal[rng.integers(len(legal))])
    view = table.view(table.turn)
    goal = rules.goal(view.turn)
    if goal.met(0) is None or view.hand_mask.bit_count() > 3:
        return
    rows = worlds.sample(Knowledge.from_view(view), 3, rng)
    if goal.kind is not GoalKind.EXACTLY:  # open cards are taken as one side against the others there, too
        found, expected = searched(view, rows, m)
        assert found == expected


def test_the_root_knows_the_best_count():
    """The root cut changes no best card."""
    checked = 0
    for number in range(12):
        for situation in situations(trumps(number % 3), number, left=3):
            rows = worlds.sample(situation.knowledge, 5, np.random.default_rng(1))
            weights = np.ones(len(rows))
            found = alpha_mu(situation.view, rows, 2)
            assert found.m == 2
            counts = {card: best_count(front, weights) for card, front in found.cards.items()}
            search = _Search(situation.view, rows, None)
            full = {c: best_count(search._after(c, search.everywhere, 1, frozenset()), weights) for c in counts}
            assert max(counts.values()) == max(full.values())
            assert {c for c in counts if counts[c] == max(counts.values())} == {
                c for c in full if full[c] == max(full.values())
            }
            checked += 1
    assert checked > 20


def test_one_decision_deep_it_is_pimc():
    """On the same worlds the same card, ties included."""
    same = 0
    for number in range(24):
        rules = trumps(number % 3, 40 + number)
        if number % 4 == 0:
            rules = rules.with_teams((0, 1, 1), (Goal(GoalKind.AT_MOST, 30), Goal(GoalKind.AT_LEAST, 31)))
        for situation in situations(rules, number, left=7):
            view, limit = situation.view, Limit()
            one = AlphaMu(m=1, worlds=6).decide(view, limit, np.random.default_rng(number))
            pimc = Pimc(worlds=6).decide(view, limit, np.random.default_rng(number))
            assert one.action == pimc.action
            assert one.reason in (pimc.reason, f"{pimc.reason}, 1 decisions deep")
            same += 1
    assert same > 100


def test_a_limit_on_nodes_stops_it_at_the_depth_it_reached():
    situation = next(s for s in situations(trumps(), 3, left=6) if not s.equivalent)
    rows = worlds.sample(situation.knowledge, 6, np.random.default_rng(0))
    full = alpha_mu(situation.view, rows, 3)
    assert full.m == 3
    short = alpha_mu(situation.view, rows, 3, Limit(nodes=full.nodes // 3))
    assert short.m < 3
    again = alpha_mu(situation.view, rows, 3, Limit(nodes=full.nodes // 3))
    assert short == again
    assert alpha_mu(situation.view, rows, 3, Limit(nodes=1)).m == 1


def test_vectors_that_are_covered_are_dropped():
    assert _undominated([0b011, 0b001, 0b110, 0b011, 0]) == frozenset({0b011, 0b110})


def test_it_needs_a_goal_with_a_threshold():
    rules = trumps().with_teams((0, 1, 2), (Goal(GoalKind.LEAST),) * 3)
    situation = next(s for s in situations(rules, 1) if not s.equivalent)
    with pytest.raises(ValueError, match="threshold"):
        alpha_mu(situation.view, situation.whole(10_000).worlds, 2)
    said = AlphaMu().recommend(Situation(situation.view), Limit(), np.random.default_rng(0))
    assert "mean" in said.reason
