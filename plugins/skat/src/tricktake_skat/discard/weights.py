"""How much each feature of a discard weighs, by type of hand: ``weights/<name>.toml`` (SKAT-26, 27).

Where the paper prints a range without saying what decides, a driver does (``DRIVERS``; ours).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tricktake.arrays import FloatArray
from tricktake.strategies.weighing import Scheme, Weights
from tricktake_skat._kernels.cards import ACES, GRAND, PLAIN, TRUMPS
from tricktake_skat.discard import constraints
from tricktake_skat.discard.constraints import HandType
from tricktake_skat.discard.features import NAMES, Declarers


def _trumps(d: Declarers) -> FloatArray:
    trumps = np.bitwise_count(d.cards & TRUMPS[np.minimum(d.games, GRAND)])
    return np.clip((trumps.astype(float) - 4) / 3, 0, 1)


def _length(d: Declarers) -> FloatArray:
    sides = [d.cards >> 8 * suit & PLAIN & ~np.where(d.games == suit, PLAIN, 0) for suit in range(4)]
    longest = np.max([np.bitwise_count(side) for side in sides], axis=0).astype(float)
    return np.clip((longest - 2) / 4, 0, 1)


DRIVERS: dict[str, Callable[[Declarers], FloatArray]] = {
    "front": lambda d: 1 - d.seats / 2,  # 1 in forehand, 0.5 in the middle, 0 in the rear
    "rear": lambda d: d.seats / 2,
    "aces": lambda d: np.bitwise_count(d.cards & ACES) / 4,
    "trumps": _trumps,  # 0 with four trumps, 1 from seven on
    "length": _length,  # 0 if the longest side suit has two cards, 1 from six on
}

SCHEME = Scheme(
    Path(__file__).with_name("weights"),
    tuple(kind.label for kind in HandType),
    NAMES,
    constraints.NAMES,
    DRIVERS,
    # Trumps from which a suit game is high-trump, jacks up to which a grand is a high-card game, and tricks lost from
    # which it is one.
    ("high-trumps", "few-jacks", "many-lost"),
)


@cache
def load(name: str = "default") -> Weights:
    """The configuration of this name, or a file that ends in ``.toml``. Raises InputError, UnknownName."""
    return SCHEME.load(name)


def weights_of(config: Weights, declarers: Declarers, kinds: NDArray[np.int64]) -> FloatArray:
    """The weights of n declarers with these types of hands, (n, 9)."""
    return config.of(kinds, lambda driver: DRIVERS[driver](declarers))
