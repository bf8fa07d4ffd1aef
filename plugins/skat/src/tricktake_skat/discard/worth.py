"""What a game is worth to its declarer: expected Seeger-Fabian score (SKAT-17), and which game to declare."""

from __future__ import annotations

from typing import Any

import numpy as np
from attrs import frozen

from tricktake.arrays import FloatArray, IntArray
from tricktake.jit import interpreted
from tricktake_skat._kernels.cards import BASES, GRAND, PAIRS, TRUMPS, fill_pairs
from tricktake_skat._kernels.rule_bid import CHOICES, FORBIDDEN, LOSS, SAVED, value_of, worth
from tricktake_skat.discard.chance import WinProbability


def expected(games: Any, wins: Any, values: Any, bid: Any, loss: float = LOSS) -> FloatArray:
    """The expected score with these chances to win at a final bid; an overbid game is lost unless Schneider saves it.

    Numbers or arrays that fit together; values are those of the games without Schneider. A Null below the bid cannot be
    declared.
    """
    base = BASES[np.minimum(games, GRAND)]
    saved = np.where(values + base >= bid, SAVED * wins, 0.0)
    overbid = np.where(np.greater(games, GRAND), FORBIDDEN, interpreted(worth)(-(-bid // base) * base, saved, loss))
    return np.where(np.greater_equal(values, bid), interpreted(worth)(values, wins, loss), overbid)


@frozen(eq=False)
class Offers:
    """All games of n declarers: pairs (n, 66), values (n, 7), wins and scores (n, 7, 66); trumps are not discarded
    without need.
    """

    pairs: IntArray
    values: IntArray
    wins: FloatArray
    scores: FloatArray

    def best(self) -> IntArray:
        """The game of the highest expected score of each, (n,)."""
        return np.argmax(self.scores.max(axis=2), axis=1)


def offers(chance: WinProbability, cards: IntArray, seats: IntArray, bids: IntArray, loss: float = LOSS) -> Offers:
    """Chances and expected scores of every game and discard. cards: (n,) masks of twelve. bids: (n, 3)."""
    n = len(cards)
    pairs = np.zeros((n, PAIRS), np.int64)
    for i in range(n):
        fill_pairs(int(cards[i]), pairs[i])
    discards = np.tile(pairs, (1, CHOICES)).ravel()
    hands = np.repeat(cards, CHOICES * PAIRS) & ~discards
    games = np.tile(np.repeat(np.arange(CHOICES), PAIRS), n)
    found = chance(games, hands, discards, np.repeat(seats, CHOICES * PAIRS), np.repeat(bids, CHOICES * PAIRS, axis=0))
    wins = np.asarray(found).reshape(n, CHOICES, PAIRS)
    values = np.array([[value_of(g, int(c)) for g in range(CHOICES)] for c in cards], np.int64).reshape(n, CHOICES)
    final = bids.max(axis=1, initial=0)[:, None, None]
    scores = expected(np.arange(CHOICES)[:, None], wins, values[:, :, None], final, loss)
    trumps = np.bitwise_count(pairs[:, None] & TRUMPS[: GRAND + 1, None])
    scores[:, : GRAND + 1][trumps > trumps.min(axis=2, keepdims=True)] = 2 * FORBIDDEN
    return Offers(pairs, values, wins, scores)


def best_games(
    chance: WinProbability, cards: IntArray, seats: IntArray, bids: IntArray, loss: float = LOSS
) -> IntArray:
    """The games to declare with these twelve cards, (n,); the same whatever method then discards."""
    return offers(chance, cards, seats, bids, loss).best()
