"""The card player of Skat: the core's ensemble, believing and led by what this plugin knows (SKAT-34)."""

from __future__ import annotations

from typing import Any

from tricktake.strategies.ensemble import Ensemble
from tricktake.strategies.ensemble import ensemble as core_ensemble

BELIEF = "skat:belief"
EXPERT = "skat:expert"


def ensemble(order: str | None = None, belief: str = BELIEF, **members: Any) -> Ensemble:
    """``core:ensemble(belief=skat:belief, expert=skat:expert)``; options as there."""
    return core_ensemble(order, belief, **{"expert": EXPERT, **members})
