"""The ensemble: strategies asked in their order, the first card recommended is played (SKAT-34, KBPS-2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
from attrs import evolve, frozen

from tricktake.errors import InputError
from tricktake.policy.policy import Policy
from tricktake.search.limit import Budget, Limit
from tricktake.strategies.options import playing_strategy
from tricktake.strategies.policy import find_policy, shares
from tricktake.strategies.recommend import Member, Recommendation, Situation, any_card
from tricktake.strategies.strategy import Decision, Strategy
from tricktake.view import View

DEFAULTS = {
    "killer": "core:killer",
    "paranoia": "core:paranoia",
    "endgame": "core:endgame",
    "hope": "core:hope",
    "search": "core:pimc",
    "expert": "core:playout",
}
"""The members in their order of priority, and what they are unless told otherwise."""

BELIEVERS = ("endgame", "hope", "search")
SEARCH_FROM = 3  # the first two tricks take most of a search's time (docs/strategies.md)
NONE = "none"  # leaves a member out


@frozen
class Slot:
    """The place of a strategy in an ensemble. strategy: a ``Member``, which may decline, or any that plays cards.
    first, last: the tricks in which it is asked, counted from 1; last None: to the end.
    """

    name: str
    strategy: Strategy
    spec: str
    first: int = 1
    last: int | None = None

    def asked_in(self, trick: int) -> bool:
        return trick >= self.first and (self.last is None or trick <= self.last)

    def recommend(self, situation: Situation, limit: Limit, rng: np.random.Generator) -> Recommendation | None:
        """What the strategy says. Raises ValueError if it is not legal, and whatever the strategy raises."""
        if isinstance(self.strategy, Member):
            found = self.strategy.recommend(situation, limit, rng)
        else:
            decision = self.strategy.decide(situation.view, limit, rng)
            by = self.spec.partition("(")[0]
            found = Recommendation(decision.action, by, decision.reason, failed=decision.failed)
        if found is not None and found.action not in situation.view.legal:
            raise ValueError(f"{found.action.to_text(situation.rules.deck)} is not legal")
        return found


@frozen
class Ensemble:
    """Asks its members in order until one recommends a card; made by ``ensemble``.

    A limit is for the whole decision: what members spent is taken off for the next. A member that raises is skipped,
    and the reason says so. If nobody recommends anything a legal card is played at random. policy: whose opinion of
    the card is added to the reasons of members that have no policy of their own.
    """

    roles: ClassVar[tuple[str, ...]] = ("play",)

    members: tuple[Slot, ...]
    policy: Policy | None = None

    @property
    def parts(self) -> tuple[Strategy, ...]:
        return tuple(member.strategy for member in self.members)

    def decide(self, view: View, limit: Limit, rng: np.random.Generator) -> Decision:
        """Raises ValueError for a view in which no card is to be played."""
        return self.recommend(Situation(view), limit, rng).decision()

    def recommend(self, situation: Situation, limit: Limit, rng: np.random.Generator) -> Recommendation:
        if forced := situation.forced("ensemble"):
            return forced
        budget = Budget.of(limit)
        failed: list[str] = []
        for member in self.members:
            if not member.asked_in(situation.trick):
                continue
            try:
                budget.spent = situation.nodes  # what is solved for one is known to all
                found = member.recommend(situation, budget.left(), rng)
            except Exception as error:  # a member may be anybody's
                failed.append(f"{member.name} failed: {_short(error)}")
                continue
            if found is not None:
                return _after(self._with_opinion(situation, member, found), failed)
        return _after(any_card(situation, rng, "nobody recommends a card"), failed)

    def _with_opinion(self, situation: Situation, member: Slot, found: Recommendation) -> Recommendation:
        """The recommendation with what the policy thinks of its card, unless the member has said it."""
        own = getattr(member.strategy, "policy", None)
        if self.policy is None or own is not None or not self.policy.knows(situation.view):
            return found
        said = shares(situation.rules.deck, self.policy.chances(situation.view), found.action.cards[0])
        return evolve(found, reason=f"{found.reason}, {said}")


def ensemble(
    order: str | None = None, belief: str | None = None, policy: str | None = None, **members: object
) -> Ensemble:
    """An ensemble of strategies by name: ``core:ensemble(search=core:pimc(worlds=40), expert=skat:expert)``.

    order: names of members from the first to the last, joined by ``+``; the usual ones if not given.
    belief: given to those of endgame, hope and search that are not named themselves.
    policy: a registered name or a file; its opinion of the card is said beside the reasons.
    NAME=plugin:strategy: who it is; names of one's own need their place in ``order``, ``none`` leaves a member out.
    NAME_from, NAME_until: the tricks in which it is asked, counted from 1. The search is asked from the third trick on.

    Raises InputError naming the option, UnknownName.
    """
    names = list(DEFAULTS) if order is None else [name.strip() for name in str(order).split("+")]
    if len(set(names)) < len(names):
        raise InputError(None, None, "order", f"a member is named twice in {order!r}")
    tricks = {f"{name}_{edge}" for name in names for edge in ("from", "until")}
    for key in members:
        if key not in names and key not in tricks:
            known = ", ".join(names)
            raise InputError(None, None, key, f"no member of this name (members: {known}); name it in order=")
    found = []
    for name in names:
        value = members.get(name, DEFAULTS.get(name))
        if name not in members and name in BELIEVERS and belief is not None:
            value = f"{DEFAULTS[name]}(belief={belief})"
        if value is None:
            raise InputError(None, None, "order", f"{name!r} is in the order, but no strategy is given for it")
        if value == NONE:
            continue
        default = SEARCH_FROM if name == "search" else 1
        first = _trick(members, f"{name}_from") or default
        found.append(Slot(name, playing_strategy(value, name), str(value), first, _trick(members, f"{name}_until")))
    return Ensemble(tuple(found), None if policy is None else find_policy(policy))


def _trick(members: Mapping[str, object], key: str) -> int | None:
    value = members.get(key)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise InputError(None, None, key, f"must be the number of a trick, not {value!r}")
    return value


def _after(found: Recommendation, failed: list[str]) -> Recommendation:
    """The recommendation with those who failed before; an ensemble among the members has its own."""
    return evolve(found, failed=(*failed, *found.failed)) if failed else found


def _short(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__
