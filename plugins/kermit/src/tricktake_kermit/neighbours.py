"""Hands judged by their nearest neighbours, as KNNDDSS did, the program Kermit was compared with (KERMIT-21, GAP-13).

What ten cards with two discarded make is the mean of what open cards made of the played hands most like them. Null has
no such neighbours: with open cards it is nearly always lost.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np
from attrs import frozen
from tricktake_skat.bidding.choice import check_cards
from tricktake_skat.deck import ALL_EYES
from tricktake_skat.kernels import GRAND, cards
from tricktake_skat.questions.declarer import EXPECTED

from tricktake.arrays import FloatArray, IntArray
from tricktake_kermit._kernels import evaluate
from tricktake_kermit._kernels import neighbours as kernel

FILE = Path(__file__).with_name("neighbours.json")
PARTS = 4  # of an eye that distances are counted in
NAMES = kernel.NAMES
"""What of a hand counts in distances."""
Kind: TypeAlias = Literal["suit", "grand"]


@frozen(eq=False)
class Played:
    """Hands of one kind of game. weights: (NUMBERS,) of a step of each number. numbers: (m, NUMBERS) of different
    hands, games: (m,) how many of each, eyes: (m,) what open cards made of these together.
    """

    weights: IntArray
    numbers: IntArray
    games: IntArray
    eyes: IntArray

    @classmethod
    def of(cls, keys: IntArray, eyes: IntArray) -> Played:
        """From hands by key and what each made. A step of a number counts as many eyes as it does in a linear fit."""
        different, which, games = np.unique(keys, return_inverse=True, return_counts=True)
        numbers = _unpacked(different)
        x = np.column_stack([numbers[which], np.ones(len(keys))])
        slopes = np.linalg.lstsq(x, eyes.astype(float), rcond=None)[0][:-1]
        weights = np.rint(PARTS * np.abs(slopes)).astype(np.int64)
        return cls(weights, numbers, games, np.bincount(which, eyes, len(different)).astype(np.int64))

    @classmethod
    def read(cls, stored: Mapping[str, Any]) -> Played:
        """From the file."""
        keys, games, eyes = (np.array(stored[name], np.int64) for name in ("hands", "games", "eyes"))
        return cls(np.array(stored["weights"], np.int64), _unpacked(keys), games, eyes)

    def as_json(self) -> dict[str, list[int]]:
        """For the file; hands are keys."""
        keys = np.zeros(len(self.numbers), np.int64)
        for column, size in zip(self.numbers.T, kernel.SIZES, strict=True):
            keys = keys * size + column
        found = {"weights": self.weights, "hands": keys, "games": self.games, "eyes": self.eyes}
        return {name: array.tolist() for name, array in found.items()}

    def expected(self, keys: IntArray, k: int) -> FloatArray:
        """Eyes of hands by key, by their k nearest; of the shape of keys. Each different key is looked for once."""
        different, which = np.unique(keys, return_inverse=True)
        found = np.zeros(len(different))
        k = min(k, int(self.games.sum()))
        kernel.nearest(self.weights, self.numbers, self.games, self.eyes, k, _unpacked(different), found)
        return np.asarray(found[which].reshape(keys.shape))


@frozen(eq=False)
class Neighbours:
    """Played suit games and grands, and how many neighbours are asked."""

    suit: Played
    grand: Played
    k: int

    def tree(self, hand: int, seat: int) -> evaluate.Tree:
        """The bidding tree of ten cards (mask) with shares of all eyes for chances; Null is worth nothing in it. Raises
        ValueError.
        """
        check_cards(hand, 10, seat)
        found = evaluate.tree()
        ups = np.zeros((evaluate.SKATS, evaluate.TRUMP_GAMES, cards.PAIRS), np.int64)
        by_hand, values = (np.zeros((evaluate.SKATS, evaluate.TRUMP_GAMES), np.int64) for _ in range(2))
        kernel.leaves(EXPECTED, hand, seat, ups, by_hand, values)
        keys = np.concatenate([ups, by_hand[..., None]], axis=2)
        shares = self._shares(np.moveaxis(keys, 1, 0))
        found.up[: evaluate.TRUMP_GAMES] = shares[..., :-1].max(axis=2)
        found.by_hand[: evaluate.TRUMP_GAMES] = shares[..., -1]
        found.values[: evaluate.TRUMP_GAMES] = values.T
        return found

    def discards(self, twelve: int, seat: int) -> tuple[FloatArray, IntArray]:
        """Of suit games and grand of twelve cards (mask) the share of all eyes and the best discard (mask),
        (TRUMP_GAMES,).

        Raises ValueError.
        """
        check_cards(twelve, 12, seat)
        keys, pairs = np.zeros((evaluate.TRUMP_GAMES, cards.PAIRS), np.int64), np.zeros(cards.PAIRS, np.int64)
        kernel.discards_of(EXPECTED, twelve, seat, keys, pairs)
        shares = self._shares(keys)
        return shares.max(axis=1), pairs[shares.argmax(axis=1)]

    def _shares(self, keys: IntArray) -> FloatArray:
        """Of all eyes; keys: (TRUMP_GAMES, ...)."""
        suits = self.suit.expected(keys[:GRAND], self.k)
        return np.asarray(np.concatenate([suits, self.grand.expected(keys[GRAND:], self.k)]) / ALL_EYES)


def keys_of(positions: IntArray) -> IntArray:
    """Keys of hands, (n,). positions: (n, 4) game, ten cards and two discarded (masks), seat."""
    keys = np.zeros(len(positions), np.int64)
    kernel.keys_of(EXPECTED, positions, keys)
    return keys


def _unpacked(keys: IntArray) -> IntArray:
    numbers = np.zeros((len(keys), kernel.NUMBERS), np.int64)
    kernel.unpack(keys, numbers)
    return numbers


@cache
def neighbours(k: int) -> Neighbours:
    """The played hands that come along."""
    stored = json.loads(FILE.read_text(encoding="utf-8"))
    return Neighbours(Played.read(stored["suit"]), Played.read(stored["grand"]), k)
