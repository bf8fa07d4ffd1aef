"""Five Hundred for two pairs: a joker, a kitty, misère."""

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
from tricktake.rules import Goal, GoalKind, TrickRules
from tricktake.strategies.strategy import Decision
from tricktake.table import Table
from tricktake.view import View
from tricktake_parlour import bidder, pairs
from tricktake_parlour.pairs import PAIRS, SAME_COLOUR

SUITS, TRICKS, KITTY = "SCDH", 10, 3
RED, BLACK = "456789TJQKA", "56789TJQKA"
JOKER, BLANK, NONE = "R", "X", "N"  # suits of the joker and of blanks; no trumps
DECK = Deck(
    suits="",
    ranks="",
    extra=(
        *((s + r, s, r) for s in SUITS for r in (RED if s in "DH" else BLACK)),
        ("RJ", JOKER, "J"),
        *((f"X{n}", BLANK, str(n)) for n in range(TRICKS)),
    ),
)
LAYOUT = Layout(DECK, (TRICKS,) * 4, (("kitty", KITTY), ("blanks", TRICKS)), aside=TRICKS)
THE_JOKER = DECK.card("RJ").mask
MISERE, OPEN = "misere", "open-misere"
TRICK_POINTS, SLAM = 10, 250
_SUITED = [f"{n}{s}" for n in range(6, TRICKS + 1) for s in (*SUITS, NONE)]
# Avondale schedule: 40 for six spades, 20 more for each step.
VALUES = {bid: 40 + 20 * n for n, bid in enumerate(_SUITED)} | {MISERE: 250, OPEN: 500}
_AFTER = {"7N": MISERE, "10D": OPEN}  # where misère stands among the bids
BIDS = tuple(bid for suited in _SUITED for bid in (suited, _AFTER.get(suited, "")) if bid)


@frozen
class Bid:
    """The contract: who plays what."""

    declarer: int
    bid: str

    @property
    def misere(self) -> bool:
        return self.bid in (MISERE, OPEN)

    @property
    def trump(self) -> str:
        return NONE if self.misere else self.bid[-1]

    @property
    def tricks(self) -> int:
        return 0 if self.misere else int(self.bid[:-1])

    @property
    def kind(self) -> str:
        return self.bid if self.misere else "no-trumps" if self.trump == NONE else "suit"

    def __str__(self) -> str:
        return f"{self.declarer}:{self.bid}"


class Bidding(phases.Auction):
    """Who passes is out; misère only over a bid of seven tricks."""

    bids = BIDS

    def values(self, seat: int) -> Sequence[str]:
        return [bid for bid in BIDS if bid != MISERE or (self.bid is not None and self.bid.startswith("7"))]

    def close(self) -> None:
        self.table.contract = Bid(self.table.facts["declarer"], self.table.facts["bid"])


class Kitty(phases.TakeTalon):
    places = ("kitty",)


class Discard(phases.Discard):
    count = KITTY
    place = "kitty"

    def chosen(self, seat: int, action: Action) -> None:
        sit_out(self.table)


def sit_out(table: Table) -> None:
    """In misère the partner lays his cards down, and plays blanks, which win nothing."""
    contract = table.contract
    assert isinstance(contract, Bid)
    if contract.misere:
        phases.sit_out(table, (contract.declarer + 2) % 4)


def trick_rules(trump: str, goals: tuple[Goal, ...] = ()) -> TrickRules:
    """The play with these trumps: joker, jack (right bower), jack of the same colour (left bower), ace and so on."""
    suits = [(*SUITS, JOKER, BLANK).index(card.suit) for card in DECK]
    power = [RED.find(card.rank) if card.suit != BLANK else int(card.rank) for card in DECK]
    joker = DECK.card("RJ").index
    if trump != NONE:
        left, right = DECK.card(SAME_COLOUR[trump] + "J").index, DECK.card(trump + "J").index
        suits[left] = suits[joker] = SUITS.index(trump)
        power[left], power[right], power[joker] = (len(RED) + n for n in range(3))
    wild = THE_JOKER if trump == NONE else 0
    return TrickRules(
        DECK,
        4,
        tuple(suits),
        tuple(power),
        None if trump == NONE else SUITS.index(trump),
        trick_cost=1,
        teams=PAIRS,
        goals=goals,
        always_wins=wild,
        lead_limit=wild,
    )


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
    phases = (Bidding, Kitty, Discard, Tricks)
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
        sit_out(table)

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


class Bidder(bidder.Bidder):
    """Bids its tricks and what a partner and the kitty bring; misère with next to nothing. Keeps the strongest hand."""

    game: ClassVar[str] = "five_hundred"
    roles: ClassVar[tuple[str, ...]] = ("bid", "exchange")
    help: ClassVar[float] = 2.5  # tricks expected of partner and kitty

    def choose(self, view: View) -> Decision:
        contract = view.contract
        if isinstance(contract, Bid):
            sign = -1 if contract.misere else 1
            rules = trick_rules(contract.trump)
            best = max(view.legal, key=lambda a: sign * bidder.worth(rules, view.hand_mask & ~a.mask))
            return Decision(best, "leaves the best hand")
        tricks = {trump: bidder.worth(trick_rules(trump), view.hand_mask) for trump in (*SUITS, NONE)}

        def spare(bid: str) -> float:
            if bid in (MISERE, OPEN):
                return 0.25 - tricks[NONE] - (bid == OPEN)
            return tricks[bid[-1]] + self.help - int(bid[:-1])

        return bidder.best_bid(view, spare)
