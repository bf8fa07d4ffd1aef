"""core:playout: for every game, within limits, and right where right is plain to see."""

from __future__ import annotations

import numpy as np
import pytest

from tests.examples import OH_PSHAW, load
from tricktake.action import play
from tricktake.cards import Deck
from tricktake.deal import Deal, Layout, deal
from tricktake.errors import InputError
from tricktake.game import Game, Score
from tricktake.phase import Tricks
from tricktake.plugins import manager
from tricktake.rules import Goal, GoalKind, TrickRules
from tricktake.search.limit import Limit
from tricktake.strategies.playout import Playout
from tricktake.table import Table
from tricktake.testing import check_strategy

DECK = Deck("CS", "2345")


class Tiny(Game):
    """Two seats, four cards, one trick counts 1; ``goal`` for both."""

    name = "tiny"
    layout = Layout(DECK, (4, 4))
    phases = (Tricks,)

    def __init__(self, goal: Goal) -> None:
        self.goal = goal

    def rules(self, table):
        return TrickRules.plain(DECK, 2, "S", trick_cost=1, goals=(self.goal, self.goal))

    def score(self, table):
        return Score(tuple(table.tricks.taken))


def reply(goal: Goal) -> tuple[str, str]:
    """C4 was led; C5 takes this trick, and C3 is then good for another; C3 leaves one trick to C5."""
    game = Tiny(goal)
    table = Table.start(game, Deal.from_text(game.layout, "C2 C4 S4 S5 | C3 C5 S2 S3"))
    table.apply(play(DECK.card("C4").index))
    decision = Playout().decide(table.view(1), Limit(), np.random.default_rng(1))
    return DECK[decision.action.cards[0]].name, decision.reason


UNSAID = "the_crew"  # its rules do not say which tasks are done, and sampling refuses such rules


@pytest.mark.parametrize("name", [name for name in manager().games.names() if name != UNSAID])
def test_conforms_in_every_game(name: str) -> None:
    check_strategy(Playout(worlds=5, games=2), manager().games.get(name), deals=1).require()


def test_rules_that_leave_the_goal_unsaid_are_refused() -> None:
    report = check_strategy(Playout(worlds=5, games=2), manager().games.get(UNSAID), deals=1)
    assert "they do not say which tasks are done" in str(report)


def test_conforms_with_exact_goals() -> None:
    check_strategy(Playout(worlds=5, games=2), load(OH_PSHAW).OhPshaw(5, 4), deals=2).require()


@pytest.mark.parametrize(
    ("goal", "card", "reason"),
    [
        (Goal(GoalKind.MOST), "C5", "mean 2.0"),
        (Goal(GoalKind.LEAST), "C3", "mean 1.0"),
        (Goal(GoalKind.AT_LEAST, 2), "C5", "wins 100%"),
        (Goal(GoalKind.AT_MOST, 1), "C3", "wins 100%"),
        (Goal(GoalKind.EXACTLY, 2), "C5", "wins 100%"),
        (Goal(GoalKind.EXACTLY, 1), "C3", "wins 100%"),
    ],
)
def test_every_goal_is_understood(goal: Goal, card: str, reason: str) -> None:
    found, why = reply(goal)
    assert found == card
    assert reason in why


def test_limits_bound_the_work() -> None:
    game = Tiny(Goal())
    view = Table.start(game, Deal.from_text(game.layout, "C2 S3 S4 S5 | C3 C4 C5 S2")).view(0)
    reasons = [
        Playout(worlds=30, games=4).decide(view, limit, np.random.default_rng(1)).reason
        for limit in (Limit(), Limit(worlds=7), Limit(nodes=4 * 8 * 4 * 3), Limit(nodes=1), Limit(seconds=1e-9))
    ]
    assert [int(reason.split("over ")[1].split()[0]) for reason in reasons] == [120, 28, 12, 4, 40]


def test_the_same_numbers_decide_the_same() -> None:
    game = manager().games.get("hearts")
    table = Table.start(game, deal(game.layout, 1, 3), 3)
    table.apply(table.legal()[0])
    decisions = {
        str(Playout(worlds=5).decide(table.view(table.turn), Limit(), np.random.default_rng(seed)))
        for seed in (4, 4, 4)
    }
    assert len(decisions) == 1


def test_wrong_options_are_named() -> None:
    for options in ({"worlds": 0}, {"games": "x"}, {"games": True}):
        with pytest.raises(InputError, match=f"^{next(iter(options))}: must be a whole number above 0"):
            Playout(**options)
