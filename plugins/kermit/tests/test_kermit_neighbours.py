"""Evaluation by nearest neighbours against a twin that sorts all hands, and the bidder that asks it."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tricktake_kermit._kernels import neighbours as kernel
from tricktake_kermit.bidder import KnnBidder
from tricktake_kermit.neighbours import Played, neighbours
from tricktake_skat.contract import BIDS, GAME_NAMES, contract_of
from tricktake_skat.deck import SKAT
from tricktake_skat.questions.declarer import EXPECTED

from tricktake.cards import bits
from tricktake.errors import InputError
from tricktake.game import find_game
from tricktake.policy.practice import at_first_trick
from tricktake.strategies.player import Player

BIDDER = "bid=kermit:knn,exchange=kermit:knn,play=core:random"
STRONG = SKAT.parse_mask("CJ SJ HJ CA CT CK SA ST HA D7")


def naive_mean(played: list[tuple[tuple[int, ...], int]], weights: list[int], point: tuple[int, ...], k: int) -> float:
    """All hands by distance; of those as far as the k-th the mean."""
    far = [(sum(w * abs(a - b) for w, a, b in zip(weights, point, one, strict=True)), eyes) for one, eyes in played]
    last = sorted(distance for distance, _ in far)[k - 1]
    near = [eyes for distance, eyes in far if distance <= last]
    return sum(near) / len(near)


VECTORS = st.tuples(*(st.integers(0, int(size) - 1) for size in kernel.SIZES))


@pytest.mark.kernel
@given(
    st.lists(st.tuples(VECTORS, st.integers(0, 120)), min_size=1, max_size=12),
    st.lists(st.integers(0, 9), min_size=kernel.NUMBERS, max_size=kernel.NUMBERS),
    st.lists(VECTORS, min_size=1, max_size=3),
    st.integers(1, 12),
)
def test_the_mean_is_that_of_the_twin(played, weights, points, k) -> None:
    k = min(k, len(played))
    numbers, eyes = np.array([one for one, _ in played]), np.array([made for _, made in played])
    found = np.zeros(len(points))
    kernel.nearest(np.array(weights), numbers, np.ones(len(played), np.int64), eyes, k, np.array(points), found)
    assert found == pytest.approx([naive_mean(played, weights, point, k) for point in points])


@pytest.mark.kernel
@given(VECTORS)
def test_a_key_holds_all_numbers(vector) -> None:
    key = 0
    for number, size in zip(vector, kernel.SIZES, strict=True):
        key = key * int(size) + number
    found = np.zeros((1, kernel.NUMBERS), np.int64)
    kernel.unpack(np.array([key]), found)
    assert tuple(found[0]) == vector


def test_the_numbers_of_a_hand() -> None:
    """Clubs with three jacks; what is lost is the rounded expectation of the factors."""
    put = SKAT.parse_mask("H7 DT")
    keys, found = np.zeros(2, np.int64), np.zeros((2, kernel.NUMBERS), np.int64)
    kernel.keys_of(EXPECTED, np.array([[0, STRONG, put, 2], [4, STRONG, put, 2]]), keys)
    kernel.unpack(keys, found)
    clubs, grand = (dict(zip(kernel.NAMES, row.tolist(), strict=True)) for row in found)
    assert clubs | {"lost tricks": 0, "jacks": 0} == {
        "trumps": 6, "jacks": 0, "side aces": 2, "side tens": 1, "free suits": 0, "lost tricks": 0,
        "eyes discarded": 10, "seat": 2,
    }  # fmt: skip
    assert (grand["trumps"], grand["side aces"], grand["side tens"]) == (3, 3, 2)
    assert clubs["jacks"] == grand["jacks"] > 0


def test_hands_are_kept_as_they_were_played() -> None:
    """Equal hands count together; the file gives back the same."""
    keys, eyes = np.array([70_000, 5, 70_000, 900]), np.array([60.0, 10.0, 80.0, 40.0])
    played = Played.of(keys, eyes)
    assert (played.games.sum(), played.eyes.sum()) == (4, 190)
    assert played.expected(np.array([[70_000], [5]]), 1) == pytest.approx(np.array([[70.0], [10.0]]))
    again = Played.read(played.as_json())
    assert again.expected(keys, 2) == pytest.approx(played.expected(keys, 2))


def test_the_tree_is_made_of_the_best_discards() -> None:
    asked = neighbours(20)
    found = asked.tree(STRONG, 0)
    skat = next(combinations([c for c in range(32) if not STRONG >> c & 1], 2))
    twelve = STRONG | sum(1 << c for c in skat)
    shares, discards = asked.discards(twelve, 0)
    assert found.up[:5, 0] == pytest.approx(shares)
    for choice, share in enumerate(shares):
        played = asked.grand if choice == 4 else asked.suit
        keys = np.zeros(66, np.int64)
        pairs = [1 << a | 1 << b for a, b in combinations(bits(twelve), 2)]
        kernel.keys_of(EXPECTED, np.array([[choice, twelve & ~put, put, 0] for put in pairs]), keys)
        eyes = played.expected(keys, 20)
        assert share * 120 == pytest.approx(eyes.max())
        assert eyes[pairs.index(int(discards[choice]))] == pytest.approx(eyes.max())
    assert (found.up[5:] == 0).all()


def test_it_bids_by_eyes_and_plays_what_it_bid() -> None:
    bold, careful = KnnBidder(threshold=45), KnnBidder(threshold=75)
    weak = SKAT.parse_mask("HJ C9 C8 SQ S9 S7 HK H8 DQ D8")
    assert careful.value(STRONG, 0, BIDS[0])[0] > careful.least > bold.least > bold.value(weak, 0, BIDS[0])[0]
    game, player, played = find_game("skat"), Player.from_spec(BIDDER), 0
    for number in range(3):
        table = at_first_trick(game, player, 77, number)
        if table is not None:
            played += 1
            assert GAME_NAMES[contract_of(table).choice][0] != "N"
    assert played


def test_settings_are_checked() -> None:
    for settings in ("threshold=121", "k=0", "hands=3"):
        with pytest.raises(InputError):
            Player.from_spec(f"bid=kermit:knn({settings}),exchange=kermit:knn,play=core:random")
