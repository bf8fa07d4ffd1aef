"""Cards, decks, sets of cards."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tricktake.cards import CardSet, Deck, bits, signed
from tricktake.errors import AmbiguousName, InvalidCard

SKAT = Deck("CSHD", "789QKTAJ")
DOUBLE = Deck("CSHD", "9TJQKA", copies=2)
masks = st.integers(0, SKAT.full_mask)


def test_instances_and_kinds() -> None:
    assert len(SKAT) == 32
    assert len(DOUBLE) == 48
    assert len({card.kind for card in DOUBLE}) == 24
    assert [card.name for card in DOUBLE][:4] == ["C9", "C9'", "CT", "CT'"]
    assert SKAT.card("CJ").index == 7
    assert str(SKAT[31]) == "DJ"
    assert all(SKAT[card.index] is card for card in SKAT)


@pytest.mark.parametrize(("text", "name"), [("sa", "SA"), ("AS", "SA"), (" tD ", "DT"), ("7c", "C7")])
def test_cards_are_read_in_either_order(text: str, name: str) -> None:
    assert SKAT.card(text).name == name


def test_every_name_is_read_back() -> None:
    for deck in (SKAT, DOUBLE, Deck("CSHD", "23456789TJQKA", rank_first=True)):
        for card in deck:
            assert deck.card(card.name) is card
            assert deck.parse_mask(deck.names(card.mask)) == card.mask or card.copy


def test_a_name_with_two_readings_is_ambiguous() -> None:
    deck = Deck("AB", "AB")  # suit A rank B, or suit B rank A
    with pytest.raises(AmbiguousName, match="'AB' can be read as AB or BA"):
        deck.card("AB")
    assert deck.card("AA").index == 0


def test_unknown_and_double_cards_are_named() -> None:
    with pytest.raises(InvalidCard, match="'C2'"):
        SKAT.card("C2")
    with pytest.raises(InvalidCard):
        SKAT.card("")
    with pytest.raises(InvalidCard, match="twice"):
        SKAT.parse_mask("CA HA CA")
    with pytest.raises(InvalidCard, match="twice"):
        DOUBLE.parse_mask("CA CA CA")


def test_copies_are_taken_one_after_the_other() -> None:
    both = DOUBLE.parse_mask("CA CA")
    assert DOUBLE.names(both) == "CA' CA"
    assert DOUBLE.parse_mask("CA'") == DOUBLE.card("CA'").mask
    assert DOUBLE.parse_mask("CA' CA") == both


def test_extra_cards_and_limits() -> None:
    tarock = Deck("CSHD", "JCQK", extra=(("Mond", "T", "21"), ("Sküs", "T", "22")))
    assert tarock.card("mond").rank == "21"
    assert tarock.parse_mask("SKÜS CK").bit_count() == 2
    with pytest.raises(ValueError, match="at most 128"):
        Deck("CSHD", "23456789TJQKA", copies=3)
    with pytest.raises(ValueError, match="same name"):
        Deck("CS", "7", extra=(("C7", "C", "7"),))
    with pytest.raises(ValueError, match="same name"):
        Deck("CS", "7", extra=(("c7", "C", "7"),))


def test_suits_and_ranks() -> None:
    assert SKAT.names(SKAT.of_rank_mask("J")) == "CJ SJ HJ DJ"
    assert SKAT.of_suit_mask("S") == 0xFF00
    assert DOUBLE.of_rank_mask("A").bit_count() == 8
    assert SKAT.parse_mask("CA.SA,HA|DA") == SKAT.of_rank_mask("A")


@given(masks, masks)
def test_sets_are_sets(a: int, b: int) -> None:
    x, y = CardSet(SKAT, a), CardSet(SKAT, b)
    xs, ys = set(x), set(y)
    assert set(x | y) == xs | ys
    assert set(x & y) == xs & ys
    assert set(x - y) == xs - ys
    assert set(x ^ y) == xs ^ ys
    assert (x <= y) == (xs <= ys)
    assert len(x) == len(xs)
    assert bool(x) == bool(xs)
    assert CardSet.of(SKAT, xs) == x
    assert SKAT.parse(str(x)) == x
    assert list(bits(a)) == [card.index for card in x]
    assert all(card in x and card.name in x for card in xs)


def test_sets_of_different_decks_do_not_mix() -> None:
    with pytest.raises(ValueError, match="different decks"):
        CardSet(SKAT) | CardSet(DOUBLE)
    assert "CA" not in CardSet(SKAT)
    assert SKAT.full().mask == SKAT.full_mask


def test_masks_as_the_kernels_take_them() -> None:
    assert signed(1 << 63) == -(1 << 63)
    assert signed((1 << 64) - 1) == -1
    assert signed(5) == 5
