"""Many positions of one set of rules, as the arrays the kernels read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from attrs import frozen

from tricktake._kernels import position as P
from tricktake._kernels.layout import BROKEN, PENDING
from tricktake.arrays import IntArray
from tricktake.cards import WORD, bits, signed
from tricktake.errors import TooManyCards
from tricktake.rules import TrickRules
from tricktake.trick import TrickState

if TYPE_CHECKING:
    from tricktake.view import View


@frozen(eq=False)
class Positions:
    """Open-card positions with the same rules, seen from the same side.

    rules: of all positions, but for their teams where these are hidden. side: mask over seats, whose cost is counted;
    all other seats play together against it. Each row has its own (P_SIDE); with hidden teams they differ, and this is
    that of the first row. sense: +1 if the side wants cost, -1 if it avoids it. rows: int64, shape (n, ROW),
    compiled card bits, see ``tricktake._kernels.position``.
    """

    rules: TrickRules
    side: int
    sense: int
    rows: IntArray

    def __len__(self) -> int:
        return len(self.rows)

    @classmethod
    def from_states(cls, states: Iterable[TrickState], side: int | None = None, seat: int | None = None) -> Positions:
        """The positions of these states. ``side``: if not given, the team in each state of ``seat``, by default the
        seat to move of the first state.

        Raises ValueError for no states, states of different rules, a side without seats or with more than there are,
        and for rules the solver cannot take.
        """
        states = list(states)
        if not states:
            raise ValueError("no positions")
        rules = solvable(states[0].rules)
        if not all(s.rules.same_play(rules) for s in states):
            raise ValueError("positions of different rules cannot be solved in one batch")
        seat = states[0].turn if seat is None else seat
        sides = [checked_side(s.rules, seat, side) for s in states]
        sense = sense_of(rules, sides[0]) if side is not None else rules.goal(seat).sense
        compiled = rules.compile()
        rows = np.zeros((len(states), P.ROW), np.int64)
        for row, state, own in zip(rows, states, sides, strict=True):
            for holder, hand in enumerate(state.hands):
                row[P.P_HANDS + holder] = compiled.mask_from_deck(hand)
            _fill(row, rules, state.leader, state.table, not state.tricks, state.broken, state.released)
            row[P.P_TAKEN] = state.side_taken(own)
        rows[:, P.P_SIDE] = sides
        rows[:, P.P_SENSE] = sense
        return cls(rules, sides[0], sense, rows)

    @classmethod
    def from_worlds(cls, view: View, worlds: IntArray, side: int | None = None) -> Positions:
        """The position of a view in many worlds.

        worlds: int64, shape (n, places), the mask over deck indices lying in each place of the layout, as
        ``tricktake.worlds.sample`` gives them. side: the team of the seat to move if not given, in each world its own.
        Raises ValueError outside the play of the cards, and for rules the solver cannot take.
        """
        if view.rules is None:
            raise ValueError("there are no tricks yet")
        rules = solvable(view.rules)
        worlds = np.asarray(worlds, np.int64)
        if worlds.ndim != 2 or worlds.shape[1] != len(view.layout.names):
            raise ValueError(f"worlds has shape {worlds.shape}, not (n, {len(view.layout.names)})")
        sense = rules.goal(view.turn).sense if side is None else sense_of(rules, side)
        if side is None and rules.alliance is not None and rules.alliance.cards and rules.own_goal(view.turn) is None:
            played = np.array([signed(mask) for mask in view.played], np.int64)
            sides = rules.alliance.sides(worlds[:, : rules.seats] | played, view.turn)
        else:
            sides = np.full(len(worlds), checked_side(rules, view.turn, side), np.int64)
        rows = np.zeros((len(worlds), P.ROW), np.int64)
        rows[:, P.P_HANDS : P.P_HANDS + rules.seats] = moved_masks(worlds[:, : rules.seats], rules.compile().from_deck)
        for row in rows[:1]:
            _fill(row, rules, view.leader, view.table, not view.tricks, view.broken, view.released)
        rows[1:, P.P_HANDS + rules.seats :] = rows[:1, P.P_HANDS + rules.seats :]
        for seat, taken in enumerate(view.taken):
            rows[:, P.P_TAKEN] += (sides >> seat & 1) * taken
        for name, seat in rules.credits:
            place = worlds[:, view.layout.names.index(name)]
            for card, cost in enumerate(rules.card_cost):
                rows[:, P.P_TAKEN] += (sides >> seat & 1) * (place >> card & 1) * cost
        rows[:, P.P_SIDE] = sides
        rows[:, P.P_SENSE] = sense
        own = int(sides[0]) if len(sides) else rules.side_mask(view.turn)
        return cls(rules, own, sense, rows)

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


def solvable(rules: TrickRules) -> TrickRules:
    """The rules themselves. Raises ValueError if open-card play for cost is not what decides the game, TooManyCards if
    its deck is too large for kernels.
    """
    if len(rules.deck) > WORD:
        raise TooManyCards(len(rules.deck))
    if rules.unsaid:
        raise ValueError(f"these rules cannot be solved with open cards: they do not say {rules.unsaid}")
    return rules


def flags_of(rules: TrickRules, broken: bool, released: bool) -> int:
    """The word of flags of a position, see ``tricktake._kernels.layout``."""
    return BROKEN * broken | PENDING * (rules.duty is not None and not released)


def _fill(
    row: IntArray,
    rules: TrickRules,
    leader: int,
    table: Sequence[int],
    first: bool,
    broken: bool,
    released: bool,
) -> None:
    from_deck = rules.compile().from_deck
    row[P.P_LEADER] = leader
    row[P.P_PLAYED] = len(table)
    for i, card in enumerate(table):
        row[P.P_TABLE + i] = from_deck[card]
    row[P.P_FLAGS] = flags_of(rules, broken, released)
    row[P.P_FIRST] = first


def moved_masks(masks: IntArray, target: IntArray) -> IntArray:
    """Masks with bit i moved to bit target[i]."""
    out = np.zeros_like(masks)
    for i, bit in enumerate(target):
        out |= (masks >> i & 1) << int(bit)
    return out
