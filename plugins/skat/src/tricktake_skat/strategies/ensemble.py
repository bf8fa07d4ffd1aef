"""The card players of Skat: the core's ensemble, believing and led by what this plugin knows (SKAT-34), and the one in
which a policy searches by rollouts (docs/policies.md).
"""

from __future__ import annotations

from typing import Any

from tricktake.strategies.ensemble import Ensemble
from tricktake.strategies.ensemble import ensemble as core_ensemble

BELIEF = "skat:belief"
EXPERT = "skat:expert"
WORLDS = 40
POLICY = "skat:cards"
ROLLOUTS = 300  # worlds (docs/results.md, the card player built on a policy)
ORDER = "killer+paranoia+endgame+hope+rollouts+search+expert"  # PIMC where the policy has learned nothing
QUICK_WORLDS = 60  # these four: 20 games a second, what they cost in points stands in the same place
QUICK_FACTOR = 5  # worlds drawn for each that is kept by the belief
QUICK_LISTED = 1_000  # worlds that endgame and hope list at most
QUICK_NODES = 8_000  # of each of them
SEARCH_FROM = 1  # the expert's opening instead cost 275 +- 239 points of 36 games (docs/results.md)


def ensemble(order: str | None = None, belief: str = BELIEF, **members: Any) -> Ensemble:
    """The core's ensemble with this plugin's belief and expert, and PIMC from the first trick; options as there."""
    usual = {
        "search": f"core:pimc(worlds={WORLDS},belief={belief})",
        "search_from": SEARCH_FROM,
        "expert": EXPERT,
    }
    return core_ensemble(order, belief, **{**usual, **members})


def player(
    policy: str = POLICY, worlds: int = ROLLOUTS, order: str = ORDER, belief: str = BELIEF, **members: Any
) -> Ensemble:
    """The same with rollouts of a policy as its search.

    policy: a registered name or a file. worlds: of the rollouts. Other options as for ``ensemble``.
    """
    rollouts = f"core:rollouts(policy={policy},worlds={worlds},belief={belief})"
    return ensemble(order, belief, policy=policy, **{"rollouts": rollouts, **members})


def quick(policy: str = POLICY, belief: str = BELIEF, **members: Any) -> Ensemble:
    """``player`` at a quarter of its time, for many games: fewer worlds, endgame and hope later. Options alike."""
    proved = {
        name: f"core:{name}(worlds={QUICK_LISTED},nodes={QUICK_NODES},belief={belief})" for name in ("endgame", "hope")
    }
    rollouts = f"core:rollouts(policy={policy},worlds={QUICK_WORLDS},factor={QUICK_FACTOR},belief={belief})"
    return player(policy, belief=belief, **{"rollouts": rollouts, **proved, **members})
