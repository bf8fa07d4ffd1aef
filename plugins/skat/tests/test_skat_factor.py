"""Suits of Skat as factors."""

from __future__ import annotations

import pytest
from tricktake_skat import factor
from tricktake_skat.deck import SKAT

A, T, Q, N7 = (1 << i for i in (6, 5, 3, 0))


def test_projection_keeps_the_order_of_strength() -> None:
    jacks = sum(SKAT.card(name).mask for name in ("CJ", "HJ"))
    clubs = sum(SKAT.card(name).mask for name in ("CA", "CT", "C7"))
    hearts = sum(SKAT.card(name).mask for name in ("HA", "HQ"))
    hand = jacks | clubs | hearts
    assert factor.project(0, 0, hand) == factor.project(0, factor.TRUMPS, hand) == 0b10100000000 | A | T | N7
    assert factor.project(0, 2, hand) == A | Q
    assert factor.project(4, factor.TRUMPS, hand) == 0b10100000000
    assert factor.project(4, 0, hand) == A | T | N7
    assert factor.project(5, 0, hand) == 0b10011001  # seven, ten, jack, ace in the order of Null
    with pytest.raises(ValueError, match="no suit"):
        factor.project(5, factor.TRUMPS, hand)


def test_lost_cards() -> None:
    def mask(*names: str) -> int:
        return sum(SKAT.card(name).mask for name in names)

    full = (1 << 32) - 1
    sure = mask("CJ", "SJ", "HJ", "DJ", "CA", "CT", "CK", "CQ", "C9", "C8")
    assert factor.lost_cards(0, sure, full & ~sure) == pytest.approx(0)
    loser = (sure | mask("S7")) & ~mask("C8")
    assert factor.lost_cards(0, loser, full & ~loser) == pytest.approx(1)
    aces = mask("CJ", "SJ", "CA", "CT", "SA", "ST", "HA", "HT", "DA", "DT")
    # the two red jacks in one hand (nine in nineteen) survive nothing: both are drawn by the black ones
    assert factor.lost_cards(4, aces, full & ~aces) == pytest.approx(0)
