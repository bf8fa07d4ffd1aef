"""Whist, the mother of many games: four seats, two pairs, thirteen tricks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from attrs import frozen

from tricktake import phases
from tricktake.action import Action
from tricktake.cards import Deck
from tricktake.deal import Layout
from tricktake.game import Game, Score
from tricktake.phase import Tricks
from tricktake.rules import TrickRules
from tricktake.table import Table
from tricktake_parlour.pairs import PAIRS

DECK = Deck(suits="CDHS", ranks="23456789TJQKA")
BOOK = 6  # tricks of a side that count nothing
ROTATION = "HCDS"  # trumps of the boards in turn


@frozen
class Trump:
    """The contract: nothing but the trump suit."""

    kind: str
    declarer: int = -1

    def __str__(self) -> str:
        return self.kind


class Rotation(phases.Round):
    """Trumps go by the number of the board; nobody is asked."""

    name = "trumps"
    role = "play"  # nobody has to bring a bidder

    def order(self) -> Sequence[int]:
        return ()

    def options(self, seat: int) -> Sequence[Action]:
        return ()

    def close(self) -> None:
        self.table.contract = Trump(ROTATION[self.table.board % len(ROTATION)])


class Whist(Game):
    """Whist, as it is played in whist drives (progressive whist).

    Cards: 52, thirteen to each of four seats; partners sit opposite. Ace high.
    Trumps: no bidding; hearts, clubs, diamonds, spades in rotation from board to board.
    Play: the eldest hand leads. Suit must be followed; who cannot may play anything. The highest trump wins the
    trick, or the highest card of the suit led.
    Score: a side scores a point for each trick above six, the other side loses it.
    """

    name: ClassVar[str] = "whist"
    summary: ClassVar[str] = "four seats, two pairs, a trump in rotation, no bidding"
    layout = Layout(DECK, (13, 13, 13, 13))
    phases = (Rotation, Tricks)
    boards: ClassVar[int] = len(ROTATION)
    teams: ClassVar[tuple[int, ...]] = PAIRS
    kinds = tuple(ROTATION)
    score_total: ClassVar[int] = 0

    def rules(self, table: Table) -> TrickRules:
        assert table.contract is not None
        return TrickRules.plain(DECK, self.seats, table.contract.kind, trick_cost=1, teams=PAIRS)

    def contract(self, text: str) -> Trump:
        if text not in tuple(DECK.suits):
            raise ValueError(f"{text!r} is no trump suit")
        return Trump(text)

    def score(self, table: Table) -> Score:
        """detail: tricks of each seat."""
        assert table.tricks is not None
        won = table.tricks.won
        sides = won[0] + won[2], won[1] + won[3]
        odd = max(sides[0] - BOOK, 0) - max(sides[1] - BOOK, 0)
        return Score((odd, -odd, odd, -odd), detail={"tricks": tuple(won)})
