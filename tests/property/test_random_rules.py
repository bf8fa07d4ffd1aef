"""The open-card solver against plain minimax on random rules over all fields of ``TrickRules``, with small hands.

``RANDOM_RULES=50000 pytest tests/property/test_random_rules.py`` looks at that many positions instead.
"""

from __future__ import annotations

import os
import random

import numba
import pytest

from tests import naive
from tricktake.cards import Deck
from tricktake.rules import Duty, Goal, GoalKind, Overtake, Tie, TrickRules
from tricktake.search import opencard
from tricktake.trick import TrickState

pytestmark = pytest.mark.kernel

POSITIONS = int(os.environ.get("RANDOM_RULES", 2000 if not numba.config.DISABLE_JIT else 100))
SEED = int(os.environ.get("RANDOM_SEED", 1))
MOST_CARDS = {2: 4, 3: 3, 4: 3, 5: 2}  # in a hand: plain minimax visits at most some thousand positions
SOLVER = opencard.Solver(1)


def some_cards(rng: random.Random, n: int, share: float = 0.2) -> int:
    return sum(1 << c for c in range(n) if rng.random() < share)


def random_rules(rng: random.Random) -> TrickRules:
    """Rules in which each field says something in some of the rule sets."""

    def perhaps(chance: float, mask: int) -> int:
        return mask if rng.random() < chance else 0

    seats, suits, copies = rng.choice((2, 3, 3, 4, 4, 5)), rng.randint(1, 4), rng.choice((1, 1, 2))
    ranks = max(rng.randint(2, 5), -(-seats * MOST_CARDS[seats] // (suits * copies)))
    deck = Deck("CSHD"[:suits], "23456789TJQKA"[:ranks], copies)
    n = len(deck)
    suit_of = [deck.suits.index(card.suit) for card in deck]
    power = [deck.ranks.index(card.rank) for card in deck]
    if rng.random() < 0.3:
        power = [rng.randrange(ranks + 2) for _ in range(n)]
    trump = rng.choice((None, *range(suits)))
    if trump is not None and rng.random() < 0.3:
        for c in range(n):
            if power[c] == 1:
                suit_of[c], power[c] = trump, 20 + suit_of[c]
    costs = [0] * n if rng.random() < 0.4 else [rng.randint(rng.choice((-3, 0)), 11) for _ in range(n)]
    low = rng.choice((-2, 0, 0))
    teams = rng.choice((None, tuple(s % 2 for s in range(seats)), tuple(int(s != 0) for s in range(seats))))
    goals = tuple(Goal(rng.choice(list(GoalKind)), rng.randint(0, 20)) for _ in range(seats if teams is None else 2))
    losers = perhaps(0.2, some_cards(rng, n))
    duty = None
    if rng.random() < 0.3:
        called = [c for c in range(n) if suit_of[c] == suit_of[0]]
        duty = Duty(sum(1 << c for c in rng.sample(called, rng.randint(1, min(2, len(called))))), rng.randint(0, 3))
    chosen = perhaps(0.3, some_cards(rng, n))
    tied = {(suit_of[c], power[c]) for c in range(n) if chosen >> c & 1}
    return TrickRules(
        deck,
        seats,
        tuple(suit_of),
        tuple(power),
        trump,
        tuple(costs),
        rng.randint(low, 3),
        rng.choice((0, 0, rng.randint(low, 9))),
        rng.choice(list(Tie)),
        teams,
        goals,
        follow=rng.random() < 0.85,
        trump_when_void=rng.random() < 0.4,
        overtake=rng.choice((Overtake.NEVER, Overtake.NEVER, Overtake.ALWAYS, Overtake.TRUMPS)),
        lead_limit=perhaps(0.2, some_cards(rng, n)),
        lead_excuse=perhaps(0.2, some_cards(rng, n)),
        breakers=perhaps(0.3, some_cards(rng, n)),
        first_lead=perhaps(0.1, some_cards(rng, n)),
        first_ban=perhaps(0.1, some_cards(rng, n)),
        seat_goals=tuple(rng.choice((None, goals[0])) for _ in range(seats)) if rng.random() < 0.1 else (),
        spare_partner=teams is not None and rng.random() < 0.3,
        no_undertrump=rng.random() < 0.2,
        last_resort=perhaps(0.1, some_cards(rng, n)),
        always_legal=perhaps(0.2, some_cards(rng, n)),
        need_not_follow=perhaps(0.2, some_cards(rng, n)),
        always_wins=perhaps(0.2, some_cards(rng, n)) & ~losers,
        never_wins=losers,
        stays=perhaps(0.2, some_cards(rng, n)),
        other_ties=sum(1 << c for c in range(n) if (suit_of[c], power[c]) in tied),
        last_ties=rng.random() < 0.5,
        duty=duty,
    )


def random_position(rng: random.Random) -> TrickState:
    rules = random_rules(rng)
    size = rng.randint(1, MOST_CARDS[rules.seats])
    order = rng.sample(range(len(rules.deck)), size * rules.seats)
    hands = [sum(1 << c for c in order[s * size : (s + 1) * size]) for s in range(rules.seats)]
    state = TrickState(
        rules,
        hands,
        rng.randrange(rules.seats),
        credit=tuple(rng.randint(-5, 20) for _ in range(rules.seats)),
        broken=rng.random() < 0.5,
        first=rng.random() < 0.3,
        released=rng.random() < 0.3,
    )
    for _ in range(rng.choice((0, 0, rng.randrange(size * rules.seats)))):
        state.play(rng.choice(state.legal()))
    return state


def test_random_rules_agree_with_minimax() -> None:
    rng = random.Random(SEED)
    for number in range(POSITIONS):
        state = random_position(rng)
        side = rng.randint(1, (1 << state.rules.seats) - 1)
        wanted = naive.card_values(state, side)
        where = (number, state.rules, state.hands, state.leader, state.table, state.taken, state.broken, side)
        assert SOLVER.card_values(state, side) == wanted, where
        solution = SOLVER.solve(state, side)
        assert solution.value == (max if naive.wants_more(state, side) else min)(wanted.values()), where
        assert wanted[solution.card] == solution.value, where
        total = rng.choice(list(wanted.values())) + rng.choice((0, 0, 1))
        assert bool(SOLVER._exactly(state, total, side, None)) == naive.can_force(state, side, total), where


def test_known_wrong_values() -> None:
    """Found by random rules: who must overtake cannot always duck."""
    rules = TrickRules(
        Deck("CDHS", "23456"),
        5,
        (0, 0, 3, 0, 0, 1, 1, 3, 1, 1, 2, 2, 3, 2, 2, 3, 3, 3, 3, 3),
        (0, 1, 20, 3, 4, 0, 1, 21, 3, 4, 0, 1, 22, 3, 4, 0, 1, 23, 3, 4),
        None,
        (3, 0, 3, 6, 11, 11, 9, 1, 2, 8, 4, 5, 7, 6, 8, 9, 4, 2, 9, 5),
        1,
        goals=(
            Goal(GoalKind.EXACTLY, 6),
            Goal(GoalKind.MOST, 14),
            Goal(GoalKind.LEAST, 3),
            Goal(GoalKind.AT_MOST, 11),
            Goal(GoalKind.AT_MOST, 13),
        ),
        overtake=True,
    )
    hands = [131240, 68864, 299009, 16964, 532498]
    state = TrickState(rules, hands, 0, credit=(6, -1, 16, -4, 14), broken=True, first=False)
    assert SOLVER.solve(state, 4).value == naive.minimax(state, 4) == 44
    rules = TrickRules.plain(
        Deck("CDHS", "23456789TJQKA"),
        2,
        trick_cost=5,
        last_trick_bonus=10,
        ties=Tie.LAST,
        teams=(1, 0),
        goals=(Goal(GoalKind.AT_MOST, 3), Goal(GoalKind.LEAST, 1)),
        trump_when_void=True,
        overtake=True,
    )
    state = TrickState(rules, [3896573952, 2603660714574336], 0, credit=(6, 10), broken=True, first=False)
    assert SOLVER.card_values(state, 1) == naive.card_values(state, 1)


def test_a_last_resort_is_not_its_copy() -> None:
    """Found by 24,030 random rules: the solver took two copies for equal of which one may be discarded only last."""
    deck = Deck("C", "234567", 2)
    rules = TrickRules.plain(
        deck,
        4,
        trick_cost=3,
        ties=Tie.LAST,
        goals=(Goal(GoalKind.AT_MOST, 18), Goal(GoalKind.MOST), Goal(GoalKind.LEAST), Goal(GoalKind.MOST)),
        last_resort=90,
        always_legal=16,
        never_wins=65,
        other_ties=3843,
    )
    state = TrickState(rules, [273, 1036, 2624, 162], 1, credit=(6, 0, -2, 15), broken=True, first=False)
    assert SOLVER.solve(state, 0b1011).value == naive.minimax(state, 0b1011) == 24
