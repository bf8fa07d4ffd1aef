"""Slovenian Tarok for three or four seats, with a called king, and contracts as OpenSpiel's ``tarok`` plays them."""

from __future__ import annotations

from typing import Any, ClassVar

from tricktake.action import Action
from tricktake.alliance import Alliance
from tricktake.cards import bits
from tricktake.deal import Layout
from tricktake.game import Game, Score
from tricktake.rules import Goal, GoalKind, Overtake, TrickRules
from tricktake.strategies.strategy import Decision
from tricktake.table import Table
from tricktake.view import View
from tricktake_parlour import bidder
from tricktake_parlour.tarok_phases import (
    BEGGARS,
    COSTS,
    DECK,
    KINGS,
    MOND,
    PAGAT,
    SKIS,
    SOLOS,
    TALON,
    TRULA,
    TRUMPS,
    VALATS,
    VALUES,
    Bidding,
    Contract,
    Discard,
    King,
    Play,
    Take,
)  # fmt: skip

MORE_THAN_HALF = 3 * 36 - 1  # thirds that round to more than 35 of 70 points
ALL_TRICKS, MOND_LOST, ULTIMO_KING, ULTIMO_PAGAT, SET_BONUS = 250, 20, 10, 25, 10


class Tarok(Game):
    """Slovenian Tarok.

    Cards: 54: taroks T1 (pagat) to T21 (mond) and T22 (skis), and four suits of king, queen, knight (N), jack and four
    low ones (red: 1 highest, 4 lowest; black: 10 to 7). Kings, pagat, mond and skis 5, queens 4, knights 3, jacks 2,
    all others 1, counted in threes less 2: 70 in all. Four seats hold twelve each, three sixteen; six are the talon.
    Bidding: klop, three, two, one, solo-three, -two, -one (four seats only), beggar, solo, open-beggar, colour-valat,
    valat. Seat 1 begins; elder seats (0 is the eldest) may hold a bid. Only seat 0, if all others passed, may play
    klop or three. Who is left names the contract, or raises it. In three, two and one with four seats the declarer
    calls a king, whose holder is his secret partner. With a number the talon is turned up and he takes one of its
    packets of so many cards, and puts as many away: no kings, and no taroks if he has other cards.
    Play: follow suit, else play a tarok. In klop and beggar every card that can beat the trick must be played, and the
    pagat comes last. Declarer leads in beggar and above, else seat 0. In colour-valat taroks beat no suit.
    Score: with a number the difference to 35 and the value of the contract, won with more than 35; 10 for all kings
    and for the trula (pagat, mond, skis), 10 or 25 for the called king or pagat in the last trick; or 250 for all
    tricks. Others score their value: beggar takes no trick, solo more than 35, valat all tricks. Klop: everybody
    loses his points, but who has none gets 70 and who has more than 35 loses 70, and then nobody else scores; a card
    of the talon goes with each of the first six tricks. Who loses the mond to the skis, or leaves it in the talon,
    loses 20. Values: 10, 20, 30; 40, 50, 60; 70, 80, 90, 125, 500. Only declarer and partner score.

    Option: players (4 or 3).
    """

    name: ClassVar[str] = "tarok"
    summary: ClassVar[str] = "Slovenian Tarok: 54 cards, talon, called king, klop, beggar, valat"
    phases = (Bidding, King, Take, Discard, Play)

    def __init__(self, players: int = 4) -> None:
        if players not in (3, 4):
            raise ValueError(f"3 or 4 players, not {players}")
        self.kinds = tuple(kind for kind in VALUES if players == 4 or kind not in SOLOS)
        self.layout = Layout(DECK, (48 // players,) * players, tuple((name, 1) for name in TALON))

    def rules(self, table: Table) -> TrickRules:
        contract, seats = table.contract, self.seats
        assert isinstance(contract, Contract)
        kind, declarer = contract.kind, contract.declarer
        more: dict[str, Any] = {"trump": 0, "trump_when_void": True}
        if kind == "klop":
            more |= {"goals": (Goal(GoalKind.LEAST),) * seats}
        else:
            more |= {"teams": tuple(int(seat != declarer) for seat in range(seats))}
        if kind == "klop" or kind in BEGGARS:
            more |= {"overtake": Overtake.ALWAYS, "lead_limit": PAGAT, "last_resort": PAGAT}
        if kind in BEGGARS or kind in VALATS:
            least, most = GoalKind.AT_LEAST, GoalKind.AT_MOST
            goal, other = Goal(least, 48 // seats), Goal(least, 1)
            if kind in BEGGARS:
                goal, other = Goal(most, 0), Goal(most, 48 // seats - 1)
            more |= {"trick_cost": 1, "goals": (goal, other)}
        else:
            more |= {"card_cost": COSTS}
            more.setdefault("goals", (Goal(GoalKind.AT_LEAST, MORE_THAN_HALF), Goal()))
        if kind == "colour-valat":
            more |= {"trump": None, "trump_when_void": False}
        if contract.king:
            more |= {"teams": None, "alliance": Alliance(DECK.card(contract.king).mask, declarer)}
        return TrickRules(
            DECK,
            seats,
            suit_of=tuple("THDSC".index(card.suit) for card in DECK),
            power=tuple(range(len(DECK))),
            credits=tuple((name, declarer) for name in contract.taken),
            **more,
        )

    def excluded(self, view: View) -> dict[int, int]:
        """Kings and taroks were not put away, but for taroks all have seen."""
        contract, first = view.contract, self.seats
        if view.rules is None or not isinstance(contract, Contract):
            return {}
        places = (first + TALON.index(name) for name in contract.taken)
        return {place: (TRUMPS | KINGS) & ~view.known[place] for place in places}

    def first_leader(self, table: Table) -> int:
        assert isinstance(table.contract, Contract)
        kinds = (*BEGGARS, *VALATS, "solo")
        return table.contract.declarer if table.contract.kind in kinds else 0

    def decided(self, table: Table) -> bool:
        contract, play = table.contract, table.tricks
        assert contract is not None
        assert play is not None
        won = play.won[contract.declarer] if contract.declarer >= 0 else 0
        return won > 0 if contract.kind in BEGGARS else contract.kind in VALATS and sum(play.won) > won

    def shown(self, table: Table) -> tuple[int, ...]:
        """An open beggar lays his cards on the table."""
        contract = table.contract
        opened = contract is not None and contract.kind == "open-beggar" and table.tricks is not None
        return (contract.declarer,) if contract is not None and opened else ()

    def contract(self, text: str) -> Contract:
        seat, kind, king, packet = text.split(":")
        if kind not in VALUES or king not in ("", *King.callable) or seat not in ("-1", "0", "1", "2", "3"):
            raise ValueError(f"{text!r} is no contract such as 2:three:HK:1 or 0:beggar::-1")
        return Contract(int(seat), kind, king, int(packet))

    def score(self, table: Table) -> Score:
        """value: card points of the declarer's side. detail: ``parts`` of the score, ``mond``: who loses 20 for it."""
        contract, play = table.contract, table.tricks
        assert isinstance(contract, Contract)
        assert play is not None
        piles = [0] * self.seats  # the cards each seat has taken
        for number, trick in enumerate(play.tricks):
            assert trick is not None
            piles[trick.winner] |= sum(1 << card for card in trick.cards)
            if contract.kind == "klop" and number < len(TALON):
                piles[trick.winner] |= table.deal.place_mask(TALON[number])
        points, mond = [0] * self.seats, self.mond_loser(table)
        worth, won, value, parts = VALUES[contract.kind][0], None, None, {}
        if contract.kind == "klop":
            points = klop_points([card_points(pile) for pile in piles])
        else:
            declarer = contract.declarer
            side = play.rules.side_mask(declarer)
            ours, theirs = (sum(p for s, p in enumerate(piles) if (side >> s & 1) == own) for own in (1, 0))
            ours |= sum(table.places[table.place_index(name)] for name in contract.taken)
            if self.king_brings_talon(table):
                ours |= sum(table.places[table.place_index(name)] for name in TALON)
            value, tricks = card_points(ours), sum(play.won[s] for s in bits(side))
            won = value > 35
            if contract.taken:
                parts = self.parts(contract, ours, theirs, value, play.tricks[-1], side, tricks)
                total = sum(parts.values())
            else:
                won = tricks == 0 if contract.kind in BEGGARS else won
                won = tricks == 48 // self.seats if contract.kind in VALATS else won
                total = worth if won else -worth
            points = [total * (side >> seat & 1 if contract.taken else seat == declarer) for seat in range(self.seats)]
        if mond is not None:
            points[mond] -= MOND_LOST
        return Score(tuple(points), won, value, {"parts": parts, "mond": mond})

    def parts(
        self, contract: Contract, ours: int, theirs: int, value: int, last: Any, side: int, tricks: int
    ) -> dict[str, int]:
        """What the score of a contract with talon is made of."""
        if tricks in (0, 48 // self.seats):
            return {"valat": ALL_TRICKS if tricks else -ALL_TRICKS}
        found = {"difference": value - 35, "contract": VALUES[contract.kind][0] * (1 if value > 35 else -1)}
        for name, cards in (("kings", KINGS), ("trula", TRULA)):
            found[name] = SET_BONUS * ((ours & cards == cards) - (theirs & cards == cards))
        played, sign = sum(1 << card for card in last.cards), 1 if side >> last.winner & 1 else -1
        king = DECK.card(contract.king).mask if contract.king else 0
        found["ultimo"] = sign * (ULTIMO_KING if played & king else ULTIMO_PAGAT if played & PAGAT else 0)
        return found

    def king_brings_talon(self, table: Table) -> bool:
        """Whether the declarer found the called king in the talon, took it and won a trick with it: all is his then."""
        contract, play = table.contract, table.tricks
        assert isinstance(contract, Contract)
        assert play is not None
        king = DECK.card(contract.king).mask if contract.king else 0
        if not any(table.deal.place_mask(name) & king for name in contract.taken):
            return False
        return any(1 << t.cards[(t.winner - t.leader) % self.seats] == king for t in play.tricks if t)

    def mond_loser(self, table: Table) -> int | None:
        """Who loses 20 for the mond: left in the talon, or taken by the skis, in contracts with talon and in solo."""
        contract, play = table.contract, table.tricks
        assert isinstance(contract, Contract)
        assert play is not None
        loser = None
        if contract.packets:
            rest = sum(table.deal.place_mask(name) for name in TALON if name not in contract.taken)
            loser = contract.declarer if rest & MOND and not self.king_brings_talon(table) else None
        elif contract.kind != "solo":
            return None
        for trick in play.tricks:
            assert trick is not None
            cards = [1 << card for card in trick.cards]
            if MOND in cards and SKIS in cards:
                loser = (trick.leader + cards.index(MOND)) % self.seats
        return loser


def card_points(mask: int) -> int:
    """Card points of a pile: thirds, rounded."""
    return (sum(COSTS[card] for card in bits(mask)) + 1) // 3


def klop_points(piles: list[int]) -> list[int]:
    """The scores of klop by the card points of each seat."""
    worth = VALUES["klop"][0]
    ends = [-worth if pile > 35 else worth if pile == 0 else 0 for pile in piles]
    return ends if any(ends) else [-pile for pile in piles]


class Bidder(bidder.Bidder):
    """Bids by the tricks its taroks and kings are worth, takes the dearest packet, puts away short suits."""

    game: ClassVar[str] = "tarok"
    roles: ClassVar[tuple[str, ...]] = ("bid", "exchange")
    need: ClassVar[dict[str, float]] = {"three": 5.5, "two": 6.5, "one": 7.5, "solo": 9.5}  # tricks of twelve

    def choose(self, view: View) -> Decision:
        seats, verb = view.layout.seats, view.legal[-1].verb
        if verb == "take":
            size = 6 // len(view.legal)

            def cost(action: Action) -> int:
                first = seats + int(action.value) * size
                return sum(COSTS[c] for place in range(first, first + size) for c in bits(view.known[place]))

            return Decision(max(view.legal, key=cost), "the packet that counts most")
        if verb == "discard":
            held = view.hand_mask

            def short(action: Action) -> tuple[int, int]:
                (card,) = action.cards
                return (-(held & DECK.of_suit_mask(DECK[card].suit)).bit_count(), COSTS[card])

            return Decision(max(view.legal, key=short), "of the shortest suit the card that counts most")
        if verb == "call":
            held = view.hand_mask
            away = [action for action in view.legal if not DECK.card(action.value).mask & held] or list(view.legal)
            best = max(away, key=lambda a: (held & DECK.of_suit_mask(a.value[0])).bit_count())
            return Decision(best, "a king of its longest suit")
        rules = TrickRules(
            DECK,
            seats,
            suit_of=tuple("THDSC".index(card.suit) for card in DECK),
            power=tuple(range(len(DECK))),
            trump=0,
        )
        tricks = bidder.worth(rules, view.hand_mask) * 12 * seats / 48

        def spare(bid: str) -> float:
            return tricks - self.need[bid] if bid in self.need else -float(20 + list(VALUES).index(bid))

        return bidder.best_bid(view, spare)
