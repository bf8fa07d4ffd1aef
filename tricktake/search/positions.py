"""Many positions of one set of rules, as the arrays the kernels read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from tricktake._kernels.position import (
    P_BROKEN,
    P_FIRST,
    P_HANDS,
    P_LEADER,
    P_PLAYED,
    P_SENSE,
    P_SIDE,
    P_TABLE,
    P_TAKEN,
    ROW,
)
from tricktake.cards import bits
from tricktake.rules import TrickRules
from tricktake.trick import TrickState

if TYPE_CHECKING:
    from tricktake.view import View

IntArray = NDArray[np.int64]


@frozen(eq=False)
class Positions:
    """Open-card positions with the same rules, seen from the same side.

    rules: of all positions. side: mask over seats, whose cost is counted; all other seats play together against it.
    sense: +1 if the side wants cost, -1 if it avoids it. rows: int64, shape (n, ROW), compiled card bits, see
    ``tricktake._kernels.position``.
    """

    rules: TrickRules
    side: int
    sense: int
    rows: IntArray

    def __len__(self) -> int:
        return len(self.rows)

    @classmethod
    def from_states(cls, states: Iterable[TrickState], side: int | None = None) -> Positions:
        """The positions of these states. ``side``: the team of the seat in turn of the first state if not given.

        Raises ValueError for no states, states of different rules, or a side without seats or with all of them.
        """
        states = list(states)
        if not states:
            raise ValueError("no positions")
        rules = states[0].rules
        if any(s.rules is not rules and s.rules != rules for s in states):
            raise ValueError("positions of different rules cannot be solved in one batch")
        side = checked_side(rules, states[0].turn, side)
        sense = sense_of(rules, side)
        compiled = rules.compile()
        rows = np.zeros((len(states), ROW), np.int64)
        for row, state in zip(rows, states, strict=True):
            for seat, hand in enumerate(state.hands):
                row[P_HANDS + seat] = compiled.mask_from_deck(hand)
            _fill(row, rules, state.leader, state.table, state.broken, not state.tricks)
            row[P_TAKEN] = state.side_taken(side)
        rows[:, P_SIDE] = side
        rows[:, P_SENSE] = sense
        return cls(rules, side, sense, rows)

    @classmethod
    def from_worlds(cls, view: View, worlds: IntArray, side: int | None = None) -> Positions:
        """The position of a view in many worlds.

        worlds: int64, shape (n, places), the mask over deck indices lying in each place of the layout, as
        ``tricktake.worlds.sample`` gives them. Raises ValueError outside the play of the cards.
        """
        rules = view.rules
        if rules is None:
            raise ValueError("there are no tricks yet")
        worlds = np.asarray(worlds, np.int64)
        if worlds.ndim != 2 or worlds.shape[1] != len(view.layout.names):
            raise ValueError(f"worlds has shape {worlds.shape}, not (n, {len(view.layout.names)})")
        side = checked_side(rules, view.turn, side)
        rows = np.zeros((len(worlds), ROW), np.int64)
        rows[:, P_HANDS : P_HANDS + rules.seats] = _moved(worlds[:, : rules.seats], rules.compile().from_deck)
        for row in rows[:1]:
            _fill(row, rules, view.leader, view.table, view.broken, not view.tricks)
        rows[1:, P_HANDS + rules.seats :] = rows[:1, P_HANDS + rules.seats :]
        rows[:, P_TAKEN] = sum(view.taken[s] for s in bits(side))
        for name, seat in rules.credits:
            if side >> seat & 1:
                place = worlds[:, view.layout.names.index(name)]
                for card, cost in enumerate(rules.card_cost):
                    rows[:, P_TAKEN] += (place >> card & 1) * cost
        sense = sense_of(rules, side)
        rows[:, P_SIDE] = side
        rows[:, P_SENSE] = sense
        return cls(rules, side, sense, rows)

    def __getitem__(self, part: slice) -> Positions:
        return Positions(self.rules, self.side, self.sense, self.rows[part])


def checked_side(rules: TrickRules, turn: int, side: int | None) -> int:
    """A side that makes sense; the team of ``turn`` if none is given. Raises ValueError."""
    if side is None:
        side = rules.side_mask(turn)
    everybody = (1 << rules.seats) - 1
    if not 0 < side <= everybody:
        raise ValueError(f"side {side:#b} is not a set of seats 0 to {rules.seats - 1}")
    return side


def sense_of(rules: TrickRules, side: int) -> int:
    """+1 if a side wants cost, -1 if it avoids it: by the goal of its lowest seat."""
    return rules.goal(next(bits(side))).sense


def _fill(row: IntArray, rules: TrickRules, leader: int, table: Sequence[int], broken: bool, first: bool) -> None:
    from_deck = rules.compile().from_deck
    row[P_LEADER] = leader
    row[P_PLAYED] = len(table)
    for i, card in enumerate(table):
        row[P_TABLE + i] = from_deck[card]
    row[P_BROKEN] = broken
    row[P_FIRST] = first


def _moved(masks: IntArray, target: IntArray) -> IntArray:
    """Masks with bit i moved to bit target[i]."""
    out = np.zeros_like(masks)
    for i, bit in enumerate(target):
        out |= (masks >> i & 1) << int(bit)
    return out
