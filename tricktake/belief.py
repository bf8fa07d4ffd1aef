"""Beliefs: how likely worlds are, given bids, discards and cards played, beyond sure knowledge (KERMIT-16 to 19).

Soft knowledge from conventions or models. It weighs votes over worlds; proofs never use it (KBPS-10).
"""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import numpy as np

from tricktake import worlds
from tricktake.arrays import FloatArray, IntArray
from tricktake.errors import InputError, PluginError
from tricktake.knowledge import Knowledge
from tricktake.plugins import manager
from tricktake.spec import Spec
from tricktake.view import View

FACTOR = 20  # worlds sampled and weighed for each one that is kept


@runtime_checkable
class Belief(Protocol):
    """Weighs worlds by the actions a seat has seen. Registered as ``plugin:name`` by the hook ``register_beliefs``."""

    def weigh(self, view: View, worlds: IntArray) -> FloatArray:
        """The likelihood of the actions seen in each world, up to a common factor: shape (n,), finite, not negative.

        worlds: int64, shape (n, places), rows of ``tricktake.worlds.sample`` or ``enumerate`` for this view: the cards
        now in each place of the layout. Called once per decision, with up to some ten thousand rows.
        """
        ...


def find_belief(text: object, where: str = "belief") -> Belief | None:
    """The belief of a spec such as ``skat:belief(conventions=false)``; None for None and ``none``.

    Raises InputError naming ``where``, UnknownName, PluginError if it is not a belief.
    """
    if text is None or text == "none":
        return None
    if isinstance(text, Belief):
        return text
    if not isinstance(text, str):
        raise InputError(None, None, where, f"must be the name of a belief, not {text!r}")
    spec = Spec.from_text(text, where, "plugin:belief")
    beliefs = manager().beliefs
    belief = beliefs.get(spec.name, **dict(spec.options))
    if not isinstance(belief, Belief):
        raise PluginError(beliefs.owner(spec.name), f"belief {spec.name!r} has no method weigh(view, worlds)")
    return belief


def weights(belief: Belief, view: View, rows: IntArray) -> FloatArray:
    """The weights of a belief, scaled to a mean of 1; all ones if it rules out every world.

    Raises ValueError if it returns anything but a finite, not negative number for each world.
    """
    found = np.asarray(belief.weigh(view, rows), np.float64)
    if found.shape != (len(rows),):
        raise ValueError(f"a belief gave shape {found.shape} for {len(rows)} worlds")
    if not (np.isfinite(found).all() and (found >= 0).all()):
        raise ValueError("a belief gave a weight that is negative or not finite")
    mean = found.mean() if len(found) else 1.0
    return found / mean if mean > 0 else np.ones(len(found))


def draw(
    knowledge: Knowledge,
    view: View,
    n: int,
    rng: np.random.Generator,
    belief: Belief | None = None,
    factor: int = FACTOR,
) -> tuple[IntArray, FloatArray]:
    """``n`` worlds sampled by a belief: ``n * factor`` uniform ones are weighed and resampled (KERMIT-17).

    Returns distinct worlds and how often each was drawn: shapes (m, places) and (m,), m <= n; the counts add up to n.
    Systematic resampling: a world of weight w among W is drawn floor or ceil of n*w/W times. Without a belief worlds
    are sampled uniformly, each counts 1. Raises NoWorld if no world fits.
    """
    if belief is None:
        return worlds.sample(knowledge, n, rng), np.ones(n)
    rows = worlds.sample(knowledge, n * factor, rng)
    total = np.cumsum(weights(belief, view, rows))
    marks = (np.arange(n) + rng.random()) * (total[-1] / n)
    chosen = np.minimum(np.searchsorted(total, marks, side="right"), len(rows) - 1)
    drawn, counts = np.unique(rows[chosen], axis=0, return_counts=True)
    return drawn, counts.astype(np.float64)
