"""What every legal card of a view is worth in many worlds, by the open-card solver.

One valuation serves all who decide over the same worlds: each question is solved once (GAP-9, 10, KERMIT-13).
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy

import numpy as np
from attrs import define, field, frozen

from tricktake.arrays import BoolArray, FloatArray, IntArray
from tricktake.cards import bits, unsigned
from tricktake.rules import GoalKind
from tricktake.search.limit import Budget, Limit
from tricktake.search.opencard import NO_LIMIT, default_solver
from tricktake.search.positions import Positions
from tricktake.view import View

SLICE = 4  # worlds solved between two looks at the clock
FEW_CARDS = 6  # with no more cards in hand worlds cost next to nothing, and are solved
MANY = 32  # so many at a time
GENEROUS = 8  # times the even share of the nodes for one world: else only easy worlds would be answered


@frozen(eq=False)
class Bounds:
    """Bounds on the final cost of the own side, shape (worlds, cards), as close as the question needed.

    asked, known: shape (worlds,), whether the world was reached before time ran out, and whether the question was
    answered for every card of it.
    """

    low: IntArray
    high: IntArray
    asked: BoolArray
    known: BoolArray

    @property
    def usable(self) -> BoolArray:
        """The answered worlds, or if there is none those that were asked."""
        return self.known if self.known.any() else self.asked


@define
class _Solved:
    """What was solved so far, shared by valuations of the same worlds."""

    nodes: int = 0
    bounds: dict[int | None, Bounds] = field(factory=dict)
    exactly: tuple[BoolArray, BoolArray] | None = None


class Valuation:
    """Worlds, their weights, and what every legal card is worth in each, as far as it was asked.

    cards: the legal cards (deck indices), the columns of all results. worlds: shape (n, places), as
    ``tricktake.worlds`` gives them; weights: shape (n,), not negative, all 1 if not given. complete: whether these are
    all worlds that fit. nodes: spent so far. A limit on nodes is for all worlds together; one may take at most
    ``GENEROUS`` times its even share. Seconds are looked at inside of questions, too (``Solver.batch``).

    Raises ValueError for a view in which no card is to be played.
    """

    def __init__(
        self, view: View, worlds: IntArray, weights: FloatArray | None = None, *, complete: bool = False
    ) -> None:
        if view.rules is None:
            raise ValueError(f"cards are valued in the play only, not in phase {view.phase}")
        self.view = view
        self.rules = view.rules
        self.worlds = worlds
        self.weights = np.ones(len(worlds)) if weights is None else weights
        self.complete = complete
        self.cards = tuple(bits(view.legal_cards_mask()))
        self.goal = view.rules.goal(view.turn)
        self._solved = _Solved()

    @property
    def nodes(self) -> int:
        return self._solved.nodes

    @property
    def asked(self) -> bool:
        """Whether anything was solved."""
        return bool(self._solved.bounds) or self._solved.exactly is not None

    def weighed(self, weights: FloatArray) -> Valuation:
        """The same worlds and answers with other weights."""
        other = copy(self)
        other.weights = weights
        return other

    def few(self, n: int) -> Valuation:
        """At most ``n`` of the worlds, evenly spaced, with their weights. What was asked here is not known there."""
        rows = np.unique(np.linspace(0, len(self.worlds) - 1, min(n, len(self.worlds))).astype(np.int64))
        return Valuation(self.view, self.worlds[rows], self.weights[rows])

    def __len__(self) -> int:
        return len(self.worlds)

    def bounds(self, threshold: int | None = None, limit: Limit | None = None) -> Bounds:
        """Exact values, or with a threshold only whether the cost of the side reaches it after each card.

        What was asked before is not solved again, not even with a higher limit.
        """
        for asked in (threshold, None):
            if asked in self._solved.bounds:
                return self._solved.bounds[asked]
        found = self._solve(threshold, Budget.of(limit))
        self._solved.bounds[threshold] = found
        return found

    def met(self, limit: Limit | None = None) -> tuple[BoolArray, BoolArray]:
        """Whether the goal of the own side is surely reached after each card, (worlds, cards), and in which worlds
        that is known for all cards, (worlds,).

        Raises ValueError if the goal has no threshold.
        """
        goal = self.goal
        if goal.met(0) is None:
            raise ValueError("the goal is as much or as little as possible: nothing to reach")
        if goal.kind is GoalKind.EXACTLY:
            if self._solved.exactly is None:
                self._solved.exactly = self._met_exactly(Budget.of(limit))
            return self._solved.exactly
        found = self.bounds(goal.n if goal.sense > 0 else goal.n + 1, limit)
        return (found.low >= goal.n if goal.sense > 0 else found.high <= goal.n), found.known

    def _solve(self, threshold: int | None, budget: Budget) -> Bounds:
        shape = (len(self.worlds), len(self.cards))
        low, high = np.full(shape, -NO_LIMIT), np.full(shape, NO_LIMIT)
        columns = list(self.cards)
        size = MANY if self.view.hand_mask.bit_count() <= FEW_CARDS else SLICE
        for part, step in self._slices(size, budget):
            positions = Positions.from_worlds(self.view, self.worlds[part])
            found = default_solver().batch(positions, "cards", threshold=threshold, limit=step)
            low[part] = found.card_lower[:, columns]
            high[part] = found.card_upper[:, columns]
            self._spent(budget, int(found.nodes.sum()))
        answered = low == high if threshold is None else (low >= threshold) | (high < threshold)
        return Bounds(low, high, np.asarray((high < NO_LIMIT).all(axis=1)), np.asarray(answered.all(axis=1)))

    def _met_exactly(self, budget: Budget) -> tuple[BoolArray, BoolArray]:
        won = np.zeros((len(self.worlds), len(self.cards)), bool)
        known = np.zeros(won.shape, bool)
        for part, step in self._slices(1, budget):
            state = self.view.state([unsigned(int(mask)) for mask in self.worlds[part.start]])
            world = Budget.of(step)
            for j, card in enumerate(self.cards):
                state.play(card)
                if state.over:
                    side = state.rules.side_mask(self.view.turn)
                    won[part, j], known[part, j] = bool(self.goal.met(state.side_taken(side))), True
                else:
                    answer = default_solver().wins(state, self.view.turn, world.timed())
                    won[part, j], known[part, j] = bool(answer.yes), answer.known
                    self._spent(budget, answer.nodes)
                state.undo()
        return won, np.asarray(known.all(axis=1))

    def _spent(self, budget: Budget, nodes: int) -> None:
        budget.spend(nodes)
        self._solved.nodes += nodes

    def _slices(self, size: int, budget: Budget) -> Iterator[tuple[slice, Limit | None]]:
        """Slices of the worlds and the limit of each world there, until the budget of all is used up."""
        for start in range(0, len(self.worlds), size):
            if start and budget.over:
                return
            part = slice(start, min(start + size, len(self.worlds)))
            seconds = budget.left().seconds
            if budget.limit.nodes is None or budget.nodes is None:
                yield part, Limit(seconds)
                continue
            even = budget.limit.nodes // len(self.worlds)
            yield part, Limit(seconds, max(1, min(GENEROUS * even, budget.nodes // (part.stop - start))))
