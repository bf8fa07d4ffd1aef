"""Hints: what the game's own player would do and why, what its policy thinks of each card, and what is proven."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np
from attrs import frozen

from tricktake.game import find_game
from tricktake.policy.policy import Policy
from tricktake.search.limit import Limit
from tricktake.search.paranoia import Paranoia
from tricktake.server.thinking import player_of
from tricktake.strategies.player import default_spec
from tricktake.strategies.proven import is_sure
from tricktake.strategies.strategy import Strategy
from tricktake.view import View

SECONDS = 15.0
THINK_SECONDS = 4.0
PROOF_NODES = 300_000  # a tenth of a second
SEED = 1


@frozen
class Hint:
    """Asks the game's own player about a view."""

    game: str
    view: View
    language: str
    needs: ClassVar[str] = "hint"

    def __call__(self) -> dict[str, Any]:
        game, view = find_game(self.game), self.view
        player = player_of(default_spec(game))
        found = player.decide(view, Limit(seconds=THINK_SECONDS), np.random.default_rng(SEED))
        text = found.action.to_text(view.layout.deck)
        label, _ = game.said(found.action, view, self.language)
        who = str(player.specs.get(view.role, player.name))
        out: dict[str, Any] = {
            "action": text,
            "label": label,
            "by": who,
            "reason": found.reason,
            "chances": [],
            "proven": "",
        }
        if view.rules is not None:
            out["chances"] = _chances(player.strategy(view.role), view)
            out["proven"] = "sure" if is_sure(view, Paranoia(), Limit(nodes=PROOF_NODES)) else ""
        return out


def policies(strategy: object) -> Iterator[Policy]:
    """The policies a strategy plays by, its own and those of its members."""
    own = getattr(strategy, "policy", None)
    if isinstance(own, Policy):
        yield own
    for member in getattr(strategy, "members", ()):
        yield from policies(member.strategy)


def _chances(strategy: Strategy | None, view: View) -> list[dict[str, Any]]:
    """How often the policy would play each card, the likeliest first; nothing without a policy that knows the game."""
    policy = next((one for one in policies(strategy) if one.knows(view)), None)
    if policy is None or len(view.legal) < 2:
        return []
    found = sorted(policy.chances(view).items(), key=lambda pair: -pair[1])
    return [{"card": view.layout.deck[card].name, "chance": round(chance, 4)} for card, chance in found]
