"""How a bidder bids: what a loss costs, from which expected score on, and what is discarded."""

from __future__ import annotations

import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from tricktake.errors import InputError, UnknownName
from tricktake.strategies.options import check_flag
from tricktake_skat._kernels import games as kernel
from tricktake_skat.discard.selection import METHODS

BEST, RULE = "best", "rule"
PUTTINGS = (BEST, RULE, *METHODS)


@frozen
class Style:
    """aggressiveness: B of C = (50 + V) W - (B + 2 V) (1 - W) (SKAT-17). threshold: expected score from which a game is
    bid. putting: ``best`` discards what is likeliest to win, ``rule`` what the rule player would for the same game, or
    a method of ``tricktake_skat.discard``. hands: whether hand games are played. trumps: whether trumps may be
    discarded without need (SKAT-20). Raises InputError, UnknownName.

    The defaults are the best of the experiment ``bidding.styles`` with 2 to 3 % of the deals passed in, and the best
    discard.
    """

    aggressiveness: float = 50.0
    threshold: float = 10.0
    putting: str = BEST
    hands: bool = field(default=True, validator=check_flag)
    trumps: bool = field(default=False, validator=check_flag)

    def __attrs_post_init__(self) -> None:
        for name in ("aggressiveness", "threshold"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, (int, float)) or not np.isfinite(value):
                raise InputError(None, None, name, f"must be a number, not {value!r}")
        if self.aggressiveness < 0:
            raise InputError(None, None, "aggressiveness", "must not be negative")
        if self.putting not in PUTTINGS:
            raise UnknownName("skat selection", self.putting, PUTTINGS)

    def row(self, model: int = 0) -> NDArray[np.float64]:
        """The settings of this bidder for the kernels, with the number of its model."""
        row = np.zeros(kernel.B_SIZE)
        row[kernel.B_MODEL] = model
        row[kernel.B_LOSS] = self.aggressiveness
        row[kernel.B_THRESHOLD] = self.threshold
        row[kernel.B_TRUMPS] = self.trumps
        row[kernel.B_HANDS] = self.hands
        row[kernel.B_DISCARD] = self.putting == RULE
        return row


DEFAULT = Style()


def rule_row() -> NDArray[np.float64]:
    """The settings of the rule player."""
    row = np.zeros(kernel.B_SIZE)
    row[kernel.B_MODEL] = -1
    return row
