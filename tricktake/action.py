"""Actions and events: the decision of a seat, and what the seats are told of it."""

from __future__ import annotations

from attrs import evolve, frozen

from tricktake.cards import MAX_CARDS, Deck
from tricktake.errors import IllegalAction


@frozen
class Action:
    """One decision. ``verb`` names it ("bid", "pass", "discard", "play" ...), ``value`` and ``cards`` complete it.

    cards: deck indices, in the order given. hidden: how many cards the observer was not shown (in a redacted copy).
    Written as ``verb[:value] [cards]``, e.g. ``bid:18``, ``declare:GH``, ``discard D7 H8``, ``play CJ``, ``pass``.
    """

    verb: str
    value: str = ""
    cards: tuple[int, ...] = ()
    hidden: int = 0

    def to_text(self, deck: Deck) -> str:
        head = f"{self.verb}:{self.value}" if self.value else self.verb
        names = [deck[c].name for c in self.cards] + ["??"] * self.hidden
        return " ".join([head, *names])

    @classmethod
    def from_text(cls, text: str, deck: Deck) -> Action:
        """Read the text form. Raises IllegalAction if empty, InvalidCard on unknown cards."""
        words = text.split()
        if not words:
            raise IllegalAction("an action cannot be empty")
        verb, _, value = words[0].partition(":")
        shown = [w for w in words[1:] if w != "??"]
        return cls(verb.lower(), value, tuple(deck.card(w).index for w in shown), len(words) - 1 - len(shown))

    @property
    def mask(self) -> int:
        return sum(1 << c for c in self.cards)

    def redacted(self) -> Action:
        """The same action with its cards face down."""
        return evolve(self, cards=(), hidden=len(self.cards) + self.hidden)


_PLAYS = tuple(Action("play", cards=(card,)) for card in range(MAX_CARDS))


def play(card: int) -> Action:
    """The action of playing a card (one shared object per card)."""
    return _PLAYS[card]


@frozen
class Event:
    """An action and the seat that was to move (for a dummy, the dummy's seat)."""

    seat: int
    action: Action
