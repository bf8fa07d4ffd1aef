"""The rule player as a part, its batch of whole games, and the small Skat the kernels compute with."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tricktake_skat._kernels import cards as kernel
from tricktake_skat._kernels import games as game_kernel
from tricktake_skat._kernels import rule_bid
from tricktake_skat.contract import BIDS, GAMES, SkatContract
from tricktake_skat.deals import dealt
from tricktake_skat.deck import EYES, LAYOUT, SKAT, eyes
from tricktake_skat.game import SkatGame
from tricktake_skat.games import play_deals, play_games
from tricktake_skat.rows import game_rules
from tricktake_skat.rules import skat_rules
from tricktake_skat.strategies.rule import RULES, Rule

from tricktake.deal import Deal
from tricktake.kernels import batch
from tricktake.plugins import manager
from tricktake.search.limit import Limit
from tricktake.strategies.player import Player
from tricktake.table import Table
from tricktake.testing import check_strategy
from tricktake.trick import best_card, legal_mask

pytestmark = pytest.mark.kernel

JITTED = hasattr(game_kernel.bid_deals, "signatures")
GAMES_COMPARED = 150 if JITTED else 6  # whole games through the table


def the_game(deal: Deal, player=None):
    """A deal played out at a table by three rule players."""
    table = Table.start(SkatGame(), deal)
    player = player or Player.from_spec("skat:rule")
    while table.turn is not None:
        table.apply(player.decide(table.view(table.actor), Limit(), np.random.default_rng(0)).action)
    return table


@pytest.mark.parametrize("first", [0, 10_000])
def test_batch_and_table_play_the_same_games(first):
    """Bids, contract, put, every card, and the score."""
    games = play_games(11, first, GAMES_COMPARED)
    kinds = set()
    for i in range(len(games)):
        table = the_game(Deal(LAYOUT, tuple(games.rows["deal"][i].tolist())))
        contract = games.contract(i)
        assert table.contract == contract
        assert table.facts["bids"] == tuple(games.rows["bids"][i].tolist())
        played = [e.action.cards[0] for e in table.events if e.action.verb == "play"]
        assert played == [c for c in games.rows["cards"][i].tolist() if c >= 0]
        if contract is None:
            continue
        kinds.add(contract.kind)
        assert table.places[3] == games.rows["put"][i] or contract.hand
        score = table.score()
        assert score.points[contract.declarer] == games.rows["value"][i]
        assert score.won == bool(games.rows["won"][i])
        assert score.value == (games.rows["tricks"][i] if contract.is_null else games.rows["eyes"][i])
    if JITTED:
        assert kinds >= {"suit", "grand", "null"}


def test_games_depend_on_seed_and_number_only():
    n = 40 if JITTED else 3
    whole, part = play_games(3, 100, n), play_games(3, 100 + n // 2, n - n // 2)
    assert (whole.rows["cards"][n // 2 :] == part.rows["cards"]).all()
    assert (whole.rows["deal"] != play_games(4, 100, n).rows["deal"]).any()
    assert (play_deals(whole.rows["deal"]).rows["value"] == whole.rows["value"]).all()
    with pytest.raises(ValueError, match="negative"):
        play_games(-1, 0, 1)


def test_deals_are_whole_and_even():
    n = 6000 if JITTED else 30
    deals = dealt(5, 0, n)
    assert (np.bitwise_or.reduce(deals, axis=1) == kernel.ALL).all()
    sizes = np.array([[bin(int(m)).count("1") for m in row] for row in deals])
    assert (sizes == [10, 10, 10, 2]).all()
    if JITTED:
        share = np.array([[(deals[:, place] >> card & 1).mean() for card in range(32)] for place in range(4)])
        expected = np.array([10, 10, 10, 2])[:, None] / 32
        error = np.sqrt(expected * (1 - expected) / n)
        assert (abs(share - expected) < 4.5 * error).all()
        together = (deals[:, 0] >> 7 & deals[:, 0] >> 15 & 1).mean()  # two black jacks in forehand
        assert abs(together - 10 * 9 / (32 * 31)) < 4.5 * np.sqrt(0.09 / n)


masks = st.lists(st.integers(0, 31), min_size=1, max_size=10, unique=True)


@settings(max_examples=150)
@given(
    hand=masks, table=st.lists(st.integers(0, 31), min_size=0, max_size=2, unique=True), game=st.sampled_from("CSHDGN")
)
def test_the_kernels_follow_the_rules_of_skat(hand, table, game):
    """Legal cards, the winner so far and eyes, against the game's own rules."""
    rules, number = skat_rules(SkatContract(0, game)), GAMES.index(game)
    mask = sum(1 << c for c in hand if c not in table)
    if mask:
        p = np.zeros(batch.FRAME, np.int64)
        batch.rebuild(game_rules()[number], 0, np.array(table, np.int64), mask, p)
        legal = legal_mask(rules, mask, table, broken=False, first=False)
        assert p[batch.LEGAL] == legal
    assert kernel.eyes_of(mask) == eyes(mask) == sum(EYES[c] for c in hand if c not in table)
    if len(table) == 2:
        assert kernel.beats(number, table[1], table[0]) == (best_card(rules, table) == table[1])


GOOD = {
    "four jacks and two aces are a grand": ("CJ SJ HJ DJ CA CT SA ST H7 D7", "G"),
    "seven trumps and an ace": ("CJ HJ CT CK CQ C9 C8 HA D9 D7", "C"),
    "all sevens, eights and nines": ("C7 C8 C9 S7 S8 S9 H7 H8 H9 D7", "N"),
}


@pytest.mark.parametrize("hand", GOOD, ids=str)
def test_good_hands_are_bid_for_the_right_game(hand):
    text, game = GOOD[hand]
    limit, choice = rule_bid.bid_limit(SKAT.parse_mask(text), 0)
    assert limit >= 18
    assert "CSHDGNN"[choice] == game


def test_a_hopeless_hand_passes():
    assert rule_bid.bid_limit(SKAT.parse_mask("C8 CQ CK S8 SQ ST H9 HQ D8 DK"), 1) == (0, -1)


def test_a_limit_never_exceeds_what_the_hand_is_worth():
    deals = dealt(1, 0, 300 if JITTED else 5)
    for hand in deals[:, :3].ravel().tolist():
        limit, choice = rule_bid.bid_limit(hand, 0)
        if limit:
            assert limit in BIDS
            assert limit <= rule_bid.value_of(choice, hand)


def test_no_trump_is_put_when_there_is_something_else():
    deals = dealt(2, 0, 60 if JITTED else 3)
    for row in deals.tolist():
        for only in range(5):
            game, put, _ = rule_bid.best_discard(row[0] | row[3], 0, 18, only)
            assert game == only
            trumps = int(kernel.TRUMPS[game])
            if ((row[0] | row[3]) & ~trumps).bit_count() >= 2:
                assert not put & trumps


def test_it_conforms():
    check_strategy(Rule(), SkatGame(), deals=4 if JITTED else 1).require()


def test_it_plays_what_other_parts_have_declared():
    """Random bids and exchanges lead to contracts no sane player plays; the rules still give legal cards."""
    player = Player.from_spec("bid=core:random,exchange=core:random,play=skat:rule")
    check_strategy(player, SkatGame(), deals=12 if JITTED else 2, seed=1).require()
    other = Player.from_spec("bid=core:random,exchange=skat:rule,play=core:random")
    check_strategy(other, SkatGame(), deals=12 if JITTED else 2, seed=2).require()


def test_every_rule_has_a_name():
    games = play_games(1, 0, 2000 if JITTED else 3)
    used = set(np.unique(games.whys)) - {-1}
    assert used <= set(RULES)
    if JITTED:
        assert len(used) >= 22  # hardly any rule is dead


@pytest.mark.skipif(not JITTED, reason="slow without the JIT")
def test_it_is_a_sound_player():
    """Of what it declares it wins about as much as XSkat of its own contracts (81 %), and few deals are passed in."""
    games = play_games(77, 0, 3000)
    declared = games.rows["declarer"] >= 0
    assert 0.78 < games.rows["won"][declared].mean() < 0.90
    assert declared.mean() > 0.9
    assert games.rows["value"].mean() > 15


@pytest.mark.skipif(not JITTED, reason="slow without the JIT")
def test_it_beats_random_play():
    """Contracts it wins against its own defence and much more often against random cards."""
    games = play_games(78, 0, 60)
    rule, dice = Player.from_spec("skat:rule"), Player.from_spec("core:random")
    won = {"rule": 0, "random declarer": 0, "random defence": 0}
    n = 0
    for i in range(len(games)):
        if games.rows["declarer"][i] < 0 or games.rows["game"][i] == kernel.NULL:
            continue
        n += 1
        won["rule"] += bool(games.rows["won"][i])
        for who in ("random declarer", "random defence"):
            contract = games.contract(i)
            deal = Deal(LAYOUT, tuple(games.rows["deal"][i].tolist()))
            hands = list(deal.masks)
            hands[contract.declarer] = (hands[contract.declarer] | hands[3]) & ~int(games.rows["put"][i])
            played = Deal(LAYOUT, (*hands[:3], int(games.rows["put"][i])))
            table = Table.at_contract(SkatGame(), deal, contract, played)
            rng = np.random.default_rng(i)
            while table.turn is not None:
                is_random = (table.turn == contract.declarer) == (who == "random declarer")
                decision = (dice if is_random else rule).decide(table.view(table.turn), Limit(), rng)
                table.apply(decision.action)
            won[who] += bool(table.score().won)
    assert won["random declarer"] < won["rule"] - n // 4
    assert won["random defence"] > won["rule"] + n // 20


def test_it_is_registered():
    assert "skat:rule" in manager().strategies.names()
    assert "skat" in manager().strategies.owner("skat:rule")
