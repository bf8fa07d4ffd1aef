"""PIMC: optimal when everything is known, legal always, repeatable, within its limits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.naive import naive_legal_of
from tests.strategies import random_rules
from tests.toygame import ToyGame
from tests.whist import Plain
from tricktake import worlds
from tricktake.action import play
from tricktake.cards import Deck
from tricktake.deal import Deal, deal
from tricktake.errors import InputError, UnknownName
from tricktake.knowledge import Knowledge
from tricktake.rules import Goal, GoalKind, TrickRules
from tricktake.search import opencard
from tricktake.search.limit import Limit
from tricktake.strategies.pimc import Pimc
from tricktake.strategies.player import Player
from tricktake.table import Table
from tricktake.testing import check_strategy


def plain_rules(goals=(), teams=None, deck=None, **kwargs) -> TrickRules:
    """Three seats, no trump, a trick counts one."""
    deck = deck or Deck("CSH", "2345")
    return TrickRules(
        deck,
        3,
        tuple(deck.suits.index(c.suit) for c in deck),
        tuple(deck.ranks.index(c.rank) for c in deck),
        trick_cost=1,
        teams=teams,
        goals=goals,
        **kwargs,
    )


def table_of(rules, text, leader=0):
    game = Plain(rules, len(text.split("|")[0].split()), leader=leader)
    return Table.start(game, Deal.from_text(game.layout, text))


def decide(view, limit=None, seed=0, **options):
    return Pimc(**options).decide(view, limit or Limit(), np.random.default_rng(seed))


GOALS = [
    (Goal(GoalKind.MOST),) * 3,
    (Goal(GoalKind.LEAST),) * 3,
    (Goal(GoalKind.AT_LEAST, 2),) * 3,
    (Goal(GoalKind.AT_MOST, 0),) * 3,
]


@pytest.mark.parametrize("by", ["vote", "mean", "win"])
@pytest.mark.parametrize("goals", GOALS)
def test_with_one_world_left_it_plays_what_the_solver_finds_best(goals, by):
    """The last trick but one is known to whoever has seen the rest: two seats left with known cards."""
    rules = plain_rules(goals, teams=(0, 1, 1))
    checked = 0
    for number in range(60):
        game = Plain(rules, 4)
        table = Table.start(game, deal(game.layout, 5, number))
        rng = np.random.default_rng(number)
        while table.turn is not None:
            view = table.view(table.turn)
            knowledge = Knowledge.from_view(view)
            decision = decide(view, decide=by, worlds=5)
            assert decision.action in view.legal
            if worlds.count(knowledge) == 1 and len(view.legal) > 1:
                side = rules.side_mask(view.turn)
                values = opencard.card_values(table.tricks, side)
                sense = rules.goal(view.turn).sense
                best = max(sense * v for v in values.values())
                goal = rules.goal(view.turn)
                (card,) = decision.action.cards
                if by == "win" and goal.met(0) is not None:
                    assert goal.met(values[card]) == any(goal.met(v) for v in values.values())
                else:
                    assert sense * values[card] == best
                checked += 1
            table.apply(view.legal[rng.integers(len(view.legal))])
    assert checked >= 20


def test_it_reaches_exactly_what_it_wants():
    """One trick wanted, two cards each, all known: the card that takes both or none is wrong."""
    goals = (Goal(GoalKind.EXACTLY, 1), Goal(GoalKind.LEAST))
    rules = plain_rules(goals, teams=(0, 1, 1))
    table = table_of(rules, "C5 H2 S3 | C2 C3 H3 | C4 S5 H5")
    view = table.view(0)
    decision = decide(view, worlds=10_000)
    assert "wins in" in decision.reason
    solved = {}
    for world in worlds.enumerate(Knowledge.from_view(view)):
        state = view.state(tuple(int(m) for m in world))
        for card in state.legal():
            state.play(card)
            solved[card] = solved.get(card, 0) + bool(opencard.wins(state, 0))
            state.undo()
    assert solved[decision.action.cards[0]] == max(solved.values())
    assert len(set(solved.values())) > 1  # otherwise this shows nothing


def test_the_reason_counts_the_worlds_as_they_are():
    """All worlds are listed: the shares can be worked out by hand."""
    goals = (Goal(GoalKind.AT_LEAST, 1), Goal(GoalKind.AT_LEAST, 2))
    deck = Deck("CS", "234")
    rules = plain_rules(goals, teams=(0, 1, 1), deck=deck)
    # Seat 0 holds the top club: it wins whenever it leads it.
    table = table_of(rules, "C4 S2 | C2 S3 | C3 S4")
    decision = decide(table.view(0))
    assert decision.action == play(deck.card("C4").index)
    assert decision.reason == "C4 wins in 6 of 6 worlds, mean 1.0"
    by_vote = decide(table.view(0), decide="vote")
    assert by_vote.reason == "C4 best in 6 of 6 worlds, wins in 6, mean 1.0"


def test_how_it_decides_makes_a_difference():
    """Over random positions the three ways do not always choose the same card."""
    goals = (Goal(GoalKind.AT_LEAST, 45), Goal(GoalKind.AT_LEAST, 62))
    rules = plain_rules(goals, (0, 1, 1), Deck("CSHD", "23456"), card_cost=(0, 0, 4, 10, 11) * 4)
    game = Plain(rules, 6)
    chosen = set()
    for number in range(80):
        table = Table.start(game, deal(game.layout, 1, number))
        rng = np.random.default_rng(number)
        for _ in range(number % 7):
            legal = table.legal()
            table.apply(legal[rng.integers(len(legal))])
        view = table.view(table.turn)
        cards = [decide(view, seed=number, decide=by, worlds=8).action.cards[0] for by in ("vote", "mean", "win")]
        chosen.add(tuple(cards))
    assert any(a != b for a, b, _ in chosen)
    assert any(b != c for _, b, c in chosen)


@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(
    rules=random_rules(max_seats=4, max_cards=12),
    seed=st.integers(0, 1 << 20),
    by=st.sampled_from(["vote", "mean", "win"]),
)
def test_it_plays_only_legal_cards_of_any_game(rules, seed, by):
    game = Plain(rules, max(1, len(rules.deck) // rules.seats))
    table = Table.start(game, deal(game.layout, seed, 0))
    while table.turn is not None:
        view = table.view(table.turn)
        decision = decide(view, seed=seed, decide=by, worlds=3)
        (card,) = decision.action.cards
        assert card in naive_legal_of(table.tricks)
        table.apply(decision.action)


def test_equivalent_cards_need_no_search():
    rules = plain_rules(deck=Deck("CSH", "23456"))
    table = table_of(rules, "C4 C5 C6 | S2 S3 S4 | H2 H3 H4")
    assert decide(table.view(0)).reason == "C4 and the other legal cards are equivalent"
    assert "worlds" in decide(table_of(rules, "C2 C4 C6 | S2 S3 S4 | H2 H3 H4").view(0)).reason
    one = table_of(rules, "C4 | S2 | H2").view(0)
    assert decide(one).reason == "C4 is the only card"


def test_a_card_on_the_table_parts_equivalent_cards():
    rules = plain_rules(deck=Deck("CS", "234567"))
    table = table_of(rules, "C5 S2 S3 | C4 C6 S4 | C2 C3 S5")
    table.apply(play(rules.deck.card("C5").index))
    assert "worlds" in decide(table.view(1)).reason


def test_the_same_random_numbers_give_the_same_decision():
    rules = plain_rules(deck=Deck("CSHD", "23456"))
    game = Plain(rules, 6)
    view = Table.start(game, deal(game.layout, 2, 0)).view(0)
    same = {decide(view, seed=4, worlds=6).reason for _ in range(3)}
    assert len(same) == 1
    assert len({decide(view, seed=s, worlds=6).reason for s in range(12)}) > 1


def test_limits_are_kept():
    rules = plain_rules(deck=Deck("CSHD", "23456"))
    game = Plain(rules, 6)
    view = Table.start(game, deal(game.layout, 2, 0)).view(0)
    assert "over 3 worlds" in decide(view, Limit(worlds=3), worlds=10).reason
    assert "over 10 worlds" in decide(view, Limit(worlds=30), worlds=10).reason
    hurried = decide(view, Limit(seconds=1e-9), worlds=40)
    assert "worlds beyond the limit" in hurried.reason
    poor = [decide(view, Limit(nodes=5), worlds=5) for _ in range(2)]
    assert poor[0] == poor[1]
    assert poor[0].action in view.legal


def test_pimc_conforms():
    game = ToyGame()
    player = Player.from_spec("bid=core:random,play=core:pimc(worlds=5)")
    check_strategy(player, game, deals=3).require()


def test_another_part_can_play_the_opening():
    rules = plain_rules(deck=Deck("CSHD", "23456"))
    game = Plain(rules, 6)
    table = Table.start(game, deal(game.layout, 2, 0))
    part = Pimc(worlds=3, opening="core:random", tricks=1)
    reasons = []
    for _ in range(6):
        decision = part.decide(table.view(table.turn), Limit(), np.random.default_rng(1))
        reasons.append(decision.reason)
        table.apply(decision.action)
    assert "at random" in reasons[0]
    assert not any("at random" in reason for reason in reasons[3:])
    spec = Player.from_spec("core:pimc(opening=core:random)").specs["play"]
    assert spec.owners == {"core"}
    with pytest.raises(InputError, match="opening: must be the name"):
        Player.from_spec("core:pimc(opening=3)")
    with pytest.raises(UnknownName, match="core:random"):
        Player.from_spec("core:pimc(opening=core:randon)")


def test_with_many_cards_a_tie_goes_to_what_reaches_more():
    """Whatever is led, the goal of one trick is met; the card that is surely good for more is preferred."""
    goals = (Goal(GoalKind.AT_LEAST, 1), Goal(GoalKind.AT_LEAST, 7))
    deck = Deck("CSH", "23456789")
    rules = plain_rules(goals, (0, 1, 1), deck)
    table = table_of(rules, "C9 C8 C7 C6 S9 H2 H3 | C2 C3 S2 S3 S4 H4 H5 | C4 C5 S5 S6 S7 H6 H7")
    decision = decide(table.view(0), worlds=4)
    assert "wins in 4 of 4 worlds, reaches 2 in 4" in decision.reason


def test_it_says_so_when_asked_for_something_else():
    game = ToyGame()
    view = Table.start(game, deal(game.layout, 0, 0)).view(0)
    with pytest.raises(ValueError, match="plays cards only"):
        decide(view)
