"""Hidden teams: who plays together depends on the cards that were dealt, or on the first tricks.

Team 0 is the declarer's, team 1 all others. In a view a seat whose team cannot be known has team ``UNKNOWN``.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from attrs import field, frozen, validators
from numpy.typing import NDArray

from tricktake.arrays import IntArray

DECLARER = 0
OTHERS = 1
UNKNOWN = -1  # team of a seat that may be on either side


@frozen
class Alliance:
    """Who is on the declarer's side: ``declarer``, and whoever held one of ``cards`` when the first trick began.

    Schafkopf's called ace: its card and the caller. Doppelkopf's normal game: the queens of clubs and no declarer;
    who holds both is alone. A wedding: the holder as ``declarer``, no cards, ``fixed_by_trick=3``: the first other seat
    that wins a trick becomes the partner, if that happens within so many tricks; ``led`` restricts it to tricks in
    which one of these cards was led (0: any), e.g. plain suits only.

    Raises ValueError for an alliance nobody can be found for.
    """

    cards: int = 0
    declarer: int | None = None
    fixed_by_trick: int = field(default=0, validator=validators.ge(0))
    led: int = 0

    def __attrs_post_init__(self) -> None:
        if self.fixed_by_trick and (self.declarer is None or self.cards):
            raise ValueError("a partner found by tricks needs a declarer and no cards")
        if not self.cards and self.declarer is None:
            raise ValueError("an alliance needs cards or a declarer")

    def teams(self, dealt: Sequence[int]) -> tuple[int, ...]:
        """The team of each seat, by the cards (masks) each held when the first trick began. A partner who is still to
        be found by tricks is not yet one.
        """
        return tuple(DECLARER if s == self.declarer or hand & self.cards else OTHERS for s, hand in enumerate(dealt))

    def ours(self, dealt: IntArray) -> NDArray[np.bool_]:
        """Which seats are on the declarer's side in many worlds. dealt: as in ``teams``, shape (n, seats), as this."""
        found: NDArray[np.bool_] = (dealt & np.int64(_signed(self.cards))) != 0
        if self.declarer is not None:
            found[:, self.declarer] = True
        return found

    def sides(self, dealt: IntArray, seat: int) -> IntArray:
        """The side of ``seat`` in many worlds, as masks over seats, shape (n,). dealt: as in ``teams``, (n, seats)."""
        ours = self.ours(dealt)
        together = ours == ours[:, seat : seat + 1]
        found: IntArray = (together << np.arange(dealt.shape[1])).sum(axis=1)
        return found

    def found(self, teams: Sequence[int], number: int, led: int, winner: int) -> tuple[int, ...] | None:
        """The teams after trick ``number`` (from 1) if it makes its winner the partner, else None. led: that card."""
        if number > self.fixed_by_trick or winner == self.declarer or teams.count(DECLARER) > 1:
            return None
        if self.led and not self.led >> led & 1:
            return None
        return tuple(DECLARER if s == winner else team for s, team in enumerate(teams))


def _signed(mask: int) -> int:
    return mask - (1 << 64) if mask >> 63 else mask
