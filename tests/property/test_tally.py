"""What bounds count: a bound that was proven for some costs, carried over to others, against minimax."""

from __future__ import annotations

import random
from collections.abc import Iterable
from itertools import chain

import numba
import numpy as np
import pytest
from attrs import evolve

from tests import naive
from tricktake._kernels import opencard, patterns, play, tally
from tricktake._kernels import opencard_state as S
from tricktake._kernels._jit import njit
from tricktake._kernels.layout import C_COST
from tricktake._kernels.order import set_weights
from tricktake._kernels.transposition import new_epoch
from tricktake.cards import Deck
from tricktake.rules import Goal, GoalKind, Tie, TrickRules
from tricktake.search.ordering import shipped
from tricktake.search.positions import Positions
from tricktake.search.tables import transposition_table
from tricktake.trick import TrickState

pytestmark = pytest.mark.kernel

POSITIONS = 300 if not numba.config.DISABLE_JIT else 20
MOST_CARDS = {2: 5, 3: 4, 4: 3}


@njit
def tally_of(header, cards, suits, weights, row, need, t, found):
    """A bound on what the side gets, from the question whether it gets ``need``, and its tally."""
    w = np.zeros(opencard.WORK, np.int64)
    play.pack(header, cards, suits, w)
    set_weights(w, weights)
    new_epoch(t)
    patterns.forget(t)
    opencard.prepare(w, t, row)
    opencard.load(w, row)
    w[S.LIMIT] = 1 << 40
    found[0] = opencard.search(w, t, need)
    found[1] = w[S.TALLY]
    found[2] = w[S.TALLY + 1]


@njit
def carried_of(header, cards, suits, row, there, always, ever, here, lower, found):
    """What ``carried`` says of two positions of a deal."""
    w = np.zeros(opencard.WORK, np.int64)
    play.pack(header, cards, suits, w)
    opencard.load(w, row)
    for seat in range(len(row[: S.SEATS])):
        w[S.HOME + seat] = w[S.HANDS + seat]
    found[0] = tally.carried(w, there, always, ever, here, lower)
    found[1] = w[S.TALLY]
    found[2] = w[S.TALLY + 1]


def ending(rng: random.Random) -> TrickState:
    """A random ending whose cards differ in cost."""
    seats, copies = rng.choice((2, 3, 4)), rng.choice((1, 2))
    deck = Deck("CDHS"[: rng.randint(2, 4)], "789TJQKA" if copies == 1 else "TJQKA", copies)
    rules = TrickRules.plain(
        deck,
        seats,
        trump=rng.choice((None, "C", "C")),
        card_cost=costs(rng, len(deck)),
        trick_cost=rng.randint(0, 2),
        goals=(Goal(rng.choice((GoalKind.MOST, GoalKind.LEAST))),) * seats,
        ties=rng.choice(list(Tie)),
    )
    size = rng.randint(2, min(MOST_CARDS[seats], len(deck) // seats))
    order = rng.sample(range(len(deck)), size * seats)
    hands = [sum(1 << c for c in order[s * size : (s + 1) * size]) for s in range(seats)]
    state = TrickState(rules, hands, rng.randrange(seats), first=False)
    for _ in range(rng.choice((0, 0, 1, 2))):
        state.play(rng.choice(state.legal()))
    return state


def costs(rng: random.Random, n: int) -> tuple[int, ...]:
    return tuple(rng.choice((0, 0, 2, 3, 4, 10, 11)) for _ in range(n))


def naive_carried(
    cost: list[int], there: list[list[int]], here: list[list[int]], always: set[int], ever: set[int], lower: bool
) -> tuple[int, set[int], set[int]]:
    """By how much a bound changes, and the tally of here: the cards of each hand paired in order."""
    pairs = {a: b for x, y in zip(there, here, strict=True) for a, b in zip(sorted(x), sorted(y), strict=True)}
    more = {a: cost[b] - cost[a] for a, b in pairs.items()}
    total = sum(more[a] for a in always) + sum((min if lower else max)(more[a], 0) for a in ever - always)
    return total, {pairs[a] for a in always}, {pairs[a] for a in ever}


def cards_of(mask: int) -> set[int]:
    return {c for c in range(64) if mask >> c & 1}


def mask_of(cards: Iterable[int]) -> np.int64:
    return np.int64(sum(1 << c for c in cards))


def test_a_bound_holds_with_other_costs_as_far_as_its_tally_says() -> None:
    rng, table, weights = random.Random(11), transposition_table(1 << 14), shipped().array
    telling = 0
    for _ in range(POSITIONS):
        state = ending(rng)
        deck, side = state.rules.deck, rng.randrange(1, (1 << state.rules.seats) - 1)
        rules = evolve(state.rules, card_cost=costs(rng, len(deck)))
        other = TrickState(rules, state.hands, state.leader, table=tuple(state.table), first=False)
        need = naive.minimax(state, side) + rng.randint(0, 1)
        positions = Positions.from_states([state], side)
        compiled, found = positions.rules.compile(), np.zeros(3, np.int64)
        tally_of(compiled.header, compiled.cards, compiled.suits, weights, positions.rows[0], need, table, found)
        bound, lower = int(found[0]), found[0] >= need
        always, ever = ({int(compiled.to_deck[c]) for c in cards_of(int(mask))} for mask in found[1:])
        more = [new - old for new, old in zip(rules.card_cost, state.rules.card_cost, strict=True)]
        unsure = sum((min if lower else max)(more[c], 0) for c in ever - always)
        carried = bound + sum(more[c] for c in always) + unsure
        value = naive.minimax(other, side)
        assert value >= carried if lower else value <= carried, (state.rules, rules, state.hands, state.table, side)
        telling += any(more) and carried == value
    assert telling > POSITIONS // 4


def test_bounds_are_carried_card_by_card() -> None:
    rng, found = random.Random(12), np.zeros(3, np.int64)
    for _ in range(POSITIONS):
        positions = Positions.from_states([ending(rng)], 1)
        compiled, row = positions.rules.compile(), positions.rows[0]
        hands = [sorted(cards_of(int(row[seat]))) for seat in range(positions.rules.seats)]
        sizes = [rng.randint(0, len(hand)) for hand in hands]
        there, here = ([rng.sample(*each) for each in zip(hands, sizes, strict=True)] for _ in range(2))
        ever = {c for hand in there for c in hand if rng.random() < 0.7}
        always = {c for c in ever if rng.random() < 0.5}
        lower = rng.random() < 0.5
        masks = [mask_of(chain(*there)), mask_of(always), mask_of(ever), mask_of(chain(*here))]
        carried_of(compiled.header, compiled.cards, compiled.suits, row, *masks, np.int64(lower), found)
        cost = [int(c) for c in compiled.cards[C_COST]]
        assert (int(found[0]), *(cards_of(int(n)) for n in found[1:])) == naive_carried(
            cost, there, here, always, ever, lower
        )
