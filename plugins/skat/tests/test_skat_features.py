"""Features of the questions against naive twins, and the examples of the specification."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tricktake_skat._kernels import features, features_null
from tricktake_skat._kernels.cards import TRUMPS
from tricktake_skat.questions.cuts import BID_CUTS, SKAT_CUTS


def _naive() -> ModuleType:
    spec = importlib.util.spec_from_file_location("naive_features", Path(__file__).with_name("naive_features.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


naive = _naive()
GAMES = "CSHDG"
orders = st.permutations(range(32))
games = st.integers(0, 4)


def hand_of(order: list[int], first: int, n: int) -> int:
    return sum(1 << card for card in order[first : first + n])


@pytest.mark.kernel
@settings(max_examples=60)
@given(order=orders, game=games)
def test_features_against_naive(order: list[int], game: int) -> None:
    own, put = hand_of(order, 0, 10), hand_of(order, 10, 2)
    cards, gone, name = naive.names(own), naive.names(put), GAMES[game]
    own64, put64, number = np.int64(own), np.int64(put), np.int64(game)
    assert features.JACK_GROUP[features.jack_code(own64)] == naive.jack_group(cards)
    assert features.trump_tenaces(number, own64, put64) == naive.tenaces(name, cards, gone)
    assert features.free_suits(number, own64) == naive.free_suits(name, cards)
    assert features.side_aces(number, own64) == naive.count(name, cards, "A")
    assert features.side_tens(number, own64) == naive.count(name, cards, "T")


@settings(max_examples=60)
@given(order=orders, game=games)
def test_lost_is_rounded(order: list[int], game: int) -> None:
    from tricktake_skat.questions.declarer import EXPECTED  # solves the suits: with the JIT off that takes a minute

    own, put = hand_of(order, 0, 10), hand_of(order, 10, 2)
    exact = naive.lost(GAMES[game], naive.names(own), naive.names(put))
    assert abs(features.lost(EXPECTED, np.int64(game), np.int64(own), np.int64(put)) - exact) <= 0.51


@pytest.mark.kernel
def test_jack_groups_and_tenaces_of_the_specification() -> None:
    def tenaces(own: str) -> int:
        return int(features.trump_tenaces(np.int64(4), np.int64(naive.mask_of(own)), np.int64(0)))

    assert tenaces("CJ HJ") == 1  # the jack of spades is outside
    assert tenaces("CJ SJ") == 0
    codes = {features.JACK_GROUP[code] for code in range(16)}
    assert codes == set(range(features.JACK_GROUPS))
    assert features.JACK_GROUP[0b1101] == features.THREE  # without spades
    assert features.JACK_GROUP[0b1011] == features.BLACKS_RED


@pytest.mark.kernel
def test_groups() -> None:
    def bid(value: int) -> int:
        return int(features.group_of(np.int64(value), BID_CUTS))

    assert [bid(v) for v in (0, 18, 22, 23, 24, 27, 46)] == [0, 1, 1, 2, 2, 3, 3]
    assert [int(features.group_of(np.int64(v), SKAT_CUTS)) for v in (0, 3, 4, 7, 11, 22)] == [0, 0, 1, 2, 3, 3]
    assert features.strongest_bid(np.array([18, 24, 20]), np.int64(1)) == 20
    assert features.strongest_bid(np.array([-1, 24, 20]), np.int64(1)) == -1


@pytest.mark.kernel
def test_trump_strength_of_a_defender() -> None:
    def strength(game: int, hand: str) -> int:
        return int(features.trump_strength(np.int64(game), np.int64(naive.mask_of(hand))))

    assert strength(0, "C7 S7 S8 S9 H7 H8 H9 D7 D8 D9") == 0
    assert strength(0, "CJ S7 S8 S9 H7 H8 H9 D7 D8 D9") == 1
    assert strength(0, "CJ SJ S8 S9 H7 H8 H9 D7 D8 D9") == 2
    assert strength(0, "C7 C8 C9 CT H7 H8 H9 D7 D8 D9") == 2


@pytest.mark.kernel
def test_bids_on_a_suit() -> None:
    on = [[int(features.bid_on(np.int64(bid), np.int64(suit))) for suit in range(4)] for bid in (18, 20, 22, 24, 36)]
    assert on == [[0, 0, 0, 1], [0, 0, 1, 0], [0, 1, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0]]
    assert features.bid_on(np.int64(0), np.int64(0)) == 0
    assert features.bid_on(np.int64(-1), np.int64(0)) == 2


@pytest.mark.kernel
@settings(max_examples=60)
@given(ranks=st.sets(st.sampled_from("789TJQKA")))
@example(ranks=set("789"))
@example(ranks=set("79J"))
@example(ranks=set("7T"))
def test_weak_null_suits(ranks: set[str]) -> None:
    mask = naive.mask_of(" ".join("S" + rank for rank in ranks))
    config = int(features_null.config_of(np.int64(mask), np.int64(1)))
    assert config == sum(1 << "789TJQKA".index(rank) for rank in ranks)
    assert features_null.GAP[config] == naive.gap("".join(ranks))
    weak = naive.gap("".join(ranks)) > 0
    assert features_null.weak_suit(np.int64(mask)) == (1 if weak else -1)
    assert features_null.weak_suit(np.int64(mask | 0x40)) == (-2 if weak else 0)  # and a bare ace of clubs


def test_lost_without_the_skat() -> None:
    """Four jacks, and the seven highest cards of one suit: nothing is lost, whatever lies in the skat."""
    from tricktake_skat.questions.declarer import EXPECTED

    own = np.int64(naive.mask_of("CJ SJ HJ DJ CA CT CK CQ C9 C8"))
    assert features.lost(EXPECTED, np.int64(0), own, np.int64(0)) == 0
    assert features.lost(EXPECTED, np.int64(4), own, np.int64(0)) == 0
    assert TRUMPS[0] & int(own) == int(own)
