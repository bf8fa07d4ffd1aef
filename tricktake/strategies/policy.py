"""A policy as a strategy: what a small network has learned by playing, in microseconds a card (docs/policies.md)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from attrs import Attribute, field, frozen

from tricktake.action import play
from tricktake.cards import Deck
from tricktake.errors import InputError
from tricktake.plugins import manager
from tricktake.policy.policy import Policy
from tricktake.policy.policyfile import SUFFIX, load
from tricktake.search.limit import Limit
from tricktake.settings import names_file
from tricktake.strategies.options import then_strategy
from tricktake.strategies.strategy import Decision, Strategy
from tricktake.view import View

MOST_DRAW = 1 << 62


def find_policy(name: str) -> Policy:
    """The policy of a registered name or of a file. Raises InputError, UnknownName."""
    if names_file(name, SUFFIX):
        path = Path(name)
        return _loaded(str(path), path.stat().st_mtime_ns if path.is_file() else 0)
    found = manager().policies.get(name)
    return found if isinstance(found, Policy) else find_policy(str(found))


@lru_cache(maxsize=16)
def _loaded(path: str, changed: int) -> Policy:
    return load(path)


def check_heat(instance: object, attribute: Attribute[float], value: float) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < math.inf:
        raise InputError(None, None, "heat", f"must be a number from 0 on, not {value!r}")


def shares(deck: Deck, chances: Mapping[int, float], card: int) -> str:
    """How often a policy would play this card and the best other one, as words. chances: of the legal cards."""
    said = f"{chances[card]:.0%} of the policy's plays"
    others = [c for c in sorted(chances, key=lambda c: -chances[c]) if c != card]
    return ", ".join([said, *(f"{deck[c].name} {chances[c]:.0%}" for c in others[:1])])


@frozen
class PolicyStrategy:
    """The card a policy likes best. It needs neither limits nor search.

    policy: a registered name (``tricktake plugins`` lists them) or a file. heat: 0 for the best card, else the
    temperature at which one is drawn. then: the strategy that plays contracts the policy has not learned; without it
    they are refused.
    """

    roles: ClassVar[tuple[str, ...]] = ("play",)
    name: ClassVar[str] = "policy"

    policy: Policy = field(converter=find_policy)
    heat: float = field(default=0.0, validator=check_heat)
    then: Strategy | None = field(default=None, converter=then_strategy)

    @property
    def parts(self) -> tuple[Strategy | None, ...]:
        return (self.then,)

    def decide(self, view: View, limit: Limit, rng: np.random.Generator) -> Decision:
        """Raises ValueError for a view in which no card is to be played, InputError for a contract it cannot play."""
        cards = view.legal_cards_mask()
        if view.rules is None or not cards:
            raise ValueError(f"a policy plays cards, not in phase {view.phase}")
        deck = view.rules.deck
        if not cards & (cards - 1):
            card = cards.bit_length() - 1
            return Decision(play(card), f"{deck[card].name} is the only card")
        if self.then is not None and not self.policy.knows(view):
            return self.then.decide(view, limit, rng)
        found = self.policy.opinion(view, self.heat, int(rng.integers(1, MOST_DRAW)) if self.heat else 1)
        said = shares(deck, found.chances(), found.card)
        return Decision(play(found.card), f"{deck[found.card].name} {said}")


def policy_strategy(**options: Any) -> PolicyStrategy:
    """The strategy ``core:policy``. Raises InputError without the name of a policy."""
    if "policy" not in options:
        raise InputError(None, None, "policy", "name a policy: core:policy(policy=NAME or FILE)")
    return PolicyStrategy(**options)
