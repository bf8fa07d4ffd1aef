"""Deals: numbers and back, uniformity, conditions."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tricktake.cards import Deck
from tricktake.deal import (
    Deal,
    DealNotFound,
    Layout,
    deal,
    deal_where,
    number_of_deals,
    rank_deal,
    rank_permutation,
    unrank_deal,
    unrank_permutation,
)
from tricktake.errors import InputError, TricktakeError

SKAT = Layout(Deck("CSHD", "789QKTAJ"), (10, 10, 10), (("skat", 2),))
SMALL = Layout(Deck("CS", "789"), (2, 1), (("x", 2),))


def chi_square(observed: list[int], expected: float) -> float:
    """In standard deviations from its mean."""
    x = sum((o - expected) ** 2 / expected for o in observed)
    return (x - len(observed) + 1) / math.sqrt(2 * (len(observed) - 1))


def test_number_of_skat_deals() -> None:
    assert number_of_deals(SKAT) == 2_753_294_408_504_640


def test_every_small_deal_has_its_number() -> None:
    total = number_of_deals(SMALL)
    assert total == math.comb(6, 2) * 4 * math.comb(3, 2)
    deals = [unrank_deal(SMALL, i) for i in range(total)]
    assert len(set(deals)) == total
    assert [rank_deal(d) for d in deals] == list(range(total))


@settings(deadline=None)
@given(st.integers(0, 2_753_294_408_504_639))
def test_skat_deals_by_number(rank: int) -> None:
    assert rank_deal(unrank_deal(SKAT, rank)) == rank


@pytest.mark.parametrize("rank", [-1, 2_753_294_408_504_640])
def test_numbers_beyond_the_deals_are_refused(rank: int) -> None:
    with pytest.raises(ValueError, match="is not in"):
        unrank_deal(SKAT, rank)


@pytest.mark.parametrize("n", range(1, 7))
def test_every_permutation_has_its_number(n: int) -> None:
    found = [tuple(unrank_permutation(n, r)) for r in range(math.factorial(n))]
    assert set(found) == set(itertools.permutations(range(n)))
    assert [rank_permutation(p) for p in found] == list(range(math.factorial(n)))


@settings(deadline=None)
@given(st.integers(0, math.factorial(32) - 1))
def test_permutations_of_a_pack_by_number(rank: int) -> None:
    assert rank_permutation(unrank_permutation(32, rank)) == rank


def test_a_number_of_deals_is_no_number_of_shuffles() -> None:
    """SKAT-35 as printed draws below the number of deals: then most orders are never reached."""
    total = number_of_deals(SKAT)
    rng = random.Random(1)
    printed = [unrank_permutation(32, rng.randrange(total))[0] for _ in range(300)]
    assert printed.count(1) > 100  # of 300; uniformly it would be 9
    correct = [unrank_permutation(32, rng.randrange(math.factorial(32)))[0] for _ in range(300)]
    assert correct.count(1) < 30
    with pytest.raises(ValueError, match="32!"):
        unrank_permutation(32, math.factorial(32))


def test_deals_are_uniform() -> None:
    total = number_of_deals(SMALL)
    observed = Counter(rank_deal(deal(SMALL, 11, i)) for i in range(total * 30))
    assert abs(chi_square([observed[r] for r in range(total)], 30)) < 4


def test_every_card_comes_to_every_place() -> None:
    n = 3000
    places = Counter((card, place) for i in range(n) for card, place in enumerate(deal(SKAT, 3, i).owners()))
    for place, size in enumerate(SKAT.sizes):
        observed = [places[card, place] for card in range(32)]
        assert abs(chi_square(observed, n * size / 32)) < 5


def test_a_deal_depends_on_nothing_but_seed_and_id() -> None:
    first = [deal(SKAT, 42, i) for i in range(5)]
    assert [deal(SKAT, 42, i) for i in reversed(range(5))] == first[::-1]
    assert len(set(first)) == 5
    assert deal(SKAT, 43, 0) != first[0]
    assert deal_where(SKAT, 42, 3) == first[3]
    # the series is part of every result that can be repeated: a change here changes them all
    assert deal(SKAT, 1, 0).to_text() == GOLDEN


GOLDEN = "CJ CT C9 SJ ST SK S9 S8 H8 D8 | CA CK C8 C7 SQ S7 HA HK H7 D9 | CQ SA HJ HT HQ H9 DJ DT DK DQ | DA D7"


def test_predealt_cards_lie_where_they_were_put() -> None:
    deck = SKAT.deck
    wanted = {0: deck.parse_mask("CJ SJ HJ"), "skat": deck.parse_mask("D7 D8"), "2": deck.parse_mask("CA")}
    seen = set()
    for i in range(50):
        d = deal_where(SKAT, 1, i, wanted)
        assert d.masks[0] & wanted[0] == wanted[0]
        assert d.place_mask("skat") == wanted["skat"]
        assert d.masks[2] & wanted["2"]
        seen.add(d)
    assert len(seen) == 50


def test_predealt_deals_are_uniform() -> None:
    deck = SMALL.deck
    wanted = {"x": deck.parse_mask("C7")}
    possible = [r for r in range(number_of_deals(SMALL)) if unrank_deal(SMALL, r).masks[2] & 1]
    observed = Counter(rank_deal(deal_where(SMALL, 2, i, wanted)) for i in range(len(possible) * 30))
    assert set(observed) <= set(possible)
    assert abs(chi_square([observed[r] for r in possible], 30)) < 4


def test_deals_under_a_condition() -> None:
    jacks = SKAT.deck.of_rank_mask("J")
    for i in range(10):
        d = deal_where(SKAT, 1, i, predicate=lambda d: (d.masks[1] & jacks).bit_count() >= 3)
        assert (d.masks[1] & jacks).bit_count() >= 3


def test_giving_up_names_the_attempts() -> None:
    with pytest.raises(DealNotFound, match="no deal in 1,234 attempts") as error:
        deal_where(SKAT, 1, 0, predicate=lambda d: False, attempts=1234)
    assert error.value.attempts == 1234
    assert isinstance(error.value, TricktakeError)


@pytest.mark.parametrize(
    ("predeal", "message"),
    [
        ({0: 0b11, 1: 0b10}, "place 1: dealt twice: C8"),
        ({"skat": 0b111}, "place skat: 3 cards, but it holds 2"),
        ({"talon": 1}, "place talon: there is none"),
        ({7: 1}, "place 7: there is none"),
        ({0: 1 << 32}, "not in the deck"),
    ],
)
def test_predeals_that_do_not_fit(predeal: dict, message: str) -> None:
    with pytest.raises(InputError, match=message):
        deal_where(SKAT, 1, 0, predeal)


def test_text_round_trip_and_wrong_deals() -> None:
    d = deal(SKAT, 9, 9)
    assert Deal.from_text(SKAT, d.to_text()) == d
    masks = list(d.masks)
    with pytest.raises(ValueError, match="places in the deal"):
        Deal(SKAT, tuple(masks[:3]))
    with pytest.raises(ValueError, match="must hold 10"):
        Deal(SKAT, (masks[0] & (masks[0] - 1), *masks[1:]))
    with pytest.raises(ValueError, match="dealt twice"):
        Deal(SKAT, (masks[0], masks[0], *masks[2:]))
    with pytest.raises(ValueError, match="to deal from"):
        Layout(SKAT.deck, (20, 20))
