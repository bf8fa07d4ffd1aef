"""Batches played by policies and plain players: the one loop of ``_kernels.policy_play`` with Python's arrays around
it.
"""

from __future__ import annotations

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from tricktake._kernels import policy_match as match_kernel
from tricktake._kernels import policy_play as kernel
from tricktake._kernels.policy_layout import B_TRUE, B_WORTH, R_DECLARER
from tricktake.arrays import IntArray
from tricktake.policy.policy import Net, Packed
from tricktake.policy.positions import Batch

RANDOM, WANTS, AVOIDS = kernel.RANDOM, kernel.WANTS, kernel.AVOIDS


@frozen(eq=False)
class Played:
    """Results of a batch, each (n, seats). costs: taken by each seat, with credits. won: tricks. gains: see
    ``positions``.

    cards: (n, cards) in order of play, as cards of the encoding, -1 beyond the end.
    """

    costs: IntArray
    won: IntArray
    gains: NDArray[np.float64]
    cards: IntArray


def seeds_of(seed: int | np.random.Generator, n: int) -> IntArray:
    """A number that is not 0 for each game, drawn by a seed or a generator."""
    found: IntArray = np.random.default_rng(seed).integers(1, 1 << 62, n, dtype=np.int64)
    return found


def manners(batch: Batch) -> IntArray:
    """Plain players with simple manners for every seat, (n, seats): what a seat wants is where its worth is greater."""
    worth = batch.worth[:, : batch.encoding.span]
    wants = np.where(worth[:, -1] >= worth[:, 0], WANTS, AVOIDS)
    found: IntArray = wants[batch.block(B_WORTH)].astype(np.int64)
    return found


def nothing(batch: Batch) -> Packed:
    """Networks for a batch that is played without any."""
    encoding = batch.encoding
    zero = Net(
        np.zeros((encoding.inputs, 64), np.int16), np.zeros((65, 32), np.int32), np.zeros((33, 64), np.int32), (1, 1)
    )
    return Packed.of([zero])


def play(
    batch: Batch,
    players: IntArray,
    packed: Packed | None = None,
    *,
    seed: int = 0,
    heat: float = 0.0,
    cards: int = 0,
    given: IntArray | None = None,
) -> Played:
    """Play every position once. players: (n, seats), networks by number, or a plain player. cards: how many are
    kept. given: (n, m) the first cards, m at most ``cards``, which are played as they stand; -1 from where nothing is.

    Raises InputError for networks that are not of this game (``Packed.check``).
    """
    n, seats = len(batch), batch.encoding.seats
    compiled, packed = batch.encoding.compiled, packed or nothing(batch)
    packed.check(batch.encoding, int(players.max(initial=-1)))
    costs, won = np.zeros((n, seats), np.int64), np.zeros((n, seats), np.int64)
    gains, kept = np.zeros((n, seats)), np.full((n, cards), -1, np.int64)
    if given is not None:
        kept[:, : given.shape[1]] = given
    kernel.play_rows(
        compiled.header, compiled.cards, compiled.suits, batch.encoding.plan, packed.shape, packed.first, packed.rest,
        batch.rows, np.ascontiguousarray(players), heat, seeds_of(seed, n), batch.worth, costs, won, gains, kept,
    )  # fmt: skip
    return Played(costs, won, gains, kept)


@frozen(eq=False)
class Compiled:
    """Policies called by their address (``tricktake.batch``) for n games, beside networks.

    rules: ``batch.packed`` in the numbering of these policies. which: (n,) the rules of each game. decks: (n, cards)
    their card for each of the encoding. addresses, data: (n, seats), the policies and their ``DATA``. facts: (n,
    FACTS_MAX) of each game.
    """

    rules: IntArray
    which: IntArray
    decks: IntArray
    addresses: IntArray
    data: IntArray
    facts: IntArray


def play_against(batch: Batch, players: IntArray, packed: Packed | None, others: Compiled) -> NDArray[np.float64]:
    """The gains, (n, seats), of every position played once by best cards. players: (n, seats), networks by number, -1
    where one of the others plays. Raises as ``play`` does.
    """
    compiled, packed = batch.encoding.compiled, packed or nothing(batch)
    packed.check(batch.encoding, int(players.max(initial=-1)))
    gains = np.zeros(players.shape)
    match_kernel.play_mixed(
        compiled.header, compiled.cards, compiled.suits, batch.encoding.plan, packed.shape, packed.first, packed.rest,
        batch.rows, np.ascontiguousarray(players), batch.worth, others.decks, others.rules, others.which,
        others.addresses, others.data, others.facts, gains,
    )  # fmt: skip
    return gains


def strength(
    batch: Batch, mine: IntArray, theirs: IntArray, packed: Packed | None = None, *, seed: int = 0
) -> tuple[float, float]:
    """How much more ``mine`` gain a game than ``theirs`` on the same positions in the same role, and its standard
    error.

    Each position is played twice: ``mine`` play the declarer's side (seat 0's where nobody declares) and ``theirs`` the
    others, then the other way round. The difference of the gains of that side is halved.
    """
    declarer = np.maximum(batch.rows[:, R_DECLARER], 0)
    side = batch.block(B_TRUE)[np.arange(len(batch)), declarer]
    inside = (side[:, None] >> np.arange(batch.encoding.seats) & 1).astype(bool)
    found = []
    for first, second in ((mine, theirs), (theirs, mine)):
        played = play(batch, np.where(inside, first, second), packed, seed=seed)
        found.append(played.gains[np.arange(len(batch)), declarer])
    each = (found[0] - found[1]) / 2
    return float(each.mean()), float(each.std(ddof=1) / np.sqrt(len(each)))
