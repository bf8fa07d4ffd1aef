"""The weakest player that keeps to the rules, for every game."""

from __future__ import annotations

import numpy as np

from tricktake.search.limit import Limit
from tricktake.strategies.strategy import Decision
from tricktake.view import View


class Random:
    """Any legal action, all equally likely."""

    def decide(self, view: View, limit: Limit, rng: np.random.Generator) -> Decision:
        action = view.legal[int(rng.integers(len(view.legal)))]
        return Decision(action, f"one of {len(view.legal)} at random")
