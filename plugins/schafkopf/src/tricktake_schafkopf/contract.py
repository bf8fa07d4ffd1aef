"""What is played in Schafkopf."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from attrs import field, frozen

from tricktake.errors import InputError
from tricktake_schafkopf.deck import SEATS, SUIT_NAMES, SUITS

if TYPE_CHECKING:
    from tricktake.table import Table

GAMES = ("ruf", "geier", "wenz", "solo")
LEVELS = ("", "tout", "sie")
RUF_TRUMP = "H"
_TEXT = re.compile(r"([0-3]):(farb)?(ruf|geier|wenz|solo)(?:-(tout|sie))?(?::([EGHS]))?(?:\*([0-3]+))?")


def _seats(seats: Iterable[int]) -> tuple[int, ...]:
    return tuple(seats)


@frozen
class SchafkopfContract:
    """``game`` of the declarer: ruf (called ace), geier (Ober are trumps), wenz (Unter), solo (Ober, Unter and a suit).

    suit: of the called ace in a ruf, of the trumps else; "" without trumps of a suit. level: "tout" (all tricks) or
    "sie" (the highest trumps in one hand). doublers: who doubled the stake before the auction, in ascending order.

    Written ``0:ruf:G``, ``2:wenz``, ``3:farbwenz:H``, ``1:solo-tout:E``, ``0:ruf:E*03`` (doubled by 0 and 3). Raises
    InputError for an impossible one.
    """

    declarer: int
    game: str
    suit: str = ""
    level: str = ""
    doublers: tuple[int, ...] = field(default=(), converter=_seats)

    def __attrs_post_init__(self) -> None:
        for name, fits in (
            ("declarer", 0 <= self.declarer < SEATS),
            ("game", self.game in GAMES),
            ("suit", self.suit == "" or self.suit in SUITS),
            ("level", self.level in LEVELS),
            ("doublers", all(s in range(SEATS) for s in self.doublers)),
        ):
            if not fits:
                raise InputError(None, None, f"contract {name}", f"{getattr(self, name)!r} is impossible")
        if list(self.doublers) != sorted(set(self.doublers)):
            raise InputError(None, None, "contract doublers", "each seat doubles once, in ascending order")
        if self.game == "ruf" and self.level:
            raise InputError(None, None, "contract level", f"there is no ruf {self.level}")
        if self.game == "ruf" and (not self.suit or self.suit == RUF_TRUMP):
            called = SUIT_NAMES[self.suit] if self.suit else "nothing"
            raise InputError(None, None, "contract suit", f"the ace of Eichel, Gras or Schelln is called, not {called}")
        if self.level == "sie" and self.game != "solo":
            raise InputError(None, None, "contract level", f"there is no {self.game} sie")

    @property
    def name(self) -> str:
        """``farbwenz-tout``: the bid that leads to it."""
        farb = "farb" if self.suit and self.game in ("geier", "wenz") else ""
        return f"{farb}{self.game}-{self.level}" if self.level else f"{farb}{self.game}"

    @property
    def kind(self) -> str:
        """Tout and Sie count for themselves, whatever is trump."""
        return self.level or self.name

    @property
    def trump(self) -> str:
        """The suit of the trumps below Ober and Unter, "" for none."""
        return RUF_TRUMP if self.game == "ruf" else self.suit

    @property
    def called(self) -> str:
        """The called ace, "" for none."""
        return f"{self.suit}A" if self.game == "ruf" else ""

    def __str__(self) -> str:
        text = f"{self.declarer}:{self.name}"
        text += f":{self.suit}" if self.suit else ""
        return text + (f"*{''.join(map(str, self.doublers))}" if self.doublers else "")

    @classmethod
    def from_text(cls, text: str) -> SchafkopfContract:
        """The reverse of ``str``. Raises InputError."""
        match = _TEXT.fullmatch(text.strip())
        if match is None:
            example = "0:ruf:G, 2:wenz or 1:solo-tout:E"
            raise InputError(None, None, "contract", f"cannot read {text!r}; a contract looks like {example}")
        seat, farb, game, level, suit, doublers = match.groups(default="")
        if (farb != "") != (suit != "" and game in ("geier", "wenz")):
            raise InputError(None, None, "contract", f"{text!r}: farb goes with wenz or geier and a suit")
        return cls(int(seat), game, suit, level, [int(s) for s in doublers])


def contract_of(table: Table) -> SchafkopfContract:
    """The contract on a table. Raises ValueError if there is none."""
    if not isinstance(table.contract, SchafkopfContract):
        raise ValueError("there is no contract on this table")
    return table.contract
