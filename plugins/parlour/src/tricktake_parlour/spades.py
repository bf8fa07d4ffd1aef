"""Spades for two pairs, with nil, blind nil and bags."""

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
from tricktake_parlour.pairs import PAIRS

DECK = Deck(suits="CDHS", ranks="23456789TJQKA")
TRICKS = 13
NIL, BLIND = "nil", "blind-nil"
NIL_POINTS = {NIL: 100, BLIND: 200}
TRICK_POINTS = 10
BAGS, BAG_PENALTY = 10, 100
LEADS = ("broken", "last", "free")


def tricks_of(bid: str) -> int:
    """The tricks a bid promises; nil promises none."""
    return int(bid) if bid.isdecimal() else 0


@frozen
class Bids:
    """The contract: the bid of every seat, a number of tricks, nil or blind nil."""

    bids: tuple[str, ...]
    declarer: int = -1

    @property
    def kind(self) -> str:
        return next((word for word in (BLIND, NIL) if word in self.bids), "bids")

    def __str__(self) -> str:
        return ",".join(self.bids)


class Bidding(phases.Bids):
    """Every seat bids once; the bids of partners add up to thirteen at most."""

    meanings: ClassVar[phases.Meanings] = {
        "en": {"bid": "So many tricks your pair has to take beside your partner's; with nil you may take none."},
        "de": {"bid": "So viele Stiche muss dein Paar zu denen des Partners machen; bei nil darfst du keinen machen."},
    }

    def values(self, seat: int) -> Sequence[str]:
        game = self.table.game
        assert isinstance(game, Spades)
        partner = self.bid_of((seat + 2) % 4) or NIL
        nils = (NIL, BLIND) if game.blind else (NIL,)
        return (*nils, *map(str, range(1, TRICKS + 1 - tricks_of(partner))))

    def closed(self) -> None:
        self.table.contract = Bids(self.table.facts["bids"])


class Spades(Game):
    """Spades for two pairs.

    Cards: 52, thirteen to each of four seats; partners sit opposite. Ace high; spades are always trumps.
    Bidding: beginning with the eldest hand each seat says once how many tricks it will take, nil, or blind nil (bid
    without looking at the cards; that nobody looked is a matter of honour). Partners may not bid more than 13 in all.
    Play: the eldest hand leads. Suit must be followed; who cannot may play anything. Spades may not be led before one
    was played to another suit, unless nothing else is held.
    Score: a pair that takes the tricks it bid gets 10 for each, and 1 for each overtrick (a bag); every ten bags cost
    100. If it falls short it loses 10 for each trick bid. A nil that takes no trick is worth 100, blind nil 200, and
    costs as much if it fails; its tricks still count for the pair.

    Options: blind (whether blind nil may be bid); lead (when spades may be led: "broken", "last" only if nothing else
    is held, "free"); bags_02, bags_13 (bags the pairs have from earlier games).
    """

    name: ClassVar[str] = "spades"
    summary: ClassVar[str] = "four seats, two pairs, bids, nil and blind nil"
    layout = Layout(DECK, (TRICKS,) * 4)
    phases = (Bidding, Tricks)
    teams: ClassVar[tuple[int, ...]] = PAIRS

    def __init__(self, blind: bool = True, lead: str = "broken", bags_02: int = 0, bags_13: int = 0) -> None:
        if lead not in LEADS:
            raise ValueError(f"lead is {' or '.join(LEADS)}, not {lead}")
        if not all(0 <= bags < BAGS for bags in (bags_02, bags_13)):
            raise ValueError(f"a pair has 0 to {BAGS - 1} bags")
        self.blind, self.lead, self.bags = blind, lead, (bags_02, bags_13)
        self.kinds = ("bids", NIL, BLIND) if blind else ("bids", NIL)

    def rules(self, table: Table) -> TrickRules:
        assert isinstance(table.contract, Bids)
        bids, spades = table.contract.bids, DECK.of_suit_mask("S")
        promised = [sum(tricks_of(bid) for bid in bids[pair::2]) for pair in (0, 1)]
        nils = tuple(Goal(GoalKind.AT_MOST, 0) if bid in NIL_POINTS else None for bid in bids)
        return TrickRules.plain(
            DECK,
            self.seats,
            "S",
            trick_cost=1,
            teams=PAIRS,
            goals=tuple(Goal(GoalKind.AT_LEAST, n) for n in promised),
            seat_goals=nils if any(nils) else (),
            lead_limit=0 if self.lead == "free" else spades,
            breakers=spades if self.lead == "broken" else 0,
        )

    def contract(self, text: str) -> Bids:
        bids = tuple(text.split(","))
        if len(bids) != self.seats or not all(bid in NIL_POINTS or 0 < tricks_of(bid) <= TRICKS for bid in bids):
            raise ValueError(f"{text!r} is not four bids such as 3,nil,4,5")
        return Bids(bids)

    def score(self, table: Table) -> Score:
        """detail: tricks of each seat, and the bags of each pair in this game."""
        assert isinstance(table.contract, Bids)
        assert table.tricks is not None
        bids, won = table.contract.bids, table.tricks.won
        points, bags = [0, 0], [0, 0]
        for pair in (0, 1):
            promised, taken = sum(map(tricks_of, bids[pair::2])), sum(won[pair::2])
            made = taken >= promised
            bags[pair] = taken - promised if made else 0
            points[pair] = (1 if made else -1) * TRICK_POINTS * promised + bags[pair]
            points[pair] -= BAG_PENALTY * ((self.bags[pair] + bags[pair]) // BAGS)
            for seat in (pair, pair + 2):
                points[pair] += NIL_POINTS.get(bids[seat], 0) * (-1 if won[seat] else 1)
        return Score(tuple(points * 2), detail={"tricks": tuple(won), "bags": tuple(bags)})
