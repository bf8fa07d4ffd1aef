"""Oh Pshaw: 3 to 7 players bid how many tricks they will take, and score only if they are exactly right.

The seat after the dealer bids and leads first, the turned-up card makes trump, any bid is allowed, an exact bid is
worth 10 and what was bid, every other one nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import frozen

from tricktake.cards import Deck
from tricktake.deal import Layout
from tricktake.game import Game, Score
from tricktake.hookspecs import hookimpl
from tricktake.phase import Tricks
from tricktake.phases import Bids, TurnedCard
from tricktake.rules import Goal, GoalKind, TrickRules
from tricktake.table import Table

DECK = Deck(suits="CDHS", ranks="23456789TJQKA")


@frozen
class Exact:
    """The contract: what every seat has bid. ``trump`` is the suit of the turned-up card."""

    bids: tuple[int, ...]
    trump: str
    declarer: int = -1
    kind: str = "bids"

    def __str__(self) -> str:
        return f"{self.trump}:{','.join(map(str, self.bids))}"


class Bidding(Bids):
    """Each seat in turn bids a number of tricks."""

    def values(self, seat: int) -> list[str]:
        return [str(n) for n in range(self.table.deal.layout.hand_sizes[0] + 1)]

    def closed(self) -> None:
        facts = self.table.facts
        self.table.contract = Exact(tuple(map(int, facts["bids"])), facts["trump"])


class OhPshaw(Game):
    name = "oh_pshaw"
    summary = "3 to 7 players, exact bids, a turned-up trump"
    phases = (TurnedCard, Bidding, Tricks)

    def __init__(self, players: int = 4, tricks: int = 7) -> None:
        stock = len(DECK) - players * tricks - 1
        if not 3 <= players <= 7 or tricks < 1 or stock < 0:
            raise ValueError(f"{players} players with {tricks} tricks: 3 to 7 players, and cards enough for a trump")
        self.layout = Layout(DECK, (tricks,) * players, (("turned", 1), ("stock", stock)))

    def rules(self, table: Table) -> TrickRules:
        assert isinstance(table.contract, Exact)
        goals = tuple(Goal(GoalKind.EXACTLY, bid) for bid in table.contract.bids)
        return TrickRules.plain(DECK, self.seats, table.contract.trump, trick_cost=1, goals=goals)

    def contract(self, text: str) -> Exact:
        trump, _, numbers = text.partition(":")
        return Exact(tuple(int(n) for n in numbers.split(",")), trump)

    def score(self, table: Table) -> Score:
        assert isinstance(table.contract, Exact)
        assert table.tricks is not None
        won = table.tricks.won
        points = tuple((10 + w) * (w == bid) for w, bid in zip(won, table.contract.bids, strict=True))
        return Score(points, detail={"tricks": tuple(won)})


@hookimpl
def register_games(register: Callable[..., Any]) -> None:
    register("oh_pshaw", OhPshaw, summary=OhPshaw.summary)
