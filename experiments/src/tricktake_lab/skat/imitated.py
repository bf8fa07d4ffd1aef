"""Card players learned from recorded games: a policy of the usual networks that plays as those who were recorded.

The softmax of a network moves towards the card that was played; nothing is played out, so that it can learn no more
than the record shows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from attrs import frozen
from numpy.typing import NDArray
from tricktake_skat.practice import batch_of, contracts_of, decks_of
from tricktake_skat.rows import RowArray

from tricktake.arrays import IntArray
from tricktake.policy.kernels import learn
from tricktake.policy.policy import Family, Net, aligned, padded
from tricktake.policy.positions import Batch
from tricktake.policy.train import Settings, fresh, mixed, most_inputs
from tricktake_lab.skat._kernels.decisions import decisions

CHUNK = 4000  # games whose decisions are in memory
CARDS = 30
SHARP = 0.1  # entropy: the numbers of the network settle at the share each card is played with, over this
LEAST_PASSES, MOST_PASSES, SEEN = 4, 40, 400_000  # passes over the games, so that few games are seen so often


@frozen(eq=False)
class Decisions:
    """Decisions between several cards. role: (n,). seen: (n, most) inputs, the first ``counts`` of each. legals and
    played: masks over the outputs of a network.
    """

    role: IntArray
    seen: NDArray[np.uint16]
    counts: NDArray[np.int16]
    legals: IntArray
    played: IntArray

    def of(self, role: int) -> Decisions:
        """Those of a role."""
        mine = self.role == role
        return Decisions(*(part[mine] for part in (self.role, self.seen, self.counts, self.legals, self.played)))

    def gains(self, outputs: int) -> NDArray[np.float32]:
        """1 for the card that was played, (n, outputs)."""
        return (self.played[:, None] >> np.arange(outputs) & 1).astype(np.float32)


def batch_and_cards(rows: RowArray) -> tuple[Batch, IntArray]:
    """Games of one family at their first trick, and their cards as the encoding numbers them, (n, 30)."""
    given = contracts_of(rows)
    decks = decks_of(given)
    places = np.argsort(decks, axis=1)
    cards = rows["cards"].astype(np.int64)
    found = np.take_along_axis(places, np.maximum(cards, 0), axis=1)
    return batch_of(given), np.where(cards < 0, -1, found)


def decisions_of(rows: RowArray) -> Decisions:
    """The decisions of played games of one family. Raises ValueError if a card does not follow the rules."""
    batch, cards = batch_and_cards(rows)
    room, compiled = CARDS * len(rows), batch.encoding.compiled
    which, counts = np.zeros(room, np.int64), np.zeros(room, np.int16)
    seen = np.zeros((room, most_inputs(batch)), np.uint16)
    legals, played = np.zeros(room, np.int64), np.zeros(room, np.int64)
    n = decisions(
        compiled.header, compiled.cards, compiled.suits, batch.encoding.plan, batch.rows, np.ascontiguousarray(cards),
        batch.roles(), which, seen, counts, legals, played,
    )  # fmt: skip
    if n < 0:
        raise ValueError("a recorded card does not follow the rules")
    return Decisions(which[:n], seen[:n], counts[:n], legals[:n], played[:n])


def imitated(rows: RowArray, name: str, seed: int, settings: Settings) -> Family:
    """The networks of a family that play as in these games of it. rows: played games. settings: widths, batch, and
    the rates from the first step to the last.
    """
    batch = batch_of(contracts_of(rows[:1]))
    encoding, roles = batch.encoding, int(batch.roles().max()) + 1
    shape = np.array([encoding.inputs, settings.hidden, settings.inner, padded(encoding.cards)], np.int64)
    drawn = fresh(shape, roles, seed)
    weights, first, second = (aligned(drawn.size, np.float32).reshape(drawn.shape) for _ in range(3))
    weights[:] = drawn
    gradient, steps = aligned(drawn.shape[1], np.float32), np.ones(roles, np.int64)
    parts = list(_parts(rows, seed))
    for number, part in enumerate(parts):
        found = decisions_of(part)
        rate = mixed(settings.rate, settings.last_rate, number / len(parts))
        for role in range(roles):
            some = found.of(role)
            order = np.random.default_rng([seed, 2, number, role]).permutation(len(some.role))
            learn(
                shape, weights[role], first[role], second[role], gradient, some.seen, some.counts, some.legals,
                some.gains(int(shape[3])), order, settings.batch, rate, SHARP, 1.0, int(steps[role]),
            )  # fmt: skip
            steps[role] += len(order) // settings.batch
    return Family(name, encoding.key, tuple(Net.of_floats(shape, each) for each in weights))


def _parts(rows: RowArray, seed: int) -> Iterator[RowArray]:
    """The games of all passes in turn, in a new order each."""
    passes = int(np.clip(SEEN // len(rows), LEAST_PASSES, MOST_PASSES))
    for number in range(passes):
        order = np.random.default_rng([seed, 1, number]).permutation(len(rows))
        for at in range(0, len(rows), CHUNK):
            yield rows[order[at : at + CHUNK]]


def agreement(family: Family, rows: RowArray) -> NDArray[np.bool_]:
    """Whether the networks prefer the card that was played, for every decision of these games."""
    found = decisions_of(rows)
    return np.concatenate([_preferred(net, found.of(role)) for role, net in enumerate(family.nets)])


def _preferred(net: Net, some: Decisions) -> NDArray[np.bool_]:
    weights = _layers(net)
    legal = some.legals[:, None] >> np.arange(net.third.shape[1]) & 1 != 0
    best = np.zeros(len(some.role), np.int64)
    for i, (seen, n) in enumerate(zip(some.seen, some.counts, strict=True)):
        hidden = np.clip(weights[0][seen[:n]].sum(axis=0), 0, 4)
        inner = np.clip(hidden @ weights[1][:-1] + weights[1][-1], 0, 4)
        best[i] = np.where(legal[i], inner @ weights[2][:-1] + weights[2][-1], -np.inf).argmax()
    return np.asarray(some.played >> best & 1 != 0)


def _layers(net: Net) -> Sequence[NDArray[np.float32]]:
    parts = np.split(net.floats(), np.cumsum([net.first.size, net.second.size]))
    shapes = net.first.shape, net.second.shape, net.third.shape
    return [part.reshape(shape) for part, shape in zip(parts, shapes, strict=True)]
