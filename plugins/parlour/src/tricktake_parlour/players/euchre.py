"""A simple player of Euchre."""

from __future__ import annotations

from typing import ClassVar

from tricktake import phases
from tricktake.action import Action
from tricktake.strategies.strategy import Decision
from tricktake.view import View
from tricktake_parlour.euchre import Trumps, trump_rules
from tricktake_parlour.players import bidder

ENOUGH, ENOUGH_ALONE = 2.0, 4.0  # tricks of the own hand with which the bidder makes trumps, and plays alone


class Bidder(bidder.Bidder):
    """Makes trumps with two tricks in the own hand, alone with four; the dealer throws the card that is worth least."""

    game: ClassVar[str] = "euchre"
    roles: ClassVar[tuple[str, ...]] = ("bid", "exchange")

    def choose(self, view: View) -> Decision:
        def tricks(action: Action, hand: int) -> float:
            return bidder.worth(trump_rules(action.value), hand)

        if isinstance(view.contract, Trumps):
            named = Action("name", view.contract.trump)
            best = max(view.legal, key=lambda action: tricks(named, view.hand_mask & ~action.mask))
            return Decision(best, "leaves the strongest hand")
        best = max((a for a in view.legal if a.verb == "name"), key=lambda action: tricks(action, view.hand_mask))
        likely = tricks(best, view.hand_mask)
        if likely >= ENOUGH_ALONE:
            best = Action("alone", best.value)
        elif likely < ENOUGH and phases.PASS in view.legal:
            best = phases.PASS
        return Decision(best, f"{likely:g} tricks are likely")
