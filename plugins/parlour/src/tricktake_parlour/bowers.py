"""What Euchre and Five Hundred have in common: the jacks that are the highest trumps, and a partner who sits out."""

from __future__ import annotations

from collections.abc import Sequence

from tricktake import phases
from tricktake.action import Action
from tricktake.cards import Deck
from tricktake.table import Table

SAME_COLOUR = {"C": "S", "S": "C", "D": "H", "H": "D"}
BLANK = "X"  # the suit of blanks, which who sits out plays


def bowers(trump: str) -> tuple[str, str]:
    """The other jack of the colour (left bower), and above it the jack of trumps (right bower)."""
    return (SAME_COLOUR[trump] + "J", trump + "J")


def order(
    deck: Deck, suits: str, ranks: str, trump: str = "", highest: Sequence[str] = ()
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The suit and the power of each card.

    suits: the letters of the suits as they are numbered. ranks: from the lowest to the highest. highest: the names of
    the cards that are trumps above all others, from the lowest to the highest.
    """
    suit_of = [suits.index(card.suit) for card in deck]
    power = [int(card.rank) if card.suit == BLANK else ranks.find(card.rank) for card in deck]
    for place, name in enumerate(highest):
        card = deck.card(name).index
        suit_of[card], power[card] = suits.index(trump), len(ranks) + place
    return tuple(suit_of), tuple(power)


def partner_sits_out(table: Table, declarer: int) -> None:
    """The partner lays his cards down, and plays blanks, which win nothing."""
    phases.sit_out(table, (declarer + 2) % table.seats)


class SittingOut(phases.Choice):
    """Nobody decides: who sits out gets blanks, as at a table that starts with the contract."""

    name = "sitting-out"

    def chooser(self) -> None:
        self.table.game.on_contract(self.table)

    def options(self) -> Sequence[Action]:
        return ()
