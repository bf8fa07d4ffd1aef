"""Deals: numbers and back, uniformity, conditions."""

from __future__ import annotations

import itertools
import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import naive_deal
from tricktake._kernels import deal as kernel
from tricktake.cards import Deck, signed, unsigned
from tricktake.deal import (
    Deal,
    DealNotFound,
    Layout,
    deal,
    deal_where,
    deals,
    number_of_deals,
    rank_deal,
    unrank_deal,
)
from tricktake.errors import InputError, TricktakeError
from tricktake.jit import interpreted

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


def test_deals_are_uniform() -> None:
    total = number_of_deals(SMALL)
    made = (Deal(SMALL, tuple(row)) for row in deals(SMALL, 11, 0, total * 100).tolist())
    observed = Counter(map(rank_deal, made))
    assert abs(chi_square([observed[r] for r in range(total)], 100)) < 4


def test_cards_that_lie_aside_are_not_dealt() -> None:
    """The last two cards make up the last place in every deal; the others are dealt as if these were not there."""
    deck = Deck("C", "789T", extra=(("X1", "X", "1"), ("X2", "X", "2")))
    layout, rest = Layout(deck, (1, 1), (("stock", 2), ("blanks", 2)), aside=2), Layout(Deck("C", "789T"), (1, 1))
    blanks = deck.parse_mask("X1 X2")
    assert layout.aside_cards_mask == layout.aside_cards().mask == blanks
    assert Layout(deck, (1, 1)).aside_cards_mask == 0
    total = number_of_deals(layout)
    assert total == 12
    made = [unrank_deal(layout, rank) for rank in range(total)]
    assert len(set(made)) == total
    assert [rank_deal(d) for d in made] == list(range(total))
    for number, row in enumerate(deals(layout, 8, 0, 40).tolist()):
        one = deal(layout, 8, number)
        assert one.masks == tuple(row)
        assert one.masks[-1] == blanks
        assert one.hands == deal(rest, 8, number).hands
        given = deal_where(layout, 8, number, {0: deck.parse_mask("C7")})
        assert given.masks[0] == deck.parse_mask("C7")
        assert given.masks[-1] == blanks
    with pytest.raises(InputError, match="dealt twice: X1"):
        deal_where(layout, 8, 0, {0: deck.parse_mask("X1")})
    with pytest.raises(ValueError, match="last place must hold the 1 cards"):
        Layout(deck, (1, 1), (("blanks", 2), ("stock", 2)), aside=1)


def test_every_card_comes_to_every_place_and_pairs_come_together() -> None:
    n = 200_000
    made = deals(SKAT, 3, 0, n)
    for place, size in enumerate(SKAT.sizes):
        observed = [int((made[:, place] >> card & 1).sum()) for card in range(32)]
        assert abs(chi_square(observed, n * size / 32)) < 5
    pairs = [int((made[:, 0] >> a & made[:, 0] >> b & 1).sum()) for a, b in itertools.combinations(range(32), 2)]
    assert abs(chi_square(pairs, n * 90 / (32 * 31))) < 5


def test_neighbours_in_a_series_have_nothing_in_common() -> None:
    """Numbers, seeds and attempts that differ in one bit: as many cards in the same place as chance gives."""
    n = 50_000
    expected = 32 * sum((size / 32) ** 2 for size in SKAT.sizes)
    for seed, first in ((5, 1), (4, 0), (5, 1 << 32), (5 | 1 << 63, 0)):
        same = np.bitwise_count(deals(SKAT, 5, 0, n) & deals(SKAT, seed, first, n)).sum(axis=1).mean()
        assert abs(same - expected) < 5 * 2.5 / math.sqrt(n)


def test_a_deal_depends_on_nothing_but_seed_and_id() -> None:
    first = [deal(SKAT, 42, i) for i in range(5)]
    assert [deal(SKAT, 42, i) for i in reversed(range(5))] == first[::-1]
    assert len(set(first)) == 5
    assert deal(SKAT, 43, 0) != first[0]
    assert deal_where(SKAT, 42, 3) == first[3]
    # the series is part of every result that can be repeated: a change here changes them all
    assert deal(SKAT, 1, 0).to_text() == GOLDEN


# -- the one stream ---------------------------------------------------------------------------------------------------

WORDS = st.integers(0, 2**64 - 1)


def test_the_twin_is_chacha() -> None:
    """RFC 8439, 2.3.2: key 0, 1, ..., 31; counter 1; nonce 00 00 00 09 00 00 00 4a 00 00 00 00; 20 rounds."""
    last_row = bytes([1, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0x4A, 0, 0, 0, 0])
    words = naive_deal.chacha(bytes(range(32)), last_row, 20)
    assert words[:4] == [0xE4E7F110, 0x15593BD1, 0x1FDD0F50, 0xC47120A3]
    assert words[12:] == [0xD19C12B5, 0xB94E16DE, 0xE883D0CB, 0x4E3C50A2]


@pytest.mark.kernel
@settings(deadline=None, max_examples=60)
@given(WORDS, WORDS, st.integers(0, 2**32 - 1), st.integers(1, 64))
def test_the_shuffle_and_its_twin(seed: int, number: int, attempt: int, n: int) -> None:
    expected = naive_deal.shuffled(list(range(n)), seed, number, attempt)
    compiled = np.arange(n)
    kernel.shuffle(signed(seed), signed(number), attempt, compiled)
    assert compiled.tolist() == expected
    plain = list(range(n))
    interpreted(kernel.shuffle)(seed, number, attempt, plain)
    assert plain == expected


@pytest.mark.kernel
@settings(deadline=None, max_examples=30)
@given(WORDS, WORDS)
def test_one_deal_and_many_are_the_same(seed: int, number: int) -> None:
    first = min(number, 2**64 - 3)
    whole = Layout(Deck("ABCD", "0123456789abcdef"), (16, 16, 16), (("rest", 10),))  # the deck of 64, six unused
    for layout in (SKAT, SMALL, whole):
        many = deals(layout, seed, first, 3)
        for n in range(3):
            assert tuple(unsigned(mask) for mask in many[n]) == deal(layout, seed, first + n).masks
            assert deal_where(layout, seed, first + n) == deal(layout, seed, first + n)


@pytest.mark.kernel
def test_words_that_would_favour_cards_are_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of seed 0 this is the first deal of 64 cards that needs another word: one in some two million does."""
    seed, number, drawn = 0, 4_381_128, 28
    expected = naive_deal.shuffled(list(range(64)), seed, number)
    order = np.arange(64)
    kernel.shuffle(seed, number, 0, order)
    assert order.tolist() == expected
    monkeypatch.setattr(naive_deal, "REFUSE", False)
    careless = naive_deal.shuffled(list(range(64)), seed, number)
    assert careless[:drawn] == expected[:drawn]
    assert careless[drawn] != expected[drawn]


def test_no_two_deals_of_any_seeds_are_the_same() -> None:
    """64 bits of each count: with a hash to 32 bits some 70 of these deals would be the same."""
    many = [deals(SKAT, seed, first, 50_000) for seed in (0, 1, 1 << 32, 1 << 63) for first in (0, 1 << 32, 1 << 62)]
    rows = np.concatenate(many)
    assert len(np.unique(rows, axis=0)) == len(rows)


@pytest.mark.parametrize(("seed", "number"), [(-1, 0), (0, -1), (2**64, 0), (0, 2**64)])
def test_other_numbers_are_no_seeds(seed: int, number: int) -> None:
    for make in (deal, deal_where):
        with pytest.raises(InputError, match=r"must be a whole number from 0 to 2\*\*64 - 1"):
            make(SKAT, seed, number)
    with pytest.raises(InputError, match="must be a whole number"):
        deals(SKAT, seed, number, 1)


GOLDEN = "CJ CT SK SQ HA HT H9 H8 DT D7 | CA SJ ST S8 S7 HJ HQ H7 DJ DA | CK CQ C9 C8 SA S9 HK DK DQ D9 | C7 D8"


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
