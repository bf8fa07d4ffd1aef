"""Sequences and fours of a kind, as Belote and Jass count them."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from tricktake.cards import Deck
from tricktake.trick import TrickState

SEQUENCES = {3: 20, 4: 50}  # points by length; longer ones count 100
LONG = 100


@frozen
class Meld:
    """Some cards of a hand and what they count. top: place of the highest card in its suit, or of the rank of four."""

    points: int
    length: int
    top: int
    suit: str = ""


def melds(deck: Deck, hand: int, order: str, fours: dict[str, int]) -> list[Meld]:
    """The longest sequences of a hand and its fours of a kind; a card may be in one of each.

    order: ranks as they follow each other, lowest first. fours: the points of four of a rank, in ascending order.
    """
    found = []
    for suit in deck.suits:
        length = 0
        for top, rank in enumerate([*order, ""]):
            if rank and hand & deck.card(suit + rank).mask:
                length += 1
                continue
            if length >= min(SEQUENCES):
                found.append(Meld(SEQUENCES.get(length, LONG), length, top - 1, suit))
            length = 0
    for top, (rank, points) in enumerate(fours.items()):
        if deck.of_rank_mask(rank) & ~hand == 0:
            found.append(Meld(points, 4, top))
    return found


def meld_points(hands: Sequence[Sequence[Meld]], trump: str, first: int, fours_first: bool) -> tuple[int, int]:
    """What the sides of seats 0 and 2, and 1 and 3, count: all of the side with the best meld, nothing of the other.

    The best is that of most points, of equal ones the longer, the higher, that in trumps, the elder one's. first: the
    seat of the eldest hand. fours_first: four of a kind beat every sequence (Belote).
    """

    def strength(seat: int, meld: Meld) -> tuple[bool, int, int, int, bool, int]:
        four = fours_first and not meld.suit
        return (four, meld.points, meld.length, meld.top, meld.suit == trump, -((seat - first) % len(hands)))

    every = [(strength(seat, meld), seat) for seat, held in enumerate(hands) for meld in held]
    if not every:
        return (0, 0)
    best = max(every)[1] % 2
    total = sum(meld.points for seat, held in enumerate(hands) for meld in held if seat % 2 == best)
    return (total, 0) if best == 0 else (0, total)


def played(play: TrickState) -> list[int]:
    """The hand of each seat as it was at the first trick, when all cards are played."""
    hands, seats = [0] * play.rules.seats, play.rules.seats
    for trick in play.tricks:
        assert trick is not None
        for place, card in enumerate(trick.cards):
            hands[(trick.leader + place) % seats] |= 1 << card
    return hands
