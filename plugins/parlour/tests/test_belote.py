"""Belote: hands worked out by the rules at pagat.com (J. McLeod, Belote; Coinche), and a slow twin."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tricktake_parlour.belote.bidding import Taken
from tricktake_parlour.belote.game import Belote
from tricktake_parlour.players.belote import Bidder

from plugins.parlour.tests.parlour_tables import Twin, play_along, run, scripted
from tricktake.action import Action
from tricktake.deal import Deal
from tricktake.phases import PASS
from tricktake.table import Table
from tricktake.testing import check_game, check_strategy

COINCHE = Belote(bidding="coinche")
ALL = "AKQJT987"
SUITS = " | ".join(run(suit, ALL) for suit in "CDHS")


class BeloteTwin(Twin):
    """The rule book's words, with lists of names."""

    def rank(self, card: str) -> int:
        return ("78QKTA9J" if card[0] == self.trump else "789JQKTA").index(card[1])

    def legal(self) -> list[str]:
        hand = self.hands[self.turn]
        if not self.table:
            return hand
        led = self.table[0][0]
        trumps = [card for card in self.table if card[0] == self.trump]
        best = max(map(self.rank, trumps), default=-1)
        own = [card for card in hand if card[0] == self.trump]
        higher = [card for card in own if self.rank(card) > best]
        same = [card for card in hand if card[0] == led]
        if led == self.trump:
            return higher or same or hand
        if same:
            return same
        partner_wins = (self.leader + self.winner()) % 4 == (self.turn + 2) % 4
        if not partner_wins:
            return higher or own or hand
        return [card for card in hand if card[0] != self.trump] + (higher or own)

    def points(self, side: int) -> int:
        """Card points, last trick and capot."""
        won = [trick for winner, trick in self.tricks if winner % 2 == side]
        if len(won) == 8:
            return 252
        values = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}
        trumps = values | {"J": 20, "9": 14}
        total = sum((trumps if c[0] == self.trump else values).get(c[1], 0) for trick in won for c in trick)
        return total + 10 * (self.tricks[-1][0] % 2 == side)


@given(st.integers(0, 1 << 30), st.sampled_from(["turned", "coinche"]))
def test_a_slow_twin_agrees(number: int, bidding: str) -> None:
    held: list[list[str]] = []

    def twin_of(table: Table, hands: list[list[str]]) -> BeloteTwin:
        held.extend(list(hand) for hand in hands)
        return BeloteTwin(hands, 0, table.contract.trump)

    table, twin = play_along(Belote(bidding=bidding), number, twin_of)
    score = table.score()
    if twin is None:
        assert score.points == (0,) * 4
        return
    us = table.contract.declarer % 2
    cards = [twin.points(0), twin.points(1)]
    assert score.detail["cards"] == tuple(cards)
    belote = [20 * any({twin.trump + "K", twin.trump + "Q"} <= set(held[seat]) for seat in (s, s + 2)) for s in (0, 1)]
    ours, theirs = cards[us] + belote[us], cards[1 - us] + belote[1 - us]
    if bidding == "turned":
        if ours > theirs:
            expected = ours, theirs
        elif ours == theirs:
            expected = 0, theirs
        else:
            expected = belote[us], max(162, cards[1 - us]) + belote[1 - us]
    else:
        bid, factor = table.contract.bid, 2**table.contract.doubled
        worth = (250 if bid == "capot" else int(bid)) * factor
        made = cards[us] == 252 if bid == "capot" else ours >= max(int(bid), 82)
        expected = (ours + worth, theirs) if made else (belote[us], 160 + worth + belote[1 - us])
    assert (score.points[us], score.points[1 - us]) == expected


@pytest.mark.parametrize(
    ("bids", "points"),
    [
        (("bid:80C", "pass", "pass", "pass"), (252 + 20 + 80, 0)),  # capot, unannounced, and belote
        (("bid:capotC", "pass", "pass", "pass"), (252 + 20 + 250, 0)),
        (("bid:100C", "double", "redouble"), (252 + 20 + 400, 0)),
        (("pass", "bid:90D", "double", "pass", "pass"), (0, 252 + 20 + 180)),  # the first club is trumped
        (("bid:80H", "bid:90D", "bid:100H", "pass", "pass", "pass"), (252 + 20 + 100, 0)),  # the partner takes all
    ],
)
def test_coinche(bids: tuple[str, ...], points: tuple[int, int]) -> None:
    """Each seat holds a suit; whose suit is trump takes all tricks."""
    assert scripted(COINCHE, SUITS, *bids).score().points == points * 2


# seat 0: CJ C9 CA CT DA; upcard C7; then two, two, two, two, and one for each but the taker.
TURNED = (
    "CJ C9 CA CT DA | D7 D8 D9 DJ DQ | H7 H8 H9 HJ HQ | S7 S8 S9 SJ SQ | C7"
    "| C8 CQ | DK DT | HK HT | SK ST | CK | HA | SA"
)


def test_the_taker_gets_the_upcard_and_two() -> None:
    table = Table.start(Belote(), Deal.from_text(Belote().layout, TURNED))
    assert table.view(2).known[4] == 1 << table.deal.layout.deck.card("C7").index
    table.apply(Action("name", "C"))
    assert [mask.bit_count() for mask in table.places] == [8] * 4 + [0] * 8
    assert table.hands[0] == table.deal.layout.deck.parse_mask("CJ C9 CA CT DA C7 C8 CQ")
    assert table.hands[1] & table.deal.layout.deck.card("CK").mask
    assert table.view(3).known[0] == table.deal.layout.deck.card("C7").mask
    again = Table.at_contract(Belote(), table.deal, Taken(0, "C"))
    assert again.hands == table.hands


def test_second_round_and_passed_in() -> None:
    table = Table.start(Belote(), Deal.from_text(Belote().layout, TURNED))
    for _ in range(4):
        assert table.legal() == [PASS, Action("name", "C")]
        table.apply(PASS)
    assert Action("name", "C") not in table.legal()
    for _ in range(4):
        table.apply(PASS)
    assert table.over
    assert table.score().points == (0, 0, 0, 0)


def test_who_loses_gives_all_to_the_others() -> None:
    """Seat 1 takes hearts with three low ones; the others take everything but one or two tricks."""
    table = scripted(Belote(), TURNED, "pass", "pass", "pass", "pass", "pass", "name:H")
    score = table.score()
    assert score.won is False
    assert score.points[1] == score.detail["belote"][1]
    assert score.points[0] == max(162, score.detail["cards"][0]) + score.detail["belote"][0]


# clubs led by seat 0; seat 1 void with trumps; hearts are trumps, taken by seat 3.
RUFFS = "CA C7 D7 D8 D9 DJ S7 S8 | H9 HT H7 DQ DK DT DA S9 | C8 C9 CJ SJ SQ SK ST SA | HJ HA HK HQ H8 CQ CK CT"


def test_must_trump_overtrump_and_spare_the_partner() -> None:
    table = Table.start(COINCHE, Deal.from_text(COINCHE.layout, RUFFS))
    for bid in ("pass", "pass", "pass", "bid:100H", "pass", "pass", "pass"):
        table.apply(COINCHE.parse(bid, table))
    deck = COINCHE.layout.deck
    table.apply(COINCHE.parse("CA", table))
    assert table.tricks.legal_cards_mask() == deck.parse_mask("H9 HT H7")  # void: must trump
    for card in ("HT", "C8", "CQ"):
        table.apply(COINCHE.parse(card, table))
    table.apply(COINCHE.parse("H9", table))
    assert table.tricks.legal_cards_mask() == deck.parse_mask("SJ SQ SK ST SA C9 CJ")  # no trump held
    table.apply(COINCHE.parse("C9", table))
    assert table.tricks.legal_cards_mask() == deck.parse_mask("HJ")  # trumps led: only the jack beats the nine
    for card in ("HJ", "D7", "CK", "C7"):
        table.apply(COINCHE.parse(card, table))
    assert table.tricks.legal_cards_mask() == table.hands[1]  # void again, but now the partner wins
    for card in ("H7", "CJ", "DQ", "SJ", "CT", "D8"):
        table.apply(COINCHE.parse(card, table))
    assert [trick.winner for trick in table.tricks.tricks] == [1, 3, 1, 1]


def test_a_partner_who_wins_is_spared() -> None:
    """Seat 3 is void in diamonds; first seat 2, an opponent, wins with the ace, then seat 1, its partner."""
    cards = "D7 D8 C8 S7 S8 S9 SJ CJ | DT DK DQ D9 DJ C7 C9 ST | DA H7 H8 CT SQ SK SA CA | HJ HA HK HQ HT H9 CQ CK"
    spared = cards.replace("DA", "d").replace("D8", "DA").replace("d", "D8")  # seat 0 holds the ace
    for text, legal in ((cards, "HJ HA HK HQ HT H9"), (spared, "HJ HA HK HQ HT H9 CQ CK")):
        table = Table.start(COINCHE, Deal.from_text(COINCHE.layout, text))
        for word in ("pass", "bid:100H", "pass", "pass", "pass", "D7", "DT"):
            table.apply(COINCHE.parse(word, table))
        table.apply(table.legal()[0])
        assert table.tricks.legal_cards_mask() == COINCHE.layout.deck.parse_mask(legal)


def test_declarations_go_to_the_side_with_the_best() -> None:
    """A run of eight counts 100 as every one of five; four jacks beat it, and the partner's runs count with them."""
    game = Belote(bidding="coinche", declarations=True)
    table = scripted(game, SUITS, "bid:80C", "pass", "pass", "pass")
    assert table.score().detail["declarations"] == (200, 0)
    jacks = "CJ DJ HJ SJ C7 C8 C9 D7 | D8 D9 DT DQ DK DA HQ HK | H7 H8 H9 HT HA S7 S8 S9 | ST SQ SK SA CT CQ CK CA"
    table = scripted(game, jacks, "bid:80C", "pass", "pass", "pass")
    # seat 0: four jacks, 7 8 9 of clubs; seat 2: 7 8 9 T of hearts, 7 8 9 of spades; seat 1's Q K A of diamonds not
    assert table.score().detail["declarations"] == (200 + 20 + 50 + 20, 0)


def test_contracts_read_back_and_wrong_ones_are_refused() -> None:
    assert COINCHE.contract("2:H:110:1") == Taken(2, "H", "110", 1)
    assert Belote().contract("2:H") == Taken(2, "H")
    for text in ("4:H", "2:X", "2:H:85:0", "2:H:80:3", "2:H:80", "nonsense"):
        with pytest.raises(ValueError, match=r"contract|bids|unpack"):
            Belote().contract(text)
    with pytest.raises(ValueError, match="bidding is"):
        Belote(bidding="none")


def test_conformance() -> None:
    check_game(Belote(), deals=4).require()
    check_game(COINCHE, deals=2).require()
    check_strategy(Bidder(), Belote(), deals=2).require()
    check_strategy(Bidder(), COINCHE, deals=2).require()


def test_the_bidder_takes_with_four_high_trumps() -> None:
    table = Table.start(Belote(), Deal.from_text(Belote().layout, TURNED))
    assert Bidder().choose(table.view(0)).action == Action("name", "C")
    assert Bidder().choose(table.view(3)).action == PASS
