"""What readers of notations have in common: cards, hands and deals, and errors that name the field.

``wrong`` is for what cannot be read, ``fault`` for a record that contradicts itself or hides what it needs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from attrs import field, frozen

from tricktake.action import Event, play
from tricktake.cards import bits
from tricktake.deal import Deal, Layout
from tricktake.errors import InputError
from tricktake.records.formats import RecordFault
from tricktake.records.record import GameRecord

C = TypeVar("C")


def wrong(where: str | None, reason: str, line: int | None = None) -> InputError:
    return InputError(None, line, where, reason)


def fault(where: str | None, reason: str, line: int | None = None) -> RecordFault:
    return RecordFault(None, line, where, reason)


@frozen(eq=False)
class Pack:
    """The cards of a game as its notations name them; ``where`` is the field that an error names.

    index: deck index by name. played: the event of each seat playing each card, made once, since records are many.
    """

    layout: Layout
    index: Mapping[str, int] = field(init=False, repr=False)
    played: tuple[tuple[Event, ...], ...] = field(init=False, repr=False)

    @index.default
    def _index(self) -> Mapping[str, int]:
        return {card.name: card.index for card in self.layout.deck}

    @played.default
    def _played(self) -> tuple[tuple[Event, ...], ...]:
        actions = [play(i) for i in range(len(self.layout.deck))]
        return tuple(tuple(Event(seat, action) for action in actions) for seat in range(self.layout.seats))

    def card(self, name: str, where: str) -> int:
        """The deck index of a card. Raises RecordFault for a hidden one, InputError for an unknown one."""
        index = self.index.get(name.upper())
        if index is None:
            if "?" in name:
                raise fault(where, f"holds a hidden card {name!r}")
            raise wrong(where, f"no card {name!r}")
        return index

    def mask(self, cards: Iterable[int], where: str) -> int:
        """The set of these cards. Raises RecordFault if one is there twice."""
        mask = 0
        for index in cards:
            if mask >> index & 1:
                raise fault(where, f"card {self.layout.deck[index].name} is there twice")
            mask |= 1 << index
        return mask

    def deal(self, masks: Sequence[int], where: str, line: int | None = None) -> Deal:
        """A deal from the masks of its places. Raises RecordFault if it is none."""
        try:
            return Deal(self.layout, tuple(masks))
        except ValueError as error:
            raise fault(where, str(error), line) from error

    def completed(self, held: Sequence[int], where: str) -> Deal:
        """A deal in which each place holds at least these cards; those of which nothing is known lie in the order of
        the deck. Raises RecordFault for a card in two places or too many in one.
        """
        masks, used = list(held), 0
        for mask in masks:
            if used & mask:
                raise fault(where, f"in two places: {self.layout.deck.names(used & mask)}")
            used |= mask
        for place, size in enumerate(self.layout.sizes):
            if masks[place].bit_count() > size:
                raise fault(where, f"{masks[place].bit_count()} cards in place {place}, which has {size}")
        rest = bits(self.layout.deck.full_mask & ~used)
        for place, size in enumerate(self.layout.sizes):
            while masks[place].bit_count() < size:
                masks[place] |= 1 << next(rest)
        return self.deal(masks, where)


def contract_as(record: GameRecord, kind: type[C], game: str) -> C | None:
    """The contract of a record, None if it has none. Raises InputError for a contract of another game."""
    if record.contract is not None and not isinstance(record.contract, kind):
        raise wrong("contract", f"{record.contract} is no {game} contract")
    return record.contract
