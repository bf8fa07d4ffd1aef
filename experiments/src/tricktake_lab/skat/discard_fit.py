"""Learning the weights of the features from self-play (SKAT-32): which of two skats of one hand wins.

Of recorded contracts pairs of puts are drawn among those the rules and the present weights think best; the rule player
or a policy plays both on all seats, and pairs with different scores are kept. Since both have the same hand and the
same opponents, luck in the deal cancels out: a logistic regression of which scores more on the difference of the
features, each pair weighed by the points between them, ridge, by type of hand. The result is TOML for
``discard/weights``, scaled so that the chance to win weighs as in the weights one started from.
"""

from __future__ import annotations

from collections import defaultdict

import numpy as np
from scipy.optimize import minimize
from tricktake_skat.discard import weights as configurations
from tricktake_skat.discard.constraints import HandType
from tricktake_skat.discard.features import NAMES, Declarers
from tricktake_skat.discard.selection import Selector
from tricktake_skat.kernels import discard

from tricktake.arrays import FloatArray, IntArray
from tricktake_lab.experiment import experiment, learned, log_file
from tricktake_lab.outcome import Outcome, Sheet, share_of
from tricktake_lab.skat.discard import Contracts, contracts, play

BEST = 12  # puts of each hand that are compared, by the present weights
DRAWS = 6  # pairs of each hand
RIDGE = 10.0  # in pairs, on features scaled to their spread
ENOUGH = 300  # pairs a type of hand needs to be fitted
CHUNK = 2000


def drawn_pairs(what: Contracts, selector: Selector, rng: np.random.Generator) -> tuple[IntArray, ...]:
    """For every hand two of its best puts: (masks, masks, kinds) and the difference of their features (n, 9)."""
    first, second, kinds, difference = [], [], [], []
    d = what.declarers
    for i in range(0, len(d), CHUNK):
        part = Declarers(*(column[i : i + CHUNK] for column in (d.games, d.cards, d.seats, d.bids)))
        selection = selector.select(part)
        order = np.argsort(-np.where(selection.keep, selection.scores, -np.inf), axis=1, kind="stable")
        there = np.minimum(selection.keep.sum(axis=1), BEST)
        n = np.arange(len(part))
        a = (rng.random(len(part)) * there).astype(np.int64)
        b = (a + 1 + (rng.random(len(part)) * (there - 1)).astype(np.int64)) % there
        left, right = order[n, a], order[n, b]
        pairs, features = selection.prepared.pairs, selection.prepared.features
        first.append(pairs[n, left])
        second.append(pairs[n, right])
        kinds.append(selection.prepared.kinds)
        difference.append(features[n, left] - features[n, right])
    return tuple(np.concatenate(column) for column in (first, second, kinds, difference))


def fit(x: FloatArray, gain: FloatArray) -> FloatArray:
    """Weights of a ridge logistic regression without a constant.

    x: (n, 9) differences of features. gain: (n,) points of the first skat over the second.
    """
    scale = x.std(axis=0)
    scale[scale == 0] = 1.0
    z, sign, points = x / scale, np.sign(gain), abs(gain) / abs(gain).mean()

    def loss(w: FloatArray) -> tuple[float, FloatArray]:
        margin = sign * (z @ w)
        wrong = 1 / (1 + np.exp(margin))
        value = (points * np.logaddexp(0, -margin)).sum() + RIDGE / 2 * w @ w
        return float(value), -(z.T @ (points * sign * wrong)) + RIDGE * w

    return np.asarray(minimize(loss, np.zeros(x.shape[1]), jac=True, method="L-BFGS-B").x) / scale


@experiment(
    "discard.weights",
    item="discard/weights/*.toml, SKAT-32",
    seed=0,
    smoke={"logs": ("sample",), "kind": "suit", "games": 120},
    small={"logs": ("sample",), "kind": "suit", "games": 500},
    paper={"logs": ("x101.log.gz", "x103.log.gz"), "kind": "grand", "games": 70_000},
)
def weights(
    seed: int, logs: tuple[str, ...], kind: str, games: int, start: str = "default", cards: str = ""
) -> Outcome:
    """The weights of discards, fitted to pairs of skats of one hand played by rule, or by the policy ``cards``.

    games: of each log. start: the weights to start from, and whose rules count.
    """
    rng = np.random.default_rng(seed)
    selector = Selector("proposed", start)
    found: dict[int, list[tuple[FloatArray, FloatArray]]] = defaultdict(list)
    for log in logs:
        what = contracts(log_file(log), kind, games)
        for _ in range(DRAWS):
            first, second, kinds, difference = drawn_pairs(what, selector, rng)
            gain = play(what, first, cards=cards).points - play(what, second, cards=cards).points
            for number in np.unique(kinds):
                told = (kinds == number) & (gain != 0)
                found[int(number)].append((difference[told], gain[told]))
    config = configurations.load(start)
    made = learned("discard.weights", seed, logs=" ".join(logs), kind=kind, games=games, start=start, cards=cards)
    rows, lines = [], [f"# {key}: {value}" for key, value in made.items()]
    for number, parts in sorted(found.items()):
        x, gain = np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts])
        label = HandType(number).label
        if len(gain) < ENOUGH:
            rows.append((label, len(gain), "not fitted", "", *("" for _ in NAMES)))
            continue
        w = fit(x, gain)
        old = np.array(config.low[number])
        right, before = (share_of((x @ v > 0) == (gain > 0)) for v in (w, old))
        w *= old[discard.S_WIN] / w[discard.S_WIN] if w[discard.S_WIN] > 0 else 1.0
        rows.append((label, len(gain), right, before, *(f"{x:.3g}" for x in w)))
        lines += ["", f"[{label}]", *(f"{name} = {x:.3g}" for name, x in zip(NAMES, w, strict=True))]
    columns = ("hands", "pairs", "better skat told", "told before", *(name for name in NAMES))
    return Outcome((Sheet.of("Weights by type of hand", columns, rows),), {"toml": "\n".join(lines)})
