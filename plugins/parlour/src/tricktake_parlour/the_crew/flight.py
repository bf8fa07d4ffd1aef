"""The contract of The Crew: who has which tasks, and whether they are done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import frozen

from tricktake.trick import Trick
from tricktake_parlour.the_crew.cards import DECK, ONES
from tricktake_parlour.the_crew.missions import FIRST, LAST, MISSIONS, ONE, SICK, THEN, Mission


@frozen
class Flight:
    """The contract: the mission, its commander, the tasks of each seat ("B3", "B3#1" with a token), and who is sick."""

    mission: int
    commander: int
    tasks: tuple[tuple[str, ...], ...]
    sick: int = -1
    declarer: int = -1

    @property
    def plan(self) -> Mission:
        return MISSIONS[self.mission - 1]

    @property
    def kind(self) -> str:
        return self.plan.kind

    def __str__(self) -> str:
        seats = "/".join(",".join(tasks) or "-" for tasks in self.tasks)
        return f"{self.mission}:{self.commander}:{seats}" + f":{self.sick}" * (self.sick >= 0)

    def outcome(self, tricks: Sequence[Trick], last: bool) -> bool | None:
        """Whether the mission has succeeded; None while it is open. last: no trick follows."""
        if self.kind == SICK:
            return False if any(trick.winner == self.sick for trick in tricks) else last or None
        if self.kind == ONE:
            best = (trick.cards[(trick.winner - trick.leader) % len(self.tasks)] for trick in tricks)
            return any(ONES >> card & 1 for card in best) or (False if last else None)
        owners = {task: seat for seat, tasks in enumerate(self.tasks) for task in tasks}
        when: dict[str, int] = {}  # the trick in which a task was done
        for task, owner in owners.items():
            card = DECK.card(task.partition("#")[0]).index
            number = next((n for n, trick in enumerate(tricks) if card in trick.cards), None)
            if number is not None:
                if tricks[number].winner != owner:
                    return False
                when[task] = number
        if not all(_in_order(task, when, list(owners)) for task in owners):
            return False
        return True if len(when) == len(owners) else None


def _in_order(task: str, when: Mapping[str, int], tasks: Sequence[str]) -> bool:
    """Whether a task that was done was done when its token says; several in one trick are in any order."""
    token = task.partition("#")[2]
    if token == "" or task not in when:
        return True
    before = sum(number < when[task] for number in when.values())
    upto = sum(number <= when[task] for number in when.values())
    if token == THEN:
        return all(when.get(other, len(tasks) * 99) <= when[task] for other in tasks if other.endswith("#" + FIRST))
    return token == FIRST or (upto == len(tasks) if token == LAST else before < int(token) <= upto)
