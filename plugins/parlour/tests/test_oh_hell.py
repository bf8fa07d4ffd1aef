"""Oh Hell: hands worked out by the rules at pagat.com (J. McLeod, Oh Hell!), a slow twin, OpenSpiel in lock-step."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tricktake_parlour.oh_hell import DECK, Exact, OhHell
from tricktake_parlour.players.oh_hell import Bidder

from plugins.parlour.tests.parlour_tables import Twin, play_along, run, scripted
from tricktake.action import Action, play
from tricktake.deal import Deal
from tricktake.table import Table
from tricktake.testing import check_game, check_strategy

GAMES = 2000
THEIRS = [4 * "23456789TJQKA".index(card.rank) + "CDSH".index(card.suit) for card in DECK]
OURS = [THEIRS.index(number) for number in range(52)]
FIRST_BID = 52


def their_deal(players: int, tricks: int, deal: Deal):
    """Our seat 0 bids first, so the last seat is the dealer there."""
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    state = pyspiel.load_game("oh_hell", {"players": players}).new_initial_state()
    state.apply_action(tricks)
    state.apply_action(players - 1)
    piles = [[card.index for card in deal.hand(seat)] for seat in range(players)]
    for number in range(players * tricks):
        state.apply_action(THEIRS[piles[number % players].pop()])
    (turned,) = deal.place("turned")
    state.apply_action(THEIRS[turned.index])
    return state


@pytest.mark.oracle
def test_cards_are_numbered_as_there() -> None:
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    state = pyspiel.load_game("oh_hell").new_initial_state()
    state.apply_action(1)
    state.apply_action(0)
    names = [state.action_to_string(action) for action in state.legal_actions()]
    assert names == [DECK[card].name for card in OURS]


@pytest.mark.oracle
def test_lock_step() -> None:
    rng = random.Random(7)
    hooked = exact = 0
    for number in range(GAMES):
        players = 3 + number % 5
        tricks = rng.randint(1, 51 // players)
        game = OhHell(players, tricks)
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
            table.apply_unchecked(actions[choice])
            if table.tricks is not None and table.told:
                table.silence()
        assert theirs.is_terminal()
        score = table.score()
        assert list(score.points) == theirs.returns()
        exact += sum(points >= 10 for points in score.points)
    assert hooked > GAMES // 10
    assert exact


def test_conformance() -> None:
    for players, tricks in ((3, 10), (4, 7), (7, 2)):
        check_game(OhHell(players, tricks), deals=2).require()
    check_strategy(Bidder(), OhHell(), deals=3).require()


def test_a_bid_of_the_last_seat_cannot_make_the_sum_come_out() -> None:
    game = OhHell(3, 2)
    table = Table.start(game, Deal.from_cards(game.layout, range(52)))
    for bid in ("1", "0"):
        table.apply(Action("bid", bid))
    assert [action.value for action in table.legal()] == ["0", "2"]
    table.apply(Action("bid", "2"))
    assert str(table.contract) == "C:1,0,2"
    for card in (0, 2, 4, 5, 1, 3):
        table.apply(play(card))
    assert table.score().points == (0, 10, 12)


HANDS = f"{run('C', 'AK')} H2 | {run('C', 'QJ')} H3 | {run('D', 'AK')} H4 | S2 | "
REST = " ".join(card.name for card in DECK if card.name not in HANDS.split())


@pytest.mark.parametrize(
    ("bids", "points"),
    [(("2", "1", "1"), (12, 0, 11)), (("2", "0", "0"), (12, 10, 1)), (("3", "0", "1"), (2, 10, 11))],
)
def test_scores(bids: tuple[str, ...], points: tuple[int, ...]) -> None:
    """Ace and king of clubs take two tricks, the last heart the third; spades are trumps, nobody has one."""
    table = scripted(OhHell(3, 3), HANDS + REST, *bids, "CA", "CQ", "DA", "CK", "CJ", "DK")
    assert table.score().detail["tricks"] == (2, 0, 1)
    assert table.score().points == points


@given(st.integers(0, 1 << 30), st.integers(3, 7), st.integers(1, 7))
def test_a_slow_twin_agrees(number: int, players: int, tricks: int) -> None:
    table, twin = play_along(
        OhHell(players, tricks), number, lambda table, hands: Twin(hands, 0, str(table.deal.place("turned"))[0])
    )
    assert twin is not None
    bids = [int(bid) for bid in str(table.contract)[2:].split(",")]
    assert sum(bids) != tricks
    assert table.score().points == tuple(
        twin.won(seat) + (10 if twin.won(seat) == bid else 0) for seat, bid in enumerate(bids)
    )


def test_contracts_read_back_and_wrong_ones_are_refused() -> None:
    assert OhHell(3, 4).contract("H:1,0,4") == Exact((1, 0, 4), "H")
    for text in ("X:1,0,4", "H:1,0", "none:1,0,4", "H:a,b,c"):
        with pytest.raises(ValueError, match="a bid of each seat"):
            OhHell(3, 4).contract(text)
