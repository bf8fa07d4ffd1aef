"""Belote for two pairs: the turned-up card in two rounds, or bids (coinche)."""

from __future__ import annotations

from typing import ClassVar

from attrs import frozen

from tricktake import phases
from tricktake.cards import Deck
from tricktake.deal import Layout
from tricktake.game import Game, Score
from tricktake.phase import Tricks
from tricktake.rules import Goal, Overtake, TrickRules
from tricktake.strategies.strategy import Decision
from tricktake.table import Table
from tricktake.view import View
from tricktake_parlour import bidder, melds, pairs
from tricktake_parlour.melds import played
from tricktake_parlour.pairs import PAIRS

DECK = Deck(suits="CDHS", ranks="789JQKTA")
ORDER = "789TJQKA"  # in which cards follow each other in sequences
TRUMPS = "78QKTA9J"  # trumps from the lowest to the highest
POINTS = {"J": 2, "Q": 3, "K": 4, "T": 10, "A": 11}
TRUMP_POINTS = {**POINTS, "9": 14, "J": 20}
FOURS = {"Q": 100, "K": 100, "T": 100, "A": 100, "9": 150, "J": 200}
LAST, TOTAL, CAPOT, BELOTE = 10, 162, 252, 20
HALF = TOTAL // 2
LOST = 160  # what a lost contract of coinche is worth beside the bid
ALL = "capot"
BIDS = (*map(str, range(80, LOST + 1, 10)), ALL)
BID_POINTS = {bid: 250 if bid == ALL else int(bid) for bid in BIDS}
PACKETS = (("turned", 1), *((f"two{n}", 2) for n in range(4)), *((f"one{n}", 1) for n in range(3)))
STYLES = ("turned", "coinche")


@frozen
class Taken:
    """The contract: who took, trumps; with bids also what was bid, and how often it was doubled."""

    declarer: int
    trump: str
    bid: str = ""
    doubled: int = 0

    @property
    def kind(self) -> str:
        return ("turned" if not self.bid else ALL if self.bid == ALL else "bid") + "-doubled" * bool(self.doubled)

    def __str__(self) -> str:
        return f"{self.declarer}:{self.trump}" + (f":{self.bid}:{self.doubled}" if self.bid else "")


class Upcard(phases.TurnedUp):
    """The turned-up suit, then any other; who takes gets the card and two more, all others three."""

    takes = ""

    def close(self) -> None:
        facts = self.table.facts
        self.table.contract = Taken(facts["declarer"], facts["trump"])
        deal_rest(self.table, facts["declarer"])


def deal_rest(table: Table, taker: int) -> None:
    """Everybody holds eight cards then."""
    ones, everybody = iter(range(3)), range(table.seats)
    for seat in everybody:
        last = "turned" if seat == taker else f"one{next(ones)}"
        for name, seen in ((f"two{seat}", (seat,)), (last, everybody if seat == taker else (seat,))):
            place = table.place_index(name)
            table.move(table.places[place], place, seat, seen)


class Coinche(phases.Auction):
    """Points and trumps, each bid of more points than the last; a double ends the auction."""

    out = False
    bids = tuple(tuple(f"{bid}{suit}" for suit in DECK.suits) for bid in BIDS)
    doubles = 2
    closing = True

    def close(self) -> None:
        facts = self.table.facts
        self.table.contract = Taken(facts["declarer"], facts["bid"][-1], facts["bid"][:-1], facts["doubled"])


class Belote(Game):
    """Belote for two pairs.

    Cards: 32; partners sit opposite. Trumps rank J 9 A 10 K Q 8 7 and count 20 14 11 10 4 3 0 0, other suits rank
    A 10 K Q J 9 8 7 and count 11 10 4 3 2 0 0 0. The last trick is worth 10: 162 in all.
    Bidding: five cards each and one turned up. In turn each may make its suit trump, then any other suit. Who takes
    gets the card and two more, all others three. If nobody takes the deal is passed in.
    Play: the eldest hand leads. Suit must be followed; who cannot must trump, unless the partner is winning. Who plays
    a trump must beat the best trump of the trick if he can.
    Score: the takers keep what they have if it is more than the others have; if less, the others get 162. At 81 all
    the others get 81 and the takers nothing (the rest hangs on the next deal). All tricks: 252. King and queen of
    trumps in one hand: 20, whatever happens.

    Options: bidding ("turned", or "coinche": eight cards at once, bids 80 to 160 or capot (250) with trumps, double and
    redouble; a contract made scores the bid beside the points, one lost gives the others 160 and the bid, and the bid
    counts twice or four times if doubled); declarations (sequences of 3, 4, 5: 20, 50, 100; four jacks 200, nines 150,
    others 100; the side with the best counts all of its own, without being asked to announce them).
    """

    name: ClassVar[str] = "belote"
    summary: ClassVar[str] = "four seats, two pairs, a turned-up trump or bids (coinche)"
    teams: ClassVar[tuple[int, ...]] = PAIRS

    def __init__(self, bidding: str = "turned", declarations: bool = False) -> None:
        if bidding not in STYLES:
            raise ValueError(f"bidding is {' or '.join(STYLES)}, not {bidding}")
        self.declarations = declarations
        bids = ("bid", ALL)
        self.kinds = (*bids, *(f"{bid}-doubled" for bid in bids)) if bidding == "coinche" else ("turned",)
        self.phases = (Coinche, Tricks) if bidding == "coinche" else (Upcard, Tricks)
        eight = (8, 8, 8, 8)
        turned = Layout(DECK, (5, 5, 5, 5), PACKETS, later=(*eight, *(0 for _ in PACKETS)))
        self.layout = Layout(DECK, eight) if bidding == "coinche" else turned

    def rules(self, table: Table) -> TrickRules:
        assert isinstance(table.contract, Taken)
        need = HALF + 1
        if table.contract.bid:
            need = TOTAL if table.contract.bid == ALL else min(max(need, int(table.contract.bid)), TOTAL)
        return trick_rules(table.contract.trump, pairs.shared(table.contract.declarer, need, TOTAL))

    def on_contract(self, table: Table) -> None:
        assert table.contract is not None
        if table.places[0].bit_count() < self.layout.sizes_at_play[0]:
            deal_rest(table, table.contract.declarer)

    def contract(self, text: str) -> Taken:
        seat, trump, *more = text.split(":")
        if seat not in tuple("0123") or trump not in tuple(DECK.suits) or len(more) not in (0, 2):
            raise ValueError(f"{text!r} is no contract such as 2:H or 2:H:110:0")
        if more and (more[0] not in BIDS or more[1] not in tuple("012")):
            raise ValueError(f"{text!r} bids none of {', '.join(BIDS)}, or is doubled more than twice")
        return Taken(int(seat), trump, more[0], int(more[1])) if more else Taken(int(seat), trump)

    def score(self, table: Table) -> Score:
        """value: card points of the takers, with their bonuses. detail: card points and bonuses of both sides."""
        contract, play = table.contract, table.tricks
        if play is None or not isinstance(contract, Taken):
            return Score((0,) * self.seats)
        cards, bonus = [sum(play.taken[side::2]) for side in (0, 1)], [0, 0]
        cards = [CAPOT if sum(play.won[s::2]) == len(play.tricks) else cards[s] for s in (0, 1)]
        hands = played(play)
        pair = DECK.parse_mask(f"{contract.trump}K {contract.trump}Q")
        for seat, hand in enumerate(hands):
            bonus[seat % 2] += BELOTE * (hand & pair == pair)
        more = (0, 0)
        if self.declarations:
            held = [melds.melds(DECK, hand, ORDER, FOURS) for hand in hands]
            more = melds.meld_points(held, contract.trump, 0, fours_first=True)
        us, them = contract.declarer % 2, 1 - contract.declarer % 2
        points = [cards[side] + bonus[side] + more[side] for side in (0, 1)]
        value, extra, lost = points[us], 0, max(TOTAL, cards[them])
        if contract.bid:
            extra = BID_POINTS[contract.bid] << contract.doubled
            lost = LOST + extra
            made = cards[us] == CAPOT if contract.bid == ALL else value >= max(int(contract.bid), HALF + 1)
        else:
            made = value > points[them]
        if made:
            points[us] += extra
        elif not contract.bid and value == points[them]:
            points[us] = 0
        else:  # the others get all declarations, but each side keeps its belote
            points[us], points[them] = bonus[us], lost + bonus[them] + sum(more)
        detail = {"cards": tuple(cards), "belote": tuple(bonus), "declarations": more}
        return Score(tuple(points * 2), made, value, detail)


def trick_rules(trump: str, goals: tuple[Goal, ...] = ()) -> TrickRules:
    """How the cards are played with these trumps."""
    return TrickRules(
        DECK,
        4,
        suit_of=tuple(DECK.suits.index(card.suit) for card in DECK),
        power=pairs.ranked(DECK, trump, TRUMPS, DECK.ranks),
        trump=DECK.suits.index(trump),
        card_cost=pairs.counted(DECK, trump, TRUMP_POINTS, POINTS),
        last_trick_bonus=LAST,
        teams=PAIRS,
        goals=goals,
        trump_when_void=True,
        spare_partner=True,
        overtake=Overtake.TRUMPS,
    )


class Bidder(bidder.Bidder):
    """Takes with the tricks to win half the points; bids ten more for each further trick. Never doubles."""

    game: ClassVar[str] = "belote"
    need: ClassVar[float] = 4.0  # tricks of eight cards that half of the points take; the partner brings more

    def choose(self, view: View) -> Decision:
        turned = view.known[view.layout.seats] if view.layout.extra else 0

        def spare(bid: str) -> float:
            upcard = turned & DECK.of_suit_mask(bid[-1])
            tricks = bidder.worth(trick_rules(bid[-1]), view.hand_mask | upcard)
            if view.layout.extra:
                return tricks - self.need * view.hand_mask.bit_count() / 8
            return tricks - self.need - (BIDS.index(bid[:-1]) - 1) / 2

        return bidder.best_bid(view, spare)
