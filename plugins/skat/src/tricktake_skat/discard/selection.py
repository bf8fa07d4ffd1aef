"""The methods of discarding two of twelve cards when the game is known (SKAT-10 to 16, 20 to 31), for n hands at once.

Each method gives the 66 discards a score; the highest is chosen, of equal ones that with the fewest trumps, then the
dearest, then the first by card numbers. Null has no rules or hand strengths of its own (SKAT-15): there every method
but ``random`` takes the likeliest win.
"""

from __future__ import annotations

import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from tricktake.arrays import BoolArray, FloatArray, IntArray
from tricktake.errors import UnknownName
from tricktake.strategies.weighing import Weights, narrow
from tricktake_skat._kernels import discard as kernel
from tricktake_skat._kernels.cards import GRAND, NULL, TRUMPS
from tricktake_skat.discard import chance as chances
from tricktake_skat.discard import constraints
from tricktake_skat.discard.chance import WinProbability, rule_odds
from tricktake_skat.discard.features import Declarers, Prepared, prepare
from tricktake_skat.discard.weights import load, weights_of

RECORDED = "recorded"  # not a method of its own: in replays the record's skat is kept
EYE_TIE, TRUMP_TIE = 1e-7, 1e-5  # what an eye gains and a trump costs among equals
GOOD = 0.2  # a good discard is at most so much worse than the best (SKAT-33)

METHODS: dict[str, str] = {
    "proposed": "rules, then weighed features (SKAT-20 to 30)",
    "intermediate": "the same without playing from above (SKAT-13)",
    "learned": "the same with fewer rules and weights fitted to self-play (SKAT-32)",
    "winprob": "the likeliest win (SKAT-12)",
    "stegen": "von Stegen's points of what is left (SKAT-14)",
    "kinback": "Kinback's points of what is left (SKAT-15)",
    "random": "any two cards (SKAT-10)",
}
"""All methods and what they go by."""

REFINED = ("proposed", "intermediate", "learned")
"""Rules first, then weighed features."""

ABOVE = ("from-above",)  # what "intermediate" does without (SKAT-13)
LEARNED = "learned"


@frozen(eq=False)
class Selection:
    """What n declarers discarded, and why.

    chosen: (n,) index of the discard among the pairs. scores: (n, 66), whatever the method counts. keep: (n, 66) what
    the rules allow. relaxed: (n, rules) penalties that could not be avoided. weights: (n, 9), zeros for methods that
    weigh nothing. order: (types, rules) numbers of the rules that counted, the most important first, then -1.
    """

    method: str
    prepared: Prepared
    chosen: IntArray
    scores: FloatArray
    keep: BoolArray
    relaxed: IntArray
    weights: FloatArray
    order: IntArray

    def _chosen(self, array: NDArray) -> NDArray:
        return np.take_along_axis(array, self.chosen[:, None], axis=1)[:, 0]

    @property
    def discards(self) -> IntArray:
        """Masks of the two cards, (n,)."""
        return self._chosen(self.prepared.pairs)

    @property
    def wins(self) -> FloatArray:
        """Chances to win with what was discarded, (n,)."""
        return self._chosen(self.prepared.features[:, :, kernel.S_WIN]) / 100

    def good(self) -> BoolArray:
        """The discards that are at most 20 % worse than the best one (SKAT-33), (n, 66)."""
        best = self._chosen(self.scores)[:, None]
        return self.keep & (self.scores >= best - GOOD * abs(best))


@frozen
class Selector:
    """A method with its options. Raises UnknownName for a method or weights that do not exist.

    method: one of ``METHODS``. weights: a configuration (``weights.load``) for the refined methods; ``learned`` has its
    own. without: rules left out. chance: who says how likely a win is. grand_jacks: points of a jack in a grand for
    von Stegen, 1 or 2.
    """

    method: str = "proposed"
    weights: str = "default"
    without: tuple[str, ...] = ()
    chance: WinProbability = field(default=rule_odds)
    grand_jacks: int = 1

    def __attrs_post_init__(self) -> None:
        if self.method not in METHODS:
            note = "keep the recorded skat with `tricktake replay --keep skat`" if self.method == RECORDED else ""
            raise UnknownName("skat selection", self.method, METHODS, note)
        constraints.order(self._config().rules, self.without)

    def _config(self) -> Weights:
        return load(LEARNED if self.method == LEARNED and self.weights == "default" else self.weights)

    def select(self, declarers: Declarers, rng: np.random.Generator | None = None) -> Selection:
        """What these declarers discard. rng: for ``random``, which raises ValueError without one."""
        config = self._config()
        prepared = prepare(declarers, config.limits)
        win = prepared.features[:, :, kernel.S_WIN]  # a view
        win[:] = 100 * chances.of_pairs(self.chance, prepared)
        order, weights = constraints.order(()), np.zeros((len(prepared), kernel.S_SIZE))
        if self.method in REFINED:
            left_out = self.without + (ABOVE if self.method == "intermediate" else ())
            order = constraints.order(config.rules, left_out)
            weights = weights_of(config, declarers, prepared.kinds)
        keep, relaxed = narrow(prepared.penalties, prepared.kinds, order)
        if self.method in REFINED:
            scores = np.einsum("npf,nf->np", prepared.features, weights)
        else:
            scores = self._baseline(prepared, rng)
        ranked = scores
        if self.method != "random":
            trumps = np.bitwise_count(prepared.pairs & TRUMPS[np.minimum(declarers.games, NULL)][:, None])
            ties = EYE_TIE * prepared.features[:, :, kernel.S_EYES] - TRUMP_TIE * trumps
            ranked = np.where(keep, scores + ties, -np.inf)
        return Selection(self.method, prepared, np.argmax(ranked, axis=1), scores, keep, relaxed, weights, order)

    def _baseline(self, prepared: Prepared, rng: np.random.Generator | None) -> FloatArray:
        """The scores of a method without rules, (n, 66)."""
        if self.method == "random":
            if rng is None:
                raise ValueError("random skats need a generator")
            return rng.random(prepared.pairs.shape)
        scores = prepared.features[:, :, kernel.S_WIN].copy()
        if self.method in ("stegen", "kinback"):
            system, d = kernel.STEGEN if self.method == "stegen" else kernel.KINBACK, prepared.declarers
            suit = d.games <= GRAND
            found = np.zeros_like(scores)
            kernel.strengths(system, d.games, d.cards, prepared.pairs, d.seats, d.others_bid, self.grand_jacks, found)
            scores[suit] = found[suit]
        return scores
