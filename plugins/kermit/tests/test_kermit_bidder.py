"""The bidding tree against a twin that goes through all leaves, and the bidder by name."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from tricktake_kermit._kernels import evaluate as kernel
from tricktake_kermit.batch import Kermit, bid_rows
from tricktake_kermit.bidder import KermitBidder
from tricktake_kermit.evaluation import evaluation
from tricktake_skat.contract import BIDS, GAME_NAMES, contract_of
from tricktake_skat.games import dealt_rows

from tricktake.cards import bits
from tricktake.errors import InputError
from tricktake.game import find_game
from tricktake.policy.practice import at_first_trick
from tricktake.strategies.player import Player

BIDDER = "bid=kermit:bidder,exchange=kermit:bidder,play=core:random"
HAND = sum(1 << i for i in (7, 15, 23, 6, 5, 4, 14, 13, 22, 0))


def naive_value(choice: int, cards: int) -> int:
    """Base value times matadors and one, counted card by card."""
    if GAME_NAMES[choice][0] == "N":
        return (23, 46)[choice - 5]
    trumps = [7, 15, 23, 31] + ([8 * choice + rank for rank in range(6, -1, -1)] if choice < 4 else [])
    held = [bool(cards >> card & 1) for card in trumps]
    run = next((i for i, has in enumerate(held) if has != held[0]), len(held))
    return (12, 11, 10, 9, 24)[choice] * (run + 1)


@pytest.mark.slow
def test_the_tree_is_that_of_the_twin() -> None:
    """KERMIT-11: 231 skats by 66 discards, and from the hand by the skat as dealt; some of the skats are looked at."""
    found, evaluated = evaluation().tree(HAND, 1), evaluation()
    skats = list(combinations([c for c in range(32) if not HAND >> c & 1], 2))
    assert len(skats) == kernel.SKATS == found.up.shape[1]
    for s in (0, 230):
        twelve = HAND | sum(1 << c for c in skats[s])
        for choice, name in enumerate(GAME_NAMES):
            pairs = [1 << a | 1 << b for a, b in combinations(bits(twelve), 2)]
            best = max(evaluated.chance(twelve & ~put, put, name, seat=1) for put in pairs)
            assert found.up[choice, s] == pytest.approx(best)
            assert found.values[choice, s] == naive_value(choice, twelve)
            if choice < 5:
                by_hand = evaluated.chance(HAND, twelve & ~HAND, name, seat=1)
                assert found.by_hand[choice, s] == pytest.approx(by_hand)


@pytest.mark.kernel
@pytest.mark.parametrize("games", [6, 7])
def test_the_root_is_the_better_of_both_ways(games: int) -> None:
    rng = np.random.default_rng(4)
    tree = kernel.Tree(rng.random((7, 231)), rng.random((7, 231)), rng.choice([20, 40, 60], (7, 231)))
    shares, wins = np.zeros(7), np.zeros(7)
    for bid in (18, 36, 45):
        up = np.where(tree.values >= bid, tree.up, 0)[:games].max(axis=0).mean()
        more = np.array([[12], [11], [10], [9], [24]])
        reached = np.concatenate([tree.values[:5] + more >= bid, np.array([[35], [59]]).repeat(231, 1) >= bid])
        by_hand = np.where(reached, tree.by_hand, 0)[:games].mean(axis=1)
        chance, from_hand, choice = kernel.root(tree, bid, games, True, shares, wins)
        assert chance == pytest.approx(max(up, by_hand.max()))
        assert from_hand == (by_hand.max() > up)
        assert not from_hand or choice == by_hand.argmax()
        assert kernel.root(tree, bid, games, False, shares, wins)[0] == pytest.approx(up)


def test_it_bids_as_long_as_the_tree_is_worth_it() -> None:
    """The limit is the last bid at the threshold; a bolder bidder goes as far or further."""
    bidder = KermitBidder()
    chances = [bidder.value(HAND, 1, bid)[0] for bid in BIDS]
    assert chances == sorted(chances, reverse=True)
    deals = dealt_rows(31, 0, 16)
    limits = [bid_rows([Kermit(threshold=b)], deals.copy(), np.zeros((16, 3), np.int64)) for b in (0.6, 0.5)]
    assert (limits[1] >= limits[0]).all()
    assert (limits[1] > limits[0]).any()
    for row, limit in zip(deals[:2], limits[0], strict=False):
        for seat in range(3):
            hand = int(row["deal"][seat])
            reached = [bid for bid in BIDS if bidder.value(hand, seat, bid)[0] >= 0.6]
            assert limit[seat] == max(reached, default=0)


def test_batches_and_tables_bid_alike() -> None:
    """The batch against the strategy at a table: same declarer, bid, game and discard on the same deals."""
    rows = dealt_rows(77, 0, 6)
    bid_rows([Kermit()], rows, np.zeros((len(rows), 3), np.int64))
    game, player = find_game("skat"), Player.from_spec(BIDDER)
    assert (rows["declarer"] >= 0).sum() > 2
    for i, row in enumerate(rows):
        table = at_first_trick(game, player, 77, i)
        if table is None:
            assert row["declarer"] < 0
            continue
        contract = contract_of(table)
        assert (contract.declarer, contract.bid) == (row["declarer"], row["bid"])
        assert (contract.game, contract.hand, contract.ouvert) == (row["game"], row["hand"], row["ouvert"])
        assert table.places[3] == row["put"]


def test_settings_are_checked() -> None:
    for settings in ("threshold=2", "hands=3", "ouvert=x", "model=none.glem"):
        with pytest.raises(InputError):
            Player.from_spec(f"bid=kermit:bidder({settings}),exchange=kermit:bidder,play=core:random")
