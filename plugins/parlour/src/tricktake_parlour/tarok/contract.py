"""The contracts of Slovenian Tarok and what they are worth."""

from __future__ import annotations

from attrs import frozen

from tricktake_parlour.tarok.cards import TALON

# contract: what it is worth, cards of a packet of the talon
VALUES = {
    "klop": (70, 0),
    "three": (10, 3),
    "two": (20, 2),
    "one": (30, 1),
    "solo-three": (40, 3),
    "solo-two": (50, 2),
    "solo-one": (60, 1),
    "beggar": (70, 0),
    "solo": (80, 0),
    "open-beggar": (90, 0),
    "colour-valat": (125, 0),
    "valat": (500, 0),
}
CALLING = ("three", "two", "one")
BEGGARS, VALATS = ("beggar", "open-beggar"), ("colour-valat", "valat")
SOLOS = ("solo-three", "solo-two", "solo-one")


@frozen
class Contract:
    """The contract: declarer (-1 in klop), kind, called king, and which packet of the talon was taken, from 0."""

    declarer: int
    kind: str
    king: str = ""
    packet: int = -1

    @property
    def packets(self) -> tuple[tuple[str, ...], ...]:
        """The places of each packet of the talon."""
        size = VALUES[self.kind][1]
        return tuple(TALON[n : n + size] for n in range(0, len(TALON), size)) if size else ()

    @property
    def taken(self) -> tuple[str, ...]:
        """The places the declarer took, and in which his discards lie."""
        return self.packets[self.packet] if self.packet >= 0 else ()

    def __str__(self) -> str:
        return f"{self.declarer}:{self.kind}:{self.king}:{self.packet}"
