"""Oh Hell: bids that must be exactly right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from attrs import frozen

from tricktake import phases
from tricktake.cards import Deck
from tricktake.deal import Layout
from tricktake.game import Game, Score
from tricktake.phase import Tricks
from tricktake.rules import Goal, GoalKind, TrickRules
from tricktake.table import Table

DECK = Deck(suits="CDHS", ranks="23456789TJQKA")
NO_TRUMP = "none"
EXACT = 10


@frozen
class Exact:
    """The contract: what every seat has bid, and trumps."""

    bids: tuple[int, ...]
    trump: str
    declarer: int = -1

    @property
    def kind(self) -> str:
        return self.trump

    @property
    def suit(self) -> str | None:
        return None if self.trump == NO_TRUMP else self.trump

    @property
    def goals(self) -> tuple[Goal, ...]:
        return tuple(Goal(GoalKind.EXACTLY, bid) for bid in self.bids)

    def __str__(self) -> str:
        return f"{self.trump}:{','.join(map(str, self.bids))}"

    @classmethod
    def from_text(cls, text: str, trumps: Sequence[str], seats: int) -> Exact:
        """Read ``C:1,0,2``. Raises ValueError."""
        trump, _, numbers = text.partition(":")
        bids = numbers.split(",")
        if trump not in trumps or len(bids) != seats or not all(bid.isdecimal() for bid in bids):
            raise ValueError(f"{text!r} is not trumps and a bid of each seat such as C:1,0,2")
        return cls(tuple(map(int, bids)), trump)


class FreeBids(phases.Bids):
    """Each seat in turn bids a number of tricks."""

    meanings: ClassVar[phases.Meanings] = {
        "en": {"bid": "You have to take so many tricks, no more and no less."},
        "de": {"bid": "Du musst genau so viele Stiche machen, nicht mehr und nicht weniger."},
    }

    def values(self, seat: int) -> Sequence[str]:
        return [str(n) for n in range(self.table.deal.layout.hand_sizes[0] + 1)]

    def closed(self) -> None:
        facts = self.table.facts
        self.table.contract = Exact(tuple(map(int, facts["bids"])), facts["trump"])


class HookedBids(FreeBids):
    """The last to bid may not make the bids add up to the tricks, so that they cannot all come true."""

    def values(self, seat: int) -> Sequence[str]:
        left = self.table.deal.layout.hand_sizes[0] - self.total()
        last = len(self.said) == self.table.seats - 1
        return [bid for bid in super().values(seat) if not (last and int(bid) == left)]


class OhHell(Game):
    """Oh Hell, also known as Blackout or Nomination Whist, for three to seven players; all play for themselves.

    Cards: 52, ace high; so many to each player as there are tricks. The next card is turned up: its suit is trumps.
    Bidding: beginning with the eldest hand each seat says once how many tricks it will take. The last may not make the
    bids add up to the number of tricks.
    Play: the eldest hand leads. Suit must be followed; who cannot may play anything.
    Score: a point for each trick, and 10 more for who has taken exactly what he bid.

    Options: players (3 to 7); tricks, and so cards a hand.
    """

    name: ClassVar[str] = "oh_hell"
    summary: ClassVar[str] = "three to seven seats, exact bids, a turned-up trump"
    phases = (phases.TurnedCard, HookedBids, Tricks)
    kinds = tuple(DECK.suits)

    def __init__(self, players: int = 4, tricks: int = 7) -> None:
        stock = len(DECK) - players * tricks - 1
        if not 3 <= players <= 7 or tricks < 1 or stock < 0:
            raise ValueError(f"{players} players with {tricks} tricks: 3 to 7 players, and cards enough for a trump")
        self.layout = Layout(DECK, (tricks,) * players, (("turned", 1), ("stock", stock)))

    def rules(self, table: Table) -> TrickRules:
        assert isinstance(table.contract, Exact)
        return TrickRules.plain(DECK, self.seats, table.contract.suit, trick_cost=1, goals=table.contract.goals)

    def contract(self, text: str) -> Exact:
        return Exact.from_text(text, tuple(DECK.suits), self.seats)

    def score(self, table: Table) -> Score:
        """detail: tricks of each seat."""
        assert isinstance(table.contract, Exact)
        assert table.tricks is not None
        won = table.tricks.won
        points = tuple(w + EXACT * (w == bid) for w, bid in zip(won, table.contract.bids, strict=True))
        return Score(points, detail={"tricks": tuple(won)})
