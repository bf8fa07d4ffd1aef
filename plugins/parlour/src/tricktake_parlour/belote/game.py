"""Belote for two pairs: the turned-up card in two rounds, or bids (coinche)."""

from __future__ import annotations

from typing import ClassVar

from tricktake.deal import Layout
from tricktake.game import Game, Score
from tricktake.phase import Tricks
from tricktake.rules import TrickRules
from tricktake.table import Table
from tricktake_parlour import melds, pairs
from tricktake_parlour.belote.bidding import ALL, BID_POINTS, BIDS, PACKETS, Coinche, Taken, Upcard, deal_rest
from tricktake_parlour.belote.cards import DECK, FOURS, ORDER, TOTAL, trick_rules
from tricktake_parlour.melds import played
from tricktake_parlour.pairs import PAIRS

HALF = TOTAL // 2
CAPOT, BELOTE = 252, 20
LOST = 160  # what a lost contract of coinche is worth beside the bid
STYLES = ("turned", "coinche")


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
