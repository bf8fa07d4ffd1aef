"""From the auction to the first lead: skat or hand, discards, declaration (RULE-6 and 11)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from tricktake import phases
from tricktake.action import Action, Event
from tricktake.cards import bits
from tricktake_skat.contract import DECLARATIONS, NULL_VALUE, SkatContract

TAKE, HAND = Action("take"), Action("hand")
_DECLARE = {name: Action("declare", name) for name in DECLARATIONS}


@cache
def _declarable(hand: bool, bid: int) -> tuple[Action, ...]:
    """A Null game below the bid cannot be declared; suit and grand games always can, at the risk of overbidding."""
    return tuple(
        action for name, action in _DECLARE.items() if ("H" in name[1:]) == hand and NULL_VALUE.get(name, bid) >= bid
    )


class PickUp(phases.PickUp):
    """``take`` the skat or play from the ``hand``. Sets the fact "hand"."""

    name = "skat"
    place = "skat"
    leave = HAND
    fact = "hand"


class Discard(phases.Discard):
    """Any two of the twelve cards are put away, seen by the declarer only; skipped in a hand game."""

    keep = "skat"
    count = 2
    place = "skat"

    def chooser(self) -> int | None:
        return None if self.table.facts["hand"] else super().chooser()


class Declaration(phases.Choice):
    """The game and, from the hand, its announcements. Sets the contract; an ouvert hand lies open from now on."""

    name = "declaration"
    role = "exchange"
    fact = "declared"

    def options(self) -> Sequence[Action]:
        return _declarable(self.table.facts["hand"], self.table.facts["bid"])

    def chosen(self, seat: int, action: Action) -> None:
        self.table.contract = SkatContract.declared(seat, action.value, self.table.facts["bid"])


def exchange_events(contract: SkatContract, discard: int) -> tuple[Event, ...]:
    """The actions between auction and play."""
    seat = contract.declarer
    declaration = Event(seat, _DECLARE[contract.name])
    if contract.hand:
        return (Event(seat, HAND), declaration)
    return (Event(seat, TAKE), Event(seat, Action("discard", cards=tuple(bits(discard)))), declaration)
