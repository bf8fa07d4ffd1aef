"""The card player of Skat: the core's ensemble, believing and led by what this plugin knows (SKAT-34)."""

from __future__ import annotations

from typing import Any

from tricktake.strategies.ensemble import Ensemble
from tricktake.strategies.ensemble import ensemble as core_ensemble

BELIEF = "skat:belief"
EXPERT = "skat:expert"
WORLDS = 40
SEARCH_FROM = 1  # the expert's opening instead cost 275 +- 239 points of 36 games (docs/results.md)


def ensemble(order: str | None = None, belief: str = BELIEF, **members: Any) -> Ensemble:
    """The core's ensemble with this plugin's belief and expert, and PIMC from the first trick; options as there."""
    usual = {
        "search": f"core:pimc(worlds={WORLDS},belief={belief})",
        "search_from": SEARCH_FROM,
        "expert": EXPERT,
    }
    return core_ensemble(order, belief, **{**usual, **members})
