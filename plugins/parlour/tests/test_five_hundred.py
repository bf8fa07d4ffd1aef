"""Five Hundred: hands worked out by the rules at pagat.com (J. McLeod, 500; Australian), and a slow twin."""

from __future__ import annotations

from typing import ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tricktake_parlour.bowers import SittingOut
from tricktake_parlour.five_hundred.bidding import BIDS, MISERE, OPEN, VALUES, Bid, Bidding, Discard, Kitty
from tricktake_parlour.five_hundred.cards import DECK, trick_rules
from tricktake_parlour.five_hundred.game import FiveHundred
from tricktake_parlour.players import bidder
from tricktake_parlour.players.five_hundred import Bidder

from plugins.parlour.tests.parlour_tables import Twin, play_along, run
from tricktake.action import Action
from tricktake.deal import Deal
from tricktake.phase import Tricks
from tricktake.phases import PASS
from tricktake.table import Table
from tricktake.testing import check_game, check_strategy

GAME = FiveHundred()
RANKS = "456789TJQKA"


def only(*bids: str) -> FiveHundred:
    """A game in which nothing but these can be bid."""

    class Only(Bidding):
        def values(self, seat: int) -> list[str]:
            return list(bids)

    class Game(FiveHundred):
        phases = (Only, Kitty, Discard, SittingOut, Tricks)

    return Game()


class FiveHundredTwin(Twin):
    """The rule book's words, with lists of names."""

    same: ClassVar[dict[str, str]] = {"C": "S", "S": "C", "D": "H", "H": "D"}

    def suit(self, card: str) -> str:
        if self.trump and card in ("RJ", self.same[self.trump] + "J"):
            return self.trump
        return card[0]

    def rank(self, card: str) -> int:
        high = {"RJ": 22}
        if self.trump:
            high |= {self.trump + "J": 21, self.same[self.trump] + "J": 20}
        return high.get(card, RANKS.find(card[1]))

    def leads(self, hand: list[str]) -> list[str]:
        return [card for card in hand if self.trump or card != "RJ"] or hand

    def winner(self) -> int:
        return self.table.index("RJ") if "RJ" in self.table else super().winner()


@settings(max_examples=60)
@given(st.integers(0, 1 << 30), st.data())
def test_a_slow_twin_agrees(number: int, data: st.DataObject) -> None:
    bid = data.draw(st.sampled_from(BIDS))

    def twin_of(table: Table, hands: list[list[str]]) -> FiveHundredTwin:
        trump = None if bid in (MISERE, OPEN) or bid[-1] == "N" else bid[-1]
        return FiveHundredTwin(hands, table.contract.declarer, trump)

    table, twin = play_along(only(bid), number, twin_of)
    if twin is None:
        assert table.score().points == (0,) * 4
        return
    declarer = table.contract.declarer
    won = twin.won(declarer, (declarer + 2) % 4)
    if bid in (MISERE, OPEN):
        ours, theirs = VALUES[bid] * (1 if won == 0 else -1), 0
        assert len(twin.tricks) == 10 or won == 1
    else:
        made = won >= int(bid[:-1])
        ours, theirs = (max(VALUES[bid], 250 if won == 10 else 0) if made else -VALUES[bid]), 10 * (10 - won)
    points = table.score().points
    assert (points[declarer], points[(declarer + 1) % 4]) == (ours, theirs)


def test_the_schedule() -> None:
    values = {"6S": 40, "6N": 120, "7S": 140, "7H": 200, "8C": 260, "10D": 480, "10H": 500, "10N": 520}
    assert {bid: VALUES[bid] for bid in values} == values
    order = [BIDS.index(bid) for bid in ("7N", MISERE, "8S", "10D", OPEN, "10H")]
    assert order == sorted(order)


BLANK = " | " + run("X", "0123456789")
# Seat 0 holds the spades with joker and clubs' jack; three low cards in the kitty.
HANDS = (
    f"RJ SJ CJ {run('S', 'AKQT98')} HA | {run('H', 'KQJT9876')} D4 D5 |"
    f"{run('C', 'AKQT98765')} DA | {run('D', 'KQJT9876')} H4 H5 | S7 S6 S5"
)


def play(*said: str) -> Table:
    table = Table.start(GAME, Deal.from_text(GAME.layout, HANDS + BLANK))
    for word in said:
        table.apply(GAME.parse(word, table))
    return table


@pytest.mark.parametrize(
    ("bids", "ours", "theirs"),
    [
        (("bid:6S", "pass", "pass", "pass"), 250, 0),  # a slam
        (("bid:10S", "pass", "pass", "pass"), 440, 0),
        (("pass", "bid:6H", "pass", "pass"), 100, 20),  # joker and ace of hearts are all the others get
        (("pass", "pass", "bid:8C", "pass"), 260, 0),  # the partner has joker and bowers; 260 is more than a slam
        (("pass", "pass", "pass", "bid:10D"), -480, 10),  # the joker wins one trick
    ],
)
def test_scores(bids: tuple[str, ...], ours: int, theirs: int) -> None:
    table = play(*bids)
    table.apply(table.legal()[0])  # the kitty, or what is lowest
    while table.turn is not None:
        rules = table.tricks.rules
        table.apply(
            max(table.legal(), key=lambda a: (rules.suit_of[a.cards[0]] == rules.trump, rules.power[a.cards[0]]))
        )
    side = table.contract.declarer % 2
    assert table.score().points[side] == ours
    assert table.score().points[1 - side] == theirs


def test_bowers_are_trumps() -> None:
    table = play("bid:6C", "pass", "pass", "pass", "discard S5 S6 S7")
    assert table.turn == 0
    assert table.game.rules(table).same_suit_mask(DECK.card("SJ").index) >> DECK.card("CJ").index & 1
    table.apply(GAME.parse("SJ", table))
    table.apply(table.legal()[0])
    assert table.tricks.legal_cards_mask() == DECK.of_suit_mask("C") & table.hands[2]


def test_the_joker_at_no_trumps() -> None:
    table = play("bid:6N", "pass", "pass", "pass", "discard S5 S6 S7")
    assert not table.tricks.legal_cards_mask() & DECK.card("RJ").mask  # not led
    hands = (
        f"{run('H', 'AKQT987654')} | RJ HJ {run('S', 'AKQJT987')} | {run('D', 'AKQJT98765')} | {run('C', 'AKQJT98765')}"
        "| S6 S5 D4"
    )
    table = Table.start(GAME, Deal.from_text(GAME.layout, hands + BLANK))
    for word in ("bid:7N", "pass", "pass", "pass", "discard S6 S5 D4", "HA"):
        table.apply(GAME.parse(word, table))
    assert table.tricks.legal_cards_mask() == DECK.parse_mask("HJ")  # must follow
    for word in ("HJ", "DA", "CA", "HK", "RJ", "DK", "CK"):
        table.apply(GAME.parse(word, table))
    assert [trick.winner for trick in table.tricks.tricks] == [0, 1]


def test_misere_only_over_seven_and_the_partner_sits_out() -> None:
    table = play("bid:6S", "bid:6H")
    assert MISERE not in {action.value for action in table.legal()}
    table.apply(Action("bid", "7C"))
    assert MISERE in {action.value for action in table.legal()}
    table.apply(Action("bid", MISERE))
    for _ in range(3):
        table.apply(PASS)
    table.apply(table.legal()[0])
    assert table.turn == 3
    assert table.hands[1] == GAME.layout.aside_cards_mask
    assert DECK.of_suit_mask("X") == GAME.layout.aside_cards_mask
    table.apply(GAME.parse("DK", table))
    table.apply(GAME.parse("HA", table))
    table.apply(table.legal()[0])
    assert {DECK[action.cards[0]].name for action in table.legal()} == {"DA"}
    table.apply(GAME.parse("DA", table))
    assert table.tricks.tricks[0].winner == 2
    assert not table.over


def test_an_open_misere_lies_on_the_table_after_the_first_trick() -> None:
    table = play(f"bid:{OPEN}", "pass", "pass", "pass", "discard RJ SJ CJ", "S5")
    assert table.view(1).known[0] == 0
    while not table.tricks.tricks:
        table.apply(table.legal()[0])
    assert table.over  # nobody else had a spade
    assert table.score().points == (-500, 0, -500, 0)


def test_a_passed_in_deal() -> None:
    assert play("pass", "pass", "pass", "pass").score().points == (0, 0, 0, 0)


def test_contracts_read_back_and_wrong_ones_are_refused() -> None:
    assert GAME.contract("2:7H") == Bid(2, "7H")
    assert [GAME.contract(f"0:{bid}").kind for bid in ("8N", MISERE, "6S")] == ["no-trumps", MISERE, "suit"]
    for text in ("4:7H", "2:11H", "2", "x:misere"):
        with pytest.raises(ValueError, match="no contract"):
            GAME.contract(text)


def test_conformance_of_every_contract() -> None:
    check_game(GAME, deals=1).require()
    for number, bid in enumerate(("8S", "8N", MISERE, OPEN)):
        check_game(only(bid), ids=[number]).require()


def test_the_bidder() -> None:
    check_strategy(Bidder(), GAME, deals=1).require()
    table = play()
    assert Bidder().choose(table.view(0)).action.value.endswith("S")
    assert bidder.worth(trick_rules("S"), table.hands[0]) > 8
