"""The cards of Belote, and how they are played."""

from __future__ import annotations

from tricktake.cards import Deck
from tricktake.rules import Goal, Overtake, TrickRules
from tricktake_parlour import pairs
from tricktake_parlour.pairs import PAIRS

DECK = Deck(suits="CDHS", ranks="789JQKTA")
ORDER = "789TJQKA"  # in which cards follow each other in sequences
TRUMPS = "78QKTA9J"  # trumps from the lowest to the highest
POINTS = {"J": 2, "Q": 3, "K": 4, "T": 10, "A": 11}
TRUMP_POINTS = {**POINTS, "9": 14, "J": 20}
FOURS = {"Q": 100, "K": 100, "T": 100, "A": 100, "9": 150, "J": 200}
LAST, TOTAL = 10, 162


def trick_rules(trump: str, goals: tuple[Goal, ...] = ()) -> TrickRules:
    """How the cards are played with these trumps."""
    return TrickRules(
        DECK,
        4,
        suit_of=tuple(DECK.suits.index(card.suit) for card in DECK),
        power=pairs.ranked(DECK, trump, TRUMPS, DECK.ranks),
        trump=DECK.suits.index(trump),
        card_cost=pairs.counted(DECK, trump, TRUMP_POINTS, POINTS),
        last_trick_bonus=LAST,
        teams=PAIRS,
        goals=goals,
        trump_when_void=True,
        spare_partner=True,
        overtake=Overtake.TRUMPS,
    )
