"""Actors: who plays the games a learner learns from, in its process or on other machines, with the same result.

Every game has its own random numbers, and decisions come back in the order of the games. So they are those of one
process, bit for bit, into however many parts a round is cut (tests/unit/test_cluster.py).
"""

from __future__ import annotations

import time

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from tricktake._kernels import policy_play as kernel
from tricktake.arrays import IntArray
from tricktake.policy.policy import Net, Packed
from tricktake.policy.positions import Batch

PART = 512  # games of a task for an actor elsewhere: about a tenth of a second of play, 0.4 MB of networks


@frozen(eq=False)
class Turn:
    """What an actor plays: positions, who sits where (networks by number), the seed of each game, and the networks of
    the moment. room: for so many decisions; what comes after them is left out.
    """

    batch: Batch
    players: IntArray
    seeds: IntArray
    nets: tuple[Net, ...]
    room: int

    def parts(self, stops: int) -> list[Turn]:
        """The same in parts, each with room for all its decisions: fewer than twice as many a game as are wanted."""
        return [
            Turn(
                self.batch.chosen(slice(at, at + PART)),
                self.players[at : at + PART],
                self.seeds[at : at + PART],
                self.nets,
                2 * stops * len(self.seeds[at : at + PART]),
            )
            for at in range(0, len(self.seeds), PART)
        ]


@frozen(eq=False)
class Decisions:
    """Decisions at which cards were played out. which: the network; the rest is for its ring (``train.Ring``). seconds:
    of processor time that was spent on them.
    """

    which: IntArray
    seen: NDArray[np.uint16]
    counts: NDArray[np.int16]
    legals: IntArray
    gains: NDArray[np.float32]
    seconds: float = 0.0

    def __len__(self) -> int:
        return len(self.which)

    def upto(self, room: int) -> Decisions:
        """The first so many."""
        return Decisions(self.which[:room], self.seen[:room], self.counts[:room], self.legals[:room], self.gains[:room])

    @classmethod
    def joined(cls, parts: list[Decisions]) -> Decisions:
        """In their order."""
        names = ("which", "seen", "counts", "legals", "gains")
        joined = {name: np.concatenate([getattr(part, name) for part in parts]) for name in names}
        return cls(**joined, seconds=sum(part.seconds for part in parts))


@frozen(eq=False)
class Actor:
    """Plays turns. league: networks of earlier rounds, numbered after those that learn. stops to tried: as in
    ``train.Settings``. unit: gains are multiplied by it.
    """

    learners: int
    league: tuple[Net, ...]
    unit: float
    stops: int
    heat: float
    sober: float
    floor: float
    tried: float

    def __call__(self, turn: Turn) -> Decisions:
        begun = time.process_time()
        packed, batch, room = Packed.of([*turn.nets, *self.league]), turn.batch, turn.room
        which, counts = np.zeros(room, np.int64), np.zeros(room, np.int16)
        seen = np.zeros((room, kernel.MOST_INPUTS), np.uint16)
        legals, gains = np.zeros(room, np.int64), np.zeros((room, int(packed.shape[3])), np.float32)
        compiled = batch.encoding.compiled
        found, _ = kernel.practise(
            compiled.header, compiled.cards, compiled.suits, batch.encoding.plan, packed.shape, packed.first,
            packed.rest, batch.rows, turn.players, self.learners, self.stops, self.heat, self.sober, self.floor,
            self.tried, turn.seeds, batch.worth, self.unit, which, seen, counts, legals, gains,
        )  # fmt: skip
        return Decisions(which, seen, counts, legals, gains, time.process_time() - begun).upto(found)

    def close(self) -> None:
        """Nothing is left open."""
