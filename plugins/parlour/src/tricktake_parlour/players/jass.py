"""A simple player of Jass."""

from __future__ import annotations

from typing import ClassVar

from tricktake.phases.trumps import PUSH
from tricktake.strategies.strategy import Decision
from tricktake.view import View
from tricktake_parlour.jass import WAYS, trick_rules
from tricktake_parlour.players import bidder


class Bidder(bidder.Bidder):
    """Names what its hand takes most tricks with; pushes if these are few."""

    game: ClassVar[str] = "jass"
    need: ClassVar[float] = 3.0  # tricks of nine below which the partner may know better

    def choose(self, view: View) -> Decision:
        tricks = {way: bidder.worth(trick_rules(way), view.hand_mask) for way in WAYS}
        best = max(WAYS, key=tricks.__getitem__)
        if tricks[best] < self.need and PUSH in view.legal:
            return Decision(PUSH, f"only {tricks[best]:g} tricks with {best}")
        action = next(action for action in view.legal if action.value == best)
        return Decision(action, f"{tricks[best]:g} tricks with {best}")
