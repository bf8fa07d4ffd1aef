"""What happens before the first trick of The Crew: commander, tasks, who is sick."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from tricktake import phases
from tricktake.action import Action
from tricktake.cards import bits
from tricktake.table import Table
from tricktake_parlour.the_crew.cards import CAPTAIN, COLOURED, DECK
from tricktake_parlour.the_crew.flight import Flight

if TYPE_CHECKING:
    from tricktake_parlour.the_crew.game import TheCrew

STRIDE = 873_727  # between the draws of tasks of two boards, in the order of all draws; near the golden section


def crew(table: Table) -> TheCrew:
    """The game of a table, which knows its mission."""
    return cast("TheCrew", table.game)


def sign(table: Table, **more: int) -> None:
    """The contract by what is known so far."""
    tasks = table.facts.get("tasks", ((),) * table.seats)
    table.contract = Flight(crew(table).mission, table.facts["commander"], tasks, **more)


class Launch(phases.Round):
    """Who holds the four of rockets says so: the commander. Nobody is asked."""

    name = "launch"

    def order(self) -> Sequence[int]:
        return ()

    def options(self, seat: int) -> Sequence[Action]:
        return ()

    def close(self) -> None:
        table = self.table
        commander = next(seat for seat in range(table.seats) if table.places[seat] & CAPTAIN)
        table.facts["commander"] = commander
        table.reveal(commander, range(table.seats), CAPTAIN)
        sign(table)


class Tasks(phases.Draft):
    """Beginning with the commander each takes a task, until none is left. Which lie there goes by the board."""

    def items(self) -> Sequence[str]:
        rank, cards, found = self.table.board * STRIDE, list(bits(COLOURED)), []
        plan = crew(self.table).plan
        for number in range(plan.tasks):
            rank, place = divmod(rank, len(cards))
            token = plan.order[number : number + 1]
            found.append("#".join([DECK[cards.pop(place)].name, *token]))
        return found

    def opener(self) -> int:
        return int(self.table.facts["commander"])

    def close(self) -> None:
        sign(self.table)


class HowAreYou(phases.Round):
    """The commander asks the others how they feel."""

    name = "health"

    def order(self) -> Sequence[int]:
        return [(self.table.facts["commander"] + n) % self.table.seats for n in range(1, self.table.seats)]

    def options(self, seat: int) -> Sequence[Action]:
        return (Action("say", "good"), Action("say", "bad"))


class SickBay(phases.Choice):
    """The commander says which of the others is sick."""

    name = "sick-bay"

    def chooser(self) -> int:
        return int(self.table.facts["commander"])

    def options(self) -> Sequence[Action]:
        return [Action("sick", str(seat)) for seat in range(self.table.seats) if seat != self.chooser()]

    def chosen(self, seat: int, action: Action) -> None:
        sign(self.table, sick=int(action.value))
