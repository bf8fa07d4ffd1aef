"""Knowledge from views: exactly the deals from which the same course of play was possible."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.naive import NaiveTricks
from tests.strategies import random_rules, told_card_by_card
from tests.whist import Plain, Whist
from tricktake import worlds
from tricktake.action import Action, play
from tricktake.cards import Deck, bits
from tricktake.deal import Deal, deal
from tricktake.knowledge import HiddenPlace, Knowledge
from tricktake.rules import TrickRules
from tricktake.table import Table

FULL = (1 << 64) - 1


def possible(game: Plain, table: Table, seat: int) -> set[tuple[int, ...]]:
    """Every way the other cards can lie such that every card played so far was legal, found by trying them all."""
    places = [list(bits(mask)) for mask in table.places]
    played = [(event.seat, event.action.cards[0]) for event in table.events]
    gone = {card for _, card in played}
    sizes = [len(p) for p in places]
    unseen = [c for c in range(len(game.layout.deck)) if c not in gone and c not in places[seat]]
    found = set()

    def fill(place: int, left: list[int], world: list[list[int]]) -> None:
        if place == len(sizes):
            hands = [world[s] + [c for p, c in played if p == s] for s in range(game.seats)]
            if consistent(hands):
                found.add(tuple(sum(1 << c for c in cards) for cards in world))
            return
        if place == seat:
            fill(place + 1, left, [*world, places[seat]])
            return
        for cards in itertools.combinations(left, sizes[place]):
            fill(place + 1, [c for c in left if c not in cards], [*world, list(cards)])

    def consistent(hands: list[list[int]]) -> bool:
        state = NaiveTricks(game.trick_rules, hands, game.leader)
        for _, card in played:
            if card not in state.legal():
                return False
            state = state.after(card)
        return True

    fill(0, unseen, [])
    return found


@settings(max_examples=120, deadline=None)
@given(random_rules(max_cards=9), st.data())
def test_a_view_gives_exactly_the_possible_deals(rules: TrickRules, data: st.DataObject) -> None:
    n = len(rules.deck)
    size = data.draw(st.integers(1, min(3, n // rules.seats)))
    aside = data.draw(st.integers(0, min(2, n - size * rules.seats)))
    game = Plain(rules, size, aside, data.draw(st.integers(0, rules.seats - 1)))
    order = data.draw(st.permutations(range(n)))
    table = Table.start(game, Deal.from_cards(game.layout, order))
    for _ in range(data.draw(st.integers(0, size * rules.seats - 1))):
        table.apply(data.draw(st.sampled_from(table.legal())))
    for seat in range(rules.seats):
        view = table.view(seat)
        k = Knowledge.from_view(view)
        found = {tuple(int(mask) & FULL for mask in row) for row in worlds.enumerate(k)}
        truly = possible(game, table, seat)
        assert found == truly if told_card_by_card(rules) else found >= truly
        assert tuple(table.places) in found
        for world in found:
            if view.turn == seat and world in truly:
                assert view.state(world).legal_cards_mask() == view.legal_cards_mask()


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.data())
def test_an_exchange_leaves_the_truth_possible(number: int, data: st.DataObject) -> None:
    game = Whist()
    table = Table.start(game, deal(game.layout, 1, number))
    while not table.over:
        table.apply(data.draw(st.sampled_from(table.legal())))
        for seat in range(4):
            assert Knowledge.from_view(table.view(seat)).contains(table.places)


# -- by hand ------------------------------------------------------------------------------------------------------

DECK = Deck("CSHD", "789TJQKA")


def whist_like(**more) -> TrickRules:
    suit_of = tuple(DECK.suits.index(card.suit) for card in DECK)
    return TrickRules(DECK, 3, suit_of, tuple(range(32)), **more)


def after(rules: TrickRules, hands: str, *cards: str) -> Knowledge:
    """What seat 0 knows after these cards."""
    masks = [DECK.parse_mask(hand) for hand in hands.split("|")]
    game = Plain(rules, masks[0].bit_count())
    table = Table.start(game, Deal(game.layout, tuple(masks)))
    for name in cards:
        table.apply(play(DECK.card(name).index))
    return Knowledge.from_view(table.view(0))


def test_who_does_not_follow_is_void() -> None:
    k = after(whist_like(), "CA SA | H7 D8 | C7 C8", "CA", "H7", "C7")
    assert k.may_hold_mask(1) & DECK.of_suit_mask("C") == 0
    assert k.may_hold_mask(2) & DECK.of_suit_mask("C") != 0
    assert k.may_hold_mask(3) & DECK.of_suit_mask("C") != 0  # it may not have been dealt
    assert k.hidden == (HiddenPlace(1, "1", 1), HiddenPlace(2, "2", 1), HiddenPlace(3, "unused", 26))


def test_who_neither_follows_nor_trumps_has_no_trump() -> None:
    hands = "CA SA | H7 D8 | C7 C8"
    k = after(whist_like(trump=3, trump_when_void=True), hands.replace("D8", "S8"), "CA", "H7", "C7")
    assert k.may_hold_mask(1) & (DECK.of_suit_mask("C") | DECK.of_suit_mask("D")) == 0
    k = after(whist_like(trump=3), hands, "CA", "H7", "C7")
    assert k.may_hold_mask(1) & DECK.of_suit_mask("D") != 0


def test_who_does_not_beat_cannot() -> None:
    k = after(whist_like(overtake=True), "C9 SA | C8 D8 | CT HA", "C9", "C8", "CT")
    clubs = DECK.names(k.may_hold_mask(1) & DECK.of_suit_mask("C"))
    assert clubs == "C7"
    assert DECK.names(k.may_hold_mask(2) & DECK.of_suit_mask("C")) == "CA CK CQ CJ C7"


def test_leads_tell_too() -> None:
    hearts = DECK.of_suit_mask("H")
    rules = whist_like(lead_limit=hearts, breakers=hearts)
    hands = "CA SA | H7 H8 | C7 C8"
    masks = [DECK.parse_mask(hand) for hand in hands.split("|")]
    game = Plain(rules, 2, leader=1)
    table = Table.start(game, Deal(game.layout, tuple(masks)))
    table.apply(play(DECK.card("H8").index))
    assert Knowledge.from_view(table.view(0)).may_hold_mask(1) & ~hearts == 0
    first = whist_like(first_lead=DECK.parse_mask("D7"))
    game = Plain(first, 2, leader=1)
    table = Table.start(game, Deal(game.layout, tuple(masks)))
    table.apply(play(DECK.card("H8").index))
    assert not Knowledge.from_view(table.view(0)).may_hold_mask(1) & DECK.parse_mask("D7")


def test_pigeons() -> None:
    """GAP-8c: as many candidates as cards: all are sure; and for two places together."""
    game = Whist()
    k = Knowledge.make(game.layout, (0, 0, 0, 0, 1), game.layout.sizes)
    five = 0b11111 << 1
    sure = k.with_cannot(2, ~five)
    assert sure.must[sure.slot(2)] == five
    assert not sure.may_hold_mask(1) & five
    assert "2: surely CA CK CQ CJ CT" in str(sure).splitlines()
    assert str(sure).startswith("0: 5 of SA")
    ten = 0b1111111111 << 8
    both = k.with_cannot(0, ~ten).with_cannot(1, ~ten)
    assert both.must == (0, 0, 0, 0, 0)
    assert not both.may_hold_mask(2) & ten
    assert not both.may_hold_mask(5) & ten
    assert not both.with_cannot(3, FULL).feasible()


def test_known_cards_and_slots() -> None:
    game = Whist()
    table = Table.start(game, deal(game.layout, 2, 2))
    k = Knowledge.from_view(table.view(0))
    assert [p.name for p in k.hidden] == ["1", "2", "3", "unused"]
    assert k.may_hold_mask(0) == table.places[0]
    assert k.may_hold_mask(4) == table.places[4]
    with pytest.raises(ValueError, match="no card of place 4"):
        k.slot(4)
    card = next(bits(table.places[1]))
    more = k.with_card(1, card)
    assert more.hidden[0].size == 4
    assert more.known[1] == 1 << card
    assert worlds.count(more) * 18 == worlds.count(k) * 5
    with pytest.raises(ValueError, match="cannot lie in place 1"):
        k.with_card(1, next(bits(table.places[0])))


def test_passed_cards_stay_known() -> None:
    game = Whist()
    table = Table.start(game, deal(game.layout, 3, 3))
    given = []
    while table.phase is not None and table.phase.name == "passing":
        given.append(table.legal()[0])
        table.apply(given[-1])
    k = Knowledge.from_view(table.view(0))
    assert k.known[1] == given[0].mask
    assert k.contains(table.places)
    assert table.told[1][0].action == Action("give", hidden=1)
    assert table.told[0][0].action == given[0]
