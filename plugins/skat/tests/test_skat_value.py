"""Value networks: inputs and chances against their twins, and the bidder that asks them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tricktake_skat._kernels import bidding, bidding_worth
from tricktake_skat._kernels import value as kernel
from tricktake_skat._kernels.skat import matadors
from tricktake_skat.bidding.bidder import bidder, evaluator
from tricktake_skat.bidding.evaluation import sums
from tricktake_skat.bidding.model import learned, stacked
from tricktake_skat.bidding.style import Style
from tricktake_skat.bidding.value import DEFAULT, find_values, packed_values
from tricktake_skat.games import Player, bid_rows, dealt_rows

from plugins.skat.tests import naive_value as naive
from tricktake.errors import InputError, UnknownName

JITTED = hasattr(bidding.weigh, "signatures")
EXAMPLES = 40 if JITTED else 2
orders = st.permutations(range(32))
bids = st.tuples(*[st.sampled_from([0, 18, 20, 22, 23, 27, 30, 36, 48, 59, 60, 72])] * 3)


def mask(cards) -> int:
    return sum(1 << c for c in cards)


@pytest.fixture(scope="module")
def shipped():
    return packed_values([None, find_values(DEFAULT)])


@pytest.mark.kernel
@settings(max_examples=EXAMPLES)
@given(order=orders, choice=st.integers(0, 6), by_hand=st.booleans(), seat=st.integers(0, 2), heard=bids)
def test_inputs_and_chances_as_their_twins_say(shipped, order, choice, by_hand, seat, heard):
    own, put = mask(order[:10]), mask(order[10:12])
    index, work = kernel.room(shipped)
    levels = kernel.heard_by(np.array(heard, np.int64), seat)
    n = kernel.fill_inputs(choice, own, put, by_hand, seat, levels, index)
    seen = naive.inputs(choice, own, put, by_hand, seat, heard)
    assert set(index[:n].tolist()) == seen
    assert n == len(seen) <= kernel.MOST
    assert max(seen) < kernel.INPUTS
    found = kernel.chances_of(shipped, 1, choice, own, put, by_hand, seat, levels, index, work)
    won, high = naive.chances(find_values(DEFAULT).nets[max(0, choice - 3)], seen)
    assert found[0] == pytest.approx(won, abs=2e-3)  # small_exp is not exact
    assert found[1] == pytest.approx(high if choice < 5 else 0.0, abs=2e-3)


@settings(max_examples=5)
@given(order=orders, seat=st.integers(0, 2), heard=bids, trumps=st.booleans(), bid=st.sampled_from([18, 24, 48]))
def test_every_discard_is_judged(shipped, order, seat, heard, trumps, bid):
    """The best expected score of all discards that are allowed, game by game."""
    cards = mask(order[:12])
    wins, puts, scores = np.zeros(7), np.zeros(7, np.int64), np.zeros(7)
    index, work = kernel.room(shipped)
    levels = kernel.heard_by(np.array(heard, np.int64), seat)
    bidding_worth.judge_discards(shipped, 1, cards, seat, levels, trumps, bid, 50.0, wins, puts, scores)
    for choice in range(7):
        kept = 0 if trumps or choice > 4 else bidding_worth.TRUMPS[choice]
        some = [c for c in order[:12] if not kept >> c & 1]
        some = some if len(some) > 1 else order[:12]
        best = -np.inf
        for i, a in enumerate(some):
            for b in some[i + 1 :]:
                put = 1 << a | 1 << b
                win, up = kernel.chances_of(shipped, 1, choice, cards & ~put, put, False, seat, levels, index, work)
                value = 23 if choice == 5 else 46
                if choice < 5:
                    value = bidding_worth.BASES[choice] * (abs(matadors(choice, cards)) + 1)
                best = max(best, bidding_worth.game_worth(choice, value, win, up, bid, 50.0))
        assert scores[choice] == pytest.approx(best)
        assert int(puts[choice]).bit_count() == 2
        assert not int(puts[choice]) & ~cards


def test_networks_judge_what_the_tables_chose():
    """The same discards, other chances; a hand game is one question for all skats."""
    chances = stacked([learned()])
    hand = mask([7, 15, 23, 6, 5, 4, 14, 13, 22, 30])
    found, heard = bidding.weighed(), kernel.heard_by(np.array([0, 18, 20]), 0)
    bidding.weigh(sums(), bidding.nulls_of(chances.nulls[0]), chances, 0, hand, 0, 1, False, found)
    before, puts = found.wins.copy(), found.puts.copy()
    bidding.judge(chances.values, 0, hand, 0, heard, found)
    assert (found.puts == puts).all()
    assert (found.wins != before).mean() > 0.9
    assert (found.hand_wins == found.hand_wins[:, :1]).all()
    index, work = kernel.room(chances.values)
    own, put = (hand | int(found.skats[9])) & ~int(puts[4, 9]), int(puts[4, 9])
    assert found.wins[4, 9] == kernel.chances_of(chances.values, 0, 4, own, put, False, 0, heard, index, work)[0]


def test_the_batch_bids_as_the_evaluator_says():
    rows = dealt_rows(3, 0, 40)
    style = Style(aggressiveness=50.0, putting="best")
    bid_rows([Player(style, learned())], rows, np.zeros((40, 3), np.int64))
    played = rows[(rows["declarer"] >= 0) & (rows["hand"] == 0)]
    assert len(played) > 10
    for row in played:
        seat, heard = int(row["declarer"]), tuple(row["bids"].tolist())
        cards = int(row["deal"][seat] | row["deal"][3])
        best = evaluator().options(cards, seat, heard, int(row["bid"]), style)[0]
        assert best.discard_mask == row["put"]


def test_tables_and_networks_are_options():
    deals = dealt_rows(4, 0, 300)
    with_value, without = deals.copy(), deals.copy()
    seats = np.zeros((300, 3), np.int64)
    bid_rows([Player(Style(), learned())], with_value, seats)
    bid_rows([Player(Style(), learned(value=""))], without, seats)
    assert (with_value["declarer"] != without["declarer"]).any()
    assert bidder(value="").names[-1] == ""
    with pytest.raises(UnknownName):
        bidder(suit="skat:suti")
    with pytest.raises(InputError, match="no value networks"):
        bidder(value="skat:cards")
