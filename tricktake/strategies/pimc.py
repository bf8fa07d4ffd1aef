"""Perfect information Monte Carlo: deal the hidden cards many times, solve each world open-card, decide over them.

KERMIT-13. For every game: in games without teams the other seats are taken as one coalition against this one.
"""

from __future__ import annotations

import time
from typing import ClassVar, Literal, get_args

import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from tricktake import worlds
from tricktake.action import play
from tricktake.cards import bits
from tricktake.errors import InputError
from tricktake.knowledge import Knowledge
from tricktake.rules import Goal, GoalKind, TrickRules
from tricktake.search.limit import Limit
from tricktake.search.opencard import default_solver
from tricktake.search.positions import Positions
from tricktake.strategies.part import Decision
from tricktake.view import View

Decide = Literal["vote", "mean", "win"]
WORLDS = 20  # Kermit gains little beyond 160 (SPEC 2.1); see docs/strategies.md for what more worlds bring here
SLICE = 4  # worlds solved between two looks at the clock

IntArray = NDArray[np.int64]


def _check_decide(instance: object, attribute: object, value: str) -> None:
    if value not in get_args(Decide):
        raise InputError(None, None, "decide", f"must be one of {', '.join(get_args(Decide))}, not {value!r}")


def _check_worlds(instance: object, attribute: object, value: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise InputError(None, None, "worlds", f"must be a whole number above 0, not {value!r}")


@frozen
class Pimc:
    """Sample worlds from what is known, value every legal card in each with the open-card solver, and choose.

    worlds: how many; all of them, once each, if there are no more. A limit on worlds can only lower it.
    decide: "vote", the card that is best in most worlds (KERMIT-13); "mean", the best average cost for the own side;
    "win", the card that reaches the goal of the own side in most worlds ("mean" if the goal has no threshold).
    Ties go to the higher mean, then to the card of lower cost, then to the lower card.

    A limit on nodes is shared out evenly among the worlds. Worlds without an answer within it are left out; if there
    are none left, the bounds that were proven decide.
    """

    roles: ClassVar[tuple[str, ...]] = ("play",)

    worlds: int = field(default=WORLDS, validator=_check_worlds)
    decide_by: Decide = field(default="win", validator=_check_decide, alias="decide")

    def decide(self, view: View, limit: Limit, rng: np.random.Generator) -> Decision:
        """Raises ValueError for a view in which no card is to be played, NoWorld if no world fits."""
        rules = view.rules
        legal = view.legal_cards_mask()
        if rules is None or not legal:
            raise ValueError(f"PIMC plays cards only, not in phase {view.phase}")
        name = rules.deck[(legal & -legal).bit_length() - 1].name
        if not legal & (legal - 1):
            return _decision(legal, f"{name} is the only card")
        if _equivalent(view, rules, legal):
            return _decision(legal, f"{name} and the other legal cards are equivalent")
        table = _Values.of(view, rules, self._worlds(view, limit, rng), limit)
        return table.decision(self.decide_by)

    def _worlds(self, view: View, limit: Limit, rng: np.random.Generator) -> IntArray:
        knowledge = Knowledge.from_view(view)
        number = min(self.worlds, limit.worlds or self.worlds)
        if worlds.count(knowledge) <= number:
            return worlds.enumerate(knowledge)
        return worlds.sample(knowledge, number, rng)


@frozen(eq=False)
class _Values:
    """What every card is worth in every world.

    cards: legal cards. values: (worlds, cards), the final cost of the own side, counted so that more is better. won:
    the same shape, whether the goal is reached, None if it has no threshold. asked: number of worlds before the limit.
    """

    rules: TrickRules
    goal: Goal
    cards: list[int]
    values: NDArray[np.float64]
    won: NDArray[np.bool_] | None
    asked: int

    @classmethod
    def of(cls, view: View, rules: TrickRules, sampled: IntArray, limit: Limit) -> _Values:
        goal = rules.goal(view.turn)
        cards = list(bits(view.legal_cards_mask()))
        side = rules.side_mask(view.turn)
        stop = None if limit.seconds is None else time.monotonic() + limit.seconds
        step = Limit(nodes=max(1, limit.nodes // len(sampled))) if limit.nodes is not None else None
        lower, upper = [], []
        for start in range(0, len(sampled), SLICE):
            if stop is not None and start and time.monotonic() >= stop:
                break
            part = Positions.from_worlds(view, sampled[start : start + SLICE], side)
            found = default_solver().batch(part, "cards", limit=step)
            lower.append(found.card_lower[:, cards])
            upper.append(found.card_upper[:, cards])
        low, high = np.concatenate(lower), np.concatenate(upper)
        known = (low == high).all(axis=1)
        if known.any():
            low, high = low[known], high[known]
        if goal.kind is GoalKind.EXACTLY:
            won = _exactly(view, sampled[: len(known)][known] if known.any() else sampled[:1], cards, step)
        elif goal.met(0) is None:
            won = None
        else:
            ends = low if goal.sense > 0 else high  # what is sure for the own side
            won = np.vectorize(goal.met, otypes=[bool])(ends)
        values = goal.sense * (low + high) / 2
        return cls(rules, goal, cards, values, won, len(sampled))

    def decision(self, by: Decide) -> Decision:
        count = len(self.values)
        mean = self.values.mean(axis=0)
        wins = None if self.won is None else self.won.sum(axis=0)
        votes = (self.values == self.values.max(axis=1, keepdims=True)).sum(axis=0)
        first = {"vote": votes, "mean": mean, "win": mean if wins is None else wins}[by]
        # Equal means of different sums differ in the last bits.
        order = [(float(first[i]), round(float(mean[i]), 6), -self._cost(i), -i) for i in range(len(self.cards))]
        best = order.index(max(order))
        name = self.rules.deck[self.cards[best]].name
        parts = []
        if by == "vote":
            parts.append(f"best in {votes[best]} of {count} worlds")
        if wins is not None:
            parts.append(f"wins in {wins[best]}" + ("" if parts else f" of {count} worlds"))
        elif not parts:
            parts.append(f"over {count} worlds")
        parts.append(f"mean {self.goal.sense * mean[best]:.1f}")
        if count < self.asked:
            parts.append(f"{self.asked - count} worlds beyond the limit")
        return Decision(play(self.cards[best]), f"{name} {', '.join(parts)}")

    def _cost(self, i: int) -> int:
        return self.rules.card_cost[self.cards[i]]


def _decision(legal: int, reason: str) -> Decision:
    return Decision(play((legal & -legal).bit_length() - 1), reason)


def _exactly(view: View, sampled: IntArray, cards: list[int], limit: Limit | None) -> NDArray[np.bool_]:
    """Whether the goal to take exactly n is reached after each card in each world."""
    won = np.zeros((len(sampled), len(cards)), bool)
    full = (1 << 64) - 1
    for row, world in zip(won, sampled, strict=True):
        state = view.state(tuple(int(mask) & full for mask in world))
        side = state.rules.side_mask(view.turn)
        for i, card in enumerate(cards):
            state.play(card)
            if state.over:
                row[i] = bool(state.rules.goal(view.turn).met(state.side_taken(side)))
            else:
                row[i] = bool(default_solver().wins(state, view.turn, limit).yes)
            state.undo()
    return won


def _equivalent(view: View, rules: TrickRules, legal: int) -> bool:
    """Whether all legal cards are worth the same: one suit and cost, and no card in play between any two.

    Cards on the table count as in play (KERMIT-14).
    """
    cards = sorted(bits(legal), key=lambda c: rules.power[c])
    first, last = cards[0], cards[-1]
    marks = (rules.lead_limit, rules.lead_excuse, rules.breakers, rules.first_lead, rules.first_ban)
    for card in cards:
        if rules.suit_of[card] != rules.suit_of[first] or rules.card_cost[card] != rules.card_cost[first]:
            return False
        if any((mark >> card & 1) != (mark >> first & 1) for mark in marks):
            return False
    finished = view.gone
    for card in view.table:
        finished &= ~(1 << card)
    others = rules.class_mask(first) & ~finished & ~view.known[view.turn]
    return not any(rules.power[first] <= rules.power[c] <= rules.power[last] for c in bits(others))
