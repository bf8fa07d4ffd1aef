"""Secret Ace: the declarer calls an ace, and whoever holds it is the partner nobody knows.

Four players, 32 cards, hearts are trumps. Who bids most tricks calls the ace of another suit, which he does not hold.
Its holder helps him, and shows it by playing the ace: he must, as soon as its suit is led.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from attrs import frozen

from tricktake.action import Action
from tricktake.alliance import Alliance
from tricktake.cards import Deck
from tricktake.deal import Layout
from tricktake.game import Game, Score
from tricktake.hookspecs import hookimpl
from tricktake.phase import Tricks
from tricktake.phases import Auction, CallPartner
from tricktake.rules import Duty, Goal, GoalKind, TrickRules
from tricktake.table import Table
from tricktake.view import View

DECK = Deck(suits="CDSH", ranks="789TJQKA")
TRUMP = "H"
HAND = 8


@frozen
class Call:
    """The contract: who plays it, the tricks his side has to take, and the ace called, "" if he is alone."""

    declarer: int
    tricks: int
    ace: str

    @property
    def kind(self) -> str:
        return "call" if self.ace else "alone"

    @property
    def ace_mask(self) -> int:
        return DECK.parse_mask(self.ace)

    def __str__(self) -> str:
        return f"{self.declarer}:{self.tricks}:{self.ace}"


class Bidding(Auction):
    """In turn, each bid above the last."""

    bids = tuple(str(n) for n in range(3, HAND + 1))


class Calling(CallPartner):
    """An ace he does not hold, or none: then he plays alone."""

    callable = ("CA", "DA", "SA")
    alone = True

    def chosen(self, seat: int, action: Action) -> None:
        self.table.contract = Call(seat, int(self.table.facts["bid"]), action.value)


class SecretAce(Game):
    """Secret Ace for four.

    Cards: 32, ace high, eight to each. Hearts are trumps.
    Bidding: beginning with the eldest hand, three tricks or more; each bid must be higher, and who passes is out. The
    highest bidder calls an ace of another suit that he does not hold, and its holder is his secret partner; or he plays
    alone.
    Play: the eldest hand leads. Suit must be followed; who cannot may play anything. Who holds the called ace must play
    it when its suit is led for the first time, and may not lead another card of the suit or throw the ace away before.
    Score: the tricks bid, to both of the side that won, from both of the others; alone it is three times as much.
    """

    name = "secret_ace"
    summary = "four seats, a partner found by a called ace"
    layout = Layout(DECK, (HAND,) * 4)
    phases = (Bidding, Calling, Tricks)
    kinds = ("call", "alone")
    score_total = 0

    def rules(self, table: Table) -> TrickRules:
        contract = table.contract
        assert isinstance(contract, Call)
        goals = Goal(GoalKind.AT_LEAST, contract.tricks), Goal(GoalKind.AT_LEAST, HAND - contract.tricks + 1)
        return TrickRules.plain(
            DECK,
            self.seats,
            TRUMP,
            trick_cost=1,
            goals=goals,
            alliance=Alliance(contract.ace_mask, contract.declarer),
            duty=Duty(contract.ace_mask) if contract.ace else None,
        )

    def excluded(self, view: View) -> Mapping[int, int]:
        contract = view.contract
        return {contract.declarer: contract.ace_mask} if isinstance(contract, Call) else {}

    def contract(self, text: str) -> Call:
        seat, bid, ace = text.split(":")
        if seat not in tuple("0123") or bid not in Bidding.bids or ace not in ("", *Calling.callable):
            raise ValueError(f"{text!r} is no contract such as 2:4:CA")
        return Call(int(seat), int(bid), ace)

    def score(self, table: Table) -> Score:
        contract, play = table.contract, table.tricks
        if contract is None or play is None:
            return Score((0,) * self.seats)
        assert isinstance(contract, Call)
        side = play.rules.side_mask(contract.declarer)
        value = play.side_taken(side)
        won = value >= contract.tricks
        ours = contract.tricks * (1 if won else -1)
        each = 1 if side.bit_count() == 2 else self.seats - 1
        points = tuple(each * ours if side >> seat & 1 else -ours for seat in range(self.seats))
        return Score(points, won, value, {"tricks": tuple(play.won)})


@hookimpl
def register_games(register: Callable[..., Any]) -> None:
    register("secret_ace", SecretAce, summary=SecretAce.summary)
