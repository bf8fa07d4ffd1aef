"""What is played: the normal game, a wedding or a solo."""

from __future__ import annotations

from attrs import field, frozen, validators

from tricktake.errors import InputError
from tricktake_doppelkopf.pack import SEATS, SUITS

NORMAL, WEDDING = "normal", "wedding"
SUIT_SOLOS = ("diamonds", "hearts", "spades", "clubs")  # Farbsoli
SOLOS = ("meatless", "queens", "jacks", *SUIT_SOLOS)  # Fleischlos, Damensolo, Bubensolo
RESERVED = (WEDDING, *SOLOS)


@frozen
class DoppelkopfContract:
    """``kind``: "normal" (declarer -1: nobody knows who plays Re), "wedding" or a solo by ``declarer``.

    Raises InputError for an impossible one.
    """

    kind: str = field(validator=validators.in_((NORMAL, *RESERVED)))
    declarer: int = -1

    def __attrs_post_init__(self) -> None:
        if (self.kind == NORMAL) != (self.declarer == -1) or not -1 <= self.declarer < SEATS:
            raise InputError(None, None, "contract declarer", f"{self.declarer} is impossible in a {self.kind} game")

    @property
    def solo(self) -> bool:
        return self.kind in SOLOS

    @property
    def suit(self) -> str | None:
        """The plain suit among the trumps: diamonds but in other solos."""
        if not self.solo:
            return "D"
        return SUITS[SUIT_SOLOS.index(self.kind)] if self.kind in SUIT_SOLOS else None

    def __str__(self) -> str:
        return self.kind if self.kind == NORMAL else f"{self.declarer}:{self.kind}"

    @classmethod
    def from_text(cls, text: str) -> DoppelkopfContract:
        """Read ``"normal"``, ``"2:wedding"``, ``"0:queens"``. Raises InputError."""
        seat, _, kind = text.strip().rpartition(":")
        if (kind == NORMAL and not seat) or (kind in RESERVED and seat.isdecimal()):
            return cls(kind, int(seat or -1))
        kinds = ", ".join(RESERVED)
        raise InputError(
            None, None, "contract", f"cannot read {text!r}; it is {NORMAL}, or the seat and one of {kinds}: 2:wedding"
        )
