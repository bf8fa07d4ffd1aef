"""The natural bidder: openings, answers, overcalls, doubles of the textbook, and auctions that end."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from tricktake_bridge.auction import BIDS, DOUBLE, PASS
from tricktake_bridge.contract import BridgeContract
from tricktake_bridge.deck import BRIDGE, STRAINS
from tricktake_bridge.rule import OPENING, Rule, meanings

from tricktake.action import Action, Event
from tricktake.cards import bits
from tricktake.deal import Deal, deal
from tricktake.game import find_game
from tricktake.search.limit import Limit
from tricktake.strategies.player import default_spec
from tricktake.table import Table

GAME = find_game("bridge")


def word(text: str) -> Action:
    return {"P": PASS, "X": DOUBLE}.get(text) or Action("bid", text)


def call(hand: str, said: str = "") -> str:
    """What the seat says that holds a hand (spades.hearts.diamonds.clubs) after these calls from the dealer, north."""
    cards = [f"{suit}{rank}" for suit, ranks in zip("SHDC", hand.split("."), strict=True) for rank in ranks]
    own = BRIDGE.parse_mask(" ".join(cards))
    calls = said.split()
    seat = len(calls) % 4
    rest = list(bits(BRIDGE.full_mask & ~own))
    masks = [sum(1 << card for card in rest[n::3]) for n in range(3)]
    table = Table.start(GAME, Deal(GAME.layout, (*masks[:seat], own, *masks[seat:])))
    for text in calls:
        table.apply(word(text))
    found = Rule().decide(table.view(seat), Limit(), np.random.default_rng(0))
    assert found.reason
    return found.action.value or found.action.verb


@pytest.mark.parametrize(
    ("hand", "wanted"),
    [
        ("AK4.KQ5.J872.Q84", "1NT"),
        ("AK4.KQ5.AJ72.Q84", "1D"),  # 19 balanced points: too many for 1 NT, too few for 2
        ("AK4.KQ5.AJ72.AJ8", "2NT"),
        ("AK875.Q4.KJ5.872", "1S"),
        ("AQJT4.KJ752.A4.2", "1S"),  # of two long suits the higher
        ("A4.K752.AQJ42.J2", "1D"),  # four hearts are no opening
        ("KQT875.43.J52.72", "2S"),
        ("4.KQT8752.J52.72", "3H"),
        ("4.J52.72.KJT8752", "pass"),
        ("Q54.J752.K2.K752", "pass"),
    ],
)
def test_openings(hand: str, wanted: str) -> None:
    assert call(hand) == wanted


@pytest.mark.parametrize(
    ("said", "hand", "wanted"),
    [
        ("1H P", "J52.KJ4.Q752.832", "2H"),
        ("1H P", "A52.KJ54.Q752.83", "3H"),
        ("1H P", "A52.KJ54.AQ752.8", "4H"),
        ("1H P", "KJ52.43.Q752.832", "1S"),  # a suit of four at level 1
        ("1H P", "K32.43.Q752.J832", "1NT"),
        ("1H P", "432.43.Q7542.J83", "pass"),
        ("1H P", "K3.43.AQJ42.Q832", "2D"),
        ("1NT P", "K32.43.AJ752.Q83", "3NT"),
        ("1NT P", "432.KQ7542.A75.8", "4H"),
        ("1NT P", "432.43.Q7542.J83", "pass"),
        ("1S P 2S P", "AK875.Q4.KJ5.872", "pass"),
        ("1S P 2S P", "AKQ875.A4.KJ5.72", "4S"),
        ("1S P 3S P", "AK875.Q4.KJ5.Q72", "4S"),
        ("1D P 1S P", "A4.K75.AQJ42.J72", "1NT"),  # a new suit of partner's may not be passed
        ("1S P 4S P", "AK875.Q4.KJ5.872", "pass"),
    ],
)
def test_answers(said: str, hand: str, wanted: str) -> None:
    assert call(hand, said) == wanted


@pytest.mark.parametrize(
    ("said", "hand", "wanted"),
    [
        ("1H", "AQJ52.43.K75.832", "1S"),
        ("1S", "A4.KJ752.J75.832", "pass"),  # too little for level 2
        ("1S", "A4.AQJ752.K75.83", "2H"),
        ("1H", "KJ52.4.AQ75.K832", "double"),
        ("1H", "AQ5.KJ4.KJ75.Q83", "1NT"),
        ("1H X P", "KJ52.43.Q752.832", "1S"),  # to a double for takeout: something
        ("1H X P", "432.432.5432.432", "2D"),
        ("1H X P", "AJ52.43.KQ752.83", "2S"),
        ("1H X P", "AJ52.43.AKJ52.83", "4S"),
        ("1H X P", "43.KQT95.752.832", "pass"),
        ("1NT P 2NT 4S", "AK54.Q4.KJ52.Q72", "double"),
        ("1H 3S", "K2.AQ54.K752.832", "4H"),
        ("1NT 7S", "K2.Q54.KJ52.Q832", "double"),
    ],
)
def test_against_others(said: str, hand: str, wanted: str) -> None:
    assert call(hand, said) == wanted


def test_what_calls_say() -> None:
    calls = [Event(n % 4, word(text)) for n, text in enumerate(["1H", "P", "2H", "2S", "3H", "P", "P"])]
    north, east, south, west = meanings(tuple(calls))
    assert (north.points, north.lengths["H"]) == (OPENING + 4, 5)
    assert (south.points, south.lengths["H"]) == (6, 3)
    assert (west.points, west.lengths["S"]) == (11, 5)
    assert east.points == 0


def test_auctions_end_in_contracts_that_fit() -> None:
    """Of 150 deals few are passed in, a third or more are games, hardly any is a slam; nobody talks without end."""
    rng = np.random.default_rng(0)
    kinds: Counter[str] = Counter()
    for number in range(150):
        table = Table.start(GAME, deal(GAME.layout, 7, number), number % GAME.boards)
        while not table.over and table.tricks is None:
            table.apply(Rule().decide(table.view(table.actor or 0), Limit(), rng).action)
        assert len(table.events) < 25
        contract = table.contract
        if contract is None:
            kinds["passed"] += 1
            continue
        assert isinstance(contract, BridgeContract)
        kinds["slam" if contract.level > 5 else "game" if BIDS.index(word(contract.kind)) >= 14 else "part"] += 1
        both = table.deal.masks[contract.declarer] | table.deal.masks[contract.dummy]
        if contract.strain != STRAINS[-1] and contract.level > 2:
            assert (both & BRIDGE.of_suit_mask(contract.strain)).bit_count() >= 6
    assert kinds["game"] >= 45
    assert kinds["part"] >= 45
    assert kinds["slam"] <= 15
    assert kinds["passed"] <= 8


def test_it_is_the_player_of_bridge_and_of_no_other_game() -> None:
    assert "bid=bridge:rule" in default_spec(GAME)
    other = find_game("whist")
    view = Table.start(other, deal(other.layout, 1, 1)).view(0)
    with pytest.raises(ValueError, match="bids in bridge"):
        Rule().decide(view, Limit(), np.random.default_rng(0))
