"""The play of the cards against the naive twin, for random rules of every kind."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.naive import NaiveTricks, naive_legal, naive_winner
from tests.strategies import random_positions, random_rules
from tests.whist import Plain
from tricktake.cards import Deck, bits
from tricktake.rules import Goal, GoalKind, Tie, TrickRules
from tricktake.testing import check_game
from tricktake.trick import TrickState, best_card, excluded_mask, legal_mask

WIDE = random_rules(min_seats=2, max_seats=7, max_cards=32)


def same(state: TrickState, naive: NaiveTricks) -> bool:
    hands = [sorted(bits(hand)) for hand in state.hands]
    theirs = [sorted(hand) for hand in naive.hands]
    return (hands, state.leader, state.table, state.taken, state.broken) == (
        theirs,
        naive.leader,
        naive.table,
        naive.taken,
        naive.broken,
    )


@settings(max_examples=200, deadline=None)
@given(random_positions(rules=WIDE), st.data())
def test_play_to_the_end_and_back(state: TrickState, data: st.DataObject) -> None:
    naive = NaiveTricks.of(state)
    start = state.copy()
    path = []
    while not state.over:
        assert state.turn == naive.turn
        assert state.legal() == naive.legal() != []
        card = data.draw(st.sampled_from(state.legal()))
        path.append((naive, card))
        state.play_checked(card)
        naive = naive.after(card)
        assert same(state, naive)
    assert naive.over
    total = sum(state.taken) - sum(start.taken)
    finished = len(state.tricks) - len(start.tricks)
    cards = [c for h in start.hands for c in bits(h)] + start.table
    rules = state.rules
    cost = sum(rules.card_cost[c] for c in cards) + finished * rules.trick_cost + rules.last_trick_bonus
    assert total == cost
    for earlier, card in reversed(path):
        assert state.undo() == card
        assert same(state, earlier)
    assert (state.won, state.tricks) == (start.won, start.tricks)


@settings(max_examples=200, deadline=None)
@given(random_rules(max_seats=7, max_cards=40), st.data())
def test_one_decision(rules: TrickRules, data: st.DataObject) -> None:
    """Legal cards, the winner, and what a legal card rules out, for any hand and table."""
    cards = data.draw(st.permutations(range(len(rules.deck))))
    table = cards[: data.draw(st.integers(0, rules.seats - 1))]
    hand = cards[len(table) : len(table) + data.draw(st.integers(1, len(cards) - len(table)))]
    broken, first = data.draw(st.booleans()), data.draw(st.booleans())
    released, leader = data.draw(st.booleans()), data.draw(st.integers(0, rules.seats - 1))
    now = {"broken": broken, "first": first, "released": released, "leader": leader}
    mask = sum(1 << c for c in hand)
    legal = legal_mask(rules, mask, table, **now)
    assert sorted(bits(legal)) == sorted(naive_legal(rules, hand, list(table), **now))
    exact = (
        not rules.need_not_follow
        and not rules.always_legal
        and (rules.duty is None or not (rules.duty.length or rules.lead_limit))
    )
    for card in hand:
        excluded = excluded_mask(rules, card, table, **now)
        if legal >> card & 1:
            assert not excluded & mask
        elif exact:
            assert excluded & mask
    if table:
        last = data.draw(st.booleans())
        assert best_card(rules, table, last) == table[naive_winner(rules, list(table), last)]


@settings(max_examples=100, deadline=None)
@given(random_rules(max_seats=7, min_cards=14, max_cards=64))
def test_compiled_rules_say_the_same(rules: TrickRules) -> None:
    compiled = rules.compile()
    n = len(rules.deck)
    assert sorted(compiled.to_deck) == list(range(n))
    for i in range(n):
        bit = int(compiled.from_deck[i])
        assert compiled.to_deck[bit] == i
        assert tuple(compiled.cards[:, bit]) == (rules.suit_of[i], rules.power[i], rules.card_cost[i])
        assert int(compiled.suits[rules.suit_of[i]]) >> bit & 1
        if bit and compiled.cards[0, bit - 1] == compiled.cards[0, bit]:
            assert compiled.cards[1, bit - 1] <= compiled.cards[1, bit]
    for mask in (0, 1, rules.deck.full_mask, rules.lead_limit, 1 << n - 1):
        assert compiled.mask_to_deck(compiled.mask_from_deck(mask)) == mask
        assert -(1 << 63) <= compiled.mask_from_deck(mask) < 1 << 63
    for suit in range(8):
        assert compiled.mask_to_deck(int(compiled.suits[suit])) == rules.suit_mask(suit)


def test_a_deck_of_64_uses_the_sign_bit() -> None:
    deck = Deck("CSHD", "23456789TJQKABEF")
    rules = TrickRules(deck, 4, tuple(i // 16 for i in range(64)), tuple(i % 16 for i in range(64)), trump=3)
    compiled = rules.compile()
    assert int(compiled.suits[3]) < 0
    assert compiled.mask_to_deck(int(compiled.suits[3])) == rules.suit_mask(3) == 0xFFFF << 48
    assert compiled.mask_from_deck(1 << 63) == -(1 << 63)
    state = TrickState(rules, [1 << 63, 1 << 15, 1 << 31, 1 << 47], leader=1)
    for card in (15, 31, 47, 63):
        state.play_checked(card)
    assert state.won == [1, 0, 0, 0]


# -- rules one by one, by hand ------------------------------------------------------------------------------------

DOPPELKOPF = Deck("CSHD", "9QJKTA", copies=2)


def simple(deck: Deck = Deck("CSHD", "789TJQKA"), seats: int = 3, **more) -> TrickRules:  # noqa: B008
    suit_of = tuple(deck.suits.index(card.suit) for card in deck)
    power = tuple(deck.ranks.index(card.rank) for card in deck)
    return TrickRules(deck, seats, suit_of, power, **more)


def position(rules: TrickRules, hands: list[str], leader: int = 0, **more) -> TrickState:
    return TrickState(rules, [rules.deck.parse_mask(h) for h in hands], leader, **more)


def play(state: TrickState, *names: str) -> None:
    for name in names:
        state.play_checked(state.rules.deck.card(name).index)


def legal(state: TrickState) -> str:
    return state.rules.deck.names(state.legal_cards_mask())


@pytest.mark.parametrize(("ties", "winner"), [(Tie.FIRST, 0), (Tie.LAST, 1)])
def test_the_first_or_last_of_two_equal_cards_wins(ties: Tie, winner: int) -> None:
    assert len(DOPPELKOPF) == 48
    rules = simple(DOPPELKOPF, 4, ties=ties, trump=3)
    state = position(rules, ["HT", "HT'", "HA'", "H9"], first=False)
    assert state.rules.compile().header[14] == 1
    play(state, "HT", "HT'")
    assert state.best() == rules.deck.card("HT" if ties is Tie.FIRST else "HT'").index
    play(state, "HA'", "H9")
    assert state.won == [0, 0, 1, 0]  # the ace, whoever came first with the ten
    state = position(rules, ["HT", "HT'", "H9'", "H9"])
    play(state, "HT", "HT'", "H9'", "H9")
    assert state.won.index(1) == winner


def test_overtaking_is_a_duty_where_it_is_possible() -> None:
    rules = simple(trump=3, overtake=True, trump_when_void=True)
    state = position(rules, ["C9 C8", "CT C7", "D7 HA"])
    play(state, "C9")
    assert legal(state) == "CT"
    play(state, "CT")
    assert legal(state) == "D7"  # void: must trump
    state = position(rules, ["C9", "D8", "CT"])
    play(state, "C9", "D8")
    assert legal(state) == "CT"  # a card of the led suit need not beat a trump
    state = position(rules, ["C9 CA", "D8 SA", "D7 DA"])
    play(state, "C9", "D8")
    assert legal(state) == "DA"


def test_leading_limits() -> None:
    deck = Deck("CSHD", "789TJQKA")
    hearts = deck.of_suit_mask("H")
    club7 = deck.parse_mask("C7")
    rules = simple(lead_limit=hearts, breakers=hearts, first_lead=club7, first_ban=hearts)
    state = position(rules, ["C7 CA HA", "S7 H7 H8", "C8 H9 HT"])
    assert legal(state) == "C7"
    play(state, "C7")
    assert legal(state) == "S7"  # no heart in the first trick while there is another card
    play(state, "S7")
    play(state, "C8")
    assert (state.turn, legal(state)) == (2, "HT H9")  # nothing but hearts: they may be led
    state = position(rules, ["CA HA", "CK H7", "CQ H9"], first=False)
    assert legal(state) == "CA"
    play(state, "CA", "CK", "CQ")
    assert legal(state) == "HA"
    state = position(rules, ["CA HA", "S7 H7", "CQ H9"], first=False)
    play(state, "CA", "H7", "CQ")
    assert state.broken
    state.undo()
    state.undo()
    assert not state.broken


def test_a_game_without_following() -> None:
    state = position(simple(follow=False, trump=3), ["C9", "D8", "H7"])
    play(state, "C9")
    assert legal(state) == "D8"


@pytest.mark.parametrize("seats", range(2, 8))
def test_two_to_seven_seats(seats: int) -> None:
    rules = simple(seats=seats, trick_cost=1, last_trick_bonus=10)
    deck = rules.deck
    state = position(rules, [deck[s].name + " " + deck[s + 8].name for s in range(seats)], leader=seats - 1)
    while not state.over:
        state.play(state.legal()[0])
    assert sum(state.taken) == 12
    assert state.taken[seats - 1] == 12  # it held the highest club, then the highest spade


@pytest.mark.parametrize("seats", [1, 8])
def test_other_numbers_of_seats_are_refused(seats: int) -> None:
    with pytest.raises(ValueError, match="seats"):
        simple(seats=seats)


def test_illegal_cards_are_named() -> None:
    state = position(simple(), ["C9", "CT", "H7"])
    with pytest.raises(ValueError, match="seat 0: CA is not in the hand"):
        play(state, "CA")
    state = position(simple(), ["C9 C8", "CT H7", "H8 H9"])
    play(state, "C9")
    with pytest.raises(ValueError, match="seat 1: H7 is not allowed here"):
        play(state, "H7")
    with pytest.raises(ValueError, match="do not fit"):
        position(simple(), ["C9 C8", "CT", "H8 H9"])
    with pytest.raises(ValueError, match="2 hands for 3 seats"):
        position(simple(), ["C9", "CT"])


def test_teams_and_goals() -> None:
    rules = simple(teams=(0, 1, 1), goals=(Goal(GoalKind.AT_LEAST, 61), Goal(GoalKind.AT_LEAST, 60)))
    assert [rules.side_mask(s) for s in range(3)] == [0b001, 0b110, 0b110]
    assert rules.goal(0).met(61)
    assert not rules.goal(0).met(60)
    assert rules.goal(2).met(60)
    single = simple()
    assert [single.side_mask(s) for s in range(3)] == [1, 2, 4]
    assert single.goal(1) == Goal()
    assert Goal().met(5) is None
    assert [Goal(kind).sense for kind in GoalKind] == [1, -1, 1, -1, 1]
    assert Goal(GoalKind.AT_MOST, 0).met(0)
    assert Goal(GoalKind.EXACTLY, 3).met(3)
    assert not Goal(GoalKind.EXACTLY, 3).met(4)


def test_rules_that_do_not_fit_are_refused() -> None:
    deck = Deck("C", "789")
    with pytest.raises(ValueError, match="power has 2"):
        TrickRules(deck, 2, (0, 0, 0), (1, 2))
    with pytest.raises(ValueError, match="0 to 7"):
        TrickRules(deck, 2, (0, 0, 8), (1, 2, 3))
    with pytest.raises(ValueError, match="trump"):
        TrickRules(deck, 2, (0, 0, 0), (1, 2, 3), trump=9)
    with pytest.raises(ValueError, match="teams"):
        TrickRules(deck, 2, (0, 0, 0), (1, 2, 3), teams=(0, 1, 0))


@settings(max_examples=15, deadline=None)
@given(random_rules(max_seats=7), st.data())
def test_games_of_any_rules_conform(rules: TrickRules, data: st.DataObject) -> None:
    n = len(rules.deck)
    size = data.draw(st.integers(1, min(4, n // rules.seats)))
    aside = data.draw(st.integers(0, min(3, n - size * rules.seats)))
    game = Plain(rules, size, aside, data.draw(st.integers(0, rules.seats - 1)))
    check_game(game, deals=1, seed=data.draw(st.integers(0, 1000))).require()
