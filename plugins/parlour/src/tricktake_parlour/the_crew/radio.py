"""The radio token of The Crew: what each may tell of his hand, and what follows from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tricktake import phases
from tricktake.action import Action
from tricktake.cards import bits
from tricktake.view import View
from tricktake_parlour.the_crew.cards import COLOURS, DECK
from tricktake_parlour.the_crew.flight import Flight

TELLS = ("highest", "lowest", "only")


class Radio(phases.Announcing):
    """Tricks; between two of them each may once show a card of a colour and say what it is among his of that colour."""

    def offers(self, seat: int) -> Sequence[Action]:
        if self.state.table or any(who == seat for who, _, _ in self.made):
            return ()
        found = {}
        for colour in COLOURS:
            cards = list(bits(self.table.places[seat] & DECK.of_suit_mask(colour)))
            if len(cards) == 1:
                found[cards[0]] = "only"
            elif cards:
                found[cards[-1]], found[cards[0]] = "highest", "lowest"
        assert isinstance(self.table.contract, Flight)
        silent = self.table.contract.plan.silent
        return [Action("tell", "card" if silent else word, (card,)) for card, word in found.items()]


def denied(view: View) -> Mapping[int, int]:
    """What each seat cannot hold: of the colour of a card shown as the highest no higher one, and so on."""
    out: dict[int, int] = {}
    for event in view.events:
        if event.action.value in TELLS:
            (card,) = event.action.cards
            colour = DECK.of_suit_mask(DECK[card].suit)
            below = (1 << card) - 1
            mask = {"highest": colour & ~below, "lowest": colour & below, "only": colour}[event.action.value]
            out[event.seat] = out.get(event.seat, 0) | mask & ~(1 << card)
    return out
