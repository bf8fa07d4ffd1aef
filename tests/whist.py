"""Small games for the tests of tables, views, knowledge and the conformance suite; some of them faulty on purpose."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any, ClassVar

from attrs import frozen

from tricktake.action import Action
from tricktake.cards import Deck, bits
from tricktake.deal import Layout
from tricktake.game import Game, Score
from tricktake.phase import Phase, Tricks
from tricktake.rules import TrickRules
from tricktake.table import Table

DECK = Deck("CSHD", "9TJQKA")


class Plain(Game):
    """Nothing but play by given rules, and cards that lie aside or are not dealt."""

    name = "plain"
    phases = (Tricks,)

    def __init__(self, rules: TrickRules, size: int, aside: int = 0, leader: int = 0) -> None:
        extra = (("aside", aside),) if aside else ()
        self.layout = Layout(rules.deck, (size,) * rules.seats, extra)
        self.trick_rules = rules
        self.leader = leader

    def rules(self, table: Table) -> TrickRules:
        return self.trick_rules

    def first_leader(self, table: Table) -> int:
        return self.leader

    def score(self, table: Table) -> Score:
        assert table.tricks is not None
        return Score(tuple(table.tricks.taken))


@frozen
class Trumps:
    """The contract: whist has no declarer."""

    suit: str
    secret: str = ""

    @property
    def declarer(self) -> int:
        return -1

    @property
    def kind(self) -> str:
        return self.suit

    def __str__(self) -> str:
        return self.suit + self.secret


class Passing(Phase):
    """Every seat passes a card to its left, face down and all at the same time."""

    name = "passing"
    role = "exchange"

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.chosen: list[int] = []
        turned = table.place_index("turned")
        table.reveal(turned, range(4))
        suit = DECK[next(bits(table.places[turned]))].suit
        table.contract = Trumps(suit)

    @property
    def turn(self) -> int | None:
        return len(self.chosen) if len(self.chosen) < 4 else None

    def legal(self) -> Sequence[Action]:
        return [Action("give", cards=(c,)) for c in bits(self.table.places[len(self.chosen)])]

    def apply(self, action: Action) -> None:
        self.chosen.append(action.mask)
        if len(self.chosen) == 4:
            self.table.exchange((m, s, (s + 1) % 4, (s, (s + 1) % 4)) for s, m in enumerate(self.chosen))

    def told(self, action: Action, actor: int, observer: int) -> Action:
        return action.redacted()


class Whist(Game):
    """Four seats, five cards, one turned up for trumps, three not dealt; a card is passed to the left."""

    name = "short_whist"
    layout = Layout(DECK, (5, 5, 5, 5), (("turned", 1),))
    phases: tuple[type[Phase], ...] = (Passing, Tricks)
    score_total: ClassVar[int | None] = 5
    more: ClassVar[dict[str, Any]] = {"trump_when_void": True}

    def rules(self, table: Table) -> TrickRules:
        assert isinstance(table.contract, Trumps)
        return TrickRules(
            DECK,
            4,
            tuple(DECK.suits.index(card.suit) for card in DECK),
            tuple(DECK.ranks.index(card.rank) for card in DECK),
            trump=DECK.suits.index(table.contract.suit),
            trick_cost=1,
            **self.more,
        )

    def contract(self, text: str) -> Trumps:
        return Trumps(text)

    def on_contract(self, table: Table) -> None:
        table.reveal(table.place_index("turned"), range(4))

    def score(self, table: Table) -> Score:
        assert table.tricks is not None
        return Score(tuple(table.tricks.taken))


# -- faulty ones: (what is wrong, the check that has to find it) ---------------------------------------------------


class TellsCards(Passing):
    def told(self, action: Action, actor: int, observer: int) -> Action:
        return action


class SecretInContract(Passing):
    def apply(self, action: Action) -> None:
        super().apply(action)
        if self.turn is None:
            self.table.contract = Trumps(self.table.contract.suit, DECK.names(self.chosen[0]))


class HandNeighbourLacks(Passing):
    def legal(self) -> Sequence[Action]:
        left = self.table.places[(len(self.chosen) + 1) % 4]
        mine = super().legal()
        return [a for a in mine if left & DECK.of_suit_mask(DECK[a.cards[0]].suit)] or mine


class NothingLegal(Passing):
    def legal(self) -> Sequence[Action]:
        return [] if len(self.chosen) == 2 else super().legal()


class TwiceLegal(Passing):
    def legal(self) -> Sequence[Action]:
        return [*super().legal(), super().legal()[0]]


class Endless(Passing):
    @property
    def turn(self) -> int | None:
        return 0

    def apply(self, action: Action) -> None:
        pass


class Raises(Passing):
    def apply(self, action: Action) -> None:
        super().apply(action)
        if self.turn is None:
            raise RuntimeError("a fault of the phase")


class Unreadable(Passing):
    def legal(self) -> Sequence[Action]:
        return [Action("give", "a card", a.cards) for a in super().legal()]


class SilentMove(Passing):
    """Exchanges the turned card without telling the table."""

    def apply(self, action: Action) -> None:
        super().apply(action)
        if self.turn is None:
            places = self.table.places
            low = places[0] & -places[0]
            places[0], places[4] = places[0] & ~low | places[4], low


class FalseCertainty(Passing):
    def apply(self, action: Action) -> None:
        super().apply(action)
        if self.turn is None:
            self.table.known[0][2] |= self.table.places[1] & -self.table.places[1]


class Remembers(Passing):
    """State that outlives the table: a replay goes another way."""

    number = itertools.count()

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        table.contract = Trumps(DECK.suits[next(self.number) % 4])


class Revoking(Tricks):
    def legal(self) -> Sequence[Action]:
        return [Action("play", cards=(c,)) for c in bits(self.state.hands[self.state.turn])]


class Swapping(Tricks):
    """Two hands are exchanged in mid-play."""

    def apply(self, action: Action) -> None:
        super().apply(action)
        state = self.state
        if len(state.tricks) == 3 and not state.table:
            state.hands[0], state.hands[2] = state.hands[2], state.hands[0]
            self.table.places[0], self.table.places[2] = self.table.places[2], self.table.places[0]
            self.table.known[0][0], self.table.known[2][2] = state.hands[0], state.hands[2]


def faulty(exchange: type[Phase] = Passing, tricks: type[Phase] = Tricks, **attributes: Any) -> Game:
    return type("Faulty", (Whist,), {"phases": (exchange, tricks), **attributes})()


def hidden_partners(self: Whist, table: Table) -> TrickRules:
    """Who holds an ace of trumps plays with seat 0: the rules tell everybody."""
    from attrs import evolve

    rules = Whist.rules(self, table)
    ace = DECK.card(table.contract.suit + "A").mask
    return evolve(rules, teams=tuple(int(bool(table.places[s] & ace)) for s in range(4)))


def random_score(self: Whist, table: Table) -> Score:
    import random

    return Score((random.randrange(1000), 0, 0, 0))


FAULTS: dict[str, tuple[Game, str]] = {
    "an event shows the passed card": (faulty(TellsCards), "leaks"),
    "the contract names a hidden card": (faulty(SecretInContract), "leaks"),
    "legal cards depend on a neighbour": (faulty(HandNeighbourLacks), "leaks"),
    "the rules name hidden partners": (faulty(rules=hidden_partners), "leaks"),
    "no legal action": (faulty(NothingLegal), "legal"),
    "an action offered twice": (faulty(TwiceLegal), "legal"),
    "an endless phase": (faulty(Endless), "runs"),
    "a phase that raises": (faulty(Raises), "runs"),
    "an action that cannot be read": (faulty(Unreadable), "text"),
    "cards moved behind the table's back": (faulty(SilentMove), "views"),
    "knowledge that is wrong": (faulty(FalseCertainty), "views"),
    "state outside of the table": (faulty(Remembers), "replay"),
    "revokes allowed": (faulty(tricks=Revoking), "play"),
    "hands exchanged in mid-play": (faulty(tricks=Swapping), "knowledge"),
    "a wrong sum of scores": (faulty(score_total=6), "score"),
    "a score by chance": (faulty(score=random_score, score_total=None), "replay"),
    "a score for three of four": (faulty(score=lambda self, table: Score((1, 2, 2))), "score"),
}
