"""Slovenian Tarok for three or four seats, with a called king, and contracts as OpenSpiel's ``tarok`` plays them."""

from __future__ import annotations

from typing import Any, ClassVar

from tricktake.alliance import Alliance
from tricktake.deal import Layout
from tricktake.game import Game, Score
from tricktake.rules import Goal, GoalKind, Overtake, TrickRules
from tricktake.table import Table
from tricktake.view import View
from tricktake_parlour.tarok import scoring
from tricktake_parlour.tarok.cards import COSTS, DECK, KINGS, PAGAT, TALON, TRUMPS
from tricktake_parlour.tarok.contract import BEGGARS, SOLOS, VALATS, VALUES, Contract
from tricktake_parlour.tarok.phases import Bidding, Discard, King, Play, Take

MORE_THAN_HALF = 3 * 36 - 1  # thirds that round to more than 35 of 70 points


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
        return scoring.score(table)
