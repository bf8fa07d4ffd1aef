"""Euchre: hands worked out by the rules in Hoyle (A. Morehead, G. Mott-Smith, Hoyle's Rules of Games), a slow twin, and
OpenSpiel in lock-step.
"""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tricktake_parlour.euchre import BLANKS, DECK, Euchre, Trumps
from tricktake_parlour.players.euchre import Bidder

from plugins.parlour.tests.parlour_tables import Twin, names, play_along, scripted
from tricktake.deal import Deal, deal
from tricktake.search.opencard import wins
from tricktake.table import Table
from tricktake.testing import check_game, check_strategy

GAMES = 2000
X = "X1 X2 X3 X4 X5"
# Trumps hearts: seat 0 holds both bowers and ace, king, ten.
MARCH = f"HJ DJ HA HK HT | H9 C9 S9 D9 DT | CT ST CQ SQ DQ | SK SA DK DA CA | HQ | CJ SJ CK | {X}"


@pytest.mark.parametrize(
    ("actions", "points", "made"),
    [
        (("name:H", "discard CA"), 2, True),  # a march
        (("alone:H", "discard CA"), 4, True),  # and alone
        (("pass", "name:H", "discard CA"), 2, False),  # the second hand orders up and is euchred
        (("pass", "alone:H", "discard CA"), 2, False),
    ],
)
def test_scores(actions: tuple[str, ...], points: int, made: bool) -> None:
    score = scripted(Euchre(), MARCH, *actions).score()
    assert score.points == (points, -points, points, -points)
    assert score.won is made
    assert score.detail["tricks"][0] == 5


def test_a_point_for_four_tricks() -> None:
    """The jack of diamonds is a trump below the jack of hearts: it beats the ace of trumps."""
    cards = f"HA HK HQ HT CA | DJ C9 S9 D9 DT | CT ST CQ SQ DQ | SK SA DK DA CK | H9 | CJ SJ HJ | {X}"
    table = scripted(Euchre(), cards, "name:H", "discard CK")
    assert table.score().points == (1, -1, 1, -1)
    assert table.score().detail["tricks"] == (4, 1, 0, 0)


def test_the_left_bower_is_no_card_of_its_suit() -> None:
    """Who holds only the jack of diamonds need not play it to a diamond, but to a heart."""
    cards = f"DA HK C9 CT CQ | DJ S9 ST SQ CK | H9 CJ SA SK HT | DK DQ D9 DT H9 | HJ | SJ HA CA | {X}"
    cards = cards.replace("HT | DK DQ D9 DT H9", "HQ | DK DQ D9 DT HT")
    game = Euchre()
    table = Table.start(game, Deal.from_text(game.layout, cards))
    for action in ("name:H", "discard HT", "DA"):
        table.apply(game.parse(action, table))
    assert len(table.legal()) == 5
    table.undo()
    table = Table.start(game, Deal.from_text(game.layout, cards))
    for action in ("name:H", "discard HT", "HK"):
        table.apply(game.parse(action, table))
    assert [names(game, action.mask) for action in table.legal()] == [["DJ"]]


def test_the_turned_up_card_and_the_second_round() -> None:
    game = Euchre()
    table = Table.start(game, Deal.from_text(game.layout, MARCH))
    for _ in range(4):
        assert {action.value for action in table.legal()} == {"", "H"}
        table.apply(game.parse("pass", table))
    for _ in range(3):
        assert {action.value for action in table.legal()} == {"", "C", "D", "S"}
        table.apply(game.parse("pass", table))
    assert {action.value for action in table.legal()} == {"C", "D", "S"}
    table.apply(game.parse("name:S", table))
    assert table.tricks is not None  # nobody discards
    assert table.turn == 0
    free = Table.start(Euchre(stick_the_dealer=False), Deal.from_text(game.layout, MARCH))
    for _ in range(8):
        free.apply(game.parse("pass", free))
    assert free.over
    assert free.score().points == (0, 0, 0, 0)


def test_the_dealer_discards_one_of_his_five() -> None:
    game = Euchre()
    table = Table.start(game, Deal.from_text(game.layout, MARCH))
    table.apply(game.parse("name:H", table))
    assert table.turn == 3
    assert {name for action in table.legal() for name in names(game, action.mask)} == {"SK", "SA", "DK", "DA", "CA"}
    table.apply(game.parse("discard CA", table))
    assert table.view(0).known[3] == DECK.parse_mask("HQ")


def test_a_partner_who_sits_out() -> None:
    """His cards lie face down, he wins nothing, and if he is the eldest hand the next one leads."""
    game = Euchre()
    table = Table.start(game, Deal.from_text(game.layout, MARCH))
    for action in ("pass", "pass", "alone:H", "discard CA"):
        table.apply(game.parse(action, table))
    assert table.turn == 1
    assert table.places[0] == BLANKS
    assert table.view(3).known[0] == BLANKS
    assert table.view(3).known[6] == 0
    assert table.view(0).known[6] == DECK.parse_mask("HJ DJ HA HK HT")
    given = Table.at_contract(game, table.deal, Trumps(2, "H", alone=True))
    assert given.places[0] == BLANKS
    assert given.turn == 1


@pytest.mark.kernel
def test_the_solver_leaves_out_who_sits_out() -> None:
    """Three hands against minimax without the fourth: blanks change nothing."""
    game, rng = Euchre(), random.Random(4)
    seen = set()
    for number in range(12):
        table = Table.at_contract(
            game, deal(game.layout, 9, number), Trumps(number % 4, "CDHS"[number % 3], alone=True)
        )
        state = table.open_cards()
        while len(state.tricks) < 2 or state.table:
            state.play(rng.choice(state.legal()))
        declarer = table.contract.declarer
        makers = sum(state.won[declarer % 2 :: 2])
        needed = max(0, 3 - makers)
        best = best_of_three(state, declarer, (declarer + 2) % 4)
        won = bool(wins(state, declarer))
        assert won == (best >= needed)
        seen.add(won)
    assert seen == {True, False}


def best_of_three(state, declarer: int, out: int) -> int:
    """The tricks the declarer can take with the cards of three seats, by trying everything."""
    seats = [seat for seat in range(4) if seat != out]
    rules, deck = state.rules, state.rules.deck
    hands = {seat: [card.index for card in deck if state.hands[seat] >> card.index & 1] for seat in seats}

    def strength(card: int, led: int) -> tuple[bool, bool, int]:
        suit = rules.suit_of[card]
        return suit == rules.trump, suit == rules.suit_of[led], rules.power[card]

    def search(leader: int, table: list[int]) -> int:
        order = [seat for n in range(4) if (seat := (leader + n) % 4) in seats]
        if len(table) == 3:
            at = max(range(3), key=lambda n: strength(table[n], table[0]))
            return (order[at] == declarer) + search(order[at], [])
        seat = order[len(table)]
        if not hands[seat]:
            return 0
        led = [c for c in hands[seat] if table and rules.suit_of[c] == rules.suit_of[table[0]]]
        values = []
        for card in led or list(hands[seat]):
            hands[seat].remove(card)
            values.append(search(leader, [*table, card]))
            hands[seat].append(card)
        return max(values) if seat == declarer else min(values)

    return search(state.leader, [])


class EuchreTwin(Twin):
    """Bowers by name; who sits out has nothing but blanks."""

    def suit(self, card: str) -> str:
        assert self.trump is not None
        left = {"C": "S", "S": "C", "D": "H", "H": "D"}[self.trump] + "J"
        return self.trump if card == left else card[0]

    def rank(self, card: str) -> int:
        if card[0] == "X":
            return -1
        if card[1] == "J" and self.suit(card) == self.trump:
            return 21 if card[0] == self.trump else 20
        return "9TJQKA".index(card[1])


def twin_of(table: Table, hands: list[list[str]]) -> Twin:
    return EuchreTwin(hands, 1 if hands[0][0][0] == "X" else 0, table.facts["trump"])


@given(st.integers(0, 1 << 30), st.booleans())
def test_a_slow_twin_agrees(number: int, stick: bool) -> None:
    table, twin = play_along(Euchre(stick), number, twin_of)
    if twin is None:
        assert not stick
        assert table.score().points == (0, 0, 0, 0)
        return
    maker, facts = table.facts["declarer"], table.facts
    tricks = twin.won(maker, (maker + 2) % 4)
    points = -2 if tricks < 3 else 1 if tricks < 5 else 4 if facts["alone"] else 2
    assert table.score().points == tuple(points if (seat - maker) % 2 == 0 else -points for seat in range(4))
    if facts["alone"]:
        assert twin.won((maker + 2) % 4) == 0


# -- OpenSpiel -------------------------------------------------------------------------------------------------------


PASS, ALONE, PARTNER = 24, 29, 30
THEIRS = {card.index: 4 * "9TJQKA".index(card.rank) + "CDHS".index(card.suit) for card in DECK if card.suit != "X"}


@pytest.mark.oracle
@pytest.mark.parametrize("stick", [True, False])
def test_lock_step(stick: bool) -> None:
    """OpenSpiel asks who makes trumps whether alone only after the discard; what sits out plays no cards there."""
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    theirs_game = pyspiel.load_game("euchre", {"stick_the_dealer": stick})
    game, rng = Euchre(stick), random.Random(11)
    alone = passed = 0
    for _ in range(GAMES // 2):
        cards = rng.sample(range(24), 24)
        dealt = Deal.from_cards(game.layout, [*cards, *range(24, 29)])
        theirs, table = theirs_game.new_initial_state(), Table.start(game, dealt)
        theirs.apply_action(3)  # the last seat deals; the first card goes to the dealer there
        piles = [[card.index for card in dealt.hand(seat)] for seat in range(4)]
        for number in range(20):
            theirs.apply_action(THEIRS[piles[(3 + number) % 4].pop()])
        (turned,) = dealt.place("turned")
        theirs.apply_action(THEIRS[turned.index])
        asked, lazy = False, rng.random() < 0.2  # a fifth of the deals: all pass while they may
        while table.turn is not None:
            if table.tricks is not None and not asked:
                asked = True
                assert theirs.legal_actions() == [ALONE, PARTNER]
                assert theirs.current_player() == table.facts["declarer"]
                theirs.apply_action(ALONE if table.facts["alone"] else PARTNER)
            actions = table.legal()
            action = actions[0] if lazy and table.contract is None else rng.choice(actions)
            if not action.mask & BLANKS:
                assert theirs.current_player() == table.turn
                assert sorted({number_of(a) for a in actions}) == theirs.legal_actions()
                theirs.apply_action(number_of(action))
            table.apply(action)
        assert theirs.is_terminal()
        assert list(table.score().points) == theirs.returns()
        alone += bool(table.facts.get("alone"))
        passed += table.tricks is None
    assert alone > GAMES // 10
    assert (passed > 0) is not stick


def number_of(action) -> int:
    if action.cards:
        return THEIRS[action.cards[0]]
    return PASS + 1 + "CDHS".index(action.value) if action.value else PASS


def test_contracts_read_back_and_wrong_ones_are_refused() -> None:
    assert Euchre().contract("2:H:alone") == Trumps(2, "H", alone=True)
    for text in ("4:H", "2:X", "2:H:both", "H"):
        with pytest.raises(ValueError, match="seat and trumps"):
            Euchre().contract(text)


def test_conformance() -> None:
    check_game(Euchre(), deals=8).require()
    check_game(Euchre(stick_the_dealer=False), deals=4).require()
    check_strategy(Bidder(), Euchre(), deals=6).require()


def test_the_bidder_orders_up_plays_alone_and_throws_the_worst() -> None:
    other = MARCH.replace("S9", "?").replace("SK", "S9").replace("?", "SK")
    table = Table.start(Euchre(), Deal.from_text(Euchre().layout, other))
    assert Bidder().choose(table.view(0)).action.to_text(DECK) == "alone:H"
    table.apply(Euchre().parse("pass", table))
    assert Bidder().choose(table.view(1)).action.to_text(DECK) == "pass"
    table.apply(Euchre().parse("name:H", table))
    assert Bidder().choose(table.view(3)).action.to_text(DECK) == "discard S9"
