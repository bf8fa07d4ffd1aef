"""Pinochle for two pairs: an auction, melds, and tricks that must be headed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from attrs import frozen

from tricktake import phases
from tricktake.action import Action
from tricktake.cards import Deck, bits
from tricktake.deal import Layout
from tricktake.game import Game, Score
from tricktake.phase import Tricks
from tricktake.rules import Goal, Overtake, TrickRules
from tricktake.strategies.strategy import Decision
from tricktake.table import Table
from tricktake.view import View
from tricktake_parlour import bidder, pairs
from tricktake_parlour.pairs import PAIRS

DECK = Deck(suits="CDHS", ranks="9JQKTA", copies=2)
COUNTERS = "KTA"  # ten points each
POINTS, LAST, TOTAL = 10, 10, 250
LEAST, MOST, STEP = 250, 650, 10
RUN, ROYAL, COMMON, DIX = (0, 150, 1500), 40, 20, 10
PINOCHLE = (0, 40, 300)
AROUND = {"A": (0, 100, 1000), "K": (0, 80, 800), "Q": (0, 60, 600), "J": (0, 40, 400)}


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


def copies(hand: int, kind: str) -> list[int]:
    """The cards of a kind in a hand."""
    return [card for card in bits(hand) if DECK[card].kind == kind]


def meld(hand: int, trump: str) -> tuple[int, int]:
    """What a hand melds with these trumps, and the cards it shows for it."""
    held = {card.kind: copies(hand, card.kind) for card in DECK}
    points, shown = DIX * len(held[trump + "9"]), set(held[trump + "9"])

    def together(kinds: Sequence[str]) -> int:
        """How often all of these are held; they are shown."""
        times = min(len(held[kind]) for kind in kinds)
        shown.update(card for kind in kinds for card in held[kind][:times])
        return times

    runs = together([trump + rank for rank in "ATKQJ"])
    points += RUN[runs] + PINOCHLE[together(["SQ", "DJ"])]
    for suit in DECK.suits:
        marriages = together([suit + "K", suit + "Q"])
        points += ROYAL * (marriages - runs) if suit == trump else COMMON * marriages
    points += sum(worth[together([suit + rank for suit in DECK.suits])] for rank, worth in AROUND.items())
    return points, sum(1 << card for card in shown)


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


def trick_rules(trump: str, goals: tuple[Goal, ...] = ()) -> TrickRules:
    """The play with these trumps."""
    return TrickRules.plain(
        DECK,
        4,
        trump,
        card_cost=tuple(POINTS * (card.rank in COUNTERS) for card in DECK),
        last_trick_bonus=LAST,
        teams=PAIRS,
        goals=goals,
        trump_when_void=True,
        overtake=Overtake.ALWAYS,
    )


class Bidder(bidder.Bidder):
    """Bids its melds, twenty points for each likely trick, and what a partner brings; names the best suit."""

    game: ClassVar[str] = "pinochle"
    partner: ClassVar[int] = 110  # points of melds and tricks expected of the partner

    def choose(self, view: View) -> Decision:
        worth = {
            suit: meld(view.hand_mask, suit)[0] + 2 * POINTS * bidder.worth(trick_rules(suit), view.hand_mask)
            for suit in DECK.suits
        }
        best = max(worth, key=worth.__getitem__)
        if any(action.verb == "name" for action in view.legal):
            return Decision(Action("name", best), f"melds and tricks for {worth[best]:g}")
        return bidder.best_bid(view, lambda bid: worth[best] + self.partner - int(bid), "points")
