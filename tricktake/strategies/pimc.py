"""Perfect information Monte Carlo: deal the hidden cards many times, solve each world open-card, decide over them.

KERMIT-13. For every game: in games without teams the other seats are taken as one coalition against this one.
"""

from __future__ import annotations

import time
from typing import ClassVar, Literal, get_args

import numpy as np
from attrs import Attribute, field, frozen
from numpy.typing import NDArray

from tricktake import worlds
from tricktake.action import play
from tricktake.cards import bits
from tricktake.errors import InputError
from tricktake.knowledge import Knowledge
from tricktake.rules import GoalKind, TrickRules
from tricktake.search.limit import Limit
from tricktake.search.opencard import default_solver
from tricktake.search.positions import Positions
from tricktake.strategies.part import Decision, Part
from tricktake.strategies.player import PartSpec, roles_of
from tricktake.view import View

Decide = Literal["vote", "mean", "win"]
WORLDS = 20  # Kermit gains little beyond 160 (SPEC 2.1)
OPENING = 2  # tricks left to the opening part: they cost about ten times the rest (docs/strategies.md)
EXACT = 6  # cards in hand up to which "win" asks for exact values, and breaks ties by them
STEP = 12  # that question asks for this part of all cost more, or less
SLICE = 4  # worlds solved between two looks at the clock

IntArray = NDArray[np.int64]


def _check_decide(instance: object, attribute: object, value: str) -> None:
    if value not in get_args(Decide):
        raise InputError(None, None, "decide", f"must be one of {', '.join(get_args(Decide))}, not {value!r}")


def _check_number(instance: object, attribute: Attribute[int], value: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise InputError(None, None, attribute.name, f"must be a whole number above 0, not {value!r}")


def _part(text: object) -> Part | None:
    """The part that plays the opening. Raises InputError if it plays no cards, UnknownName."""
    if text is None:
        return None
    if not isinstance(text, str):
        raise InputError(None, None, "opening", f"must be the name of a part, not {text!r}")
    part = PartSpec.from_text(text, "opening").make()
    if "play" not in roles_of(part):
        raise InputError(None, None, "opening", f"{text} plays no cards")
    return part


@frozen
class Pimc:
    """Sample worlds from what is known, value every legal card in each with the open-card solver, and choose.

    worlds: how many; all of them, once each, if there are no more. A limit on worlds can only lower it.
    decide: "vote", the card that is best in most worlds (KERMIT-13); "mean", the best average cost for the own side;
    "win", the card that reaches the goal of the own side in most worlds ("mean" if the goal has no threshold).
    Ties of "vote" go to the higher mean, those of "win" to the higher mean if few cards are left and else to the card
    that most often reaches somewhat more (or less, if the goal is mostly out of reach); the last ones to the card of
    lower cost, then to the lower card.
    opening: a part that plays the first ``tricks`` tricks, which are the dear ones.

    A limit on nodes is shared out evenly among the worlds. Worlds without an answer within it are left out; if there
    are none left, the bounds that were proven decide.
    """

    roles: ClassVar[tuple[str, ...]] = ("play",)

    worlds: int = field(default=WORLDS, validator=_check_number)
    decide_by: Decide = field(default="win", validator=_check_decide, alias="decide")
    opening: Part | None = field(default=None, converter=_part)
    tricks: int = field(default=OPENING, validator=_check_number)

    def decide(self, view: View, limit: Limit, rng: np.random.Generator) -> Decision:
        """Raises ValueError for a view in which no card is to be played, NoWorld if no world fits."""
        rules = view.rules
        legal = view.legal_cards_mask()
        if rules is None or not legal:
            raise ValueError(f"PIMC plays cards only, not in phase {view.phase}")
        name = rules.deck[(legal & -legal).bit_length() - 1].name
        if not legal & (legal - 1):
            return _decision(legal, f"{name} is the only card")
        if self.opening is not None and len(view.tricks) < self.tricks:
            return self.opening.decide(view, limit, rng)
        if _equivalent(view, rules, legal):
            return _decision(legal, f"{name} and the other legal cards are equivalent")
        question = _Question(view, rules, self._worlds(view, limit, rng), limit)
        if self.decide_by == "win" and question.goal.met(0) is not None:
            return question.most_wins()
        return question.by_value(self.decide_by)

    def _worlds(self, view: View, limit: Limit, rng: np.random.Generator) -> IntArray:
        knowledge = Knowledge.from_view(view)
        number = min(self.worlds, limit.worlds or self.worlds)
        if worlds.count(knowledge) <= number:
            return worlds.enumerate(knowledge)
        return worlds.sample(knowledge, number, rng)


class _Question:
    """What every card is worth in every world, asked as closely as the decision needs."""

    def __init__(self, view: View, rules: TrickRules, sampled: IntArray, limit: Limit) -> None:
        self.view = view
        self.rules = rules
        self.sampled = sampled
        self.goal = rules.goal(view.turn)
        self.cards = list(bits(view.legal_cards_mask()))
        self.side = rules.side_mask(view.turn)
        self.stop = None if limit.seconds is None else time.monotonic() + limit.seconds
        nodes = limit.nodes
        self.step = Limit(nodes=max(1, nodes // len(sampled))) if nodes is not None else None

    def by_value(self, by: Decide) -> Decision:
        """Decide by "mean" or "vote" over exact values."""
        low, high = self._bounds(None)
        values = self.goal.sense * (low + high) / 2
        mean = values.mean(axis=0)
        votes = (values == values.max(axis=1, keepdims=True)).sum(axis=0)
        best = self._choice(votes if by == "vote" else mean, mean)
        said = [f"best in {votes[best]} of {len(values)} worlds"] if by == "vote" else []
        if self.goal.met(0) is not None and self.goal.kind is not GoalKind.EXACTLY:
            wins = self._met(low, high).sum(axis=0)
            said.append(f"wins in {wins[best]}" + ("" if said else f" of {len(values)} worlds"))
        elif not said:
            said.append(f"over {len(values)} worlds")
        said.append(f"mean {self.goal.sense * mean[best]:.1f}")
        return self._decision(best, said, len(values))

    def most_wins(self) -> Decision:
        """The card that reaches the goal in most worlds."""
        if self.goal.kind is GoalKind.EXACTLY:
            won = _exactly(self.view, self.sampled, self.cards, self.step)
            wins = won.sum(axis=0)
            best = self._choice(wins, np.zeros(len(self.cards)))
            return self._decision(best, [f"wins in {wins[best]} of {len(won)} worlds"], len(won))
        exact = self.view.hand_mask.bit_count() <= EXACT
        low, high = self._bounds(None if exact else self._threshold(self.goal.n))
        won = self._met(low, high)
        wins = won.sum(axis=0)
        said = f"of {len(won)} worlds"
        if exact:
            mean = ((low + high) / 2).mean(axis=0)
            best = self._choice(wins, self.goal.sense * mean)
            return self._decision(best, [f"wins in {wins[best]} {said}", f"mean {mean[best]:.1f}"], len(won))
        if (wins == wins.max()).sum() == 1:
            best = int(wins.argmax())
            return self._decision(best, [f"wins in {wins[best]} {said}"], len(won))
        sign = self.goal.sense if 2 * wins.max() >= len(won) else -self.goal.sense
        n = self.goal.n + sign * self._stride()
        low, high = self._bounds(self._threshold(n))
        reached = (low >= n if self.goal.sense > 0 else high <= n).sum(axis=0)
        best = self._choice(wins, reached)
        more = f"reaches {n} in {reached[best]}" if self.goal.sense > 0 else f"keeps to {n} in {reached[best]}"
        return self._decision(best, [f"wins in {wins[best]} {said}", more], len(won))

    def _threshold(self, n: int) -> int:
        """What to ask for: a side that avoids cost fails with one more."""
        return n if self.goal.sense > 0 else n + 1

    def _stride(self) -> int:
        """How much more, or less, the question after a tie asks for."""
        rules = self.rules
        size = max(self.view.sizes[: rules.seats]) + len(self.view.tricks)
        return max(1, (sum(map(abs, rules.card_cost)) + abs(rules.trick_cost) * size) // STEP)

    def _bounds(self, threshold: int | None) -> tuple[IntArray, IntArray]:
        """Bounds on the cost of the own side, (worlds, cards): exact, or just on one side of the threshold."""
        lower, upper, known = [], [], []
        for start in range(0, len(self.sampled), SLICE):
            if self.stop is not None and start and time.monotonic() >= self.stop:
                break
            part = Positions.from_worlds(self.view, self.sampled[start : start + SLICE], self.side)
            found = default_solver().batch(part, "cards", threshold=threshold, limit=self.step)
            low, high = found.card_lower[:, self.cards], found.card_upper[:, self.cards]
            answered = low == high if threshold is None else (low >= threshold) | (high < threshold)
            lower.append(low)
            upper.append(high)
            known.append(answered.all(axis=1))
        low, high, full = np.concatenate(lower), np.concatenate(upper), np.concatenate(known)
        return (low[full], high[full]) if full.any() else (low, high)

    def _met(self, low: IntArray, high: IntArray) -> NDArray[np.bool_]:
        """Whether the goal is surely reached."""
        return low >= self.goal.n if self.goal.sense > 0 else high <= self.goal.n

    def _choice(self, first: NDArray, second: NDArray) -> int:
        # Equal means of different sums differ in the last bits.
        order = [
            (round(float(first[i]), 6), round(float(second[i]), 6), -self.rules.card_cost[card], -i)
            for i, card in enumerate(self.cards)
        ]
        return order.index(max(order))

    def _decision(self, best: int, said: list[str], answered: int) -> Decision:
        if answered < len(self.sampled):
            said = [*said, f"{len(self.sampled) - answered} worlds beyond the limit"]
        name = self.rules.deck[self.cards[best]].name
        return Decision(play(self.cards[best]), f"{name} {', '.join(said)}")


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
