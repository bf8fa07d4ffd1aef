"""Learning the weights of the features from self-play (SKAT-32): which of two skats of one hand wins.

``python -m tricktake_lab.skat.putting_fit LOG ... --kind suit --games 60000`` takes recorded contracts, draws pairs of
puts among those the rules and the present weights think best, lets the rule player play both on all seats, and keeps
the pairs with different scores. Since both have the same hand and the same opponents, luck in the deal cancels out: a
logistic regression of which scores more on the difference of the features, each pair weighed by the points between
them, ridge, by type of hand. Printed is TOML for ``weights/``, scaled so that the chance to
win weighs as in the weights one started from.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray
from tricktake_skat._kernels import putting as kernel
from tricktake_skat.putting import weights as configurations
from tricktake_skat.putting.constraints import HandType
from tricktake_skat.putting.features import FEATURES, Declarers
from tricktake_skat.putting.selection import Selector

from tricktake_lab.skat.putting import KINDS, Contracts, contracts, play

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

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
    from scipy.optimize import minimize

    scale = x.std(axis=0)
    scale[scale == 0] = 1.0
    z, sign, points = x / scale, np.sign(gain), abs(gain) / abs(gain).mean()

    def loss(w: FloatArray) -> tuple[float, FloatArray]:
        margin = sign * (z @ w)
        wrong = 1 / (1 + np.exp(margin))
        value = (points * np.logaddexp(0, -margin)).sum() + RIDGE / 2 * w @ w
        return float(value), -(z.T @ (points * sign * wrong)) + RIDGE * w

    return np.asarray(minimize(loss, np.zeros(x.shape[1]), jac=True, method="L-BFGS-B").x) / scale


@click.command()
@click.argument("logs", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--kind", type=click.Choice(tuple(KINDS)), default="suit", show_default=True)
@click.option("--games", type=click.IntRange(min=100), default=60_000, show_default=True, help="Of each log.")
@click.option("--weights", default="default", show_default=True, help="Where to start, and whose rules count.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
def main(logs: tuple[Path, ...], kind: str, games: int, weights: str, seed: int) -> None:
    """Fit the weights to the contracts of LOGS."""
    rng = np.random.default_rng(seed)
    selector = Selector("proposed", weights)
    found: dict[int, list[tuple[FloatArray, FloatArray]]] = defaultdict(list)
    for log in logs:
        what = contracts(log, kind, games)
        for _ in range(DRAWS):
            first, second, kinds, difference = drawn_pairs(what, selector, rng)
            gain = play(what, first).points - play(what, second).points
            for number in np.unique(kinds):
                told = (kinds == number) & (gain != 0)
                found[int(number)].append((difference[told], gain[told]))
    config = configurations.load(weights)
    for number, parts in sorted(found.items()):
        x, gain = np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts])
        label = HandType(number).label
        if len(gain) < ENOUGH:
            click.echo(f"# {label}: only {len(gain)} pairs, not fitted")
            continue
        w = fit(x, gain)
        old = np.array(config.low[number])
        right, before = (((x @ v > 0) == (gain > 0)).mean() for v in (w, old))
        w *= old[kernel.S_WIN] / w[kernel.S_WIN] if w[kernel.S_WIN] > 0 else 1.0
        click.echo(f"# {len(gain)} pairs; the better skat is told in {right:.1%} of them, before in {before:.1%}")
        click.echo(f"[{label}]")
        for feature in FEATURES:
            click.echo(f"{feature.name} = {w[feature.number]:.3g}")
        click.echo()


if __name__ == "__main__":
    main()
