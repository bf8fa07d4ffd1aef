"""Calling a partner by a card he holds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from tricktake.action import Action
from tricktake.cards import bits
from tricktake.phases.choice import Choice
from tricktake.phases.words import PARTNER

ALONE = Action("alone")


class CallPartner(Choice):
    """The declarer calls a card; whoever holds it is his partner (the ace in Schafkopf, a king in Tarok).

    callable: the cards that may be called, by name. own: whether he may call a card of his own and so play alone in
    secret. alone: whether he may openly play alone instead. ``may_call`` refuses cards by the hand (of a suit he is
    void in). If there is none he plays alone. Sets the fact "called": the card's name, "" for nobody; ``TrickRules``
    say what a partner by a card means in play.
    """

    name = "partner"
    meanings = PARTNER
    fact: ClassVar[str] = "called"
    callable: ClassVar[tuple[str, ...]] = ()
    own: ClassVar[bool] = False
    alone: ClassVar[bool] = False

    def may_call(self, seat: int, card: int) -> bool:
        """Whether this seat may call this card (a deck index); cards in its own hand are refused before."""
        return True

    def cards(self) -> int:
        """The cards that may be called now, as a mask."""
        deck, seat = self.table.deal.layout.deck, self.seat
        assert seat is not None
        held = 0 if self.own else self.table.places[seat]
        wanted = (deck.card(name).index for name in self.callable)
        return sum(1 << card for card in wanted if not held >> card & 1 and self.may_call(seat, card))

    def options(self) -> Sequence[Action]:
        if self.seat is None:
            return ()
        deck = self.table.deal.layout.deck
        called = [Action("call", deck[card].name) for card in bits(self.cards())]
        return [*called, ALONE] if self.alone or not called else called
