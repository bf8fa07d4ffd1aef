"""Pinochle for two pairs: an auction, melds, and tricks that must be headed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from attrs import frozen

from tricktake import phases
from tricktake.action import Action
from tricktake.cards import bits
from tricktake.deal import Layout
from tricktake.game import Game, Score
from tricktake.phase import Tricks
from tricktake.rules import TrickRules
from tricktake.table import Table
from tricktake_parlour import pairs
from tricktake_parlour.pairs import PAIRS
from tricktake_parlour.pinochle.cards import DECK, TOTAL, trick_rules
from tricktake_parlour.pinochle.melds import meld

LEAST, MOST, STEP = 250, 650, 10


@frozen
class Bid:
    """The contract: who has bid what, trumps, and the melds of all seats."""

    declarer: int
    bid: int
    trump: str
    melds: tuple[int, ...]
    kind: str = "bid"

    def side(self, side: int) -> int:
        """What a side has melded."""
        return sum(self.melds[side::2])

    def __str__(self) -> str:
        return f"{self.declarer}:{self.bid}:{self.trump}:{','.join(map(str, self.melds))}"


class Bidding(phases.Auction):
    """From 250 up in tens; who passes is out, and the dealer must bid if nobody else has."""

    bids = tuple(map(str, range(LEAST, MOST + 1, STEP)))
    forced = str(LEAST)


class Trumps(phases.NameTrumps):
    values = tuple(DECK.suits)


class Melds(phases.Announcements):
    """Everybody lays his melds on the table, beginning with the declarer."""

    name = "melds"

    def opener(self) -> int:
        declarer: int = self.table.facts["declarer"]
        return declarer

    def offers(self, seat: int) -> Sequence[Action]:
        points, cards = meld(self.table.places[seat], self.table.facts["trump"])
        return [Action("meld", str(points), tuple(bits(cards)))] if points else []

    def must(self, seat: int) -> bool:
        return True

    def close(self) -> None:
        facts = self.table.facts
        shown = dict(facts["announced"])
        melds = tuple(int(shown.get(seat, 0)) for seat in range(self.table.seats))
        self.table.contract = Bid(facts["declarer"], int(facts["bid"]), facts["trump"], melds)


class Pinochle(Game):
    """Pinochle for two pairs (single deck, auction).

    Cards: 48, two each of ace, ten, king, queen, jack, nine in this order; twelve to each of four seats; partners sit
    opposite. Aces, tens and kings count 10, the last trick 10: 250 in all.
    Bidding: 250 or more in tens; who passes is out. If all others pass the dealer (the last seat) must bid 250. The
    highest bidder names trumps.
    Melds: all seats show theirs. Run (A 10 K Q J of trumps) 150, two 1500; king and queen of trumps 40, of another suit
    20; nine of trumps 10; pinochle (queen of spades, jack of diamonds) 40, two 300; four aces of different suits 100,
    kings 80, queens 60, jacks 40; eight of them ten times as much. The marriage in a run does not count again.
    Play: the declarer leads. Suit must be followed; who cannot must trump; and a card that beats the trick must be
    played if that is possible. Of two equal cards the first wins.
    Score: melds and points of the tricks of both sides; a side without a trick loses its melds. If the declarers have
    less than they bid they lose the bid instead.
    """

    name: ClassVar[str] = "pinochle"
    summary: ClassVar[str] = "four seats, two pairs, 48 cards, auction and melds"
    layout = Layout(DECK, (12,) * 4)
    teams: ClassVar[tuple[int, ...]] = PAIRS
    phases = (Bidding, Trumps, Melds, Tricks)
    kinds = ("bid",)

    def rules(self, table: Table) -> TrickRules:
        contract = table.contract
        assert isinstance(contract, Bid)
        us = contract.declarer % 2
        need = max(contract.bid - contract.side(us), 1)
        return trick_rules(contract.trump, pairs.shared(us, need, TOTAL))

    def first_leader(self, table: Table) -> int:
        assert table.contract is not None
        return table.contract.declarer

    def contract(self, text: str) -> Bid:
        seat, bid, trump, melds = text.split(":")
        if seat not in tuple("0123") or trump not in tuple(DECK.suits) or bid not in Bidding.bids:
            raise ValueError(f"{text!r} is no contract such as 2:300:H:40,0,150,20")
        points = tuple(map(int, melds.split(",")))
        if len(points) != self.seats:
            raise ValueError(f"{text!r} has {len(points)} melds for {self.seats} seats")
        return Bid(int(seat), int(bid), trump, points)

    def score(self, table: Table) -> Score:
        """value: what the declarers have. detail: points in tricks, and melds, of both sides."""
        contract, play = table.contract, table.tricks
        assert isinstance(contract, Bid)
        assert play is not None
        taken = tuple(sum(play.taken[side::2]) for side in (0, 1))
        melds = tuple(contract.side(side) * any(play.won[side::2]) for side in (0, 1))
        points, us = [taken[side] + melds[side] for side in (0, 1)], contract.declarer % 2
        value = points[us]
        made = value >= contract.bid
        if not made:
            points[us] = -contract.bid
        return Score(tuple(points * 2), made, value, {"taken": taken, "melds": melds})
