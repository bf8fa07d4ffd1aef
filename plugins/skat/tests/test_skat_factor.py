"""Suits of Skat as factors."""

from __future__ import annotations

import pytest
from tricktake_skat.kernels import GRAND, NULL, factor

from plugins.skat.tests import naive_features as naive

pytestmark = pytest.mark.kernel

A, T, Q, N7 = (1 << i for i in (6, 5, 3, 0))
TRUMPS = 4


def test_projection_keeps_the_order_of_strength() -> None:
    hand = naive.mask_of("CJ HJ CA CT C7 HA HQ")

    def project(game: int, suit: int) -> int:
        return int(factor.project(game, factor.class_of(game, suit), hand))

    assert project(0, 0) == project(0, TRUMPS) == 0b10100000000 | A | T | N7
    assert project(0, 2) == A | Q
    assert project(GRAND, TRUMPS) == 0b10100000000
    assert project(GRAND, 0) == A | T | N7
    assert project(NULL, 0) == 0b10011001  # seven, ten, jack, ace in the order of Null


def test_lost_tricks() -> None:
    sure = "CJ SJ HJ DJ CA CT CK CQ C9"
    assert naive.lost("C", {*sure.split(), "C8"}, set()) == pytest.approx(0)
    assert naive.lost("C", {*sure.split(), "S7"}, set()) == pytest.approx(1)
    assert naive.lost("G", {*["CJ", "SJ", "CA", "CT", "SA", "ST", "HA", "HT", "DA", "DT"]}, set()) == pytest.approx(0)
