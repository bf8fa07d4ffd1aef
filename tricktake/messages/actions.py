"""Cards, sets of cards, actions and events as JSON."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from tricktake.action import Action, Event
from tricktake.cards import MAX_CARDS, Deck, bits
from tricktake.deal import Layout
from tricktake.errors import AmbiguousName, IllegalAction, InvalidCard
from tricktake.messages.reading import Node

MAX_WORD = 200  # characters of a verb or its value


@frozen
class Naming:
    """The names of the cards and places of a layout: all that a message says instead of numbers of bits."""

    layout: Layout

    @property
    def deck(self) -> Deck:
        return self.layout.deck

    # -- written --------------------------------------------------------------------------------------------------

    def cards(self, mask: int) -> list[str]:
        """The cards of a mask by name, in the order of the deck."""
        deck = self.deck
        return [deck[card].name for card in bits(mask)]

    def action(self, action: Action) -> dict[str, Any]:
        """An action: its parts, and its text."""
        deck = self.deck
        return {
            "text": action.to_text(deck),
            "verb": action.verb,
            "value": action.value,
            "cards": [deck[card].name for card in action.cards],
            "hidden": action.hidden,
        }

    def event(self, event: Event) -> dict[str, Any]:
        """An action and the seat that was to move."""
        return {"seat": event.seat, **self.action(event.action)}

    # -- read -----------------------------------------------------------------------------------------------------

    def read_card(self, node: Node) -> int:
        """The index of a card."""
        try:
            return self.deck.card(node.text(MAX_WORD)).index
        except (InvalidCard, AmbiguousName) as error:
            raise node.wrong(str(error)) from None

    def read_cards(self, node: Node) -> int:
        """The mask of a list of cards."""
        mask = 0
        for entry in node:
            card = self.read_card(entry)
            if mask >> card & 1:
                raise entry.wrong("this card is there twice")
            mask |= 1 << card
        return mask

    def read_place(self, node: Node, name: str | None = None) -> int:
        """The number of a place: the text of the node, or ``name``, a key that led to it."""
        wanted = node.text(MAX_WORD) if name is None else name
        if wanted not in self.layout.names:
            raise node.wrong(f"there is no place {wanted[:MAX_WORD]!r}; places: {', '.join(self.layout.names)}")
        return self.layout.names.index(wanted)

    def read_seat(self, node: Node) -> int:
        return node.number(0, self.layout.seats - 1)

    def read_seat_or_none(self, node: Node) -> int:
        """A seat, -1 for null."""
        return -1 if node.null else self.read_seat(node)

    def read_action(self, node: Node) -> Action:
        """An action from its text ("play CJ"), or an object that has either ``verb`` or just ``text``."""
        if isinstance(node.value, str):
            try:
                return Action.from_text(node.text(), self.deck)
            except (InvalidCard, AmbiguousName, IllegalAction) as error:
                raise node.wrong(str(error)) from None
        if "verb" not in node.members():
            return self.read_action(Node(node["text"].text(), f"{node.path}.text"))
        cards = node.get("cards")
        played = () if cards.null else cards.several(self.read_card)
        value, hidden = node.get("value"), node.get("hidden")
        return Action(
            node["verb"].text(MAX_WORD),
            "" if value.null else value.text(MAX_WORD),
            played,
            0 if hidden.null else hidden.number(0, MAX_CARDS),
        )

    def read_event(self, node: Node) -> Event:
        return Event(self.read_seat(node["seat"]), self.read_action(node))
