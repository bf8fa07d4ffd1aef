"""The open-card solver against plain minimax, and against itself seen another way."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from attrs import astuple, evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import naive
from tests.strategies import random_positions, random_rules
from tricktake._kernels import patterns
from tricktake._kernels.position import ROW
from tricktake.cards import Deck
from tricktake.rules import Duty, Goal, GoalKind, Tie, TrickRules
from tricktake.search import limit, opencard
from tricktake.search.limit import Limit
from tricktake.search.positions import Positions
from tricktake.search.tables import Tables
from tricktake.trick import TrickState

pytestmark = pytest.mark.kernel

JIT = not numba.config.DISABLE_JIT
SOLVER = opencard.Solver(1)
NO_ROWS = np.zeros((0, ROW), np.int64)


def examples(n: int) -> settings:
    return settings(max_examples=n if JIT else n // 8)


def sides(state: TrickState) -> st.SearchStrategy[int]:
    return st.integers(1, (1 << state.rules.seats) - 1)


def check_against_minimax(state: TrickState, side: int, guess: int | None = None) -> None:
    wanted = naive.card_values(state, side)
    assert SOLVER.card_values(state, side) == wanted
    solution = SOLVER.solve(state, side, guess=guess)
    assert solution.value == (max if naive.wants_more(state, side) else min)(wanted.values())
    assert wanted[solution.card] == solution.value
    assert solution.line[0] == solution.card
    at = state.copy()
    for card in solution.line:  # the line is legal and nobody gives anything away in it
        assert naive.card_values(at, side)[card] == solution.value
        at.play_checked(card)
    assert at.over
    assert at.side_taken(side) == solution.value


@given(st.data())
@examples(250)
def test_any_rules_agree_with_minimax(data):
    state = data.draw(random_positions(max_hand=4, rules=random_rules(max_cards=16)))
    check_against_minimax(state, data.draw(sides(state)), data.draw(st.integers(-30, 80)))


# -- rules of well-known shapes ---------------------------------------------------------------------------------------

FRENCH = Deck("CSHD", "789QKTAJ")
EYES = {"T": 10, "A": 11, "K": 4, "Q": 3, "J": 2}


def skat_like(trump: str | None) -> TrickRules:
    suits, powers = [], []
    for card in FRENCH:
        suits.append(4 if card.rank == "J" or card.suit == trump else "CSHD".index(card.suit))
        powers.append(20 + "DHSC".index(card.suit) if card.rank == "J" else "789QKTA".index(card.rank))
    costs = tuple(EYES.get(card.rank, 0) for card in FRENCH)
    goals = (Goal(GoalKind.AT_LEAST, 25), Goal(GoalKind.AT_LEAST, 25))
    return TrickRules(FRENCH, 3, tuple(suits), tuple(powers), 4, costs, teams=(0, 1, 1), goals=goals)


def plain(deck: Deck, seats: int, **more) -> TrickRules:
    suits = tuple(deck.suits.index(c.suit) for c in deck)
    powers = tuple(deck.ranks.index(c.rank) for c in deck)
    return TrickRules(deck, seats, suits, powers, **more)


def hearts_like() -> TrickRules:
    deck = Deck("CDSH", "56789TJQKA")
    costs = tuple(1 if c.suit == "H" else 13 if c.kind == "SQ" else -10 if c.kind == "DJ" else 0 for c in deck)
    hearts = deck.of_suit_mask("H")
    least = (Goal(GoalKind.LEAST),) * 4
    queen = deck.card("SQ").mask
    limits = {"lead_limit": hearts, "breakers": hearts | queen, "first_lead": 1, "first_ban": hearts}
    return plain(deck, 4, card_cost=costs, goals=least, **limits)


def doppelkopf_like() -> TrickRules:
    deck = Deck("CSHD", "9JQKTA", copies=2)
    suits, powers = [], []
    for card in deck:
        trump = card.rank in "JQ" or card.suit == "D" or card.kind == "HT"
        suits.append(4 if trump else "CSH".index(card.suit))
        rank = {"J": 10, "Q": 20}.get(card.rank, 0)
        top = 40 if card.kind == "HT" else rank + "DHSC".index(card.suit) if rank else "9KTA".index(card.rank)
        powers.append(top)
    costs = tuple(EYES.get(card.rank, 0) for card in deck)
    return TrickRules(deck, 4, tuple(suits), tuple(powers), 4, costs, teams=(0, 1, 0, 1), ties=Tie.FIRST)


SHAPES = {
    "suit": skat_like("C"),
    "grand": skat_like(None),
    "null": plain(
        Deck("CSHD", "789TJQKA"),
        3,
        trick_cost=1,
        teams=(0, 1, 1),
        goals=(Goal(GoalKind.AT_MOST, 0), Goal(GoalKind.AT_LEAST, 1)),
    ),
    "bridge": plain(Deck("CDHS", "6789TJQKA"), 4, trump=3, trick_cost=1, teams=(0, 1, 0, 1)),
    "hearts": hearts_like(),
    "called ace": evolve(skat_like("C"), seats=4, teams=(0, 1, 0, 1), duty=Duty(FRENCH.card("SA").mask, 4)),
    "doppelkopf": doppelkopf_like(),
    "two seats": plain(Deck("CS", "789TJQKA"), 2, trump=0, trick_cost=1, last_trick_bonus=3, trump_when_void=True),
    "five seats": plain(
        Deck("CSH", "789TJQKA"), 5, card_cost=tuple(i % 7 - 2 for i in range(24)), overtake=True, trump=1
    ),
}


@st.composite
def endings(draw, rules: TrickRules) -> TrickState:
    """A position small enough for plain minimax, perhaps in mid-trick."""
    most = {2: 5, 3: 4, 4: 3, 5: 2}[rules.seats]
    size = draw(st.integers(1, most))
    order = draw(st.permutations(range(len(rules.deck))))
    hands = [sum(1 << c for c in order[s * size : (s + 1) * size]) for s in range(rules.seats)]
    leader = draw(st.integers(0, rules.seats - 1))
    state = TrickState(rules, hands, leader, broken=draw(st.booleans()), first=draw(st.booleans()))
    for _ in range(draw(st.integers(0, rules.seats - 1))):
        state.play(draw(st.sampled_from(state.legal())))
    return state


@pytest.mark.parametrize("shape", SHAPES)
def test_known_shapes_agree_with_minimax(shape):
    rules = SHAPES[shape]

    @given(st.data())
    @examples(60)
    def check(data):
        state = data.draw(endings(rules))
        check_against_minimax(state, data.draw(st.just(rules.side_mask(0)) | sides(state)))

    check()


# -- yes or no --------------------------------------------------------------------------------------------------------


def test_a_negative_card_that_is_gone_may_be_left_after_an_exchange():
    """All that is left is the most a side gets, but not where an exchange leaves a negative card."""
    deck = Deck("C", "23456789TJQKA")
    power = (0, 10, 1, 12, 8, 6, 2, 3, 7, 9, 11, 4, 5)
    cost = (7, 9, 1, 4, 6, 7, 8, -1, 3, -3, -2, 1, 0)
    avoid = (Goal(GoalKind.LEAST),) * 4
    rules = TrickRules(deck, 4, (0,) * 13, power, None, cost, 0, 0, Tie.FIRST, None, avoid)
    state = TrickState(rules, [264, 6, 5120, 544], 0, credit=(3, -2, -5, 13), first=False)
    assert SOLVER.card_values(state, 1) == naive.card_values(state, 1) == {3: 23, 8: 23}


@given(st.data())
@examples(150)
def test_yes_and_no_agree_with_minimax(data):
    state = data.draw(random_positions(max_hand=3))
    side = data.draw(sides(state))
    value = naive.minimax(state, side)
    for threshold in {value - 1, value, value + 1, data.draw(st.integers(-20, 60))}:
        answer = SOLVER.at_least(state, threshold, side)
        assert answer.known
        assert bool(answer) == (value >= threshold)
    found = SOLVER.batch(Positions.from_states([state], side), "cards", threshold=value)
    for card, after in naive.card_values(state, side).items():
        assert (found.card_lower[0, card] >= value) == (after >= value)


@given(st.data())
@examples(150)
def test_goals_are_reached_as_by_minimax(data):
    kind = data.draw(st.sampled_from([GoalKind.AT_LEAST, GoalKind.AT_MOST, GoalKind.EXACTLY]))
    state = data.draw(random_positions(max_hand=3))
    rules = state.rules
    seat = data.draw(st.integers(0, rules.seats - 1))
    side = rules.side_mask(seat)
    goal = Goal(kind, state.side_taken(side) + data.draw(st.integers(-2, 12)))
    teams = range(rules.seats if rules.teams is None else 2)
    state.rules = rules = evolve(rules, goals=tuple(goal for _ in teams))
    if kind is GoalKind.EXACTLY:
        wanted = naive.can_force(state, side, goal.n)
    else:
        wanted = bool(goal.met(naive.minimax(state, side)))
    assert bool(SOLVER.wins(state, seat)) == wanted


def test_a_goal_without_threshold_cannot_be_won():
    state = TrickState(SHAPES["hearts"], [1, 2, 4, 8])
    with pytest.raises(ValueError, match="nothing to win"):
        SOLVER.wins(state, 0)


# -- the same position, seen another way ------------------------------------------------------------------------------


@given(st.data())
@examples(60)
def test_seats_can_be_rotated(data):
    state = data.draw(random_positions(max_hand=4))
    side, rules = data.draw(sides(state)), state.rules
    n = rules.seats
    turn = data.draw(st.integers(1, n - 1))

    def moved(values):
        return tuple(values[(s - turn) % n] for s in range(n))

    rotated = evolve(
        rules,
        teams=moved(rules.teams) if rules.teams else None,
        goals=rules.goals if rules.teams else moved(rules.goals),
    )
    other = TrickState(
        rotated,
        moved(state.hands),
        (state.leader + turn) % n,
        credit=moved(state.taken),
        table=tuple(state.table),
        broken=state.broken,
        first=not state.tricks,
        released=state.released,
    )
    other_side = sum(1 << (s + turn) % n for s in range(n) if side >> s & 1)
    # A coalition across teams takes the sense of its lowest seat, which rotation may change.
    if (
        rules.goal(min(s for s in range(n) if side >> s & 1)).sense
        == rotated.goal(min(s for s in range(n) if other_side >> s & 1)).sense
    ):
        assert SOLVER.card_values(other, other_side) == SOLVER.card_values(state, side)


@given(st.data())
@examples(60)
def test_suits_can_be_renamed(data):
    state = data.draw(random_positions(max_hand=4))
    side, rules = data.draw(sides(state)), state.rules
    names = data.draw(st.permutations(range(8)))
    renamed = evolve(
        rules,
        suit_of=tuple(names[s] for s in rules.suit_of),
        trump=None if rules.trump is None else names[rules.trump],
    )
    wanted = SOLVER.card_values(state, side)
    state.rules = renamed
    assert SOLVER.card_values(state, side) == wanted


# -- batches and limits -----------------------------------------------------------------------------------------------


def skat_deals(n: int, cards: int) -> list[TrickState]:
    rng = np.random.default_rng(7)
    rules = SHAPES["suit"]
    deals = []
    for _ in range(n):
        order = rng.permutation(32)
        hands = [sum(1 << int(c) for c in order[s * cards : (s + 1) * cards]) for s in range(3)]
        deals.append(TrickState(rules, hands, first=False))
    return deals


@pytest.mark.parametrize("shape", SHAPES)
def test_patterns_change_nothing_but_the_work(shape):
    """Longer endings than minimax can do, against the same search with every position kept on its own."""
    rules = SHAPES[shape]
    plain_table = opencard.Solver(1)
    plain_table.tables.of(NO_ROWS)[patterns.T_HEADS] = 0
    rng = np.random.default_rng(len(shape))
    for _ in range(12 if JIT else 2):
        order = [int(c) for c in rng.permutation(len(rules.deck))]
        size = min(len(order) // rules.seats, 6 if JIT else 4)
        hands = [sum(1 << c for c in order[s * size : (s + 1) * size]) for s in range(rules.seats)]
        state = TrickState(rules, hands, int(rng.integers(rules.seats)), broken=bool(rng.integers(2)), first=False)
        side = int(rng.integers(1, (1 << rules.seats) - 1))
        assert SOLVER.card_values(state, side) == plain_table.card_values(state, side)


def test_a_batch_says_what_single_calls_say():
    states = skat_deals(40 if JIT else 4, 5)
    positions = Positions.from_states(states, 1)
    found = SOLVER.batch(positions)
    cards = SOLVER.batch(positions, "cards")
    yes = SOLVER.batch(positions, "win", threshold=25)
    for i, state in enumerate(states):
        one = SOLVER.solve(state, 1, line=False)
        assert (found.value[i], found.card[i], found.nodes[i]) == (one.value, one.card, one.nodes)
        assert cards.values_of(i) == SOLVER.card_values(state, 1)
        assert yes.at_least(25)[i] == (one.value >= 25)
        assert max(cards.values_of(i).values()) == one.value


@pytest.mark.skipif(not JIT, reason="takes minutes")
@pytest.mark.parametrize("mode", ["value", "win", "cards"])
def test_results_do_not_depend_on_the_number_of_threads(mode):
    positions = Positions.from_states(skat_deals(70, 6), 1)
    threshold = {"win": 30}.get(mode)
    alone = opencard.solve_batch(positions, mode, threshold=threshold)
    shared = opencard.solve_batch(positions, mode, threshold=threshold, jobs=2)
    for one, two in zip(astuple(alone), astuple(shared), strict=True):
        assert (one == two).all()


def test_a_limit_of_seconds_changes_no_answer():
    for state in skat_deals(10, 7):
        timed, free = (SOLVER.solve(state, 1, bound) for bound in (Limit(seconds=1000.0), None))
        assert timed.value == free.value
        assert timed.card in [c for c, v in SOLVER.card_values(state, 1).items() if v == free.value]
        at = state.copy()
        for card in timed.line:
            at.play_checked(card)
        assert at.over
        assert at.side_taken(1) == free.value


def test_threads_share_one_clock(monkeypatch):
    clock = iter([0.0])
    monkeypatch.setattr(limit, "now", lambda: next(clock, 10.0))
    found = opencard.solve_batch(Positions.from_states(skat_deals(70, 6), 1), limit=Limit(seconds=1.0), jobs=2)
    assert (found.nodes <= 1).all()  # none got time of its own


@pytest.mark.parametrize("nodes", [1, 10, 200])
def test_a_limit_is_kept_and_admitted(nodes):
    (state,) = skat_deals(1, 7)
    truth = SOLVER.solve(state, 1).value
    limited = SOLVER.solve(state, 1, Limit(nodes=nodes))
    assert not limited.known
    assert limited.nodes <= nodes
    assert limited.lower <= truth <= limited.upper
    with pytest.raises(opencard.Unknown):
        _ = limited.value
    answers = {n: SOLVER.at_least(state, n, 1, Limit(nodes=1)) for n in range(truth - 5, truth + 6)}
    assert all(bool(answer) == (truth >= n) for n, answer in answers.items() if answer.known)
    with pytest.raises(opencard.Unknown):
        bool(next(answer for answer in answers.values() if not answer.known))
    batch = SOLVER.batch(Positions.from_states([state], 1), limit=Limit(nodes=nodes))
    assert not batch.known[0]


def test_no_time_is_admitted_too():
    (state,) = skat_deals(1, 4)
    found = SOLVER.solve(state, 1, Limit(seconds=1e-9))
    assert not found.known
    assert found.lower <= SOLVER.solve(state, 1).value <= found.upper
    assert SOLVER.solve(state, 1, Limit(seconds=600)).value == SOLVER.solve(state, 1).value


def test_a_small_table_changes_nothing_but_the_work():
    state = skat_deals(1, 7 if JIT else 5)[0]
    small = opencard.Solver(1)
    small.tables = Tables(1 << 12)
    assert small.card_values(state, 1) == SOLVER.card_values(state, 1)


def test_sides_and_rules_are_checked():
    state = TrickState(SHAPES["suit"], [1, 2, 4])
    with pytest.raises(ValueError, match="side"):
        SOLVER.solve(state, 0)
    with pytest.raises(ValueError, match="side"):
        SOLVER.solve(state, 8)
    with pytest.raises(ValueError, match="different rules"):
        Positions.from_states([state, TrickState(SHAPES["null"], [1, 2, 4])])
    with pytest.raises(ValueError, match="threshold"):
        SOLVER.batch(Positions.from_states([state]), "win")


def test_nodes_do_not_depend_on_what_was_asked_before() -> None:
    rng, solver = np.random.default_rng(3), opencard.Solver(1)
    size = 10 if JIT else 3
    order = rng.permutation(32)[: 3 * size].reshape(3, size)
    state = TrickState(SHAPES["suit"], [sum(1 << int(card) for card in hand) for hand in order])
    nodes = {solver.solve(state, 1, line=False).nodes for _ in range(20)}
    assert len(nodes) == 1
