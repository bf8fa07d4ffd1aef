"""Phases: small state machines a game goes through, from the auction to the last trick."""

from __future__ import annotations

import abc
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from tricktake import action as act
from tricktake.action import Action
from tricktake.cards import bits
from tricktake.trick import TrickState

if TYPE_CHECKING:
    from tricktake.table import Table


class Phase(abc.ABC):
    """One phase of a game at a table. Subclass it for an auction, an exchange, a declaration.

    name: shown to people and stored in records. role: which strategy of a player decides ("bid", "exchange", "play").
    keep: which of auction, contract and skat (whatever is exchanged) it decides; a replay keeps these as recorded.
    A phase is made when its turn comes and may be over at once (``turn`` is None), which skips it. It changes the
    table only through ``table.move``, ``table.contract`` and ``table.facts``.
    meanings: what its actions promise or mean, for people: language ("en", "de") -> verb -> a sentence. What a class
    leaves out is that of the class it derives from.
    """

    name: ClassVar[str]
    role: ClassVar[str] = "bid"
    keep: ClassVar[str] = "auction"
    meanings: ClassVar[Mapping[str, Mapping[str, str]]] = {}

    def __init__(self, table: Table) -> None:
        self.table = table

    @classmethod
    def meaning(cls, action: Action, language: str) -> str:
        """What an action promises or means by ``meanings``; "" where they say nothing."""
        found = (vars(base).get("meanings", {}).get(language, {}).get(action.verb) for base in cls.__mro__)
        return next(filter(None, found), "")

    @property
    @abc.abstractmethod
    def turn(self) -> int | None:
        """The seat to act, None when the phase is over."""

    @abc.abstractmethod
    def legal(self) -> Sequence[Action]:
        """Every action the seat to act may take; never empty while there is a turn."""

    def allows(self, action: Action) -> bool:
        """Whether an action is legal; overridden where that is known without listing all of them."""
        return action in self.legal()

    @abc.abstractmethod
    def apply(self, action: Action) -> None:
        """Carry out a legal action."""

    def interruptions(self, seat: int) -> Sequence[Action]:
        """What ``seat`` may do besides, whether it is to act or not (claims, concessions); none unless overridden."""
        return ()

    def interrupt(self, action: Action, seat: int) -> None:
        """Carry out an interruption. Raises IllegalAction to refuse it (an unproven claim)."""
        raise NotImplementedError

    def told(self, action: Action, actor: int, observer: int) -> Action:
        """What ``observer`` learns of an action of ``actor``; everything unless overridden."""
        return action


class Tricks(Phase):
    """The play of the cards by the game's ``TrickRules``. Games with claims subclass it."""

    name = "tricks"
    role = "play"

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        game = table.game
        rules = game.rules(table).in_world(table.hands)
        credit = [0] * rules.seats
        for place, seat in rules.credits:
            credit[seat] += rules.cost_of(table.places[table.place_index(place)])
        table.tricks = TrickState(rules, table.hands, game.first_leader(table), credit=tuple(credit))
        self.state = table.tricks
        self.stopped = self.state.over

    @property
    def turn(self) -> int | None:
        return None if self.stopped else self.state.turn

    def legal(self) -> Sequence[Action]:
        return [act.play(c) for c in bits(self.state.legal_cards_mask())]

    def allows(self, action: Action) -> bool:
        if len(action.cards) != 1 or action != act.play(action.cards[0]):
            return False
        return bool(self.state.legal_cards_mask() >> action.cards[0] & 1)

    def apply(self, action: Action) -> None:
        (card,) = action.cards
        self.table.discover(card)
        if self.state.play(card) is not None:
            self.stopped = self.state.over or self.table.game.decided(self.table)
