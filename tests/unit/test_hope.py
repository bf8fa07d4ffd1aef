"""Hope cards, against the same counted world by world."""

from __future__ import annotations

import numpy as np

from tests.situations import situations, trumps
from tricktake import worlds
from tricktake.rules import Goal, GoalKind
from tricktake.search import opencard
from tricktake.search.limit import Limit
from tricktake.strategies.hope import Hope
from tricktake.strategies.recommend import Situation

RNG = np.random.default_rng(0)


def winning_cards(situation):
    """The cards that win, of each world that can be won."""
    view = situation.view
    side = situation.rules.side_mask(view.turn)
    for world in worlds.enumerate(situation.knowledge):
        found = opencard.card_values(view.state(world), side)
        if cards := {card for card, value in found.items() if situation.goal.met(value)}:
            yield cards


def test_only_worlds_that_can_be_won_count():
    kinds = {"lost": 0, "only": 0, "most": 0, "split": 0}
    for number in range(40):
        for situation in situations(trumps(number % 3, 52 + number % 12), number):
            if situation.equivalent:
                continue
            found = list(winning_cards(situation))
            wins = {card: sum(card in cards for cards in found) for card in situation.cards}
            said = Hope(threshold=0.97).recommend(situation, Limit(), RNG)
            able = [card for card in wins if wins[card]]
            if not able:
                kind = "lost"
                assert said is None
            elif len(able) == 1:
                kind = "only"
                assert said.action.cards == (able[0],)
                assert "is the only card that wins any" in said.reason
            elif max(wins.values()) >= 0.97 * len(found):
                kind = "most"
                (card,) = said.action.cards
                assert wins[card] == max(wins.values())
                assert said.confidence == wins[card] / len(found)
                assert (
                    f"wins {wins[card] / len(found):.0%} of the worlds that can be won ({len(found)} of" in said.reason
                )
            else:
                kind = "split"
                assert said is None
            kinds[kind] += 1
    assert min(kinds.values()) >= 2, kinds


def test_ties_go_to_points():
    """Among cards that win alike, the one the worlds' points vote for."""
    from tricktake.strategies.endgame import points

    tied = 0
    for number in range(12):
        for situation in situations(trumps(), number):
            whole = situation.whole(200)
            if situation.equivalent or whole is None:
                continue
            wins = whole.met()[0].sum(axis=0)
            best = np.flatnonzero(wins == wins.max())
            said = Hope().recommend(situation, Limit(), RNG)
            if len(best) < 2 or said is None:
                continue
            votes = points(whole, Limit())
            assert votes[whole.cards.index(said.action.cards[0])] == votes[best].max()
            tied += 1
    assert tied >= 5


def test_there_is_nothing_to_hope_for_without_a_threshold():
    rules = trumps().with_teams((0, 1, 2), (Goal(GoalKind.LEAST),) * 3)
    situation = next(situations(rules, 0))
    assert Hope().recommend(situation, Limit(), RNG) is None


def test_solved_worlds_are_used_again():
    situation = next(s for s in situations(trumps(), 4) if not s.equivalent)
    situation.whole(20_000).met()
    before = situation.nodes
    hope = Hope(threshold=1.0)
    first = hope.recommend(situation, Limit(), RNG)
    assert situation.nodes == before
    assert first == hope.recommend(Situation(situation.view), Limit(), RNG)
