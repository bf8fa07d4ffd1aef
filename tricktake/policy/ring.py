"""The ring of decisions a role learns from: the latest ones, the oldest making room."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from tricktake.arrays import IntArray
from tricktake.policy import checkpoint

FloatArray = NDArray[np.float32]
PARTS = ("at", "seen", "counts", "legals", "gains")


@frozen(eq=False)
class Ring:
    """The latest decisions of one role. used: how many places are filled. next: the place of the next one (in
    ``at``).
    """

    seen: NDArray[np.uint16]
    counts: NDArray[np.int16]
    legals: IntArray
    gains: FloatArray
    at: list[int] = field(factory=lambda: [0, 0])

    @classmethod
    def make(cls, size: int, outputs: int, most: int) -> Ring:
        """An empty one."""
        return cls(
            np.zeros((size, most), np.uint16),
            np.zeros(size, np.int16),
            np.zeros(size, np.int64),
            np.zeros((size, outputs), np.float32),
        )

    @property
    def used(self) -> int:
        return self.at[1]

    def latest(self, ages: IntArray) -> IntArray:
        """The places of the decisions that so many are newer than."""
        found: IntArray = (self.at[0] - 1 - ages) % len(self.counts)
        return found

    def add(self, seen: NDArray[np.uint16], counts: NDArray[np.int16], legals: IntArray, gains: FloatArray) -> None:
        """Put decisions in the place of the oldest."""
        size, n = len(self.counts), len(counts)
        places = (self.at[0] + np.arange(n)) % size
        most = self.seen.shape[1]
        self.seen[places], self.counts[places] = seen[:, :most], counts
        self.legals[places], self.gains[places] = legals, gains
        self.at[0] = (self.at[0] + n) % size
        self.at[1] = min(size, self.at[1] + n)

    def packed(self) -> dict[str, NDArray[Any]]:
        """What is in it, without the places that mean nothing: inputs of no decision, gains of cards not tried."""
        used = self.used
        inputs, tried = self._meant(used)
        return {
            "at": np.array(self.at, np.int64), "seen": self.seen[:used][inputs], "counts": self.counts[:used],
            "legals": self.legals[:used], "gains": self.gains[:used][tried],
        }  # fmt: skip

    def unpack(self, found: Mapping[str, NDArray[Any]], inputs: int) -> None:
        """Hold what ``packed`` gave. inputs: a decision has numbers below this. Raises ValueError for anything else."""
        at = found["at"].tolist()
        size = len(self.counts)
        checkpoint.require(len(at) == 2 and 0 <= at[0] < size and 0 <= at[1] <= size, "ring: a place beyond its end")
        used = int(at[1])
        checkpoint.copy_to(self.counts[:used], found["counts"], "counts of the ring")
        checkpoint.copy_to(self.legals[:used], found["legals"], "legals of the ring")
        outputs, most = self.gains.shape[1], self.seen.shape[1]
        masks = self.legals[:used].astype(np.uint64)
        fits = (self.counts[:used] >= 0) & (self.counts[:used] <= most) & (masks != 0) & (masks >> (outputs - 1) <= 1)
        checkpoint.require(bool(fits.all()), "ring: a decision of another game")
        seen, gains = self._meant(used)
        for target, mask, name in ((self.seen, seen, "seen"), (self.gains, gains, "gains")):
            part = target[:used][mask]
            checkpoint.copy_to(part, found[name], f"{name} of the ring")
            target[:used][mask] = part
        checkpoint.require(not used or int(self.seen[:used].max()) < inputs, "ring: inputs of another game")
        self.at[:] = [int(at[0]), used]

    def _meant(self, used: int) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Which places of ``seen`` and of ``gains`` mean something, in the first so many rows."""
        inputs = np.arange(self.seen.shape[1]) < self.counts[:used, None]
        tried = (self.legals[:used, None] >> np.arange(self.gains.shape[1]) & 1).astype(bool)
        return inputs, tried
