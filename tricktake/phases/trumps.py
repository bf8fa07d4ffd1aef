"""How trumps are chosen, other than by the winning bid."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from tricktake.action import Action
from tricktake.cards import bits
from tricktake.phase import Phase
from tricktake.phases.choice import Choice
from tricktake.phases.rounds import PASS, word
from tricktake.phases.words import TRUMPS, TURNED
from tricktake.table import Table

PUSH = Action("push")


class NameTrumps(Choice):
    """The declarer names trumps, or another way to play. Sets the fact "trump".

    values: what may be named. pushes: whether the first to choose may leave it to the partner, who then must (Jass:
    schieben); the partner is the next seat of the same side (``Game.teams``). Sets the fact "pushed" too, then.
    """

    name = "trumps"
    meanings = TRUMPS
    values: ClassVar[tuple[str, ...]] = ()
    fact: ClassVar[str] = "trump"
    pushes: ClassVar[bool] = False
    verb: ClassVar[str] = "name"

    def options(self) -> Sequence[Action]:
        named = [word(self.verb, value) for value in self.values]
        return [*named, PUSH] if self.pushes and "pushed" not in self.table.facts else named

    def apply(self, action: Action) -> None:
        if action != PUSH:
            super().apply(action)
            return
        assert self.seat is not None
        self.table.facts["pushed"] = True
        self.seat = self.partner(self.seat)

    def partner(self, seat: int) -> int:
        """The next seat of the same side."""
        teams, seats = self.table.game.teams, self.table.seats
        others = [(seat + n) % seats for n in range(1, seats)]
        return next(s for s in others if teams is not None and teams[s] == teams[seat])


class TurnedCard(Phase):
    """A card lies face up for all to see; nobody decides anything (Oh Hell, Wizard). place: where it lies.

    Sets the fact "trump" to its suit.
    """

    name = "turned"
    place: ClassVar[str] = "turned"

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        table.facts["trump"] = turn_up(table, self.place)

    @property
    def turn(self) -> int | None:
        return None

    def legal(self) -> Sequence[Action]:
        return ()

    def apply(self, action: Action) -> None:
        raise NotImplementedError


class TurnedUp(Phase):
    """A card is turned up, and each seat in turn may make its suit trump, then any other suit (Euchre, Belote).

    place: where the card lies. others: whether a second round names another suit. stuck: whether the last seat of it
    must. alone: whether who makes trumps may play alone. takes: who gets the card into its hand, "maker" (Belote),
    "dealer" (Euchre: the last seat), or "" for nobody. A phase ``Discard`` of the seat in the fact "taker" follows.

    Sets the facts "declarer" (None with "over" if all pass), "trump", "alone" and "taker", then calls ``close``.
    """

    name = "turned-up"
    meanings = TURNED
    place: ClassVar[str] = "turned"
    others: ClassVar[bool] = True
    stuck: ClassVar[bool] = False
    alone: ClassVar[bool] = False
    takes: ClassVar[str] = ""

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.suit = turn_up(table, self.place)
        self.asked = 0

    def opener(self) -> int:
        """Who is asked first: seat 0, the eldest hand; the last one is the dealer."""
        return 0

    def suits(self, seat: int) -> Sequence[str]:
        """The suits that may be named in the second round."""
        return [suit for suit in dict.fromkeys(card.suit for card in self.table.deal.layout.deck) if suit != self.suit]

    def close(self) -> None:
        """Called with the facts set, if somebody makes trumps: make the contract."""

    @property
    def turn(self) -> int | None:
        seats = self.table.seats
        if "declarer" in self.table.facts or self.asked == seats * (1 + self.others):
            return None
        return (self.opener() + self.asked) % seats

    def legal(self) -> Sequence[Action]:
        seats = self.table.seats
        seat = (self.opener() + self.asked) % seats
        named = [Action("name", suit) for suit in ([self.suit] if self.asked < seats else self.suits(seat))]
        if self.alone:
            named += [Action("alone", action.value) for action in named]
        last = self.asked == seats * (1 + self.others) - 1
        return named if last and self.stuck else [PASS, *named]

    def apply(self, action: Action) -> None:
        table, facts, seats = self.table, self.table.facts, self.table.seats
        seat, first = self.turn, self.asked < self.table.seats
        assert seat is not None
        self.asked += 1
        if action == PASS:
            if self.turn is None:
                facts.update(declarer=None, over=True)
            return
        facts.update(declarer=seat, trump=action.value, alone=action.verb == "alone", taker=None)
        if self.takes and first:
            taker = seat if self.takes == "maker" else (self.opener() - 1) % seats
            source = table.place_index(self.place)
            table.move(table.places[source], source, taker, seen_by=range(seats))
            facts["taker"] = taker
        self.close()


def turn_up(table: Table, place: str) -> str:
    """Show the one card of a place to all; its suit."""
    where = table.place_index(place)
    table.reveal(where, range(table.seats))
    (card,) = bits(table.places[where])
    return table.deal.layout.deck[card].suit
