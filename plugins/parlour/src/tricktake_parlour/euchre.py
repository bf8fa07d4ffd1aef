"""Euchre: bowers, ordering up, going alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from attrs import frozen

from tricktake import phases
from tricktake.action import Action
from tricktake.cards import Deck
from tricktake.deal import Layout
from tricktake.game import Contract, Game, Score
from tricktake.phase import Tricks
from tricktake.rules import Aim, Goal, GoalKind, TrickRules
from tricktake.table import Table
from tricktake_parlour.bowers import BLANK, SittingOut, bowers, order, partner_sits_out
from tricktake_parlour.pairs import PAIRS

SUITS, RANKS, TRICKS = "CDHS", "9TJQKA", 5
DECK = Deck(SUITS, RANKS, extra=tuple((f"X{n}", BLANK, str(n)) for n in range(1, TRICKS + 1)))
LAYOUT = Layout(DECK, (TRICKS,) * 4, (("turned", 1), ("stock", 3), ("blanks", TRICKS)), aside=TRICKS)
BLANKS = LAYOUT.aside_cards_mask
MADE, MARCH = 3, 5
EUCHRED, POINT, MARCHED, ALONE = -2, 1, 2, 4


@frozen
class Trumps:
    """The contract: who makes trumps, which, and whether alone."""

    declarer: int
    trump: str
    alone: bool = False

    @property
    def kind(self) -> str:
        return "alone" if self.alone else "pair"

    def __str__(self) -> str:
        return f"{self.declarer}:{self.trump}{':alone' * self.alone}"


class Naming(phases.TurnedUp):
    """First the turned-up suit, which the dealer takes into his hand, then any other."""

    alone = True
    takes = "dealer"

    def suits(self, seat: int) -> Sequence[str]:
        return [suit for suit in SUITS if suit != self.suit]

    def close(self) -> None:
        facts = self.table.facts
        self.table.contract = Trumps(facts["declarer"], facts["trump"], facts["alone"])


class StickTheDealer(Naming):
    stuck = True


class DealersDiscard(phases.Discard):
    """The dealer puts one of his first five cards in the place of the card turned up."""

    place = "turned"

    def chooser(self) -> int | None:
        taker: int | None = self.table.facts["taker"]
        return taker

    def allowed(self, seat: int) -> int:
        return self.table.places[seat] & self.table.deal.masks[seat]

    def chosen(self, seat: int, action: Action) -> None:
        """Everybody knows that he kept the card turned up."""
        self.table.reveal(seat, range(4), self.table.received[seat])


def trump_rules(trump: str) -> TrickRules:
    """The play with these trumps: the jack is the highest, the other jack of its colour the second."""
    suit_of, power = order(DECK, SUITS + BLANK, RANKS, trump, bowers(trump))
    return TrickRules(
        DECK,
        len(PAIRS),
        suit_of,
        power,
        trump=SUITS.index(trump),
        trick_cost=1,
        teams=PAIRS,
        goals=(Goal(GoalKind.AT_LEAST, MADE),) * 2,
    )


class Euchre(Game):
    """Euchre for two pairs.

    Cards: 24, nine to ace, five to each of four seats; partners sit opposite. One card is turned up. The highest trump
    is its jack (right bower), the second the other jack of its colour (left bower), which is a trump; then ace to nine.
    Trumps: from the eldest hand on, each seat in turn may order the turned-up suit to be trumps; then the dealer (the
    last seat) takes the card and discards one of his first five. If all pass, each may name another suit. Who makes
    trumps may say that he plays alone: his partner sits out.
    Play: the eldest hand leads (if it sits out, the next). Suit must be followed; who cannot may play anything.
    Score: makers get 1 for three or four tricks, 2 for all five (march), 4 for a march alone; with fewer than three
    they are euchred and lose 2. What one side gets the other loses.

    Options: stick_the_dealer (the dealer must name a suit if all others pass; otherwise the deal is passed in).
    """

    name: ClassVar[str] = "euchre"
    summary: ClassVar[str] = "four seats, two pairs, 24 cards, bowers, ordering up, going alone"
    layout = LAYOUT
    teams: ClassVar[tuple[int, ...]] = PAIRS
    score_total: ClassVar[int] = 0
    kinds = ("pair", "alone")

    def __init__(self, stick_the_dealer: bool = True) -> None:
        naming = StickTheDealer if stick_the_dealer else Naming
        self.phases = (naming, DealersDiscard, SittingOut, Tricks)

    def rules(self, table: Table) -> TrickRules:
        assert isinstance(table.contract, Trumps)
        return trump_rules(table.contract.trump)

    def on_contract(self, table: Table) -> None:
        assert isinstance(table.contract, Trumps)
        if table.contract.alone:
            partner_sits_out(table, table.contract.declarer)

    def first_leader(self, table: Table) -> int:
        return 1 if table.places[0] & BLANKS else 0

    def aims(self, contract: Contract | None, rules: TrickRules, seat: int) -> tuple[Aim, ...]:
        return (Aim("three tricks", rules.goal(seat)), Aim("a march", Goal(GoalKind.AT_LEAST, MARCH)))

    def contract(self, text: str) -> Trumps:
        declarer, _, rest = text.partition(":")
        trump, _, alone = rest.partition(":")
        if declarer not in tuple("0123") or trump not in tuple(SUITS) or alone not in ("", "alone"):
            raise ValueError(f"{text!r} is not seat and trumps such as 2:H or 0:S:alone")
        return Trumps(int(declarer), trump, alone == "alone")

    def score(self, table: Table) -> Score:
        """detail: tricks of each seat."""
        if table.tricks is None:
            return Score((0,) * self.seats)
        contract, won = table.contract, table.tricks.won
        assert isinstance(contract, Trumps)
        side = contract.declarer % 2
        taken = sum(won[side::2])
        points = EUCHRED if taken < MADE else POINT if taken < MARCH else ALONE if contract.alone else MARCHED
        each = tuple(points if seat % 2 == side else -points for seat in range(self.seats))
        return Score(each, won=taken >= MADE, value=taken, detail={"tricks": tuple(won)})
