"""The cards of Pinochle, and how they are played."""

from __future__ import annotations

from tricktake.cards import Deck
from tricktake.rules import Goal, Overtake, TrickRules
from tricktake_parlour.pairs import PAIRS

DECK = Deck(suits="CDHS", ranks="9JQKTA", copies=2)
COUNTERS = "KTA"  # ten points each
POINTS, LAST, TOTAL = 10, 10, 250


def trick_rules(trump: str, goals: tuple[Goal, ...] = ()) -> TrickRules:
    """The play with these trumps."""
    return TrickRules.plain(
        DECK,
        4,
        trump,
        card_cost=tuple(POINTS * (card.rank in COUNTERS) for card in DECK),
        last_trick_bonus=LAST,
        teams=PAIRS,
        goals=goals,
        trump_when_void=True,
        overtake=Overtake.ALWAYS,
    )
