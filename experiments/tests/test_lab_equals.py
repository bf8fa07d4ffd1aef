"""What the score of three equals is made of: parts against the whole, and other players against the slow way."""

from __future__ import annotations

import numpy as np
import pytest
from tricktake_lab.skat.equals import best_of_all, candidates, counted, mixed, most_expected, opened, parts_of, worths
from tricktake_lab.skat.replayed import bid_by, series_points
from tricktake_skat.bidding.style import Style
from tricktake_skat.deals import dealt
from tricktake_skat.games import RULE_PLAYER, Player, play_contracts, rows_of_deals, unplayed
from tricktake_skat.kernels import NULL
from tricktake_skat.policy_rows import play_by
from tricktake_skat.rows import RowArray
from tricktake_skat.rows_play import open_card
from tricktake_skat.strategies.expert import Expert

from tricktake.strategies.policy import find_policy


@pytest.fixture(scope="module")
def bid() -> RowArray:
    """Deals of rule players, who pass in some and play games of all kinds."""
    return bid_by(RULE_PLAYER, dealt(9119, 0, 400))


@pytest.fixture(scope="module")
def played(bid: RowArray) -> RowArray:
    rows = unplayed(bid)
    play_by(find_policy("skat:cards"), rows)
    return rows


def test_parts_add_up_to_the_score(played: RowArray) -> None:
    lines = {line[0]: line for line in parts_of(played).rows}
    score = series_points(played).mean()
    kinds = [line[-1] for name, line in lines.items() if name not in ("all", "passed in", "played")]
    assert sum(map(float, kinds)) == pytest.approx(score)
    assert float(lines["all"][-1]) == pytest.approx(score)
    assert float(lines["passed in"][-1]) == 0
    # and by hand, from shares, wins and mean values (SKAT-43)
    value = played["value"]
    won, lost = value > 0, value < 0
    by_hand = won.mean() * (value[won].mean() + 50) + lost.mean() * (value[lost].mean() + 30)
    assert score == pytest.approx(12 * by_hand)


def test_a_game_won_instead_of_lost_is_worth_what_is_said(played: RowArray) -> None:
    """The same games, one in a hundred of all deals moved from the mean lost to the mean won."""
    value, gain = played["value"], worths(played)
    won, lost = value[value > 0].mean(), value[value < 0].mean()
    assert gain["one in a hundred won, not lost"] == pytest.approx(0.12 * (won + 50 - lost - 30))
    assert gain["played, not passed"] == pytest.approx(series_points(played)[value != 0].mean() / 100)


def test_what_counts_as_a_game(played: RowArray) -> None:
    """Deals passed in leave sum and games alike out: the score divided by the share that is played."""
    every, somebody, rule, both = counted(played).rows
    share = (played["declarer"] >= 0).mean()
    assert 0 < share < 1
    assert somebody[-1].mean == pytest.approx(every[-1].mean / share)  # type: ignore[union-attr]
    assert rule[1:] == both[1:] == somebody[1:]  # rule players bid here


@pytest.mark.parametrize("declares", [True, False])
@pytest.mark.parametrize("other", [None, Expert()])
def test_one_side_by_another_player(bid: RowArray, declares: bool, other: Expert | None) -> None:
    """Experts in place of the policy, against the loop that plays rows."""
    sides = (Expert(), other) if declares else (other, Expert())
    slow = series_points(play_contracts(bid, *sides).rows)
    assert np.array_equal(mixed(bid, None, declares, other), slow)


def test_contracts_with_open_cards(bid: RowArray) -> None:
    some = bid[:60]
    found = opened(some)
    solved = open_card(play_contracts(some).rows) == 1
    assert (found["value"][some["declarer"] < 0] == 0).all()
    null = some["game"] == NULL
    assert np.array_equal(found["value"][null] > 0, solved[null])
    assert not (found["value"][~solved] > 0).any()
    # what is won with open cards is lost for an overbid only
    over = solved & (found["value"] < 0)
    assert (-found["value"][over] // 2 >= some["bid"][over]).all()


def test_contracts_that_a_seat_may_have() -> None:
    deals = dealt(9120, 0, 12)
    style, policy = Style(), find_policy("skat:cards")
    for deal in deals:
        found = list(candidates(deal, style))
        assert {one.seat for one in found} == {0, 1, 2}
        rows = rows_of_deals(np.repeat(deal[None], len(found), axis=0))
        for row, one in zip(rows, found, strict=True):
            one.fill(row)
        play_by(policy, rows)  # none is against the rules
        scores = series_points(rows)
        assert (scores != 0).all()
        assert best_of_all(found, scores, 0) >= most_expected(found, scores, 0)
        # what a seat expects is what decides its bid: the default's first bid is one of these
        taken = [one for one in found if one.expected > -np.inf]
        assert len(taken) == 6


def test_who_expects_most_is_who_bids_alone() -> None:
    """Where the default bidders pass in, nobody expects more than the threshold at the lowest bid."""
    deals = dealt(9121, 0, 150)
    passed = bid_by(Player(), deals)["declarer"] < 0
    assert passed.any()
    style = Style()
    for deal in deals[passed]:
        assert max(one.expected for one in candidates(deal, style)) <= style.threshold
