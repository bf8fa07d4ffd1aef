"""Contracts: what is played, by whom, at which bid, and the numbers other notations use for it.

Suit and grand games are announced plain, Hand, or Hand with Schneider, Schwarz and ouvert, each of which implies
the ones before; Null is announced plain or Hand, each ouvert or not (RULE-6).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from attrs import field, frozen

from tricktake.errors import InputError
from tricktake_skat._kernels import skat as kernel
from tricktake_skat._kernels.cards import BASES

if TYPE_CHECKING:
    from tricktake.table import Table

SUITS = "CSHD"
GAMES = SUITS + "GN"
BASE = dict(zip("CSHDG", BASES.tolist(), strict=False))
NULL_VALUE = dict(zip(("N", "NH", "NO", "NHO"), kernel.NULL_VALUES.tolist(), strict=True))
BIDS: tuple[int, ...] = tuple(kernel.BIDS.tolist())
"""The 63 legal bids: every value a game can have (RULE-5)."""

GAME_NAMES = (*GAMES, "NO")
"""What can be declared after picking up, by number: the games, then Null ouvert."""

ANNOUNCEMENTS = ("", "H", "HS", "HSZ", "HSZO")  # of a suit or grand game
NULL_ANNOUNCEMENTS = ("", "H", "O", "HO")
DECLARATIONS: tuple[str, ...] = tuple(g + a for g in GAMES for a in (NULL_ANNOUNCEMENTS if g == "N" else ANNOUNCEMENTS))

# OUTER-14 numbers the games one way, the rating code of ELO-12 by base value (RULE-18).
CODES = {"C": 0, "S": 1, "H": 2, "D": 3, "G": 4, "N": 5, "NO": 6, "NH": 7, "NHO": 8}
PASSED_CODE = -1

_TEXT = re.compile(r"(\d):([A-Z]+)@(\d+)")


def _wrong(reason: str) -> InputError:
    return InputError(None, None, "contract", reason)


@frozen(order=True)
class SkatContract:
    """One contract: ``declarer`` (seat), ``trump`` (C, S, H, D, G or N), the announcements and the final ``bid``.

    schneider, schwarz: announced. Raises InputError for announcements or bids the rules do not know. Whether the
    game is worth its bid is a matter of the score.
    """

    declarer: int = field()
    trump: str = field()
    hand: bool = False
    schneider: bool = False
    schwarz: bool = False
    ouvert: bool = False
    bid: int = 18

    def __attrs_post_init__(self) -> None:
        if not 0 <= self.declarer <= 2:
            raise _wrong(f"declarer {self.declarer} is none of the seats 0, 1, 2")
        if self.trump not in GAMES or len(self.trump) != 1:
            raise _wrong(f"game {self.trump!r} is none of {', '.join(GAMES)}")
        if self.name not in DECLARATIONS:
            raise _wrong(f"{self.name} cannot be announced; known: {', '.join(DECLARATIONS)}")
        if self.bid not in BIDS:
            raise _wrong(f"{self.bid} is no legal bid")

    @property
    def name(self) -> str:
        """The declaration as it is written: ``"G"``, ``"CHS"``, ``"NO"``."""
        flags = (("H", self.hand), ("S", self.schneider), ("Z", self.schwarz), ("O", self.ouvert))
        return self.trump + "".join(letter for letter, on in flags if on)

    @property
    def kind(self) -> str:
        if self.trump == "N":
            return "null-ouvert" if self.ouvert else "null"
        return "grand" if self.trump == "G" else "suit"

    @property
    def choice(self) -> int:
        """Number of the game in ``GAME_NAMES``: Null ouvert is one of its own."""
        return GAME_NAMES.index("NO") if self.is_null and self.ouvert else self.game

    @property
    def is_null(self) -> bool:
        return self.trump == "N"

    @property
    def game(self) -> int:
        """Number of the game among ``GAMES``."""
        return GAMES.index(self.trump)

    @property
    def announced(self) -> int:
        """0 nothing, 1 Schneider, 2 Schwarz."""
        return 2 if self.schwarz else int(self.schneider)

    @property
    def base(self) -> int:
        """Base value of a suit or grand game; the value of a Null game. Also the game code of ELO-12."""
        return NULL_VALUE[self.name] if self.is_null else BASE[self.trump]

    @property
    def code(self) -> int:
        """The game code of OUTER-14."""
        return CODES[self.name if self.is_null else self.trump]

    def __str__(self) -> str:
        return f"{self.declarer}:{self.name}@{self.bid}"

    @classmethod
    def declared(cls, declarer: int, name: str, bid: int = 18) -> SkatContract:
        """The contract of a declaration such as ``"GHS"``.

        The letters H, S, Z, O may stand in any order, and what an announcement implies may be left out ("GO", "CHZ").
        Raises InputError.
        """
        name = name.strip().upper()
        trump, flags = name[:1], set(name[1:])
        if not flags <= set("HSZO") or len(flags) < len(name[1:]):
            raise _wrong(f"cannot read the declaration {name!r}")
        if trump != "N" and "O" in flags:
            flags |= set("HSZ")
        if "Z" in flags:
            flags.add("S")
        return cls(declarer, trump, "H" in flags, "S" in flags, "Z" in flags, "O" in flags, bid)

    @classmethod
    def from_text(cls, text: str) -> SkatContract:
        """Read ``"1:GHS@24"``. Raises InputError."""
        match = _TEXT.fullmatch(text.strip().upper())
        if match is None:
            raise _wrong(f"cannot read {text!r}; a contract looks like 1:GHS@24")
        return cls.declared(int(match[1]), match[2], int(match[3]))


def contract_of(table: Table) -> SkatContract:
    """The contract on a table of Skat. Raises ValueError before the declaration or if the deal was passed in."""
    if not isinstance(table.contract, SkatContract):
        raise ValueError("there is no contract on this table")
    return table.contract
