"""Parts: what bids, exchanges and plays. A part gets a View and a Limit and returns a Decision with its reason."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import numpy as np
from attrs import frozen

from tricktake.action import Action
from tricktake.search.limit import Limit
from tricktake.view import View


@frozen
class Decision:
    """A legal action of the view and, in one readable line, why it was chosen.

    failed: what went wrong on the way to it, a line each: parts of the player that raised and were passed over.
    """

    action: Action
    reason: str = ""
    failed: tuple[str, ...] = ()


@runtime_checkable
class Part(Protocol):
    """One replaceable part of a player. It keeps no state between calls: the view holds the whole history.

    Its attribute ``roles`` names what it decides (``Phase.role``: bid, exchange and play in most games); without it
    the part decides everything.
    rng: seeded from the game, the seat and the number of the decision, so that every decision can be repeated; no
    deal can be computed from it. Parts are registered as ``plugin:name`` by factories that take keyword options.
    """

    def decide(self, view: View, limit: Limit, rng: np.random.Generator) -> Decision: ...
