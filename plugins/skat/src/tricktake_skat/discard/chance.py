"""Who says how likely a win is: a protocol, so that discards can be judged by rules of thumb or by learned tables."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from tricktake.arrays import FloatArray, IntArray
from tricktake.errors import UnknownName
from tricktake_skat._kernels import discard as kernel
from tricktake_skat._kernels.cards import NULL, PAIRS
from tricktake_skat.discard.features import Prepared


class WinProbability(Protocol):
    """The chance that the declarer wins, in 0 to 1, for n hands at once.

    games: (n,) 0 to 3 suits, 4 grand, 5 Null, 6 Null ouvert. hands, discards: (n,) masks of ten cards and of the skat.
    seats: (n,). bids: (n, 3) highest bid or hold of each seat, 0 for none, -1 unknown.
    """

    def __call__(
        self, games: IntArray, hands: IntArray, discards: IntArray, seats: IntArray, bids: IntArray
    ) -> FloatArray: ...


def rule_odds(games: IntArray, hands: IntArray, discards: IntArray, seats: IntArray, bids: IntArray) -> FloatArray:
    """The rule player's log odds (``_kernels/rule_weights.json``); bids say nothing to it."""
    found = np.zeros(len(hands))
    kernel.chances(games, hands, discards, seats, found)
    return found


def table_odds(games: IntArray, hands: IntArray, discards: IntArray, seats: IntArray, bids: IntArray) -> FloatArray:
    """The learned tables (``tricktake_skat.winning``); the rule player's odds where they know nothing."""
    from tricktake_skat.winning import winning

    others = np.where(np.arange(3) == seats[:, None], -1, bids).max(axis=1)
    columns = (np.minimum(games, NULL), np.zeros_like(games), games > NULL, hands, discards, seats, others)
    found = winning().chances(np.stack(columns, axis=1).astype(np.int64))
    rest = found < 0
    if rest.any():
        found[rest] = rule_odds(games[rest], hands[rest], discards[rest], seats[rest], bids[rest])
    return found


def network_odds(games: IntArray, hands: IntArray, discards: IntArray, seats: IntArray, bids: IntArray) -> FloatArray:
    """The value networks that ``skat:bidder`` goes by."""
    from tricktake_skat.bidding.bidder import evaluator

    return evaluator().judged(games, hands, discards, seats, bids)[:, 0]


NETWORKS = "networks"
CHANCES: dict[str, WinProbability] = {NETWORKS: network_odds, "rule": rule_odds, "tables": table_odds}


def named(name: str) -> WinProbability:
    """The chances of this name. Raises UnknownName."""
    if name not in CHANCES:
        raise UnknownName("chance to win", name, CHANCES)
    return CHANCES[name]


def of_pairs(chance: WinProbability, prepared: Prepared) -> FloatArray:
    """The chances of all discards, (n, 66)."""
    asked, discards = prepared.declarers, prepared.pairs.ravel()
    games, cards, seats, bids = (
        np.repeat(a, PAIRS, axis=0) for a in (asked.games, asked.cards, asked.seats, asked.bids)
    )
    return np.asarray(chance(games, cards & ~discards, discards, seats, bids)).reshape(prepared.pairs.shape)
