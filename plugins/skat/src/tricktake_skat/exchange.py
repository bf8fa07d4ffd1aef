"""From the auction to the first lead: skat or hand, discards, declaration (SPEC part 3, points 6 and 11)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations

from tricktake.action import Action
from tricktake.cards import bits
from tricktake.phase import Phase
from tricktake.table import Table
from tricktake_skat.contract import DECLARATIONS, NULL_VALUE, SkatContract
from tricktake_skat.deck import SKAT, SKAT_PLACE

TAKE, HAND = Action("take"), Action("hand")
DISCARDS = {pair: Action("discard", cards=pair) for pair in combinations(range(len(SKAT)), 2)}
_DECLARE = {name: Action("declare", name) for name in DECLARATIONS}


@cache
def _declarable(hand: bool, bid: int) -> tuple[Action, ...]:
    """A Null game below the bid cannot be declared; suit and grand games always can, at the risk of overbidding."""
    return tuple(
        action for name, action in _DECLARE.items() if ("H" in name[1:]) == hand and NULL_VALUE.get(name, bid) >= bid
    )


class _DeclarerPhase(Phase):
    """A phase of one decision of the declarer."""

    role = "exchange"
    keep = "contract"

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.declarer: int = table.facts["declarer"]
        self.done = False

    @property
    def turn(self) -> int | None:
        return None if self.done else self.declarer


class PickUp(_DeclarerPhase):
    """``take`` the skat or play from the ``hand``. Sets the fact "hand"."""

    name = "skat"

    def legal(self) -> Sequence[Action]:
        return (TAKE, HAND)

    def apply(self, action: Action) -> None:
        self.done = True
        self.table.facts["hand"] = action == HAND
        if action == TAKE:
            self.table.move(self.table.places[SKAT_PLACE], SKAT_PLACE, self.declarer, seen_by=(self.declarer,))


class Discard(_DeclarerPhase):
    """Any two of the twelve cards are put away, seen by the declarer only; skipped in a hand game."""

    name = "discard"
    keep = "skat"

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.done = table.facts["hand"]

    def legal(self) -> Sequence[Action]:
        return [DISCARDS[pair] for pair in combinations(bits(self.table.places[self.declarer]), 2)]

    def apply(self, action: Action) -> None:
        self.done = True
        self.table.move(action.mask, self.declarer, SKAT_PLACE, seen_by=(self.declarer,))

    def told(self, action: Action, actor: int, observer: int) -> Action:
        return action if observer == actor else action.redacted()


class Declaration(_DeclarerPhase):
    """The game and, from the hand, its announcements. Sets the contract; an ouvert hand lies open from now on."""

    name = "declaration"

    def legal(self) -> Sequence[Action]:
        return _declarable(self.table.facts["hand"], self.table.facts["bid"])

    def apply(self, action: Action) -> None:
        self.done = True
        self.table.contract = SkatContract.declared(self.declarer, action.value, self.table.facts["bid"])
