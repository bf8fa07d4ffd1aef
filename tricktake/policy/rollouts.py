"""What every legal card of a view is worth in many worlds if all seats go on as a policy does (docs/policies.md)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from tricktake._kernels import policy_layout as P
from tricktake._kernels import policy_rollout as kernel
from tricktake._kernels.position import P_SENSE, ROW
from tricktake.arrays import FloatArray, IntArray
from tricktake.policy.games import seeds_of
from tricktake.policy.policy import Family
from tricktake.policy.positions import Batch, batch_of_worlds
from tricktake.policy.practice import registered_practice
from tricktake.search.opencard import default_solver
from tricktake.search.positions import Positions
from tricktake.view import View


@frozen(eq=False)
class Rolled:
    """Rollouts, each (worlds, candidates). gains: what the result is worth to the seat to move, less the mean of what
    it is worth to the seats of other sides (``Batch``). costs: of its side at the end.
    """

    gains: FloatArray
    costs: IntArray


def in_worlds(view: View, worlds: IntArray) -> tuple[Batch, IntArray]:
    """The games of a view from their first trick, one a world, and the cards played since: as the ``Practice`` of the
    game has them, or by the goals of the rules.
    """
    practice = registered_practice(view.game)
    return batch_of_worlds(view, worlds) if practice is None else practice.in_worlds(view, worlds)


def roll_out(
    family: Family,
    view: View,
    games: tuple[Batch, IntArray],
    candidates: tuple[int, ...],
    rng: np.random.Generator,
    *,
    heat: float = 0.0,
    last: int = 0,
) -> Rolled:
    """Every candidate (deck index) played out once in every world, with the same random numbers.

    games: see ``in_worlds``. heat: temperature of the policy, 0 for its best cards. last: with no more cards than this
    in a hand the rest is solved with open cards; for two sides that are known.
    Raises ValueError for more of them, InputError for networks of another game.
    """
    batch, played = games
    encoding, packed, n = batch.encoding, family.packed, len(batch)
    compiled, seats = encoding.compiled, encoding.seats
    columns = [int(compiled.from_deck[card]) for card in candidates]
    players = family.players(batch)[0]
    packed.check(encoding, int(players.max()))
    last = 0 if encoding.hidden else last  # each world has sides of its own
    shape = (n, encoding.cards)
    gains, costs, states = np.zeros(shape), np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    ends = np.zeros((*(shape if last else (1, 1)), ROW), np.int64)
    kernel.roll_out_rows(
        compiled.header, compiled.cards, compiled.suits, encoding.plan, packed.shape, packed.first, packed.rest,
        batch.rows, played, np.int64(sum(1 << c for c in columns)), players, heat,
        seeds_of(rng, n), batch.worth, last * seats, gains, costs, states, ends,
    )  # fmt: skip
    if last:
        _solve(view, batch, states == kernel.OPEN, ends, gains, costs)
    return Rolled(gains[:, columns], costs[:, columns])


def likelihoods(
    family: Family, games: tuple[Batch, IntArray], heat: float, slip: float, judged: Sequence[int]
) -> FloatArray:
    """How likely each seat played as it did in every world, (worlds, seats); 1 for seats that are not ``judged``.

    games: see ``in_worlds``. heat: temperature, above 0, at which the policy is thought to play; slip: the share of
    cards that are drawn from all legal ones instead.
    """
    batch, played = games
    encoding, packed = batch.encoding, family.packed
    compiled, seats = encoding.compiled, encoding.seats
    found = np.ones((len(batch), seats))
    if not len(batch):
        return found
    packed.check(encoding, len(family.nets) - 1)
    players = np.where(np.isin(np.arange(seats), judged), family.players(batch)[0], -1)
    kernel.judge_rows(
        compiled.header, compiled.cards, compiled.suits, encoding.plan, packed.shape, packed.first, packed.rest,
        batch.rows, played, players, heat, slip, found,
    )  # fmt: skip
    return found


def _solve(
    view: View, batch: Batch, open_: NDArray[np.bool_], ends: IntArray, gains: FloatArray, costs: IntArray
) -> None:
    """Fill in gains and costs of the games that were left to the solver."""
    rules, low, span, seat = batch.encoding.rules, batch.encoding.low, batch.encoding.span, view.turn
    sides = {int(side) for side in batch.block(P.B_TRUE)[0]}
    if len(sides) != 2:
        raise ValueError("only games of two sides end in exact solutions")
    rows = ends[open_]
    if not len(rows):
        return
    side = int(batch.block(P.B_TRUE)[0, seat])
    sense = view.rules.goal(seat).sense if view.rules is not None else 1
    rows[:, P_SENSE] = sense
    found = default_solver().batch(Positions(rules, side, sense, rows), "value").value
    worlds = np.nonzero(open_)[0]
    costs[open_] = found
    whole = _all_costs(batch)[worlds]
    number = batch.block(P.B_WORTH)[worlds]
    others = [s for s in range(rules.seats) if not side >> s & 1]
    theirs = np.mean([batch.worth[number[:, s], np.clip(whole - found - low, 0, span - 1)] for s in others], axis=0)
    gains[open_] = batch.worth[number[:, seat], np.clip(found - low, 0, span - 1)] - theirs


def _all_costs(batch: Batch) -> IntArray:
    """What all seats take together in each game, with credits."""
    rules, compiled = batch.encoding.rules, batch.encoding.compiled
    held = np.bitwise_or.reduce(batch.block(P.B_HANDS), axis=1)
    each = held[:, None] >> np.arange(batch.encoding.cards) & 1
    costs = each @ np.array(rules.card_cost, np.int64)[compiled.to_deck]
    tricks = each.sum(axis=1) // rules.seats
    found: IntArray = costs + tricks * rules.trick_cost + rules.last_trick_bonus + batch.block(P.B_CREDIT).sum(axis=1)
    return found
