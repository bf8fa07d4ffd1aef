"""The loop that plays by policies against the play of the cards, for random rules of every kind."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.strategies import random_rules
from tricktake import batch
from tricktake.cards import bits
from tricktake.jit import lowbit_index, policy, popcount, words
from tricktake.kernels import batch as kernel
from tricktake.rules import TrickRules
from tricktake.trick import TrickState

pytestmark = pytest.mark.kernel

NUMBERINGS = st.sampled_from(("deck", "compiled"))


@policy
def by_turns(frame):
    """One of the legal cards, and a number made of what the frame says."""
    p = words(frame, kernel.FRAME)
    legal = p[kernel.LEGAL]
    for _ in range((5 * p[kernel.COUNT] + p[kernel.SEAT] + p[kernel.DATA]) % popcount(legal)):
        legal &= legal - 1
    why = popcount(p[kernel.GONE]) + popcount(p[kernel.HAND]) * 64
    for s in range(7):
        why += (s + 1) * (
            p[kernel.TAKEN + s] + 7 * p[kernel.TRICKS + s] + 5 * popcount(p[kernel.VOID + s] & p[kernel.GONE])
        )
        why += (s + 1) * 3 * popcount(p[kernel.OPEN + s])
    p[kernel.WHY] = why + p[kernel.FACTS] + popcount(p[kernel.KNOWN])
    return lowbit_index(legal)


def naive_game(rules: TrickRules, hands: list[int], leader: int, order: list[int], extra: int, shown: int):
    """The same by the state of tricks: cards, whys, winners, costs."""
    state = TrickState(rules, hands, leader)
    cards, whys, gone, voids = [], [], set(), [set() for _ in hands]
    while not state.over:
        seat, legal = state.turn, sorted(state.legal(), key=lambda card: order[card])
        card = legal[(5 * len(cards) + seat + extra) % len(legal)]
        why = len(gone) + 64 * len(list(bits(state.hands[seat])))
        for s in range(rules.seats):
            missed = 5 * len(voids[s] & gone) + 3 * (shown >> s & 1) * len(list(bits(state.hands[s])))
            why += (s + 1) * (state.taken[s] + 7 * state.won[s] + missed)
        whys.append(why)
        if state.table:
            followed = next((c for c in state.table if not rules.never_wins >> c & 1), state.table[-1])
            if rules.suit_of[card] != rules.suit_of[followed]:
                voids[seat] |= set(bits(rules.same_suit_mask(followed)))
        state.play_checked(card)
        cards.append(card)
        gone.add(card)
    return cards, whys, [trick.winner for trick in state.tricks], state.taken


@st.composite
def games(draw):
    rules = draw(random_rules(min_seats=2, max_seats=5, max_cards=30))
    order = draw(st.permutations(range(len(rules.deck))))
    size = min(6, len(order) // rules.seats)
    if size == 0:
        return rules, [0] * rules.seats
    return rules, [sum(1 << c for c in order[size * s : size * (s + 1)]) for s in range(rules.seats)]


@settings(max_examples=120, deadline=None)
@given(games(), NUMBERINGS, st.integers(0, 9), st.integers(0, 31), st.integers(0, 4))
def test_the_loop_plays_by_the_rules(game, numbering, extra, shown, leader):
    rules, hands = game
    seats, leader, shown = rules.seats, leader % rules.seats, shown % (1 << rules.seats)
    compiled = rules.compile(deck_order=numbering == "deck")
    number = compiled.from_deck.tolist()
    moved = [compiled.mask_from_deck(hand) for hand in hands]
    cards, whys, winners, taken = naive_game(rules, hands, leader, number, extra, shown)
    found = batch.play(
        batch.packed((rules,), numbering),
        np.zeros(1, np.int64),
        np.array([moved], np.int64),
        [by_turns] * seats,
        data=np.full((1, seats), extra),
        leaders=np.array([leader]),
        facts=np.array([[5, 0, 0, 0, 0, 0, 0, 0]]),
        known=np.full((1, seats), 3),
        shown=np.array([shown]),
    )
    assert found.faults[0] == kernel.SOUND
    assert [compiled.to_deck[card] for card in found.cards[0]] == cards
    assert (found.whys[0] - 7).tolist() == whys
    assert (found.winners[0].tolist(), found.taken[0].tolist()) == (winners, taken)
    again = batch.play(
        batch.packed((rules,), numbering),
        np.zeros(1, np.int64),
        np.array([moved], np.int64),
        np.zeros((1, seats), np.int64),
        leaders=np.array([leader]),
        given=found.cards,
    )
    assert (again.winners == found.winners).all()
    assert (again.taken == found.taken).all()


def whist():
    rules = TrickRules.plain(_deck(), 4, "H", trick_cost=1)
    hands = [sum(1 << c for c in range(s, 52, 4)) for s in range(4)]
    return batch.packed((rules,), "deck"), np.zeros(1, np.int64), np.array([hands], np.int64)


def _deck():
    from tricktake.cards import Deck

    return Deck("CDHS", "23456789TJQKA")


def test_a_game_ends_when_a_side_has_taken_too_much():
    rules, which, hands = whist()
    found = batch.play(rules, which, hands, [by_turns] * 4, sides=np.array([0b0101]), limits=np.array([2]))
    whole = batch.play(rules, which, hands, [by_turns] * 4)
    won = np.isin(whole.winners[0], (0, 2)).cumsum()
    end = int((won <= 2).sum()) + 1
    assert found.cards[0].tolist() == whole.cards[0][: 4 * end].tolist() + [-1] * (52 - 4 * end)
    assert found.taken[0, [0, 2]].sum() == 3


def test_given_cards_are_checked():
    rules, which, hands = whist()
    for first, fault in ((0, kernel.SOUND), (1, kernel.NOT_HELD)):
        given_cards = np.full((1, 52), -1)
        given_cards[0, 0] = first
        assert batch.play(rules, which, hands, [by_turns] * 4, given=given_cards).faults[0] == fault
    given_cards[0, :2] = 0, 17  # a diamond on a club
    assert batch.play(rules, which, hands, [by_turns] * 4, given=given_cards).faults[0] == kernel.NOT_ALLOWED
    with pytest.raises(ValueError, match="shape"):
        batch.play(rules, which, hands, [by_turns] * 4, shown=np.zeros(2, np.int64))


def test_a_frame_is_rebuilt_from_the_cards():
    """What a policy sees in the loop and what it sees of a single position are the same."""
    rules, which, hands = whist()
    found = batch.play(rules, which, hands, [by_turns] * 4)
    cards, left = found.cards[0], hands[0].copy()
    for n in range(52):
        frame = np.zeros(kernel.FRAME, np.int64)
        kernel.rebuild(rules[0], 0, cards[:n].copy(), 0, frame)
        seat = int(frame[kernel.SEAT])
        kernel.rebuild(rules[0], 0, cards[:n].copy(), int(left[seat]), frame)
        assert by_turns(frame) == cards[n]
        assert frame[kernel.WHY] == found.whys[0, n]
        left[seat] &= ~(1 << int(cards[n]))
