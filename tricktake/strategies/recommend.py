"""Members: strategies an ensemble asks one after the other, and the decision they share (SKAT-34, KBPS-2)."""

from __future__ import annotations

from functools import cached_property
from typing import ClassVar, Protocol, runtime_checkable

import numpy as np
from attrs import frozen

from tricktake import worlds
from tricktake.action import Action, play
from tricktake.arrays import FloatArray, IntArray
from tricktake.belief import FACTOR, Belief, draw, weights
from tricktake.cards import bits
from tricktake.knowledge import Knowledge
from tricktake.rules import TrickRules
from tricktake.search.limit import Limit
from tricktake.search.valuation import Valuation
from tricktake.strategies.strategy import Decision, Strategy
from tricktake.view import View


@frozen
class Recommendation:
    """What to do, who says so, why in one readable line, and how sure that is (1: proven or forced).

    failed: who should have said something before, and what they raised instead.
    """

    action: Action
    by: str
    reason: str
    confidence: float = 1.0
    failed: tuple[str, ...] = ()

    def decision(self) -> Decision:
        return Decision(self.action, "; ".join((f"{self.by}: {self.reason}", *self.failed)), self.failed)


class Situation:
    """One decision in the play of the cards: the view, and what follows from it, worked out once for all who ask.

    cards: the legal cards (deck indices, ascending). goal, side: of the seat to act. trick: number of the running
    trick, from 1.

    Raises ValueError for a view in which no card is to be played.
    """

    def __init__(self, view: View) -> None:
        legal = view.legal_cards_mask()
        if view.rules is None or not legal:
            raise ValueError(f"it plays cards only, not in phase {view.phase}")
        self.view = view
        self.rules: TrickRules = view.rules
        self.cards = tuple(bits(legal))
        self.goal = self.rules.goal(view.turn)
        self.side = self.rules.side_mask(view.turn)
        self.trick = len(view.tricks) + 1
        self._valuations: list[Valuation] = []
        self._spent = 0
        self._whole: Valuation | None = None
        self._probe: Valuation | None = None
        self._weights: dict[int, FloatArray] = {}  # by the identity of the belief

    def name(self, card: int) -> str:
        return self.rules.deck[card].name

    @cached_property
    def knowledge(self) -> Knowledge:
        """Sure knowledge only."""
        return Knowledge.from_view(self.view)

    @cached_property
    def world_count(self) -> int:
        """How many worlds fit what is surely known."""
        return worlds.count(self.knowledge)

    @property
    def nodes(self) -> int:
        """Nodes spent so far: on valuations, and what searches of their own said they ``spend``."""
        return self._spent + sum(valuation.nodes for valuation in self._valuations)

    def spend(self, nodes: int) -> None:
        """Count the nodes of a search of one's own."""
        self._spent += nodes

    @cached_property
    def equivalent(self) -> bool:
        """Whether all legal cards are worth the same: one suit and cost, and no card in play between any two.

        Cards on the table count as in play (KERMIT-14).
        """
        rules, view = self.rules, self.view
        cards = sorted(self.cards, key=lambda c: rules.power[c])
        first, last = cards[0], cards[-1]
        marks = (
            rules.lead_limit,
            rules.lead_excuse,
            rules.breakers,
            rules.first_lead,
            rules.first_ban,
            rules.last_resort,
            rules.always_legal,
            rules.need_not_follow,
            rules.always_wins,
            rules.never_wins,
            rules.stays,
            0 if rules.duty is None else rules.duty.cards,
        )
        for card in cards:
            if rules.suit_of[card] != rules.suit_of[first] or rules.card_cost[card] != rules.card_cost[first]:
                return False
            if any((mark >> card & 1) != (mark >> first & 1) for mark in marks):
                return False
        finished = view.gone
        for card in view.table:
            finished &= ~(1 << card)
        others = rules.same_suit_mask(first) & ~finished & ~view.known[view.turn]
        return not any(rules.power[first] <= rules.power[c] <= rules.power[last] for c in bits(others))

    def forced(self, by: str) -> Recommendation | None:
        """The lowest card if it is the only one or as good as every other."""
        if len(self.cards) == 1:
            return recommend_card(self, self.cards[0], by, "is the only card")
        if self.equivalent:
            return recommend_card(self, self.cards[0], by, "and the other legal cards are equivalent")
        return None

    def whole(self, cap: int, belief: Belief | None = None) -> Valuation | None:
        """All worlds that fit, weighed by a belief if one is given; None if there are more than ``cap``."""
        if self.world_count > cap:
            return None
        if self._whole is None:
            self._whole = Valuation(self.view, worlds.enumerate(self.knowledge, cap), complete=True)
            self._valuations.append(self._whole)
        if belief is None:
            return self._whole
        if id(belief) not in self._weights:
            self._weights[id(belief)] = weights(belief, self.view, self._whole.worlds)
        return self._whole.weighed(self._weights[id(belief)])

    def probe(self, n: int, belief: Belief | None = None) -> Valuation:
        """At most ``n`` of all worlds, evenly spaced. Only after ``whole`` gave them."""
        assert self._whole is not None
        if self._probe is None:
            self._probe = self._whole.few(n)
            self._valuations.append(self._probe)
        if belief is None:
            return self._probe
        return self._probe.weighed(weights(belief, self.view, self._probe.worlds))

    def drawn(
        self, n: int, rng: np.random.Generator, belief: Belief | None = None, factor: int = FACTOR
    ) -> tuple[IntArray, FloatArray]:
        """``n`` worlds by a belief, and how often each was drawn (``tricktake.belief.draw``)."""
        return draw(self.knowledge, self.view, n, rng, belief, factor)

    def some(self, n: int, rng: np.random.Generator, belief: Belief | None = None, factor: int = FACTOR) -> Valuation:
        """All worlds if there are no more than ``n`` or somebody had them all solved, else ``n`` drawn ones."""
        if self.world_count <= n or (self._whole is not None and self._whole.asked):
            found = self.whole(self.world_count, belief)
            assert found is not None
            return found
        drawn, counts = self.drawn(n, rng, belief, factor)
        valuation = Valuation(self.view, drawn, counts)
        self._valuations.append(valuation)
        return valuation


@runtime_checkable
class Member(Strategy, Protocol):
    """A strategy that may decline: it recommends a card, or None where it has nothing to say.

    Inherit from it and write ``recommend``; named as a player's strategy it decides by that. It keeps no state between
    calls.
    """

    roles: ClassVar[tuple[str, ...]] = ("play",)

    def recommend(self, situation: Situation, limit: Limit, rng: np.random.Generator) -> Recommendation | None: ...

    def decide(self, view: View, limit: Limit, rng: np.random.Generator) -> Decision:
        """What is recommended, or any legal card, and then saying so."""
        found = self.recommend(Situation(view), limit, rng)
        if found is None:
            found = any_card(Situation(view), rng, "no recommendation")
        return Decision(found.action, found.reason)


def any_card(situation: Situation, rng: np.random.Generator, why: str) -> Recommendation:
    """A legal card at random, and why it has come to that."""
    card = situation.cards[rng.integers(len(situation.cards))]
    return recommend_card(situation, card, "random", f"at random: {why}", 0.0)


def recommend_card(situation: Situation, card: int, by: str, reason: str, confidence: float = 1.0) -> Recommendation:
    """A recommendation whose reason begins with the name of the card."""
    return Recommendation(play(card), by, f"{situation.name(card)} {reason}", confidence)
