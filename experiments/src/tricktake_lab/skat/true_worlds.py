"""What better placed worlds would bring: a share of the worlds a player decides over is the true deal.

The player looks at the deal for that, so this is no part of the product. Share 0 is the player as it is, share 1 one
that knows all cards and still plays as its method does. It plays one role against a policy without search.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import islice

import numpy as np
from tricktake_skat.contract import contract_of

from tricktake.arrays import FloatArray, IntArray
from tricktake.belief import FACTOR, Belief
from tricktake.search.limit import Limit
from tricktake.search.valuation import Valuation
from tricktake.strategies.pimc import Pimc
from tricktake.strategies.policy import PolicyStrategy
from tricktake.strategies.recommend import Situation
from tricktake.strategies.rollouts import Rollouts
from tricktake.table import Table
from tricktake.view import View
from tricktake_lab.experiment import experiment
from tricktake_lab.outcome import Outcome, Sheet, mean_of
from tricktake_lab.skat.card_players import contracts_bid, role_gain

ROLES = ("declarer", "defenders")
POLICY = "skat:cards"


class Seeing(Situation):
    """A decision over worlds of which the true one is a share. truth: the cards in all places now."""

    def __init__(self, view: View, truth: Sequence[int], share: float) -> None:
        super().__init__(view)
        self.truth, self.share = np.array([truth], np.int64), share

    def drawn(
        self, n: int, rng: np.random.Generator, belief: Belief | None = None, factor: int = FACTOR
    ) -> tuple[IntArray, FloatArray]:
        rows, counts = super().drawn(n, rng, belief, factor)
        if self.share == 1:
            return self.truth, np.full(1, float(n))
        if self.share == 0:
            return rows, counts
        return np.concatenate([self.truth, rows]), np.append(self.share * n, (1 - self.share) * counts)

    def whole(self, cap: int, belief: Belief | None = None) -> Valuation | None:
        found = super().whole(cap, belief)
        if found is None or self.share == 0:
            return found
        true = (found.worlds == self.truth).all(axis=1)
        return found.weighed(self.share * true * found.weights.sum() + (1 - self.share) * found.weights)


def played(table: Table, part: Rollouts | Pimc, share: float, role: str, limit: Limit, key: Sequence[int]) -> float:
    """Play a table to its end. What the declarer gains on each defender in Seeger points, with the sign of the side in
    this role.
    """
    declarer, other = contract_of(table).declarer, PolicyStrategy(policy=POLICY)
    while not table.over:
        seat = table.actor
        assert seat is not None
        view, rng = table.view(seat), np.random.default_rng([*key, seat, len(table.events)])
        if (seat == declarer) != (role == "declarer"):
            table.apply(other.decide(view, limit, rng).action)
            continue
        situation = Seeing(view, table.places, share)
        found = part.best(situation, limit, rng) if isinstance(part, Pimc) else part.recommend(situation, limit, rng)
        assert found is not None
        table.apply(found.action)
    return role_gain(table, role)


@experiment(
    "cards.true-worlds",
    item="docs/results.md, how much of the truth is worth what",
    seed=741,
    smoke={"shares": ("0", "1"), "contracts": 2, "worlds": 10, "parts": ("rollouts",)},
    small={"shares": ("0", "1/16", "1/4", "1"), "contracts": 30},
    paper={"shares": ("0", "1/16", "1/8", "1/4", "1/2", "1"), "contracts": 300},
)
def measure(
    seed: int, shares: tuple[str, ...], contracts: int, worlds: int = 40, belief: str = "skat:belief",
    nodes: int = 40_000, parts: tuple[str, ...] = ("rollouts", "pimc"),
) -> Outcome:  # fmt: skip
    """Points by the share of the worlds that are the true deal, for rollouts and PIMC, by role, over share 0.

    Contracts of the rule player; the other side is a policy without search. parts: rollouts, pimc.
    nodes: of a decision.
    """
    known: dict[str, Rollouts | Pimc] = {
        "rollouts": Rollouts(policy=POLICY, worlds=worlds, belief=belief, race=0.0),
        "pimc": Pimc(worlds=worlds, belief=belief),
    }
    limit = Limit(nodes=nodes)
    found: dict[tuple[str, str, str], list[float]] = {}
    for number, table in islice(contracts_bid("skat:rule", seed, 0), contracts):
        for part in parts:
            for role in ROLES:
                for share in shares:
                    copy = Table.replay(table.game, table.deal, table.events)
                    gain = played(copy, known[part], float(Fraction(share)), role, limit, (seed, number))
                    found.setdefault((part, role, share), []).append(gain)
    rows = []
    for (part, role, share), each in found.items():
        base = np.array(found[part, role, shares[0]])
        won = np.array(each) > 0
        more = mean_of(np.array(each) - base, digits=1)
        rows.append((part, role, share, len(each), mean_of(won, "%"), more))
    columns = ("part", "role", "share", "contracts", "won", f"points a game over share {shares[0]}")
    return Outcome((Sheet.of("Worlds that are true", columns, rows),))
