"""What card players practise in Hearts: penalties, and the moon."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tricktake.game import find_game
from tricktake.policy.encoding import Encoding
from tricktake.policy.positions import Batch
from tricktake.policy.practice import Practice
from tricktake.view import View
from tricktake_hearts.game import MOON


class HeartsPractice(Practice):
    """Passed by the rule player. Who takes all penalties gains as much as he would have lost: that is what a moon is
    worth beside the others' penalties.
    """

    def positions(self, family: str, seed: int, n: int) -> Batch:
        return with_moon(super().positions(family, seed, n))

    def in_worlds(self, view: View, worlds: NDArray[np.int64]) -> tuple[Batch, NDArray[np.int64]]:
        batch, cards = super().in_worlds(view, worlds)
        return with_moon(batch), cards


def with_moon(batch: Batch) -> Batch:
    """The batch with results worth their penalties, in moons; left alone where a card counts the other way."""
    encoding = batch.encoding
    if encoding.low < 0:
        return batch
    return Batch(encoding, batch.rows, worth(encoding))


def worth(encoding: Encoding) -> NDArray[np.float32]:
    """What penalties are worth to every seat, as ``Batch.worth``."""
    found = np.append(-np.arange(encoding.span) / MOON, (np.nan, np.nan))
    found[MOON] = 1
    return found[None].astype(np.float32)


def practice() -> HeartsPractice:
    """What is registered."""
    return HeartsPractice(find_game("hearts"))
