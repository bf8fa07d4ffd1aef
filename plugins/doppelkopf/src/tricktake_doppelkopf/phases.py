"""Reservations, their names, and announcements during the play."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from tricktake.action import Action
from tricktake.phases import Announcing, Round
from tricktake.table import Table
from tricktake_doppelkopf.contract import NORMAL, SOLOS, WEDDING, DoppelkopfContract
from tricktake_doppelkopf.pack import SEATS, pack
from tricktake_doppelkopf.rules import BLACK, CLEARING, KONTRA, NONE, RE, with_goals

HEALTHY, RESERVE = Action("healthy"), Action("reserve")
NAMES = {kind: Action("declare", kind) for kind in (WEDDING, *SOLOS)}
SIDES = ("re", "kontra")
LEVELS = ("", "no90", "no60", "no30", "black")
ANNOUNCED = tuple(tuple(Action(side, level) for level in LEVELS) for side in SIDES)


def queens_of(table: Table) -> int:
    """Both queens of clubs."""
    return pack(len(table.deal.layout.deck) == len(pack().deck)).queens


class Reservations(Round):
    """Every seat is healthy (gesund) or has a reservation (Vorbehalt)."""

    name = "reservations"

    def options(self, seat: int) -> Sequence[Action]:
        return (HEALTHY, RESERVE)

    def close(self) -> None:
        self.table.facts["reserved"] = tuple(seat for seat, action in self.said if action == RESERVE)


class Naming(Round):
    """Who has a reservation says which, in turn: the first solo is played, else a wedding, which both queens of clubs
    in one hand allow. Makes the contract.
    """

    name = "naming"
    keep: ClassVar[str] = "contract"

    def order(self) -> Sequence[int]:
        reserved: tuple[int, ...] = self.table.facts["reserved"]
        return reserved

    def options(self, seat: int) -> Sequence[Action]:
        queens = queens_of(self.table)
        wedding = self.table.places[seat] & queens == queens
        return [NAMES[kind] for kind in ((WEDDING, *SOLOS) if wedding else SOLOS)]

    def ends(self, seat: int, action: Action) -> bool:
        return action.value in SOLOS

    def apply(self, action: Action) -> None:
        if action.value == WEDDING:
            show_wedding(self.table, self.waiting[0])
        super().apply(action)

    def close(self) -> None:
        found = DoppelkopfContract(NORMAL)
        for seat, action in self.said:
            found = DoppelkopfContract(action.value, seat)
            if found.solo:
                break
        else:
            weddings = [seat for seat, action in self.said if action.value == WEDDING]
            found = DoppelkopfContract(WEDDING, weddings[0]) if weddings else found
        self.table.contract = found


def show_wedding(table: Table, seat: int) -> None:
    """Who announces a wedding holds both queens of clubs: everybody knows it."""
    table.reveal(seat, range(SEATS), queens_of(table))


class Play(Announcing):
    """Tricks with announcements. ``levels``: what each side has announced so far; it changes the goals of the rules.

    With all cards but one in the hand Re or Kontra may be announced, with one card less no 90, then no 60, no 30 and
    black, always one after another (tournament rules 6.4). Once the other side has announced, a side may still reply Re
    or Kontra with one card less than that took. In a wedding nobody may before the partner is found, and then the hand
    may be smaller by the tricks before the one that found him.
    """

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.levels = [NONE, NONE]

    def offers(self, seat: int) -> Sequence[Action]:
        shift = self.clearing()
        teams = self.state.rules.teams
        if shift is None or teams is None:
            return ()
        side = teams[seat]
        own, other = self.levels[side], self.levels[1 - side]
        if own == BLACK:
            return ()
        size = self.table.deal.layout.hand_sizes[0]
        least = size - 1 - (own + 1)
        if own == NONE and other > NONE:
            least = min(least, size - 1 - other - 1)
        if self.table.places[seat].bit_count() < least - shift:
            return ()
        return (ANNOUNCED[side][own + 1],)

    def clearing(self) -> int | None:
        """How many tricks were played before the one that found the partner; None if he is still to be found."""
        contract = self.table.contract
        if contract is None or contract.kind != WEDDING:
            return 0
        for number, trick in enumerate(self.state.tricks[:CLEARING]):
            if number == CLEARING - 1 or (trick is not None and trick.winner != contract.declarer):
                return number
        return None

    def announced(self, seat: int, action: Action) -> None:
        side = SIDES.index(action.verb)
        self.levels[side] += 1
        self.state.rules = with_goals(self.state.rules, self.levels[RE], self.levels[KONTRA])
        self.table.facts["levels"] = tuple(self.levels)
