"""A belief from what was played: how likely policies would have played so in each world (docs/policies.md).

What KERMIT-16 does with tables of features: worlds weigh as much as the cards of the others are likely in them.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from attrs import Attribute, field, frozen
from numpy.typing import NDArray

from tricktake.belief import Belief, find_belief
from tricktake.errors import InputError
from tricktake.policy.policy import Policy
from tricktake.policy.rollouts import in_worlds, likelihoods
from tricktake.strategies.options import check_share
from tricktake.strategies.policy import find_policy
from tricktake.view import View

HEAT = 1.0
SLIP = 0.05


def _found(names: str) -> tuple[Policy, ...]:
    return tuple(find_policy(name.strip()) for name in names.split("+"))


def _times(text: object) -> Belief | None:
    return find_belief(text, "times")


def _above_nothing(instance: object, attribute: Attribute[float], value: float) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value < math.inf:
        raise InputError(None, None, attribute.name, f"must be a number above 0, not {value!r}")


@frozen
class PlayedAs:
    """Weighs worlds by how likely the others would have played as they did.

    policy: names or files joined by ``+``; each other seat plays as one of them, all being equally likely before.
    heat: their temperature. slip: the share of cards that are drawn from all legal ones, so that nothing is impossible.
    power: the likelihood is raised to it, since no player is the model; below 1 trusts it less. times: another belief,
    whose weights are multiplied in. Where no policy has learned the contract that belief alone counts, or none.
    """

    policies: tuple[Policy, ...] = field(converter=_found, alias="policy")
    heat: float = field(default=HEAT, validator=_above_nothing)
    slip: float = field(default=SLIP, validator=check_share)
    power: float = field(default=1.0, validator=_above_nothing)
    times: Belief | None = field(default=None, converter=_times)

    def weigh(self, view: View, worlds: NDArray[np.int64]) -> NDArray[np.float64]:
        found = np.ones(len(worlds)) if self.times is None else self.times.weigh(view, worlds)
        known = [policy for policy in self.policies if policy.knows(view)]
        if not known or not (view.tricks or view.table):
            return found
        games = in_worlds(view, worlds)
        judged = [seat for seat in range(view.layout.seats) if not view.decides >> seat & 1]
        likely = np.zeros((len(worlds), view.layout.seats))
        for policy in known:
            family = policy.family_at(view)
            assert family is not None
            likely += likelihoods(family, games, self.heat, self.slip, judged)
        logs = np.log(np.maximum(likely, np.finfo(np.float64).tiny)).sum(axis=1) * self.power
        weights: NDArray[np.float64] = found * np.exp(logs - logs.max(initial=-math.inf))
        return weights


def played_as(**options: Any) -> PlayedAs:
    """The belief ``core:played``. Raises InputError without the name of a policy."""
    if "policy" not in options:
        raise InputError(None, None, "policy", "name a policy: core:played(policy=NAME or FILE)")
    return PlayedAs(**options)
