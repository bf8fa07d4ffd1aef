"""The 32 cards, their eyes, and where they lie (RULE-1 and 2)."""

from __future__ import annotations

from tricktake.cards import Deck, bits
from tricktake.deal import Layout

FOREHAND, MIDDLEHAND, REARHAND = 0, 1, 2
SEATS = 3
SKAT_PLACE = 3  # number of the skat among the places of the layout

SKAT = Deck(suits="CSHD", ranks="789QKTAJ")  # card index = suit * 8 + rank
LAYOUT = Layout(SKAT, (10, 10, 10), (("skat", 2),))

EYES_OF_RANK = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}
EYES = tuple(EYES_OF_RANK.get(card.rank, 0) for card in SKAT)
ALL_EYES = sum(EYES)
JACKS = SKAT.of_rank_mask("J")


def eyes(mask: int) -> int:
    """The eyes (card points) of a set of cards; the deck has 120."""
    return sum(EYES[i] for i in bits(mask))
