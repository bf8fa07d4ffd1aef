"""Schieber-Jass: hands worked out by the rules at pagat.com (J. McLeod, Jass; Schieber), and a slow twin."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tricktake_parlour.jass import DECK, Jass, Way
from tricktake_parlour.players.jass import Bidder

from plugins.parlour.tests.parlour_tables import Twin, play_along, run, scripted
from tricktake.action import Action
from tricktake.deal import Deal
from tricktake.phases.trumps import PUSH
from tricktake.table import Table
from tricktake.testing import check_game, check_strategy

ALL = "AKQJT9876"
SUITS = " | ".join(run(suit, ALL) for suit in "CDHS")


class JassTwin(Twin):
    """The rule book's words, with lists of names. way: a suit, or up or down."""

    def __init__(self, hands: list[list[str]], way: str) -> None:
        super().__init__(hands, 0, way if len(way) == 1 else None)
        self.way = way

    def rank(self, card: str) -> int:
        if self.way == "undenufe":
            return "AKQJT9876".index(card[1])
        return ("678TQKA9J" if card[0] == self.trump else "6789TJQKA").index(card[1])

    def legal(self) -> list[str]:
        hand = self.hands[self.turn]
        if not self.table:
            return hand
        led = self.table[0][0]
        same = [card for card in hand if card[0] == led]
        if led == self.trump:
            return hand if all(card[1] == "J" for card in same) else same
        best = max((self.rank(card) for card in self.table if card[0] == self.trump), default=-1)
        trumps = [card for card in hand if card[0] == self.trump]
        over = [card for card in trumps if self.rank(card) > best]
        others = same or [card for card in hand if card[0] != self.trump]
        return others + over if others else trumps

    def points(self, side: int) -> int:
        values = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}
        if self.trump is None:
            values |= {"8": 8}
        if self.way == "undenufe":
            values |= {"6": 11, "A": 0}
        trumps = values | {"J": 20, "9": 14}
        won = [trick for winner, trick in self.tricks if winner % 2 == side]
        total = sum((trumps if c[0] == self.trump else values).get(c[1], 0) for trick in won for c in trick)
        return total + 5 * (self.tricks[-1][0] % 2 == side) + 100 * (len(won) == 9)


@given(st.integers(0, 1 << 30))
def test_a_slow_twin_agrees(number: int) -> None:
    table, twin = play_along(Jass(), number, lambda table, hands: JassTwin(hands, table.contract.way))
    assert isinstance(twin, JassTwin)
    assert table.score().points == (twin.points(0), twin.points(1)) * 2
    assert sum(table.score().points) in (314, 514)


@pytest.mark.parametrize(
    ("said", "points"),
    [
        (("name:C",), (257, 0)),  # match
        (("name:D",), (0, 257)),
        (("push", "name:obenabe"), (257, 0)),  # the first hand leads all the same
        (("name:undenufe",), (257, 0)),
    ],
)
def test_a_match(said: tuple[str, ...], points: tuple[int, int]) -> None:
    assert scripted(Jass(), SUITS, *said).score().points == points * 2


def test_multipliers() -> None:
    for way, factor in (("C", 1), ("obenabe", 3), ("undenufe", 3)):
        score = scripted(Jass(multipliers=True), SUITS, f"name:{way}").score()
        assert score.points == (factor * 257, 0) * 2
    assert scripted(Jass(multipliers=True), SUITS, "name:D").score().points == (0, 514, 0, 514)


def test_weis_goes_to_the_side_with_the_best() -> None:
    """Runs of nine on both sides: clubs are trumps, so seat 0 has the best; seat 0 has the Stoeck too."""
    score = scripted(Jass(weis=True), SUITS, "name:C").score()
    assert score.detail["weis"] == (200 + 20, 0)
    assert scripted(Jass(weis=True), SUITS, "name:S").score().detail["weis"] == (0, 200 + 20)
    assert scripted(Jass(weis=True), SUITS, "name:obenabe").score().detail["weis"] == (200, 0)  # the elder's
    nines = (
        "C9 D9 H9 S9 C6 C7 D6 D7 SA | CT CJ CQ CK CA H6 H7 S6 S7 |"
        "C8 D8 H8 S8 DA HA ST SQ DT | DJ DQ DK HT HJ HQ HK SJ SK"
    )
    score = scripted(Jass(weis=True), nines, "name:S").score()
    assert score.detail["weis"] == (150, 0)  # four nines before five clubs; no Stoeck: SQ and SK are apart


# hearts are trumps; seat 1 holds the jack alone
CARDS = (
    "CA C6 D6 D7 D8 H6 S6 S7 S8 | HJ C7 C8 C9 D9 DT DJ S9 ST | H7 H8 HT DQ DK DA SJ SQ SK | CT CJ CQ CK HQ HK HA H9 SA"
)


def test_trumps_at_will_the_jack_and_no_undertrump() -> None:
    table = Table.start(Jass(), Deal.from_text(Jass().layout, CARDS))

    def legal() -> int:
        return table.tricks.legal_cards_mask()

    for word in ("name:H", "CA"):
        table.apply(table.game.parse(word, table))
    assert legal() == DECK.parse_mask("C7 C8 C9 HJ")  # clubs, or a trump at will
    table.apply(table.game.parse("C7", table))
    table.apply(table.game.parse("HT", table))  # void
    assert legal() == DECK.parse_mask("CT CJ CQ CK HQ HK HA H9")
    table.apply(table.game.parse("CT", table))
    table.apply(table.game.parse("H7", table))  # leads trumps
    table.apply(table.game.parse("HQ", table))
    table.apply(table.game.parse("H6", table))
    assert legal() == table.hands[1]  # only the jack: it may stay
    table.apply(table.game.parse("S9", table))
    table.apply(table.game.parse("CK", table))  # seat 3 leads
    assert legal() == DECK.parse_mask("C6")  # no trump left
    table.apply(table.game.parse("C6", table))
    table.apply(table.game.parse("HJ", table))
    assert legal() == table.hands[2] & ~DECK.parse_mask("H8")  # void, but no trump below the jack


def test_only_the_first_hand_pushes() -> None:
    table = Table.start(Jass(), Deal.from_text(Jass().layout, SUITS))
    table.apply(PUSH)
    assert (table.turn, PUSH in table.legal()) == (2, False)
    table.apply(Action("name", "undenufe"))
    assert (table.turn, str(table.contract)) == (0, "undenufe:pushed")


def test_contracts_read_back_and_wrong_ones_are_refused() -> None:
    assert Jass().contract("H") == Way("H")
    assert Jass().contract("obenabe:pushed") == Way("obenabe", True)
    for text in ("X", "H:", "H:twice"):
        with pytest.raises(ValueError, match="no contract"):
            Jass().contract(text)


def test_conformance() -> None:
    check_game(Jass(weis=True, multipliers=True), deals=6).require()
    check_strategy(Bidder(), Jass(), deals=2).require()


def test_the_bidder_names_a_long_suit_and_pushes_nothing_good() -> None:
    table = Table.start(Jass(), Deal.from_text(Jass().layout, SUITS))
    assert Bidder().choose(table.view(0)).action.value in ("C", "obenabe", "undenufe")
    bad = (
        "C7 C8 CQ D7 DT DQ H7 H8 ST | CA CK CJ C9 CT C6 DA DK DJ |"
        "D6 D8 D9 HA HK HQ HJ HT H9 | H6 S6 S7 S8 S9 SJ SQ SK SA"
    )
    assert Bidder().choose(Table.start(Jass(), Deal.from_text(Jass().layout, bad)).view(0)).action == PUSH
