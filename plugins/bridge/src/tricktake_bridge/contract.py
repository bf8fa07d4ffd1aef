"""Bridge contracts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from attrs import frozen

from tricktake.errors import InputError
from tricktake_bridge.deck import SEAT_NAMES, STRAINS

if TYPE_CHECKING:
    from tricktake.table import Table

BOOK = 6  # tricks below the level
_TEXT = re.compile(r"([NESW]):([1-7])(C|D|H|S|NT?)(X{0,2})")


@frozen(order=True)
class BridgeContract:
    """``level`` 1 to 7 in ``strain`` (C, D, H, S, NT) by ``declarer``; ``doubled`` 0, 1 (doubled) or 2 (redoubled).

    Raises InputError for an impossible contract.
    """

    declarer: int
    level: int
    strain: str
    doubled: int = 0

    def __attrs_post_init__(self) -> None:
        for field, fits in (
            ("declarer", 0 <= self.declarer < 4),
            ("level", 1 <= self.level <= 7),
            ("strain", self.strain in STRAINS),
            ("doubled", self.doubled in (0, 1, 2)),
        ):
            if not fits:
                raise InputError(None, None, f"contract {field}", f"{getattr(self, field)!r} is impossible")

    @property
    def kind(self) -> str:
        return f"{self.level}{self.strain}"

    @property
    def dummy(self) -> int:
        return (self.declarer + 2) % 4

    @property
    def tricks(self) -> int:
        """Tricks the declarer's side has to take."""
        return BOOK + self.level

    def __str__(self) -> str:
        return f"{SEAT_NAMES[self.declarer]}:{self.kind}{'X' * self.doubled}"

    @classmethod
    def from_text(cls, text: str) -> BridgeContract:
        """Read ``"S:3NTX"``. Raises InputError."""
        match = _TEXT.fullmatch(text.strip().upper())
        if match is None:
            raise InputError(None, None, "contract", f"cannot read {text!r}; a contract looks like S:3NTX")
        strain = "NT" if match[3] == "N" else match[3]
        return cls(SEAT_NAMES.index(match[1]), int(match[2]), strain, len(match[4]))


def contract_of(table: Table) -> BridgeContract:
    """The contract on a table. Raises ValueError if there is none."""
    if not isinstance(table.contract, BridgeContract):
        raise ValueError("there is no contract on this table")
    return table.contract
