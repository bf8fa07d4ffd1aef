"""OpenSpiel's oh_hell as an oracle for the example, in lock-step: bids, legal cards, who is in turn, returns."""

from __future__ import annotations

import random

import pytest

from tests.examples import OH_HELL, load
from tricktake.action import Action, play
from tricktake.deal import Deal
from tricktake.table import Table
from tricktake.testing import check_game

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
pytestmark = pytest.mark.oracle

GAMES = 2000
oh_hell = load(OH_HELL)
THEIRS = [4 * "23456789TJQKA".index(card.rank) + "CDSH".index(card.suit) for card in oh_hell.DECK]
OURS = [THEIRS.index(number) for number in range(52)]
FIRST_BID = 52


def their_deal(players: int, tricks: int, deal: Deal) -> pyspiel.State:
    """Our seat 0 bids first, so the last seat is the dealer there."""
    state = pyspiel.load_game("oh_hell", {"players": players}).new_initial_state()
    state.apply_action(tricks)
    state.apply_action(players - 1)
    piles = [[card.index for card in deal.hand(seat)] for seat in range(players)]
    for number in range(players * tricks):
        state.apply_action(THEIRS[piles[number % players].pop()])
    (turned,) = deal.place("turned")
    state.apply_action(THEIRS[turned.index])
    return state


def test_cards_are_numbered_as_there() -> None:
    state = pyspiel.load_game("oh_hell").new_initial_state()
    state.apply_action(1)
    state.apply_action(0)
    names = [state.action_to_string(action) for action in state.legal_actions()]
    assert names == [oh_hell.DECK[card].name for card in OURS]


def test_lock_step() -> None:
    rng = random.Random(7)
    hooked = exact = 0
    for number in range(GAMES):
        players = 3 + number % 5
        tricks = rng.randint(1, 51 // players)
        game = oh_hell.OhHell(players, tricks)
        deal = Deal.from_cards(game.layout, rng.sample(range(52), 52))
        theirs, table = their_deal(players, tricks, deal), Table.start(game, deal)
        while table.turn is not None:
            assert theirs.current_player() == table.turn
            actions = table.legal()
            if table.tricks is None:
                numbers = [FIRST_BID + int(action.value) for action in actions]
                hooked += len(numbers) == tricks
            else:
                numbers = [THEIRS[action.cards[0]] for action in actions]
            assert sorted(numbers) == theirs.legal_actions()
            choice = rng.randrange(len(actions))
            theirs.apply_action(numbers[choice])
            table.apply(actions[choice])
        assert theirs.is_terminal()
        score = table.score()
        assert list(score.points) == theirs.returns()
        exact += sum(points >= 10 for points in score.points)
    assert hooked > GAMES // 10
    assert exact


def test_conformance() -> None:
    for players, tricks in ((3, 10), (4, 7), (7, 2)):
        check_game(oh_hell.OhHell(players, tricks), deals=2).require()


def test_a_bid_of_the_last_seat_cannot_make_the_sum_come_out() -> None:
    game = oh_hell.OhHell(3, 2)
    table = Table.start(game, Deal.from_cards(game.layout, range(52)))
    for bid in ("1", "0"):
        table.apply(Action("bid", bid))
    assert [action.value for action in table.legal()] == ["0", "2"]
    table.apply(Action("bid", "2"))
    assert str(table.contract) == "C:1,0,2"
    for card in (0, 2, 4, 5, 1, 3):
        table.apply(play(card))
    assert table.score().points == (0, 10, 12)
