"""Many games played at once by compiled policies: self-play for learning, and whole contracts for measurements.

The loop knows trick-taking and nothing else (``_kernels.batch``): rules are arrays, a player is a policy, a compiled
function of what its seat may see. What is bid before and what is scored after the play belongs to the game. To write a
policy, decorate a function of a frame with ``tricktake.jit.policy`` in a ``_kernels`` folder::

    from tricktake.jit import lowbit_index, policy, words
    from tricktake.kernels import batch as P

    @policy
    def lowest(frame):
        return lowbit_index(words(frame, P.FRAME)[P.LEGAL])

``_kernels.batch`` says what the words of a frame are.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

import numpy as np
from attrs import frozen

from tricktake._kernels.batch import FACTS_MAX, Games, Played, pack_all, play_games
from tricktake._kernels.play import W_FREE
from tricktake.arrays import IntArray
from tricktake.jit import Policy
from tricktake.rules import TrickRules

__all__ = ["FACTS_MAX", "Batch", "packed", "play"]

Numbering = Literal["compiled", "deck"]


@lru_cache(maxsize=256)
def packed(rules: tuple[TrickRules, ...], numbering: Numbering = "compiled") -> IntArray:
    """Rules as the loop takes them, (rules, words): cards numbered in compiled bits or as in the deck."""
    compiled = [r.compile(deck_order=numbering == "deck") for r in rules]
    found = np.zeros((len(rules), W_FREE), np.int64)
    header, cards, suits = (np.stack([getattr(c, name) for c in compiled]) for name in ("header", "cards", "suits"))
    pack_all(header, cards, suits, found)
    return found


@frozen(eq=False)
class Batch:
    """Games played. cards, whys: (n, cards) in order of play, -1 where none was; whys: as the policies say.

    winners: (n, tricks) seat that won each trick, -1 for one not finished. taken: (n, seats) cost of each seat.
    faults: (n,) ``SOUND``, or what is wrong with the last card, ``NOT_HELD`` or ``NOT_ALLOWED``.
    """

    cards: IntArray
    whys: IntArray
    winners: IntArray
    taken: IntArray
    faults: IntArray


def play(
    rules: IntArray,
    which: IntArray,
    hands: IntArray,
    policies: Sequence[Policy] | IntArray,
    *,
    data: IntArray | None = None,
    leaders: IntArray | None = None,
    facts: IntArray | None = None,
    known: IntArray | None = None,
    shown: IntArray | None = None,
    sides: IntArray | None = None,
    limits: IntArray | None = None,
    given: IntArray | None = None,
) -> Batch:
    """Play games by policies, one for each seat or an array (n, seats) of their addresses; 0: only given cards.

    rules: ``packed``. which: (n,) the rules of each game. hands: (n, seats) masks. given: (n, cards), cards that are
    not -1 are played as they stand. The rest, as ``_kernels.batch.Games`` says, is 0 unless given. Raises ValueError if
    arrays do not fit.
    """
    n, seats = hands.shape
    size = int(np.bitwise_count(hands.view(np.uint64)).sum(axis=1).max(initial=0))
    if not isinstance(policies, np.ndarray):
        policies = np.array([[policy.address for policy in policies]], np.int64)

    def filled(array: IntArray | None, *shape: int) -> IntArray:
        found = np.zeros(shape, np.int64) if array is None else np.ascontiguousarray(array, np.int64)
        if found.shape != shape:
            raise ValueError(f"an array of shape {found.shape} where {shape} is needed")
        return found

    cards = np.full((n, size), -1, np.int64) if given is None else np.array(given, np.int64, order="C")
    played = Played(
        cards,
        np.full_like(cards, -1),
        np.full((n, -(-cards.shape[1] // seats)), -1, np.int64),
        np.zeros((n, seats), np.int64),
        np.zeros(n, np.int64),
    )
    games = Games(
        filled(which, n),
        filled(hands, n, seats),
        filled(leaders, n),
        filled(policies, len(policies), seats),
        filled(data, len(policies), seats),
        filled(facts, n, FACTS_MAX),
        filled(known, n, seats),
        filled(shown, n),
        filled(sides, n),
        filled(limits, n),
    )
    play_games(rules, games, played)
    return Batch(*played)
