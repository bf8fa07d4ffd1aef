"""The cards: two of each kind, with nines or without."""

from __future__ import annotations

from functools import cache, cached_property

from attrs import frozen

from tricktake.cards import Deck
from tricktake.deal import Layout

SEATS = 4
EYES = {"9": 0, "J": 2, "Q": 3, "K": 4, "T": 10, "A": 11}  # 240 in all
SUITS = "DHSC"  # ascending, as jacks and queens rank


@frozen(slots=False)
class Pack:
    """A deck, how it is dealt, and the sets of cards the rules name."""

    deck: Deck
    layout: Layout

    @cached_property
    def tens(self) -> int:
        """The tens of hearts (Dullen)."""
        return self.deck.parse_mask("HT HT")

    @cached_property
    def queens(self) -> int:
        """The queens of clubs (die Alten): who holds one plays Re."""
        return self.deck.parse_mask("CQ CQ")

    @cached_property
    def foxes(self) -> int:
        """The aces of diamonds."""
        return self.deck.parse_mask("DA DA")

    @cached_property
    def charlies(self) -> int:
        """The jacks of clubs."""
        return self.deck.parse_mask("CJ CJ")

    @property
    def tricks(self) -> int:
        return len(self.deck) // SEATS


@cache
def pack(nines: bool = True) -> Pack:
    """48 cards, or 40 without the nines."""
    deck = Deck(suits=SUITS, ranks="9JQKTA" if nines else "JQKTA", copies=2)
    return Pack(deck, Layout(deck, (len(deck) // SEATS,) * SEATS))
