"""Pinochle: hands worked out by the rules at pagat.com (J. McLeod, Partnership Auction Pinochle), and a slow twin."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tricktake_parlour.pinochle.cards import DECK
from tricktake_parlour.pinochle.game import Bid, Pinochle
from tricktake_parlour.pinochle.melds import meld
from tricktake_parlour.players.pinochle import Bidder

from plugins.parlour.tests.parlour_tables import Twin, names, play_along
from tricktake.action import Action
from tricktake.deal import Deal
from tricktake.phases import PASS
from tricktake.table import Table
from tricktake.testing import check_game, check_strategy

RANKS = "9JQKTA"


class PinochleTwin(Twin):
    """The rule book's words, with lists of names; a prime marks the second copy."""

    def rank(self, card: str) -> int:
        return RANKS.index(card[1])

    def winner(self) -> int:
        """Of equal cards the first."""
        suits = [card[0] for card in self.table]
        ruling = self.trump if self.trump in suits else suits[0]
        best = max(self.rank(card) for card in self.table if card[0] == ruling)
        return next(n for n, card in enumerate(self.table) if card[0] == ruling and self.rank(card) == best)

    def legal(self) -> list[str]:
        hand = self.hands[self.turn]
        if not self.table:
            return hand
        best = self.table[self.winner()]
        cards = [c for c in hand if c[0] == self.table[0][0]] or [c for c in hand if c[0] == self.trump] or hand
        over = [
            c for c in cards if (c[0] == best[0] and self.rank(c) > self.rank(best)) or (c[0] == self.trump != best[0])
        ]
        return over or cards

    def points(self, side: int) -> int:
        won = [trick for winner, trick in self.tricks if winner % 2 == side]
        return 10 * sum(card[1] in "KTA" for trick in won for card in trick) + 10 * (self.tricks[-1][0] % 2 == side)


def slow_meld(hand: list[str], trump: str) -> int:
    """Melds looked up in the table of the rule book, one after another."""
    kinds = [card[:2] for card in hand]
    runs = min(kinds.count(trump + rank) for rank in "ATKQJ")
    total = {0: 0, 1: 150, 2: 1500}[runs] + 10 * kinds.count(trump + "9")
    for suit in "CDHS":
        pairs = min(kinds.count(suit + "K"), kinds.count(suit + "Q"))
        total += 40 * (pairs - runs) if suit == trump else 20 * pairs
    total += {0: 0, 1: 40, 2: 300}[min(kinds.count("SQ"), kinds.count("DJ"))]
    for rank, one in (("A", 100), ("K", 80), ("Q", 60), ("J", 40)):
        around = min(kinds.count(suit + rank) for suit in "CDHS")
        total += {0: 0, 1: one, 2: 10 * one}[around]
    return total


@given(st.integers(0, 1 << 30))
def test_a_slow_twin_agrees(number: int) -> None:
    melds: list[int] = []

    def twin_of(table: Table, hands: list[list[str]]) -> PinochleTwin:
        melds.extend(slow_meld(hand, table.contract.trump) for hand in hands)
        return PinochleTwin(hands, table.contract.declarer, table.contract.trump)

    table, twin = play_along(Pinochle(), number, twin_of)
    assert twin is not None
    assert table.contract.melds == tuple(melds)
    expected = [twin.points(s) + (melds[s] + melds[s + 2]) * (twin.won(s, s + 2) > 0) for s in (0, 1)]
    us = table.contract.declarer % 2
    assert sum(twin.points(s) for s in (0, 1)) == 250
    if expected[us] < table.contract.bid:
        expected[us] = -table.contract.bid
    assert table.score().points == tuple(expected) * 2


@given(st.permutations(range(48)), st.sampled_from("CDHS"))
def test_melds(order: list[int], trump: str) -> None:
    mask = sum(1 << card for card in order[:20])  # more than a hand, so that all melds come up
    points, shown = meld(mask, trump)
    assert points == slow_meld(names(Pinochle(), mask), trump)
    assert shown & ~mask == 0
    assert meld(shown, trump)[0] == points


@pytest.mark.parametrize(
    ("hand", "trump", "points"),
    [
        ("SA ST SK SQ SJ S9", "S", 160),  # run and dix; its marriage does not count
        ("SA ST SK SK' SQ SQ' SJ", "S", 190),  # and a royal marriage
        ("SA SA' ST ST' SK SK' SQ SQ' SJ SJ'", "S", 1500),
        ("SQ DJ", "C", 40),
        ("SQ SQ' DJ DJ'", "C", 300),
        ("CA DA HA SA CK CQ HK HQ", "H", 100 + 20 + 40),
        ("CK DK HK SK CQ DQ HQ SQ", "S", 80 + 60 + 3 * 20 + 40),  # a round house: 240
        ("CJ DJ HJ SJ CJ' DJ' HJ' SJ'", "S", 400),
    ],
)
def test_melds_of_the_book(hand: str, trump: str, points: int) -> None:
    assert meld(DECK.parse_mask(hand), trump)[0] == points


# Seat 0: all clubs, 1: all diamonds, 2: all hearts, 3: all spades.
SUITS = " | ".join(" ".join(f"{suit}{rank} {suit}{rank}'" for rank in "ATKQJ9") for suit in "CDHS")


@pytest.mark.parametrize(
    ("said", "points"),
    [
        # the declarers take all tricks: 250 and 1520 for a double run and two nines, 2 x 20 for marriages in hearts
        (
            ("bid:250", "pass", "pass", "pass", "name:C"),
            (250 + 1520 + 40, 0),
        ),  # the others, without a trick, lose 40 + 40
        (("pass", "bid:300", "bid:310", "pass", "pass", "name:C"), (1810, 0)),
        (("pass", "pass", "pass", "bid:250", "name:C"), (1810, -250)),  # seat 3 was forced, and names the wrong suit
    ],
)
def test_scores(said: tuple[str, ...], points: tuple[int, int]) -> None:
    table = Table.start(Pinochle(), Deal.from_text(Pinochle().layout, SUITS))
    for word in said:
        table.apply(table.game.parse(word, table))
    while table.turn is not None:
        table.apply(table.legal()[0])
    assert table.score().points == points * 2


def test_the_dealer_must_bid() -> None:
    table = Table.start(Pinochle(), Deal.from_text(Pinochle().layout, SUITS))
    for _ in range(3):
        assert PASS in table.legal()
        table.apply(PASS)
    assert table.legal() == [Action("bid", "250")]


def test_melds_are_shown_and_must_be() -> None:
    table = Table.start(Pinochle(), Deal.from_text(Pinochle().layout, SUITS))
    for word in ("bid:250", "pass", "pass", "pass", "name:H"):
        table.apply(table.game.parse(word, table))
    (action,) = table.legal()
    assert (action.verb, action.value) == ("meld", "40")
    table.apply(action)
    assert table.view(3).known[0] == DECK.parse_mask("CK CK' CQ CQ'")
    for _ in range(3):
        table.apply(table.legal()[0])
    assert str(table.contract) == "0:250:H:40,40,1520,40"


def test_head_the_trick_and_the_first_of_equals() -> None:
    hands = (
        "CA CK CK' C9 D9 D9' H9 H9' S9 S9' SJ SJ' | CA' CT CT' CQ CJ DA DA' DT DT' DK DK' DQ |"
        "HA HA' HT HT' HK HK' HQ HQ' HJ HJ' C9' CJ' | SA SA' ST ST' SK SK' SQ SQ' DJ DJ' DQ' CQ'"
    )
    table = Table.start(Pinochle(), Deal.from_text(Pinochle().layout, hands))
    for word in ("bid:250", "pass", "pass", "pass", "name:H"):
        table.apply(table.game.parse(word, table))
    while table.tricks is None:
        table.apply(table.legal()[0])
    table.apply(table.game.parse("CK", table))
    assert table.tricks.legal_cards_mask() == DECK.parse_mask("CA' CT CT'")  # beats the king
    table.apply(table.game.parse("CT", table))
    assert table.tricks.legal_cards_mask() == DECK.parse_mask("C9' CJ'")  # cannot
    for card in ("CJ'", "CQ'", "CA'", "C9'"):
        table.apply(table.game.parse(card, table))
    assert table.tricks.legal_cards_mask() == table.hands[3]  # void, and without trumps
    table.apply(table.game.parse("DJ", table))
    table.apply(table.game.parse("CA", table))
    assert table.tricks.tricks[-1].winner == 1  # the first ace of clubs


def test_contracts_read_back_and_wrong_ones_are_refused() -> None:
    assert Pinochle().contract("2:300:H:40,0,150,20") == Bid(2, 300, "H", (40, 0, 150, 20))
    for text in ("2:300:X:0,0,0,0", "2:305:H:0,0,0,0", "4:300:H:0,0,0,0", "2:300:H:0,0", "pass"):
        with pytest.raises(ValueError, match=r"contract|melds|unpack"):
            Pinochle().contract(text)


def test_conformance() -> None:
    check_game(Pinochle(), deals=3).require()
    check_strategy(Bidder(), Pinochle(), deals=2).require()


def test_the_bidder_counts_its_melds() -> None:
    table = Table.start(Pinochle(), Deal.from_text(Pinochle().layout, SUITS))
    assert Bidder().choose(table.view(0)).action == Action("bid", "250")
