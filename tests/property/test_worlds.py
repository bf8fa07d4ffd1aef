"""Knowledge and worlds against every assignment tried out."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.naive import grouped_count, naive_worlds
from tests.strategies import random_knowledge
from tricktake import worlds
from tricktake.cards import Deck, unsigned
from tricktake.deal import Layout, deal
from tricktake.knowledge import Knowledge

pytestmark = pytest.mark.kernel
FULL = (1 << 64) - 1
SKAT = Layout(Deck("CSHD", "789QKTAJ"), (10, 10, 10), (("skat", 2),))


def as_masks(k: Knowledge, world: dict[int, int]) -> tuple[int, ...]:
    masks = list(k.known)
    for card, slot in world.items():
        if k.hidden[slot].index < len(masks):
            masks[k.hidden[slot].index] |= 1 << card
    return tuple(masks)


def rows(worlds: np.ndarray) -> list[tuple[int, ...]]:
    return [tuple(unsigned(mask) for mask in row) for row in worlds]


@settings(max_examples=70, deadline=None)
@given(random_knowledge())
def test_counts_lists_and_numbers_all_worlds(k: Knowledge) -> None:
    expected = {as_masks(k, w) for w in naive_worlds(k)}
    number = len(list(naive_worlds(k)))
    assert worlds.count(k) == grouped_count(k) == number
    assert k.feasible() == (number > 0)
    found = worlds.enumerate(k)
    assert len(found) == number
    assert set(rows(found)) == expected
    assert all(k.contains(w) for w in expected)
    if number:
        assert worlds.rank(k, found).tolist() == list(range(number))
    with pytest.raises(worlds.TooManyWorlds):
        worlds.enumerate(k, cap=number - 1)


@settings(max_examples=70, deadline=None)
@given(random_knowledge())
def test_every_possible_place_is_possible_in_a_world(k: Knowledge) -> None:
    """Tight: what is not ruled out happens, and what must be, is so in all worlds."""
    everything = list(naive_worlds(k))
    assume(everything)
    for slot, place in enumerate(k.hidden):
        may = {c for w in everything for c, s in w.items() if s == slot}
        must = {c for c in everything[0] if all(w[c] == slot for w in everything)}
        assert k.unseen & ~k.cannot[slot] == sum(1 << c for c in may)
        assert k.must[slot] == sum(1 << c for c in must)
        assert k.may_hold_mask(place.index) & k.unseen == sum(1 << c for c in may)


@settings(max_examples=50, deadline=None)
@given(random_knowledge(), st.data())
def test_learning_more_keeps_exactly_the_worlds_that_fit(k: Knowledge, data: st.DataObject) -> None:
    assume(k.hidden)
    everything = list(naive_worlds(k))
    slot = data.draw(st.integers(0, len(k.hidden) - 1))
    place = k.hidden[slot].index
    card = data.draw(st.sampled_from([c for c in range(32) if k.unseen >> c & 1]))
    without = k.with_cannot(place, 1 << card)
    assert worlds.count(without) == sum(w[card] != slot for w in everything)
    held = sum(w[card] == slot for w in everything)
    if held:
        assert worlds.count(k.with_card(place, card)) == held
    elif everything:
        with pytest.raises(ValueError, match="cannot lie"):
            k.with_card(place, card)


def chi_square(observed: list[int], expected: list[float]) -> float:
    """In standard deviations from its mean."""
    x = sum((o - e) ** 2 / e for o, e in zip(observed, expected, strict=True))
    degrees = len(observed) - 1
    return (x - degrees) / math.sqrt(2 * degrees)


def some_knowledge() -> Knowledge:
    layout = Layout(Deck("CS", "789T"), (2, 2, 2), (("x", 1),))
    return Knowledge.make(layout, (0, 0, 0, 0), layout.sizes, 0, {0: 0b11, 2: 0b1000010, 3: 0b1})


def test_samples_are_uniform() -> None:
    k = some_knowledge()
    n = 20 * worlds.count(k)
    drawn = worlds.sample(k, n, np.random.default_rng(7))
    numbers = np.bincount(worlds.rank(k, drawn), minlength=worlds.count(k))
    assert abs(chi_square(numbers.tolist(), [20.0] * len(numbers))) < 4


def test_draws_by_chance_are_uniform_too() -> None:
    """The path for more than 2^62 worlds, on fewer."""
    k = some_knowledge()
    n = 20 * worlds.count(k)
    problem = worlds._problem(k, worlds._allowed(k), np.float64)
    drawn = worlds._draw(problem, n, np.random.default_rng(8))
    numbers = np.bincount(worlds.rank(k, drawn), minlength=worlds.count(k))
    assert abs(chi_square(numbers.tolist(), [20.0] * len(numbers))) < 4


def test_same_seed_same_worlds() -> None:
    k = some_knowledge()
    a, b = (worlds.sample(k, 50, np.random.default_rng(3)) for _ in range(2))
    assert (a == b).all()
    assert (a != worlds.sample(k, 50, np.random.default_rng(4))).any()


@pytest.mark.parametrize("n", range(10))
def test_skat_counts_at_the_start_of_a_trick(n: int) -> None:
    """GAP-8: C(20-2n, 10-n) for the declarer, (22-2n)! / ((10-n)!^2 2!) for a defender."""
    d = deal(SKAT, 1, n)
    hands = [sum(1 << c for c in [c for c in range(32) if m >> c & 1][n:]) for m in d.hands]
    gone = SKAT.deck.full_mask & ~(hands[0] | hands[1] | hands[2] | d.masks[3])
    sizes = (10 - n, 10 - n, 10 - n, 2)
    declarer = Knowledge.make(SKAT, (hands[0], 0, 0, d.masks[3]), sizes, gone)
    assert worlds.count(declarer) == grouped_count(declarer) == math.comb(20 - 2 * n, 10 - n)
    defender = Knowledge.make(SKAT, (hands[0], 0, 0, 0), sizes, gone)
    expected = math.factorial(22 - 2 * n) // (math.factorial(10 - n) ** 2 * 2)
    assert worlds.count(defender) == grouped_count(defender) == expected


def test_known_skat_counts() -> None:
    expected = {0: 42_678_636, 3: 411_840, 4: 84_084, 5: 16_632, 6: 3_150}
    for n, number in expected.items():
        sizes = (10 - n, 10 - n, 10 - n, 2)
        order = list(range(32))
        own = sum(1 << c for c in order[: 10 - n])
        gone = sum(1 << c for c in order[32 - 3 * n :]) if n else 0
        assert worlds.count(Knowledge.make(SKAT, (own, 0, 0, 0), sizes, gone)) == number


def test_a_deck_of_64_cards_with_more_worlds_than_a_machine_word() -> None:
    layout = Layout(Deck("CSHD", "23456789TJQKABEF"), (9,) * 7)
    d = deal(layout, 5, 1)
    k = Knowledge.make(layout, (*d.masks[:5], 0, 0), layout.sizes)
    assert worlds.count(k) == math.comb(19, 9) * math.comb(10, 9)
    for world in rows(worlds.sample(k, 50, np.random.default_rng(0))):
        assert k.contains(world)
    big = Knowledge.make(layout, (*d.masks[:3], 0, 0, 0, 0), layout.sizes)
    number = math.factorial(37) // math.factorial(9) ** 4
    assert worlds.count(big) == number > 1 << 62
    clubs = sum(1 << c for c in range(16))
    void = big.with_cannot(3, clubs).with_cannot(4, clubs << 16)
    assert grouped_count(void) == worlds.count(void) < number
    for world in rows(worlds.sample(big, 20, np.random.default_rng(0))):
        assert big.contains(world)
    with pytest.raises(worlds.TooManyWorlds, match="cannot be numbered"):
        worlds.unrank(big, np.zeros(1, np.int64))


def test_contradictions_are_named() -> None:
    k = some_knowledge().with_cannot(0, FULL)
    assert not k.feasible()
    assert worlds.count(k) == 0
    with pytest.raises(worlds.NoWorld, match="no world fits"):
        worlds.sample(k, 1, np.random.default_rng(0))
    with pytest.raises(ValueError, match="known in place"):
        Knowledge.make(SKAT, (0b111, 0, 0, 0), (2, 10, 10, 2))
    with pytest.raises(ValueError, match="more cards are hidden"):
        Knowledge.make(SKAT, (0, 0, 0, 0), SKAT.sizes, gone=1)
