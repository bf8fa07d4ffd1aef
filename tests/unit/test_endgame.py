"""Endgame cards: what all worlds together say, against the same counted card by card."""

from __future__ import annotations

import numpy as np
import pytest

from tests.situations import game_of, situations, trumps
from tricktake import worlds
from tricktake.deal import deal
from tricktake.errors import InputError
from tricktake.knowledge import Knowledge
from tricktake.rules import Goal, GoalKind
from tricktake.search import opencard
from tricktake.search.limit import Limit
from tricktake.strategies.endgame import MET, Endgame, points
from tricktake.strategies.player import Player
from tricktake.strategies.recommend import Situation
from tricktake.table import Table

RNG = np.random.default_rng(0)


def values(situation):
    """The final cost of the own side after each card in each world, one solve a world."""
    view = situation.view
    side = situation.rules.side_mask(view.turn)
    for world in worlds.enumerate(Knowledge.from_view(view)):
        yield opencard.card_values(view.state(world), side)


def decisions(games=10, left=3):
    for number in range(games):
        yield from situations(trumps(number % 3), number, left)


def test_the_card_that_wins_in_most_worlds():
    seen = {True: 0, False: 0}
    for situation in decisions():
        if situation.equivalent or situation.world_count > 300:
            continue
        found = list(values(situation))
        wins = {card: sum(bool(situation.goal.met(row[card])) for row in found) for card in situation.cards}
        share = max(wins.values()) / len(found)
        said = Endgame().recommend(situation, Limit(), RNG)
        assert (said is not None) == (share >= 0.9)
        seen[said is not None] += 1
        if said is None:
            continue
        (card,) = said.action.cards
        assert wins[card] == max(wins.values())
        assert said.confidence == pytest.approx(share)
        assert f"wins in {wins[card]} of {len(found)} worlds" in said.reason
        mean = {c: sum(row[c] for row in found) for c in wins if wins[c] == wins[card]}
        if len(found) <= 200:
            assert mean[card] == max(mean.values())
    assert min(seen.values()) >= 5


def test_the_vote_of_points():
    checked = 0
    for situation in decisions(6):
        if situation.equivalent or situation.world_count > 300:
            continue
        votes = dict.fromkeys(situation.cards, 0)
        for row in values(situation):
            best = max(row, key=lambda card: (row[card], -card))
            votes[best] += row[best] + MET * bool(situation.goal.met(row[best]))
        whole = situation.whole(1000)
        assert list(points(whole, Limit())) == list(votes.values())
        said = Endgame(vote="points", confidence=0.5).recommend(situation, Limit(), RNG)
        share = max(votes.values()) / sum(votes.values())
        assert (said is not None) == (share >= 0.5)
        if said is not None:
            assert votes[said.action.cards[0]] == max(votes.values())
        checked += 1
    assert checked >= 10


def test_sides_that_avoid_cost_vote_for_less():
    rules = trumps()
    goals = (Goal(GoalKind.AT_MOST, 10), Goal(GoalKind.AT_LEAST, 11))
    situation = next(s for s in situations(rules.with_teams((0, 1, 1), goals), 3) if s.view.turn == 0)
    votes = points(situation.whole(10_000), Limit())
    gain = dict.fromkeys(situation.cards, 0)
    rows = list(values(situation))
    worst = max(max(row.values()) for row in rows)
    for row in rows:
        best = min(row, key=lambda card: (row[card], card))
        gain[best] += worst - row[best] + MET * (row[best] <= 10)
    assert list(votes) == list(gain.values())


def test_without_a_threshold_worlds_vote_for_their_best_cards():
    rules = trumps().with_teams((0, 1, 2), (Goal(GoalKind.LEAST),) * 3)
    said = 0
    for situation in situations(rules, 1, 4):
        if situation.equivalent or not (found := Endgame(confidence=0.6).recommend(situation, Limit(), RNG)):
            continue
        rows = list(values(situation))
        votes = sum(row[found.action.cards[0]] == min(row.values()) for row in rows)
        assert votes >= 0.6 * len(rows)
        said += 1
    assert said


def test_it_declines_what_is_too_much():
    situation = next(s for s in situations(trumps(), 2, 4) if s.world_count > 100)
    sure = Endgame(confidence=0.0)
    assert sure.recommend(situation, Limit(), RNG) is not None
    few = situation.world_count - 1
    assert Endgame(worlds=few, confidence=0.0).recommend(Situation(situation.view), Limit(), RNG) is None
    for limit in (Limit(worlds=few), Limit(nodes=100), Limit(seconds=1e-7)):
        tight = Situation(situation.view)
        assert sure.recommend(tight, limit, RNG) is None
        assert tight.nodes < situation.nodes / 2  # only a few worlds were solved to find out


def test_a_hopeless_vote_is_noticed_early():
    """Few worlds show that no card comes near the confidence; the others are not solved."""
    for number in range(40):
        for situation in situations(trumps(goal=60), number, 5):
            whole = Situation(situation.view).whole(10_000)
            if whole is None or len(whole) < 500:
                continue
            won, _ = whole.met()
            if 0 < won.mean(axis=0).max() < 0.4:
                assert Endgame().recommend(situation, Limit(), RNG) is None
                assert situation.nodes < whole.nodes / 2
                return
    raise AssertionError("no such position")


class Only:
    """Believes in the worlds with one card at one place."""

    def __init__(self, place: int, card: int) -> None:
        self.place, self.card = place, card

    def weigh(self, view, rows):
        return (rows[:, self.place] >> self.card & 1).astype(float)


def test_a_belief_weighs_the_votes():
    changed = 0
    for number in range(12):
        for situation in situations(trumps(), number):
            if situation.equivalent or not 1 < situation.world_count <= 200:
                continue
            other = next(s for s in range(3) if s != situation.view.turn)
            for card in range(len(situation.rules.deck)):
                if not situation.knowledge.unseen >> card & 1:
                    continue
                belief = Only(other, card)
                whole = situation.whole(1000, belief)
                if not 0 < (whole.weights > 0).sum() < len(whole):
                    continue
                said = Endgame(belief=belief, confidence=0.0).recommend(situation, Limit(), RNG)
                won, _ = whole.met()
                wins = won[whole.weights > 0].mean(axis=0)
                assert wins[whole.cards.index(said.action.cards[0])] == wins.max()
                plain = situation.whole(1000).met()[0].mean(axis=0)
                changed += set(np.flatnonzero(plain == plain.max())).isdisjoint(np.flatnonzero(wins == wins.max()))
    assert changed  # somewhere the belief makes another card the best


def test_wrong_options():
    for options, field in [("confidence=2", "confidence"), ("vote=all", "vote"), ("worlds=0", "worlds")]:
        with pytest.raises(InputError, match=field):
            Player.from_spec(f"core:endgame({options})")


def test_it_is_a_part_that_says_when_it_knows_nothing():
    game = game_of(trumps())
    view = Table.start(game, deal(game.layout, 1, 1)).view(0)
    decision = Endgame().decide(view, Limit(), RNG)
    assert decision.action in view.legal
    assert "no recommendation" in decision.reason
