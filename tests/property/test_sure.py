"""Sure points are sure: open cards never get less, in any world, whatever the others hold and play."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.situations import game_of, situations, trumps
from tests.strategies import random_rules
from tests.whist import Plain
from tricktake import worlds
from tricktake.deal import deal
from tricktake.knowledge import Knowledge
from tricktake.rules import Goal, GoalKind
from tricktake.search import opencard
from tricktake.search.limit import Limit
from tricktake.search.sure import sure_points, taken
from tricktake.strategies.killer import Killer
from tricktake.strategies.recommend import Situation
from tricktake.table import Table

WORLDS = 30


def check(view) -> int:
    """Compares every count with the open-card value of the seat alone against all others; how many were more than
    what is on the table already.
    """
    knowledge = Knowledge.from_view(view)
    rules, seat = view.rules, view.turn
    found = sure_points(view, knowledge)
    if not found:
        return 0
    n = worlds.count(knowledge)
    rows = worlds.enumerate(knowledge) if n <= WORLDS else worlds.sample(knowledge, WORLDS, np.random.default_rng(n))
    alone = rules.with_teams(tuple(int(s != seat) for s in range(rules.seats)), (Goal(GoalKind.MOST), Goal()))
    for row in rows:
        state = view.state(row)
        others = state.side_taken(rules.side_mask(seat)) - state.taken[seat]
        for sure in found:
            after = opencard.TrickState(
                alone, state.hands, state.leader, credit=tuple(state.taken), table=tuple(state.table),
                broken=state.broken, first=not view.tricks,
            )  # fmt: skip
            after.play(sure.card)
            value = after.taken[seat] if after.over else opencard.solve(after, 1 << seat, line=False).value
            assert sure.value <= value + others
            assert sure.value >= taken(view)
    return sum(sure.tricks > 1 for sure in found)


@settings(max_examples=60, deadline=None)
@given(rules=random_rules(min_seats=3, max_cards=20, negative_costs=False), seed=st.integers(0, 1 << 20))
def test_any_rules(rules, seed):
    size = max(1, len(rules.deck) // rules.seats)
    aside = len(rules.deck) - size * rules.seats
    game = Plain(rules, size, aside)
    table = Table.start(game, deal(game.layout, seed, 0))
    rng = np.random.default_rng(seed)
    while table.turn is not None:
        view = table.view(table.turn)
        if view.hand_mask.bit_count() <= 5:
            check(view)
        table.apply(view.legal[rng.integers(len(view.legal))])


def test_games_like_skat():
    """Also that something is found at all."""
    found = sum(check(s.view) for number in range(25) for s in situations(trumps(number % 3), number, left=7))
    assert found >= 40


def test_a_count_is_kept_to_the_end():
    """From the first killer card on the killer always has another one, and the goal is reached."""
    won = 0
    for number in range(200):
        rules = trumps(number % 3, 50)
        game = game_of(rules)
        table = Table.start(game, deal(game.layout, 8, number))
        rng = np.random.default_rng(number)
        killing = -1
        while table.turn is not None:
            view = table.view(table.turn)
            situation = Situation(view)
            action = view.legal[rng.integers(len(view.legal))]
            said = Killer().recommend(situation, Limit(), rng)
            if said is not None:
                action = said.action
                killing = view.turn if killing < 0 else killing
            elif view.turn == killing:
                assert taken(view) >= situation.goal.n or len(view.legal) == 1 or situation.equivalent
            table.apply(action)
        if killing >= 0:
            side = rules.side_mask(killing)
            assert rules.goal(killing).met(table.tricks.side_taken(side))
            won += 1
    assert won >= 30
