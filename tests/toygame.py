"""A small game and its plugin, for tests that need a game and not Skat: three seats, five cards, one declarer.

Each seat in turn passes or names trumps and plays alone for at least two of the five tricks. If all pass the deal is
passed in.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from attrs import frozen

from tricktake.action import Action
from tricktake.cards import Deck
from tricktake.deal import Layout
from tricktake.game import Game, Score
from tricktake.hookspecs import Register, hookimpl
from tricktake.phase import Phase, Tricks
from tricktake.rules import Goal, GoalKind, TrickRules
from tricktake.table import Table

DECK = Deck(suits="RGB", ranks="12345")
PASS = Action("pass")
NEEDED = 2


@frozen
class ToyContract:
    declarer: int
    trump: str

    @property
    def kind(self) -> str:
        return self.trump

    def __str__(self) -> str:
        return f"{self.declarer}:{self.trump}"


class Naming(Phase):
    """One round of passing or naming trumps."""

    name = "naming"

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.seat = 0

    @property
    def turn(self) -> int | None:
        return None if self.table.contract or self.seat == 3 else self.seat

    def legal(self) -> Sequence[Action]:
        return (PASS, *(Action("name", suit) for suit in DECK.suits))

    def apply(self, action: Action) -> None:
        if action == PASS:
            self.seat += 1
            self.table.facts["over"] = self.seat == 3
        else:
            self.table.contract = ToyContract(self.seat, action.value)


class ToyGame(Game):
    name = "toy"
    summary = "three seats, five cards, one declarer"
    score_unit: ClassVar[str] = "toy points"
    series: ClassVar[int] = 10
    layout = Layout(DECK, (5, 5, 5))
    phases = (Naming, Tricks)

    def rules(self, table: Table) -> TrickRules:
        contract = table.contract
        assert isinstance(contract, ToyContract)
        return TrickRules(
            DECK,
            3,
            tuple(DECK.suits.index(card.suit) for card in DECK),
            tuple(DECK.ranks.index(card.rank) for card in DECK),
            trump=DECK.suits.index(contract.trump),
            trick_cost=1,
            teams=tuple(int(seat != contract.declarer) for seat in range(3)),
            goals=(Goal(GoalKind.AT_LEAST, NEEDED), Goal(GoalKind.AT_LEAST, 5 - NEEDED + 1)),
        )

    def contract(self, text: str) -> ToyContract:
        seat, _, trump = text.partition(":")
        return ToyContract(int(seat), trump)

    def score(self, table: Table) -> Score:
        contract = table.contract
        if not isinstance(contract, ToyContract) or table.tricks is None:
            return Score((0, 0, 0))
        mine = table.tricks.taken[contract.declarer]
        won = mine >= NEEDED
        points = tuple((3 if won else -4) if seat == contract.declarer else 0 for seat in range(3))
        return Score(points, won, mine)


@hookimpl
def register_games(register: Register) -> None:
    register("toy", ToyGame)
