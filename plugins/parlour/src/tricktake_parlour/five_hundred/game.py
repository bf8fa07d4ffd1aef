"""Five Hundred for two pairs: a joker, a kitty, misère."""

from __future__ import annotations

from typing import ClassVar

from tricktake.game import Game, Score
from tricktake.phase import Tricks
from tricktake.rules import Goal, GoalKind, TrickRules
from tricktake.table import Table
from tricktake_parlour import pairs
from tricktake_parlour.bowers import SittingOut, partner_sits_out
from tricktake_parlour.five_hundred.bidding import MISERE, OPEN, VALUES, Bid, Bidding, Discard, Kitty
from tricktake_parlour.five_hundred.cards import LAYOUT, TRICKS, trick_rules
from tricktake_parlour.pairs import PAIRS

TRICK_POINTS, SLAM = 10, 250


class FiveHundred(Game):
    """Five Hundred for two pairs, as in Australia.

    Cards: 43: red suits from four, black from five, and a joker (RJ); ten to each of four seats, three in the kitty.
    Partners sit opposite. Trumps: joker, jack (right bower), the other jack of the colour (left bower), ace and so on.
    Bidding: 6 to 10 tricks with spades, clubs, diamonds, hearts or no trumps (N), misère (no trick; over a bid of seven
    only, above 7N), open misère (above 10D). Who passes is out. The declarer takes the kitty and puts three cards away.
    Play: the declarer leads. Suit must be followed; who cannot may play anything. At no trumps the joker wins any
    trick, may be played by who cannot follow, and led only by who has nothing else. In misère the partner sits out,
    there are no trumps, and after the first trick of an open misère the declarer's cards lie on the table.
    Score: 6S is worth 40, each step up 20 more to 520 for 10N, misère 250, open misère 500: won or lost by the
    declarers. Who wins all ten tricks gets 250 at least. The others get 10 for each trick, but not in misère.
    """

    name: ClassVar[str] = "five_hundred"
    summary: ClassVar[str] = "four seats, two pairs, 43 cards with joker, kitty, misère"
    layout = LAYOUT
    teams: ClassVar[tuple[int, ...]] = PAIRS
    phases = (Bidding, Kitty, Discard, SittingOut, Tricks)
    kinds = ("suit", "no-trumps", MISERE, OPEN)

    def rules(self, table: Table) -> TrickRules:
        contract = table.contract
        assert isinstance(contract, Bid)
        if contract.misere:
            none = Goal(GoalKind.AT_MOST, 0)
            goals = pairs.of_declarer(contract.declarer, none, Goal(GoalKind.AT_MOST, TRICKS - 1))
        else:
            goals = pairs.shared(contract.declarer, contract.tricks, TRICKS)
        return trick_rules(contract.trump, goals)

    def on_contract(self, table: Table) -> None:
        assert isinstance(table.contract, Bid)
        if table.contract.misere:
            partner_sits_out(table, table.contract.declarer)

    def first_leader(self, table: Table) -> int:
        assert table.contract is not None
        return table.contract.declarer

    def shown(self, table: Table) -> tuple[int, ...]:
        contract, play = table.contract, table.tricks
        opened = isinstance(contract, Bid) and contract.bid == OPEN and play is not None and play.tricks
        return (contract.declarer,) if contract is not None and opened else ()

    def decided(self, table: Table) -> bool:
        """A misère is lost with its first trick."""
        assert isinstance(table.contract, Bid)
        assert table.tricks is not None
        return table.contract.misere and table.tricks.won[table.contract.declarer] > 0

    def contract(self, text: str) -> Bid:
        seat, _, bid = text.partition(":")
        if seat not in tuple("0123") or bid not in VALUES:
            raise ValueError(f"{text!r} is no contract such as 2:7H, 0:8N or 1:{MISERE}")
        return Bid(int(seat), bid)

    def score(self, table: Table) -> Score:
        """value: tricks of the declarers. detail: tricks of each seat."""
        contract, play = table.contract, table.tricks
        if play is None or not isinstance(contract, Bid):
            return Score((0,) * self.seats)
        us, worth = contract.declarer % 2, VALUES[contract.bid]
        won = sum(play.won[us::2])
        made = won == 0 if contract.misere else won >= contract.tricks
        if made and won == TRICKS:
            worth = max(worth, SLAM)
        points = [0, 0]
        points[us] = worth if made else -worth
        points[1 - us] = 0 if contract.misere else TRICK_POINTS * (TRICKS - won)
        return Score(tuple(points * 2), made, won, {"tricks": tuple(play.won)})
