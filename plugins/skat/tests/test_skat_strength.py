"""Von Stegen's and Kinback's counts (SKAT-14, 15)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tricktake_skat.deck import SKAT
from tricktake_skat.kernels import strength as kernel

pytestmark = pytest.mark.kernel

GAMES = "CSHDG"
HANDS = st.lists(st.integers(0, 31), min_size=10, max_size=12, unique=True)


def von_stegen(trump: str, hand: int, bid: int = 18, grand_jacks: int = 1) -> float:
    return kernel.von_stegen(GAMES.index(trump), hand, bid, grand_jacks)


def kinback(trump: str, hand: int, forehand: bool) -> float:
    return kernel.kinback(GAMES.index(trump), hand, int(forehand), 0)


def standing_trumps(trump: str, hand: int, gone: int = 0) -> int:
    return kernel.standing_trumps(GAMES.index(trump), hand, gone)


def mask(text: str) -> int:
    return sum(SKAT.card(name).mask for name in text.split())


@pytest.mark.parametrize(
    ("trump", "hand", "points"),
    [
        ("C", "CJ SJ HJ DJ CA CT CK CQ C9 C8", 10 + 4 + 2 + 0.5 + 1 + 0.5),
        ("C", "SJ HJ DJ CA C9 C8 SA ST H9 D9", 3 + 3 + 6 + 0.5),  # three jacks without that of clubs
        ("C", "CJ SJ C9 C8 SA SK SQ HT H9 D9", 2 + 2 + 4 + 0.5),
        ("G", "CJ SJ HJ DJ CA CT CK SA ST HA", 4 + 5 + 2),
        ("G", "SJ HJ DJ CA CT CK SA ST HA H9", 3 + 5),  # no extra half in a grand
        ("D", "C7 C8 C9 S7 S8 S9 H7 H8 H9 D7", 1),
    ],
)
def test_von_stegen_by_hand(trump, hand, points):
    assert von_stegen(trump, mask(hand)) == points
    assert von_stegen(trump, mask(hand), bid=0) == points + 0.5


def test_a_jack_in_a_grand_may_count_two():
    hand = mask("CJ HJ DJ CA CT CK SA ST HA H9")
    assert von_stegen("G", hand, grand_jacks=2) == von_stegen("G", hand) + 3


@pytest.mark.parametrize(
    ("suit", "points"),
    [
        ("SA ST SK", 2.0),  # not 4.5, as the printed masks would have it
        ("SA ST", 2.0),
        ("SA SK SQ", 1.5),
        ("SA SQ S9", 1.0),
        ("SA", 1.0),
        ("ST SK", 1.0),
        ("ST SK SQ", 1.0),
        ("ST SQ S9", 0.5),
        ("ST SQ S9 S8", 0.5),
        ("ST SQ", 0.0),
        ("SK S9 S8", 0.5),
        ("SK SQ", 0.0),
        ("SQ S9 S8", 0.0),
        ("", 0.0),
    ],
)
def test_kinback_classes_of_a_side_suit(suit, points):
    assert kinback("C", mask(suit), False) == points
    assert kinback("C", mask(suit), True) == points + 0.5
    assert kinback("S", mask(suit), False) == standing_trumps("S", mask(suit))


def test_kinback_grand():
    assert kinback("G", mask("CJ SJ HA SA ST SK C7 C8 C9 D7"), False) == 4
    assert kinback("G", mask("CJ SJ HA SA ST SK C7 C8 C9 D7"), True) == 5


@pytest.mark.parametrize(
    ("hand", "gone", "stand"),
    [
        ("CJ SJ CA CT CK", "", 2),
        ("CJ SJ HJ DJ CA", "", 5),
        ("SJ HJ DJ CA CT CK", "", 0),
        ("CJ SJ HJ CA CT CK CQ C9", "", 8),  # three are out and three at the top
        ("SJ HJ CA", "CJ", 2),
        ("CJ SJ HJ CA CT CK CQ", "C8 C7", 7),
        ("CJ SJ HJ CA CT CK CQ", "C8", 7),
        ("CJ SJ HJ CA CT CK CQ", "", 3),
    ],
)
def test_standing_trumps_by_hand(hand, gone, stand):
    assert standing_trumps("C", mask(hand), mask(gone)) == stand


def naive_standing(trump: str, hand: set[str], gone: set[str]) -> int:
    order = ["CJ", "SJ", "HJ", "DJ"] + [trump + rank for rank in "ATKQ987"]
    rest = [card for card in order if card not in gone]
    top = next((i for i, card in enumerate(rest) if card not in hand), len(rest))
    own = sum(card in hand for card in rest)
    return own if top >= len(rest) - own else top


def naive_stegen(trump: str, hand: set[str], bid: int) -> float:
    jacks = {card for card in hand if card[1] == "J"}
    points = sum(card[1] in "AJT" for card in hand) + 0.5 * (bid == 0)
    if trump != "G":
        points += sum(card[1] == "J" or card[0] == trump for card in hand)
        points += 0.5 * (len(jacks) > 2 and "CJ" not in jacks)
    return points + 0.5 * ({"CJ", "SJ"} <= jacks) + 1.0 * ({"CJ", "SJ", "HJ"} <= jacks) + 0.5 * (len(jacks) == 4)


def naive_kinback(trump: str, hand: set[str], forehand: bool) -> float:
    if trump == "G":
        return forehand + sum(card[1] in "AJ" for card in hand)
    points = 0.5 * forehand + naive_standing(trump, hand, set())
    for suit in {"C", "S", "H", "D"} - {trump}:
        ranks = {card[1] for card in hand if card[0] == suit} - {"J"}
        high = "".join(rank for rank in "ATK" if rank in ranks)
        values = {
            "ATK": 2,
            "AT": 2,
            "AK": 1.5,
            "A": 1,
            "TK": 1,
            "T": 0.5 * (len(ranks) > 2),
            "K": 0.5 * (len(ranks) > 2),
        }
        points += values.get(high, 0)
    return points


@given(st.sampled_from(GAMES), HANDS, st.integers(0, 2), st.sampled_from([0, 18, 33]), st.booleans())
def test_kernels_agree_with_their_twins(trump, drawn, put, bid, forehand):
    names = [str(SKAT[card].suit + SKAT[card].rank) for card in drawn]
    hand, gone = set(names[put:]), set(names[:put])
    hand_mask = sum(1 << card for card in drawn[put:])
    assert von_stegen(trump, hand_mask, bid) == naive_stegen(trump, hand, bid)
    assert kinback(trump, hand_mask, forehand) == naive_kinback(trump, hand, forehand)
    if trump != "G":
        assert standing_trumps(trump, hand_mask, sum(1 << c for c in drawn[:put])) == naive_standing(trump, hand, gone)
