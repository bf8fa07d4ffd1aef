"""Wizard (K. Fisher, 1984): wizards always win, jesters never do, bids must be exactly right."""

from __future__ import annotations

from typing import ClassVar

from tricktake import phases
from tricktake.cards import Deck
from tricktake.deal import Layout
from tricktake.game import Game, Score
from tricktake.phase import Phase, Tricks
from tricktake.rules import TrickRules
from tricktake.table import Table
from tricktake_parlour.oh_hell import NO_TRUMP, Exact, FreeBids, HookedBids

SUITS, RANKS = "CDHS", "23456789TJQKA"
WIZARD, JESTER = "W", "J"
DECK = Deck(SUITS, RANKS, extra=tuple((f"{kind}{n}", kind, str(n)) for kind in (WIZARD, JESTER) for n in range(1, 5)))
WIZARDS, JESTERS = DECK.of_suit_mask(WIZARD), DECK.of_suit_mask(JESTER)
EXACT, BID, MISSED = 20, 10, -10


def wizard_rules(seats: int, trump: str | None, exact: Exact | None = None) -> TrickRules:
    """The play: whoever leads a wizard lets the others play anything; a jester leaves the suit to the next card."""
    labels = SUITS + WIZARD + JESTER
    return TrickRules(
        DECK,
        seats,
        tuple(labels.index(card.suit) for card in DECK),
        tuple(RANKS.index(card.rank) if card.suit in SUITS else int(card.rank) for card in DECK),
        trump=None if trump is None else SUITS.index(trump),
        trick_cost=1,
        goals=exact.goals if exact else (),
        always_wins=WIZARDS,
        need_not_follow=WIZARDS,
        never_wins=JESTERS,
        always_legal=WIZARDS | JESTERS,
    )


class DealersTrump(phases.NameTrumps):
    """A wizard turned up: the dealer, who sits last, names trumps. A jester: there are none."""

    values = tuple(SUITS)

    def chooser(self) -> int | None:
        facts = self.table.facts
        wizard = facts["trump"] == WIZARD
        if facts["trump"] == JESTER:
            facts["trump"] = NO_TRUMP
        return self.table.seats - 1 if wizard else None


class NoTrumps(phases.Choice):
    """All cards are dealt: nothing is turned up, there are no trumps."""

    name = "no-trumps"

    def chooser(self) -> None:
        self.table.facts["trump"] = NO_TRUMP

    def options(self) -> tuple[()]:
        return ()


class Wizard(Game):
    """Wizard for three to six players; all play for themselves.

    Cards: 52, ace high, and four wizards and four jesters; so many to each player as there are tricks. The next card is
    turned up: its suit is trumps; a jester means no trumps, at a wizard the dealer (the last seat) names them. If no
    card is left there are no trumps.
    Bidding: beginning with the eldest hand each seat says once how many tricks it will take.
    Play: the eldest hand leads. Suit must be followed, but a wizard or jester may always be played. The first wizard
    wins the trick, else the highest trump, else the highest card of the suit led; of jesters alone the first. A jester
    led leaves it to the next card which suit is led; after a wizard led anything may be played.
    Score: 20 and 10 for each trick to who has taken exactly what he bid; the others lose 10 for each trick too many or
    too few.

    Options: players (3 to 6); tricks, and so cards a hand; hook (the bids may not add up to the number of tricks).
    """

    name: ClassVar[str] = "wizard"
    summary: ClassVar[str] = "three to six seats, 60 cards with wizards and jesters, exact bids"

    def __init__(self, players: int = 4, tricks: int = 8, hook: bool = False) -> None:
        left = len(DECK) - players * tricks
        if not 3 <= players <= 6 or tricks < 1 or left < 0:
            raise ValueError(f"{players} players with {tricks} tricks: 3 to 6 players, and {len(DECK)} cards")
        extra = (("turned", 1), ("stock", left - 1)) if left else ()
        self.layout = Layout(DECK, (tricks,) * players, extra)
        trumps: tuple[type[Phase], ...] = (phases.TurnedCard, DealersTrump) if left else (NoTrumps,)
        self.kinds = (*SUITS, NO_TRUMP) if left else (NO_TRUMP,)
        self.phases = (*trumps, HookedBids if hook else FreeBids, Tricks)

    def rules(self, table: Table) -> TrickRules:
        assert isinstance(table.contract, Exact)
        return wizard_rules(self.seats, table.contract.suit, table.contract)

    def contract(self, text: str) -> Exact:
        return Exact.from_text(text, (*SUITS, NO_TRUMP), self.seats)

    def score(self, table: Table) -> Score:
        """detail: tricks of each seat."""
        assert isinstance(table.contract, Exact)
        assert table.tricks is not None
        won = table.tricks.won
        off = [abs(w - bid) for w, bid in zip(won, table.contract.bids, strict=True)]
        points = tuple(MISSED * n if n else EXACT + BID * w for n, w in zip(off, won, strict=True))
        return Score(points, detail={"tricks": tuple(won)})
