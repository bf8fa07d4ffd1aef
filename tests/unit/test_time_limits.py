"""Limits of seconds hold inside of questions: with a clock that nodes and rollouts move on, so that no machine's speed
matters.
"""

from __future__ import annotations

import numpy as np
import pytest

from tests.whist import Plain
from tricktake import worlds
from tricktake._kernels import exactly
from tricktake._kernels import opencard as kernel
from tricktake.bench import DECK, eyes_rules
from tricktake.deal import deal
from tricktake.knowledge import Knowledge
from tricktake.rules import Goal, GoalKind, TrickRules
from tricktake.search import limit as limits
from tricktake.search import opencard
from tricktake.search.limit import Limit
from tricktake.search.positions import Positions
from tricktake.strategies.player import Player
from tricktake.table import Table

NODE = 1e-6  # seconds of this clock
STEP = 2_000
SLACK = 0.05


@pytest.fixture
def clock(monkeypatch):
    """A clock that stands still but for the nodes of the solver. Its steps are short, to see many of them."""

    class Clock:
        seconds = 0.0
        nodes = 0

    found = Clock()
    monkeypatch.setattr(limits, "now", lambda: found.seconds)
    monkeypatch.setattr(opencard, "STEP", STEP)
    line = kernel.ask_line
    asked = [(kernel, "ask_rows", 10), (kernel, "ask_cards", 10), (kernel, "ask_line", 8), (exactly, "ask_exactly", 8)]
    for module, name, place in asked:
        ask = getattr(module, name)

        def counting(*args, ask=ask, place=place):
            result = args[place].reshape(-1, kernel.RESULT)[:, kernel.R_NODES]
            before = int(result.sum()) if ask is line else 0  # a line adds to what its question took
            ask(*args)
            nodes = int(result.sum()) - before
            found.nodes += nodes
            found.seconds += nodes * NODE

        monkeypatch.setattr(module, name, counting)
    return found


def view_at(tricks: int, seed: int = 1, rules: TrickRules | None = None):
    """The view of the seat to move of a game of 10 cards a hand."""
    game = Plain(rules or eyes_rules(), 10)
    table = Table.start(game, deal(game.layout, seed, 0))
    for _ in range(3 * tricks):
        table.apply(table.legal()[0])
    return table.view(table.actor)


@pytest.mark.parametrize("seconds", [0.01, 0.1, 0.3])
@pytest.mark.parametrize(
    ("spec", "tricks"),
    [
        ("core:pimc(worlds=20)", 0),
        ("core:pimc(worlds=20,decide=mean)", 2),
        ("core:alphamu(worlds=10)", 3),
        ("core:ensemble(search_from=1)", 3),
        ("core:ensemble(search_from=1)", 5),
    ],
)
def test_decisions_end_in_time(clock, spec, tricks, seconds):
    view = view_at(tricks)
    decision = Player.from_spec(spec).decide(view, Limit(seconds=seconds), np.random.default_rng(1))
    assert decision.action in view.legal
    assert not decision.failed
    assert clock.seconds <= seconds + SLACK


@pytest.mark.parametrize("seconds", [0.01, 0.1])
@pytest.mark.parametrize("spec", ["core:pimc(worlds=20)", "core:ensemble(search_from=1)"])
def test_exact_goals_end_in_time(clock, spec, seconds):
    """Just so many tricks: each question takes long, one for each card of a world."""
    goals = (Goal(GoalKind.EXACTLY, 3),) * 3
    view = view_at(2, rules=TrickRules.plain(DECK, 3, trick_cost=1, goals=goals))
    decision = Player.from_spec(spec).decide(view, Limit(seconds=seconds), np.random.default_rng(1))
    assert decision.action in view.legal
    assert not decision.failed
    assert seconds / 2 < clock.seconds <= seconds + SLACK


def test_exact_goals_in_steps_have_the_same_answer(clock):
    """One question at a stretch and in steps; a limit of nodes holds in both."""
    rules = TrickRules.plain(DECK, 3, trick_cost=1, goals=(Goal(GoalKind.EXACTLY, 3),) * 3)
    view = view_at(1, rules=rules)
    for world in worlds.sample(Knowledge.from_view(view), 4, np.random.default_rng(4)):
        state = view.state(world)
        solver = opencard.Solver(16)
        whole, stepped = (solver.wins(state, view.turn, limit) for limit in (None, Limit(seconds=1e9)))
        assert whole.known
        assert (whole.yes, whole.card) == (stepped.yes, stepped.card)
        few = solver.wins(state, view.turn, Limit(seconds=1e9, nodes=100))
        assert few.nodes <= 100
        assert whole.nodes <= 100 or not few.known
    assert clock.nodes > 10 * STEP


def test_a_question_alone_ends_in_time(clock):
    """One that takes much longer, and says what it knows by then."""
    view = view_at(0)
    hands = deal(view.layout, 1, 0).masks
    solver = opencard.Solver(16)
    positions = Positions.from_states([view.state(hands)])
    found = solver.batch(positions, "cards", limit=Limit(seconds=0.001))
    assert not found.known[0]
    assert clock.seconds <= 0.001 + SLACK
    solution = solver.solve(view.state(hands), limit=Limit(seconds=0.001))
    assert solution.lower < solution.upper
    assert clock.seconds <= 2 * (0.001 + SLACK)


def test_steps_find_the_same_answers(clock):
    """With time enough a question in steps has the answer of one at a stretch, and does not take much more."""
    view = view_at(3)
    rng = np.random.default_rng(3)
    positions = Positions.from_worlds(view, worlds.sample(Knowledge.from_view(view), 20, rng))
    solver = opencard.Solver(16)
    whole = solver.batch(positions, "cards")
    stepped = solver.batch(positions, "cards", limit=Limit(seconds=1e9))
    assert clock.nodes > 10 * STEP
    assert (whole.card_lower == stepped.card_lower).all()
    assert (whole.card_upper == stepped.card_upper).all()
    assert stepped.nodes.sum() < 2 * whole.nodes.sum()
