"""A simple player of Slovenian Tarok."""

from __future__ import annotations

from typing import ClassVar

from tricktake.action import Action
from tricktake.cards import bits
from tricktake.rules import TrickRules
from tricktake.strategies.strategy import Decision
from tricktake.view import View
from tricktake_parlour.players import bidder
from tricktake_parlour.tarok.cards import COSTS, DECK
from tricktake_parlour.tarok.contract import VALUES


class Bidder(bidder.Bidder):
    """Bids by the tricks its taroks and kings are worth, takes the dearest packet, puts away short suits."""

    game: ClassVar[str] = "tarok"
    roles: ClassVar[tuple[str, ...]] = ("bid", "exchange")
    need: ClassVar[dict[str, float]] = {"three": 5.5, "two": 6.5, "one": 7.5, "solo": 9.5}  # tricks of twelve

    def choose(self, view: View) -> Decision:
        seats, verb = view.layout.seats, view.legal[-1].verb
        if verb == "take":
            size = 6 // len(view.legal)

            def cost(action: Action) -> int:
                first = seats + int(action.value) * size
                return sum(COSTS[c] for place in range(first, first + size) for c in bits(view.known[place]))

            return Decision(max(view.legal, key=cost), "the packet that counts most")
        if verb == "discard":
            held = view.hand_mask

            def short(action: Action) -> tuple[int, int]:
                (card,) = action.cards
                return (-(held & DECK.of_suit_mask(DECK[card].suit)).bit_count(), COSTS[card])

            return Decision(max(view.legal, key=short), "of the shortest suit the card that counts most")
        if verb == "call":
            held = view.hand_mask
            away = [action for action in view.legal if not DECK.card(action.value).mask & held] or list(view.legal)
            best = max(away, key=lambda a: (held & DECK.of_suit_mask(a.value[0])).bit_count())
            return Decision(best, "a king of its longest suit")
        rules = TrickRules(
            DECK,
            seats,
            suit_of=tuple("THDSC".index(card.suit) for card in DECK),
            power=tuple(range(len(DECK))),
            trump=0,
        )
        tricks = bidder.worth(rules, view.hand_mask) * 12 * seats / 48

        def spare(bid: str) -> float:
            return tricks - self.need[bid] if bid in self.need else -float(20 + list(VALUES).index(bid))

        return bidder.best_bid(view, spare)
