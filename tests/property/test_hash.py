"""Hashes of feature vectors are injective, lexicographic and reversible (OUTER-6, 7)."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.naive_learning import naive_bit_rank, naive_bit_unrank, naive_radix_rank
from tricktake.errors import InputError
from tricktake.learning.hash import PACKINGS, Hash, bit_packed, mixed_radix

pytestmark = pytest.mark.kernel


@st.composite
def vectors(draw, most: int = 30) -> tuple[list[int], list[list[int]]]:
    """Domains that fit a word, and some vectors."""
    domains = draw(st.lists(st.integers(1, most), min_size=1, max_size=9))
    one = st.tuples(*(st.integers(0, domain - 1) for domain in domains)).map(list)
    return domains, draw(st.lists(one, min_size=1, max_size=20))


@pytest.mark.parametrize("name", PACKINGS)
@given(vectors())
def test_rank_is_injective_lexicographic_and_reversible(name, case) -> None:
    domains, found = case
    made = PACKINGS[name](domains)
    keys = made.rank(found).tolist()
    assert made.unrank(keys).tolist() == found
    for a, key_a in zip(found, keys, strict=True):
        assert 0 <= key_a < made.capacity
        for b, key_b in zip(found, keys, strict=True):
            assert (key_a < key_b) == (a < b)


@given(vectors())
def test_bit_packing_is_that_of_the_paper(case) -> None:
    domains, found = case
    made = bit_packed(domains)
    for vector in found:
        key = naive_bit_rank(vector, domains)
        assert made.rank([vector]).tolist() == [key]
        assert tuple(made.unrank([key])[0].tolist()) == naive_bit_unrank(key, domains) == tuple(vector)


@given(vectors())
def test_mixed_radix_is_that_of_the_paper(case) -> None:
    domains, found = case
    assert mixed_radix(domains).rank(found).tolist() == [naive_radix_rank(v, domains) for v in found]


@given(st.lists(st.integers(1, 5), min_size=1, max_size=4))
def test_mixed_radix_is_minimal(domains) -> None:
    made = mixed_radix(domains)
    assert made.capacity == math.prod(domains)
    every = made.unrank(range(made.capacity)).tolist()
    assert len({tuple(vector) for vector in every}) == made.capacity
    assert made.rank(every).tolist() == list(range(made.capacity))


@pytest.mark.parametrize("name", PACKINGS)
def test_a_word_can_be_filled_and_not_overfilled(name) -> None:
    largest = [2] * 62 if name == "mixed-radix" else [2] * 63
    made = PACKINGS[name](largest)
    assert made.unrank([made.capacity - 1]).tolist() == [[1] * len(largest)]
    with pytest.raises(InputError, match=r"need \d+ bits, a key has 63; the widest: wide \(2\), feature"):
        PACKINGS[name]([2] * 64, ["wide", *(f"feature {i}" for i in range(63))])


@pytest.mark.parametrize("name", PACKINGS)
def test_what_is_outside_is_refused(name) -> None:
    made: Hash = PACKINGS[name]([3, 5])
    for vector in ([3, 0], [0, 5], [-1, 0]):
        with pytest.raises(InputError, match="outside"):
            made.rank([vector])
    with pytest.raises(InputError, match="1 given, 2 needed"):
        made.rank([[1]])
    for key in (-1, made.capacity):
        with pytest.raises(InputError, match="keys are 0 to"):
            made.unrank([key])


def test_a_packed_key_that_no_vector_has_is_refused() -> None:
    with pytest.raises(InputError, match="no feature vector has it"):
        bit_packed([3, 5]).unrank([0b11_000])
