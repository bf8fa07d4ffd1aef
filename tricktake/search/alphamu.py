"""alpha-mu: search over worlds in which the searcher has to choose the same card in all of them (GAP-12).

After Cazenave and Ventos, The alpha-mu search algorithm for the game of Bridge. The value of a position is a Pareto
front of vectors over the worlds, 1 where the goal is reached. A vector is an int, bit i for world i; a front is a set
of vectors none of which is covered by another.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from tricktake.cards import bits
from tricktake.rules import GoalKind
from tricktake.search.limit import Budget, Limit
from tricktake.search.opencard import default_solver
from tricktake.search.positions import Positions
from tricktake.view import View

Front = frozenset[int]


@frozen
class Fronts:
    """The front after each legal card, by card. m: decisions of the searcher looked ahead; nodes: spent altogether.

    Vectors of cards that were shown to be worse than another are upper bounds.
    """

    cards: Mapping[int, Front]
    m: int
    nodes: int


class OutOfNodes(Exception):
    """The limit came first."""


def alpha_mu(view: View, worlds: NDArray[np.int64], m: int, limit: Limit | None = None) -> Fronts:
    """The fronts of every legal card, looking ahead over ``m`` decisions of the searcher, or what the limit allows.

    worlds: shape (n, places), as ``tricktake.worlds.sample`` gives them. The searcher decides for its own seat and for
    those of its side whose cards it sees; other seats of its side help and opponents hinder, both seeing all cards.
    After the last decision each world is solved open-card, so ``m`` = 1 is PIMC. The first decision is always answered.

    Raises ValueError outside the play of the cards and if the goal has no threshold.
    """
    search = _Search(view, worlds, limit)
    found = Fronts(
        {card: frozenset((vector,)) for card, vector in search.leaf(search.everywhere)}, 1, search.budget.spent
    )
    for depth in range(2, m + 1):
        try:
            found = Fronts(search.deeper(found, depth), depth, search.budget.spent)
        except OutOfNodes:
            break
    return found


def best_count(front: Iterable[int], weights: NDArray[np.float64]) -> float:
    """The largest weight of the worlds won by one vector of a front."""
    return max((float(sum(weights[i] for i in bits(vector))) for vector in front), default=0.0)


class _Search:
    def __init__(self, view: View, worlds: NDArray[np.int64], limit: Limit | None) -> None:
        rules = view.rules
        if rules is None or rules.goal(view.turn).met(0) is None:
            raise ValueError("alpha-mu needs cards to be played for a goal with a threshold")
        self.rules = rules
        self.goal = rules.goal(view.turn)
        self.side = rules.side_mask(view.turn)
        self.seat = view.turn
        seen = [seat for seat in bits(self.side) if view.known[seat].bit_count() == view.sizes[seat]]
        self.own = frozenset((view.turn, *seen))
        self.states = [view.state(world) for world in worlds]
        self.sides = [state.rules.side_mask(view.turn) for state in self.states]
        self.everywhere = (1 << len(self.states)) - 1
        self.budget = Budget.of(limit)
        self.answered = False

    def deeper(self, before: Fronts, m: int) -> dict[int, Front]:
        """The fronts one decision deeper. Root cut: a card worth less before cannot get better than the best now."""
        out = dict(before.cards)
        best = -1
        for card in sorted(out, key=lambda c: -_most(out[c])):
            if _most(out[card]) < best:
                break
            out[card] = self._after(card, self.everywhere, m - 1, frozenset())
            best = max(best, _most(out[card]))
        return out

    def _after(self, card: int, active: int, m: int, alpha: Front) -> Front:
        for i in bits(active):
            self.states[i].play(card)
        try:
            return self._value(active, m, alpha)
        finally:
            for i in bits(active):
                self.states[i].undo()

    def _value(self, active: int, m: int, alpha: Front) -> Front:
        """The front of the position in the worlds ``active``, bits of other worlds 0. m: decisions still to be made.

        alpha: the front the searcher has at the decision above; what it covers need not be known exactly.
        """
        self.budget.spend(1)
        if self.budget.late or (self.budget.nodes is not None and self.budget.nodes < 0):
            raise OutOfNodes
        first = self.states[next(bits(active))]
        if first.over:
            return frozenset((self._met(active),))
        if first.turn in self.own:
            if m == 1:
                return _undominated(vector for _, vector in self.leaf(active))
            front: Front = frozenset()
            for card in first.legal():
                front = _undominated(front | self._after(card, active, m - 1, front))
                if active in front:
                    break  # wins everywhere
            return front
        helping = all(self.sides[i] >> first.turn & 1 for i in bits(active))  # else it may be against the searcher
        moves: dict[int, int] = {}
        for i in bits(active):
            for card in self.states[i].legal():
                moves[card] = moves.get(card, 0) | 1 << i
        total: Front | None = None
        for card, possible in sorted(moves.items(), key=lambda move: (-move[1].bit_count(), move[0])):
            # Where the card cannot be played it changes nothing.
            neutral = 0 if helping else active & ~possible
            known = frozenset() if helping else frozenset(a for a in alpha if not neutral & ~a)
            child = frozenset(vector | neutral for vector in self._after(card, possible, m, known))
            if total is None:
                total = child
            elif helping:
                total = _undominated(a | b for a in total for b in child)
            else:
                total = _undominated(a & b for a in total for b in child)
            if not helping and all(any(not v & ~a for a in alpha) for v in total):
                break  # early cut: the searcher has as much elsewhere
        assert total is not None
        return total

    def leaf(self, active: int) -> list[tuple[int, int]]:
        """Each legal card of the seat to move, and the worlds in which open cards win after it."""
        worlds = list(bits(active))
        states = [self.states[i] for i in worlds]
        cards = states[0].legal()
        if self.goal.kind is GoalKind.EXACTLY:
            return [(card, self._after_exactly(card, worlds)) for card in cards]
        threshold = self.goal.n if self.goal.sense > 0 else self.goal.n + 1
        positions = Positions.from_states(states, seat=self.seat)
        found = default_solver().batch(positions, "cards", threshold=threshold, limit=Limit(self.budget.left().seconds))
        self.budget.spend(int(found.nodes.sum()))
        if self.answered and not found.known.all():
            raise OutOfNodes
        self.answered = True
        won = found.card_lower >= threshold if self.goal.sense > 0 else found.card_upper < threshold
        return [(card, sum(1 << i for i, yes in zip(worlds, won[:, card], strict=True) if yes)) for card in cards]

    def _after_exactly(self, card: int, worlds: list[int]) -> int:
        vector = 0
        for i in worlds:
            state = self.states[i]
            state.play(card)
            if state.over:
                vector |= self._met(1 << i)
            else:
                answer = default_solver().wins(state, self.seat)
                self.budget.spend(answer.nodes)
                vector |= bool(answer) << i
            state.undo()
        return vector

    def _met(self, active: int) -> int:
        return sum(1 << i for i in bits(active) if self.goal.met(self.states[i].side_taken(self.sides[i])))


def _undominated(vectors: Iterable[int]) -> Front:
    """The vectors that no other one covers."""
    kept: list[int] = []
    for vector in sorted(set(vectors), key=lambda v: -v.bit_count()):
        if all(vector & ~other for other in kept):
            kept.append(vector)
    return frozenset(kept)


def _most(front: Front) -> int:
    return max((vector.bit_count() for vector in front), default=0)
