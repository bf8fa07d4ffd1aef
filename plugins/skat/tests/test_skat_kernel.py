"""The rules of Skat over ints against their slow twins; what faces and batches call is the same source."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tricktake_skat._kernels import skat as kernel
from tricktake_skat.contract import BIDS, DECLARATIONS, GAMES, SkatContract
from tricktake_skat.rules import matadors as matadors_of
from tricktake_skat.value import needed_eyes, settle

from plugins.skat.tests.naive_skat import NULL_VALUE, auction, matadors, settled

pytestmark = pytest.mark.kernel


@settings(max_examples=300)
@given(
    cards=st.integers(0, 2**32 - 1),
    name=st.sampled_from(DECLARATIONS),
    bid=st.sampled_from(BIDS),
    eyes=st.integers(0, 120),
    tricks=st.integers(0, 10),
)
def test_games_are_worth_what_the_book_says(cards, name, bid, eyes, tricks):
    contract = SkatContract.declared(0, name, bid)
    run = matadors_of(cards, name[0])
    assert run == (0 if name[0] == "N" else matadors(cards, name[0])) == kernel.matadors(contract.game, cards)
    expected = settled(name, run, bid, eyes, tricks)
    ended = settle(contract, run, eyes, tricks)
    assert (ended.won, ended.points) == expected
    flags = contract.game, int(contract.hand), contract.announced, int(contract.ouvert)
    won, value, level, overbid, schneider, schwarz = kernel.settle(*flags, run, bid, eyes, tricks)
    assert (bool(won), int(kernel.points_of(won, value))) == expected
    found = (ended.value, ended.level, ended.overbid, ended.schneider, ended.schwarz)
    assert (value, level, overbid, schneider, schwarz) == found
    if not contract.is_null:
        assert (eyes >= needed_eyes(contract, run)) == expected[0] or tricks in (0, 10) or eyes <= 30 or eyes >= 90


def test_the_bids_are_the_values_of_all_games():
    values = {BASE * level for BASE in (9, 10, 11, 12) for level in range(2, 19)} | {24 * n for n in range(2, 12)}
    assert tuple(kernel.BIDS.tolist()) == tuple(sorted(values | set(NULL_VALUE.values())))
    assert [kernel.next_bid(bid) for bid in (0, 18, 264)] == [18, 20, kernel.NO_BID]


@settings(max_examples=150)
@given(limits=st.tuples(*[st.sampled_from((0, *BIDS[:12], 264))] * 3))
def test_auctions_end_as_they_should(limits):
    """Seats that bid and hold up to their limits."""
    caller, hearer, answering, bid = kernel.MIDDLEHAND, kernel.FOREHAND, False, 0
    said = np.zeros(3, np.int64)
    while caller != kernel.OVER:
        seat, asked = hearer if answering else caller, kernel.asked(caller, answering, bid)
        word = asked if asked <= limits[seat] else 0
        if word:
            said[seat] = word
        caller, hearer, answering, bid = kernel.auction_step(caller, hearer, answering, bid, word)
    declarer, last, bids = auction(list(BIDS), lambda seat, bid: bid <= limits[seat])
    assert (None if hearer == kernel.NOBODY else hearer, bid, said.tolist()) == (declarer, last, bids)


@pytest.mark.parametrize(("put", "from_hand", "good"), [(3, False, True), (12, True, True), (3, True, False)])
def test_what_can_be_put(put, from_hand, good):
    assert kernel.may_discard(3, 12, put, from_hand) == good
    assert not kernel.may_discard(3, 12, 1, from_hand)
    assert not kernel.may_discard(3, 12, 17, from_hand)
    assert len(GAMES) == 6
