"""What the open-card solver believes without search, against minimax; shapes kept card by card against loaded ones."""

from __future__ import annotations

import random

import numba
import numpy as np
import pytest

from tests import naive
from tricktake._kernels import opencard, play, position, shape
from tricktake._kernels import opencard_frame as F
from tricktake._kernels import opencard_state as S
from tricktake._kernels._jit import njit
from tricktake._kernels.bounds import counted_trumps, sure_cost, top_trump_cost
from tricktake._kernels.later import later_tricks
from tricktake._kernels.taking import taken
from tricktake.cards import Deck
from tricktake.rules import Goal, GoalKind, Tie, TrickRules
from tricktake.search.positions import Positions
from tricktake.trick import TrickState

pytestmark = pytest.mark.kernel

POSITIONS = 150 if not numba.config.DISABLE_JIT else 40
MOST_CARDS = {2: 5, 3: 4, 4: 3}


@njit
def bounds_of(header, cards, suits, row, found):
    """Tricks counted in trumps, cost of the highest trumps (both of the side), sure cost of the leader."""
    w = np.zeros(opencard.WORK, np.int64)
    play.pack(header, cards, suits, w)
    shape.prepare(w, row)
    opencard.load(w, row)
    found[0] = counted_trumps(w, w[S.SIDE])
    found[1] = top_trump_cost(w, w[S.SIDE])
    found[2] = sure_cost(w, position.turn_of(w, row))


@njit
def taken_of(header, cards, suits, row):
    """What the side is sure to get from the trick on the table on."""
    w = np.zeros(opencard.WORK, np.int64)
    play.pack(header, cards, suits, w)
    shape.prepare(w, row)
    opencard.load(w, row)
    return taken(w, np.int64(S.FRAMES), w[S.SIDE])


@njit
def later_of(header, cards, suits, row, found):
    """What the side is sure to get whoever leads, if 0, 1, 2 ... tricks are wanted: ``later_tricks`` of each."""
    w = np.zeros(opencard.WORK, np.int64)
    play.pack(header, cards, suits, w)
    shape.prepare(w, row)
    opencard.load(w, row)
    for wanted in range(len(found)):
        found[wanted] = later_tricks(w, w[S.SIDE], position.turn_of(w, row), np.int64(wanted))


@njit
def shapes_of(header, cards, suits, row, line, found):
    """The words of the shape after each card of a line: kept card by card, and of the position as loaded."""
    w = np.zeros(opencard.WORK, np.int64)
    v = np.zeros(opencard.WORK, np.int64)
    play.pack(header, cards, suits, w)
    play.pack(header, cards, suits, v)
    w[S.PATTERNS] = shape.prepare(w, row)
    shape.prepare(v, row)
    opencard.load(w, row)
    at = row.copy()
    f = np.int64(S.FRAMES)
    for i in range(len(line)):
        w[f + F.NEED] = 0
        opencard.descend(w, f, line[i])
        f += F.SIZE
        position.advance(w, at, line[i])
        opencard.load(v, at)
        for k in range(F.PLANE + w[S.PLANES] - F.COUNTS):
            found[i, 0, k] = w[f + F.COUNTS + k]
            found[i, 1, k] = v[S.FRAMES + F.COUNTS + k]


def ending(rng: random.Random, sense: GoalKind, trumps: bool, copies: int = 1) -> TrickState:
    seats = rng.choice((2, 3, 4))
    deck = Deck("CDHS"[: rng.randint(2, 4)], "23456789TJQKA" if copies == 1 else "TJQKA", copies)
    costs = tuple(rng.choice((0, 0, 3, 10)) for _ in deck) if copies > 1 or rng.random() < 0.7 else (0,) * len(deck)
    rules = TrickRules.plain(
        deck,
        seats,
        trump="C" if trumps else None,
        card_cost=costs,
        trick_cost=rng.randint(1, 3),
        goals=(Goal(sense),) * seats,
        ties=rng.choice(list(Tie)),
    )
    size = rng.randint(1, min(MOST_CARDS[seats], len(deck) // seats))
    order = rng.sample(range(len(deck)), size * seats)
    hands = [sum(1 << c for c in order[s * size : (s + 1) * size]) for s in range(seats)]
    return TrickState(rules, hands, rng.randrange(seats), first=False)


def bounds(state: TrickState, side: int) -> list[int]:
    positions = Positions.from_states([state], side)
    compiled, found = positions.rules.compile(), np.zeros(3, np.int64)
    bounds_of(compiled.header, compiled.cards, compiled.suits, positions.rows[0], found)
    return [int(n) for n in found]


def test_trumps_bring_what_is_counted_wanted_or_not() -> None:
    rng, counted, cost = random.Random(3), 0, 0
    for _ in range(POSITIONS):
        state = ending(rng, rng.choice((GoalKind.LEAST, GoalKind.MOST)), trumps=True)
        side = rng.randint(1, (1 << state.rules.seats) - 2)
        tricks, total, _ = bounds(state, side)
        value = naive.minimax(state, side)
        cheapest = min(state.rules.card_cost)
        assert tricks * (state.rules.trick_cost + state.rules.seats * cheapest) <= value
        assert total <= value
        counted, cost = counted + tricks, cost + total
    assert counted > POSITIONS // 3
    assert cost > POSITIONS


@pytest.mark.parametrize("copies", [1, 2])
def test_a_leader_takes_what_is_sure(copies: int) -> None:
    rng, cost = random.Random(4), 0
    for number in range(POSITIONS):
        state = ending(rng, GoalKind.MOST, number % 2 == 0, copies)
        side = 1 << state.leader
        total = bounds(state, side)[2]
        assert total <= naive.minimax(state, side), (state.rules, state.hands, state.leader)
        cost += total
    assert cost > POSITIONS


@pytest.mark.parametrize("copies", [1, 2])
def test_who_is_certain_to_win_a_trick_takes_what_is_counted(copies: int) -> None:
    rng, sure, cost = random.Random(6), 0, 0
    for number in range(3 * POSITIONS):
        state = ending(rng, GoalKind.MOST, number % 2 == 0, copies)
        for _ in range(rng.randint(1, state.rules.seats - 1)):
            state.play(rng.choice(state.legal()))
        side = rng.randint(1, (1 << state.rules.seats) - 2)
        positions = Positions.from_states([state], side)
        compiled = positions.rules.compile()
        total = taken_of(compiled.header, compiled.cards, compiled.suits, positions.rows[0])
        assert total <= naive.minimax(state, side), (state.rules, state.hands, state.table, state.leader, side)
        sure, cost = sure + (total > 0), cost + total
    assert sure > POSITIONS
    assert cost > 10 * POSITIONS


@pytest.mark.parametrize("trumps", [False, True])
def test_tricks_that_come_later_are_taken_whoever_leads(trumps: bool) -> None:
    rng, sure, beyond = random.Random(8), 0, 0
    for _ in range(POSITIONS):
        seats = rng.choice((2, 3, 4, 4))
        deck = Deck("CDHS"[: rng.randint(2, 4)], "23456789TJQKA")
        rules = TrickRules.plain(deck, seats, trump="C" if trumps else None, trick_cost=1)
        size = min(4 if seats == 2 else 3, len(deck) // seats)
        order = rng.sample(range(len(deck)), size * seats)
        if rng.random() < 0.5:
            order.sort(key=lambda c: c // 13 if rng.random() < 0.7 else rng.randrange(4))  # long suits
        hands = [sum(1 << c for c in order[s * size : (s + 1) * size]) for s in range(seats)]
        state = TrickState(rules, hands, rng.randrange(seats), first=False)
        side = 5 if seats == 4 and rng.random() < 0.5 else rng.randint(1, (1 << seats) - 2)
        positions, found = Positions.from_states([state], side), np.zeros(size + 1, np.int64)
        compiled = positions.rules.compile()
        later_of(compiled.header, compiled.cards, compiled.suits, positions.rows[0], found)
        value = naive.minimax(state, side)
        assert max(found) <= value, (hands, state.leader, side, trumps, found, value)
        sure, beyond = sure + found[0], beyond + (max(found) > found[0])
    assert sure > POSITIONS // 3
    assert beyond > POSITIONS // 15


def test_highest_trumps_bring_their_cost_with_copies() -> None:
    rng, cost = random.Random(7), 0
    for _ in range(POSITIONS):
        state = ending(rng, rng.choice((GoalKind.LEAST, GoalKind.MOST)), trumps=True, copies=2)
        side = rng.randint(1, (1 << state.rules.seats) - 2)
        total = bounds(state, side)[1]
        assert total <= naive.minimax(state, side), (state.rules, state.hands, state.leader, side)
        cost += total
    assert cost > POSITIONS


@pytest.mark.parametrize("copies", [1, 2, 3])
def test_shapes_are_kept_card_by_card(copies: int) -> None:
    rng = random.Random(5)
    for _ in range(POSITIONS // 4):
        state = ending(rng, GoalKind.MOST, trumps=True, copies=copies)
        positions = Positions.from_states([state], 1)
        compiled, at, line = positions.rules.compile(), state.copy(), []
        while not at.over:
            line.append(rng.choice(at.legal()))
            at.play(line[-1])
        found = np.zeros((len(line), 2, F.PLANE + 3 - F.COUNTS), np.int64)
        cards = compiled.from_deck[line]
        shapes_of(compiled.header, compiled.cards, compiled.suits, positions.rows[0], cards, found)
        assert (found[:, 0] == found[:, 1]).all()
