"""A game with a secret partner, as a plugin: the declarer calls an ace, and whoever holds it plays with it.

Four seats, four cards, no trumps. The first seat that wants to calls an ace it does not hold, and its side has to take
three of the four tricks.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve, frozen

from tricktake.action import Action
from tricktake.alliance import Alliance
from tricktake.cards import Deck
from tricktake.deal import Layout
from tricktake.game import Game, Score
from tricktake.hookspecs import Register, hookimpl
from tricktake.phase import Phase, Tricks
from tricktake.rules import Goal, GoalKind, TrickRules
from tricktake.table import Table

DECK = Deck(suits="SHDC", ranks="JQKA")
PASS = Action("pass")
NEEDED = 3


@frozen
class Call:
    """The contract."""

    declarer: int
    suit: str

    @property
    def kind(self) -> str:
        return "call"

    @property
    def ace_mask(self) -> int:
        return DECK.card(self.suit + "A").mask

    def __str__(self) -> str:
        return f"{self.declarer}:{self.suit}"


class Calling(Phase):
    """One round of passing or calling an ace."""

    name = "calling"

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.seat = 0

    @property
    def turn(self) -> int | None:
        return None if self.table.contract or self.seat == 4 else self.seat

    def legal(self) -> Sequence[Action]:
        hand = self.table.places[self.seat]
        return (PASS, *(Action("call", s) for s in DECK.suits if not hand & DECK.card(s + "A").mask))

    def apply(self, action: Action) -> None:
        if action == PASS:
            self.seat += 1
            self.table.facts["over"] = self.seat == 4
        else:
            self.table.contract = Call(self.seat, action.value)


class CalledAce(Game):
    name = "called_ace"
    layout = Layout(DECK, (4, 4, 4, 4))
    phases = (Calling, Tricks)

    def rules(self, table: Table) -> TrickRules:
        """What everybody knows: the declarer plays against the others."""
        contract = table.contract
        assert isinstance(contract, Call)
        return TrickRules.plain(
            DECK,
            4,
            trick_cost=1,
            teams=tuple(int(seat != contract.declarer) for seat in range(4)),
            goals=(Goal(GoalKind.AT_LEAST, NEEDED), Goal(GoalKind.AT_LEAST, 4 - NEEDED + 1)),
        )

    def open_rules(self, table: Table) -> TrickRules:
        """Who was dealt the called ace plays with the declarer."""
        contract = table.contract
        assert isinstance(contract, Call)
        ours = [seat == contract.declarer or table.deal.masks[seat] & contract.ace_mask for seat in range(4)]
        return evolve(self.rules(table), teams=tuple(int(not mine) for mine in ours))

    def contract(self, text: str) -> Call:
        seat, _, suit = text.partition(":")
        return Call(int(seat), suit)

    def score(self, table: Table) -> Score:
        if table.contract is None or table.tricks is None:
            return Score((0,) * 4, detail={"passed": True})
        side = self.open_rules(table).side_mask(table.contract.declarer)
        value = table.tricks.side_taken(side)
        won = value >= NEEDED
        return Score(tuple((1 if won else -1) * (1 if side >> seat & 1 else -1) for seat in range(4)), won, value)


class Allied(CalledAce):
    """The same, with the partner as data of the rules."""

    name = "allied"

    def rules(self, table: Table) -> TrickRules:
        contract = table.contract
        assert isinstance(contract, Call)
        return evolve(super().rules(table), teams=None, alliance=Alliance(contract.ace_mask, contract.declarer))

    def open_rules(self, table: Table) -> TrickRules:
        return Game.open_rules(self, table)


@hookimpl
def register_games(register: Register) -> None:
    register("allied", Allied)
    register("called_ace", CalledAce)
