"""Suit factors against a twin that tries every reply and every split."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tricktake import factor
from tricktake.kernels import factor as kernel

A, T, K, Q, N9, N8, N7 = (1 << i for i in (6, 5, 4, 3, 2, 1, 0))
PLAIN = 127

Cards = frozenset[int]


@cache
def naive_tricks(own: Cards, left: Cards, right: Cards, question: int) -> int:
    """Tricks of the leading side with best play, every reply tried."""
    if not left and not right:
        return len(own)
    leads = {max(own)} if question == factor.FROM_TOP and own else own
    return max((naive_lead(own, left, right, question, lead) for lead in leads), default=0)


def naive_lead(own: Cards, left: Cards, right: Cards, question: int, lead: int) -> int:
    worst = 99
    for a in left or {-1}:
        for b in right or {-1}:
            won = lead > max(a, b)
            total = int(won)
            if won or question != factor.STRAIGHT:
                total += naive_tricks(own - {lead}, left - {a}, right - {b}, question)
            worst = min(worst, total)
    return worst


def naive_expected(own: Cards, others: Cards, hand: int, question: int) -> float:
    """The mean over all ways to deal two hands of which the other cards are of other suits."""
    filler = [100 + i for i in range(2 * hand - len(others))]
    total, n = 0, 0
    for left in combinations([*others, *filler], hand):
        held = frozenset(left) & others
        total += naive_tricks(own, held, others - held, question)
        n += 1
    return total / n


def places(mask: int) -> Cards:
    return frozenset(i for i in range(11) if mask >> i & 1)


factors = st.lists(st.sampled_from((0, 1, 2)), min_size=11, max_size=11).map(
    lambda digits: (
        sum(1 << i for i, d in enumerate(digits) if d == 1),
        sum(1 << i for i, d in enumerate(digits) if d == 2),
    )
)
small = factors.filter(lambda f: f[1].bit_count() <= 5 and f[0].bit_count() <= 4)


@pytest.mark.kernel
def test_the_small_game_is_solved_as_by_the_twin() -> None:
    values = np.zeros((kernel.QUESTIONS, kernel.DEALS), np.int64)
    kernel.solve(values, 5)
    for n in range(6):
        for deal in range(3**n):
            digits = [deal // 3**i % 3 for i in range(n)]
            own, left, right = (frozenset(i for i, d in enumerate(digits) if d == who) for who in range(3))
            for question in range(kernel.QUESTIONS):
                found = values[question, kernel.OFFSETS[n] + deal]
                assert found == naive_tricks(own, left, right, question), (own, left, right, question)


@given(small, st.integers(0, 2), st.integers(3, 6))
@settings(max_examples=60, deadline=None)
def test_averages_are_those_over_all_splits(pair: tuple[int, int], question: int, hand: int) -> None:
    own, others = pair
    found = factor.expected(own, others, hand, question)
    assert found == pytest.approx(naive_expected(places(own), places(others), hand, question))


@given(small)
@settings(max_examples=60, deadline=None)
def test_sure_tricks_are_the_worst_split(pair: tuple[int, int]) -> None:
    own, others = places(pair[0]), places(pair[1])
    splits = [frozenset(s) for i in range(len(others) + 1) for s in combinations(others, i)]
    worst = min(naive_tricks(own, s, others - s, factor.RETAKING) for s in splits)
    assert factor.sure(*pair) == worst
    assert factor.standing(*pair) <= worst  # what stands wins
    held = min(2, len(others))
    mean = np.mean([naive_tricks(own, s, others - s, factor.RETAKING) for s in splits if len(s) == held])
    assert factor.given_split(*pair, held) == pytest.approx(mean)


@given(small)
@settings(max_examples=40, deadline=None)
def test_no_lead_wins_more_than_the_best(pair: tuple[int, int]) -> None:
    own, others = places(pair[0]), places(pair[1])
    best = factor.best_lead(*pair, cards=5)
    if not own:
        assert best == -1
        return
    worth = dict.fromkeys(own, 0.0)
    filler = [100 + i for i in range(10 - len(others))]
    for left in combinations([*others, *filler], 5):
        held = frozenset(left) & others
        for lead in own:
            if others:
                worth[lead] += naive_lead(own, held, others - held, factor.RETAKING, lead)
    assert worth[best] == pytest.approx(max(worth.values()))


@given(factors)
@settings(deadline=None)
def test_codes_and_sequences(pair: tuple[int, int]) -> None:
    own, others = pair
    sequence = factor.sequence(own, others)
    play = [i for i in range(10, -1, -1) if (own | others) >> i & 1]
    assert sequence == int("1" + "".join(str(own >> i & 1) for i in play), 2)
    assert factor.tables().sequences[factor.code(own, others)] == sequence


def test_every_deal_of_a_suit_has_a_code() -> None:
    codes = {factor.code(own, (PLAIN & ~own) & m) for own in range(128) for m in range(128)}
    assert codes == set(range(3**7))
    assert len(factor.tables().sequences) == 3**11


@pytest.mark.parametrize(
    ("own", "worst", "certain", "mean"),
    [
        (A | T | K, 3, 3, 3.0),
        (A | K, 1, 1, 1 + 0.054),  # the ten falls under the ace only if it is bare
        (T | K, 0, 1, 1.0),
        (A | Q | N9 | N8, 1, 2, 2.79),
        (N9 | N8, 0, 0, 0.0),
    ],
)
def test_familiar_suits(own: int, worst: int, certain: int, mean: float) -> None:
    others = PLAIN & ~own
    assert factor.standing(own, others) == worst
    assert factor.sure(own, others) == certain
    assert factor.expected(own, others) == pytest.approx(mean, abs=0.001)


def test_the_lead_that_drives_out_the_ace_is_the_cheaper_one() -> None:
    assert factor.best_lead(T | K, PLAIN & ~(T | K)) == 4
    assert factor.best_lead(A | T, PLAIN & ~(A | T)) == 6


def test_tenaces() -> None:
    jc, js, jh, _jd = (1 << i for i in (10, 9, 8, 7))
    rest = (1 << 11) - 1
    assert factor.tenaces(jc | jh, rest & ~(jc | jh)) == 1
    assert factor.tenaces(jc | js, rest & ~(jc | js)) == 0
    assert factor.tenaces(jc | jh | A, rest & ~(jc | jh | A)) == 2
    assert factor.tenaces(jc | jh, rest & ~(jc | js | jh)) == 0  # the jack between is gone


def test_what_is_no_factor_is_refused() -> None:
    for own, others in ((1, 1), (1 << 11, 0), (-1, 0)):
        with pytest.raises(ValueError, match="no factor"):
            factor.sequence(own, others)
    with pytest.raises(ValueError, match="hands have"):
        factor.expected(1, 2, 12)
