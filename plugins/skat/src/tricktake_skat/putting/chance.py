"""Who says how likely a win is: a protocol, so that skats can be judged by rules of thumb or by learned tables."""

from __future__ import annotations

from functools import cache
from typing import Protocol

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from tricktake.errors import UnknownName
from tricktake_skat._kernels import putting as kernel
from tricktake_skat._kernels.cards import NULL
from tricktake_skat.putting.features import PAIRS, Prepared

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]


class WinProbability(Protocol):
    """The chance that the declarer wins, in 0 to 1, for n hands at once.

    games: (n,) 0 to 3 suits, 4 grand, 5 Null, 6 Null ouvert. hands, puts: (n,) masks of ten cards and of the skat.
    seats: (n,). bids: (n, 3) highest bid or hold of each seat, 0 for none, -1 unknown.
    """

    def __call__(
        self, games: IntArray, hands: IntArray, puts: IntArray, seats: IntArray, bids: IntArray
    ) -> FloatArray: ...


@frozen
class RuleOdds:
    """The rule player's log odds (``_kernels/rule_weights.json``); bids say nothing to it."""

    def __call__(self, games: IntArray, hands: IntArray, puts: IntArray, seats: IntArray, bids: IntArray) -> FloatArray:
        found = np.zeros(len(hands))
        kernel.chances(games, hands, puts, seats, found)
        return found


@frozen
class TableOdds:
    """The learned tables (``tricktake_skat.winning``); the rule player's odds where they know nothing."""

    def __call__(self, games: IntArray, hands: IntArray, puts: IntArray, seats: IntArray, bids: IntArray) -> FloatArray:
        from tricktake_skat.winning import winning

        others = np.where(np.arange(3) == seats[:, None], -1, bids).max(axis=1)
        nothing = np.zeros_like(games)
        columns = (np.minimum(games, NULL), nothing, games > NULL, hands, puts, seats, others)
        found = winning().chances(np.stack(columns, axis=1).astype(np.int64))
        known = found >= 0
        if not known.all():
            rest = ~known
            found[rest] = RuleOdds()(games[rest], hands[rest], puts[rest], seats[rest], bids[rest])
        return found


CHANCES: dict[str, str] = {"rule": "the rule player's odds", "tables": "the learned tables"}


@cache
def named(name: str) -> WinProbability:
    """The chances of this name. Raises UnknownName."""
    if name not in CHANCES:
        raise UnknownName("chance to win", name, CHANCES)
    return RuleOdds() if name == "rule" else TableOdds()


def of_pairs(chance: WinProbability, prepared: Prepared) -> FloatArray:
    """The chances of all puts, (n, 66)."""
    declarers = prepared.declarers
    puts = prepared.pairs.ravel()
    hands = np.repeat(declarers.cards, PAIRS) & ~puts
    games, seats = np.repeat(declarers.games, PAIRS), np.repeat(declarers.seats, PAIRS)
    found = chance(games, hands, puts, seats, np.repeat(declarers.bids, PAIRS, axis=0))
    return np.asarray(found).reshape(len(prepared), PAIRS)
