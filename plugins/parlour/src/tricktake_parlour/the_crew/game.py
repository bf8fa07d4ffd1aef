"""The Crew: The Quest for Planet Nine (T. Sing, 2019), missions 1 to 10: together or not at all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from tricktake.deal import Layout
from tricktake.game import Game, Score
from tricktake.phase import Phase
from tricktake.rules import TrickRules
from tricktake.table import Table
from tricktake.view import View
from tricktake_parlour.the_crew.cards import CAPTAIN, COLOURS, DECK, ROCKET
from tricktake_parlour.the_crew.flight import Flight
from tricktake_parlour.the_crew.missions import MISSIONS, SICK
from tricktake_parlour.the_crew.phases import HowAreYou, Launch, SickBay, Tasks
from tricktake_parlour.the_crew.radio import Radio, denied

BOARDS = 1000


class TheCrew(Game):
    """The Crew, missions 1 to 10, for four or five players who win or lose together.

    Cards: blue, green, pink and yellow from 1 to 9, rockets from 1 to 4, all dealt. Who holds the four of rockets is
    the commander and says so.
    Tasks: cards lie on the table; beginning with the commander each takes one until none is left. His task is to win
    the trick with that card. Tokens on tasks: 1, 2, 3: to be done first, second, third; > before >>; last.
    Play: the commander leads. Suit must be followed, rockets are trumps. Between tricks each may once show a card of a
    colour and say that it is his highest, lowest or only one.
    Missions: 1: a task; 2: two; 3: two, 1 and 2; 4: three; 5: no task, the commander asks how all are and says who is
    sick: he may win no trick; 6: three, > and >>, the radio does not say what the card is; 7: three, one of them last;
    8: three, 1, 2 and 3; 9: no task, a 1 must win a trick; 10: four.
    Score: 1 to each if the mission succeeds. The play ends as soon as that is decided.

    Options: mission (1 to 10); players (4 or 5).
    """

    name: ClassVar[str] = "the_crew"
    summary: ClassVar[str] = "four or five seats together, tasks, a radio token"
    score_unit: ClassVar[str] = "missions"
    boards: ClassVar[int] = BOARDS

    def __init__(self, mission: int = 1, players: int = 4) -> None:
        if not 1 <= mission <= len(MISSIONS) or players not in (4, 5):
            raise ValueError(f"mission {mission} for {players}: missions 1 to {len(MISSIONS)}, 4 or 5 players")
        self.mission, self.plan = mission, MISSIONS[mission - 1]
        self.layout = Layout(DECK, (len(DECK) // players,) * players)
        before: tuple[type[Phase], ...] = (Tasks,) if self.plan.tasks else ()
        if self.plan.kind == SICK:
            before = (HowAreYou, SickBay)
        self.phases = (Launch, *before, Radio)
        self.kinds = (self.plan.kind,)
        object.__setattr__(self, "teams", (0,) * players)

    def rules(self, table: Table) -> TrickRules:
        labels = COLOURS + ROCKET
        return TrickRules(
            DECK,
            self.seats,
            tuple(labels.index(card.suit) for card in DECK),
            tuple(int(card.rank) for card in DECK),
            trump=labels.index(ROCKET),
            teams=(0,) * self.seats,
            unsaid="which tasks are done",
        )

    def first_leader(self, table: Table) -> int:
        assert isinstance(table.contract, Flight)
        return table.contract.commander

    def on_contract(self, table: Table) -> None:
        assert isinstance(table.contract, Flight)
        commander = table.contract.commander
        table.reveal(commander, range(table.seats), CAPTAIN)

    def excluded(self, view: View) -> Mapping[int, int]:
        return denied(view)

    def contract(self, text: str) -> Flight:
        mission, commander, tasks, *sick = text.split(":")
        seats = tuple(() if seat == "-" else tuple(seat.split(",")) for seat in tasks.split("/"))
        if int(mission) != self.mission or len(seats) != self.seats:
            raise ValueError(f"{text!r} is not {self.mission}:COMMANDER:TASKS of {self.seats} seats")
        return Flight(int(mission), int(commander), seats, *map(int, sick))

    def outcome(self, table: Table) -> bool | None:
        """Whether the mission has succeeded; None while it is open."""
        assert isinstance(table.contract, Flight)
        assert table.tricks is not None
        tricks = [trick for trick in table.tricks.tricks if trick is not None]
        return table.contract.outcome(tricks, table.tricks.over)

    def decided(self, table: Table) -> bool:
        return self.outcome(table) is not None

    def score(self, table: Table) -> Score:
        """detail: success of the mission, tricks of each seat."""
        assert table.tricks is not None
        success = bool(self.outcome(table))
        return Score((int(success),) * self.seats, detail={"success": success, "tricks": tuple(table.tricks.won)})
