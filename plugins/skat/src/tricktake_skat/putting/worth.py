"""What a game is worth to its declarer: expected Seeger-Fabian score (SKAT-17), and which game to declare."""

from __future__ import annotations

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from tricktake_skat._kernels import putting as kernel
from tricktake_skat._kernels.cards import BASES, GRAND, TRUMPS
from tricktake_skat._kernels.rule_bid import CHOICES, value_of
from tricktake_skat.putting.chance import WinProbability
from tricktake_skat.putting.features import PAIRS

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]

GAME_NAMES = ("C", "S", "H", "D", "G", "N", "NO")  # by number: what can be declared after picking up
LOSS = 50.0  # what a loss costs besides twice the value; 90 counts the bonus of the others, too (SKAT-17)
SAVED = 0.25  # share of wins with Schneider, which may lift an overbid game to its bid; as the rule player reckons
FORBIDDEN = -1e6


def score(win: FloatArray, value: FloatArray, loss: float = LOSS) -> FloatArray:
    """C = (50 + V) W - (loss + 2 V) (1 - W), in points."""
    return (50 + value) * win - (loss + 2 * value) * (1 - win)


def expected(game: int, win: FloatArray, value: int, bid: int, loss: float = LOSS) -> FloatArray:
    """The expected score with these chances to win at a final bid; an overbid game is lost unless Schneider saves it.

    value: of the game without Schneider. A Null below the bid cannot be declared.
    """
    if value >= bid:
        return score(win, np.full_like(win, value), loss)
    if game > GRAND:
        return np.full_like(win, FORBIDDEN)
    base = int(BASES[game])
    charged = -(-bid // base) * base
    saved = SAVED * win if value + base >= bid else np.zeros_like(win)
    return score(saved, np.full_like(win, charged), loss)


@frozen(eq=False)
class Offers:
    """All games of n declarers: pairs (n, 66), wins and scores (n, 7, 66); trumps are not put without need."""

    pairs: IntArray
    values: IntArray
    wins: FloatArray
    scores: FloatArray

    def best(self) -> IntArray:
        """The game of the highest expected score of each, (n,)."""
        return np.argmax(self.scores.max(axis=2), axis=1)


def offers(
    chance: WinProbability,
    cards: IntArray,
    seats: IntArray,
    bids: IntArray,
    loss: float = LOSS,
    bid: IntArray | None = None,
) -> Offers:
    """Chances and expected scores of every game and put.

    cards: (n,) masks of twelve. bids: (n, 3). bid: (n,) the final bid, by default the highest of ``bids``.
    """
    n = len(cards)
    final = bids.max(axis=1, initial=0) if bid is None else bid
    pairs = np.zeros((n, PAIRS), np.int64)
    for i in range(n):
        kernel.fill_pairs(int(cards[i]), pairs[i])
    puts = np.tile(pairs, (1, CHOICES)).ravel()
    hands = np.repeat(cards, CHOICES * PAIRS) & ~puts
    games = np.tile(np.repeat(np.arange(CHOICES), PAIRS), n)
    found = chance(games, hands, puts, np.repeat(seats, CHOICES * PAIRS), np.repeat(bids, CHOICES * PAIRS, axis=0))
    wins = np.asarray(found).reshape(n, CHOICES, PAIRS)
    values = np.array([[value_of(g, int(c)) for g in range(CHOICES)] for c in cards], np.int64).reshape(n, CHOICES)
    scores = np.empty_like(wins)
    for i in range(n):
        for game in range(CHOICES):
            scores[i, game] = expected(game, wins[i, game], int(values[i, game]), int(final[i]), loss)
            if game <= GRAND:
                trumps = np.bitwise_count(pairs[i] & TRUMPS[game])
                scores[i, game, trumps > trumps.min()] = 2 * FORBIDDEN
    return Offers(pairs, values, wins, scores)


def best_games(
    chance: WinProbability, cards: IntArray, seats: IntArray, bids: IntArray, loss: float = LOSS
) -> IntArray:
    """The games to declare with these twelve cards, (n,); the same whatever method then puts the skat."""
    return offers(chance, cards, seats, bids, loss).best()
