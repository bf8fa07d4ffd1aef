"""The experiment behind ``policies/values.policy``: what hands are worth, learned from games a policy plays.

Hands are made to play games (``rows_play.explored``), good and bad ones, with skats put at random or by rule; a policy
plays all cards. A network learns the chance to win and, of those won, the chance of Schneider.
"""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray
from tricktake_skat.bidding.value import FAMILY, KEY, OUTPUTS
from tricktake_skat.kernels import NULL, value
from tricktake_skat.plugin import POLICIES
from tricktake_skat.rows import RowArray
from tricktake_skat.rows_play import Exploration, explored, solve_open
from tricktake_skat.rules import SCHNEIDER, WIN

from tricktake.policy.policy import Family, Net, Policy
from tricktake.policy.policyfile import digest, save
from tricktake.strategies.policy import find_policy
from tricktake_lab.experiment import experiment, learned, shipped_path
from tricktake_lab.outcome import Outcome, Sheet, share_of

FloatArray = NDArray[np.float32]

FILE = POLICIES / "values.policy"
BLOCK = 50_000  # deals at a time
JUDGED = 20  # one game in so many is kept to judge by
KINDS: dict[str, tuple[str, ...]] = {
    "suit": ("suit", "suit", "suit", "suit-hand"),
    "grand": ("grand", "grand", "grand", "grand-hand"),
    "null": ("N", "N", "NH"),
    "ouvert": ("NO", "NO", "NHO"),
}
FLOOR = -2.5  # least log odds, by the rule player's weights, of a hand that is made to play
RANDOM_PUTS = 2  # one skat in so many is put at random

# Of the fit: widths, activations end at TOP (as in the kernels), passes over the games, games of a step, Adam.
HIDDEN, INNER, TOP = 128, 32, 4.0
PASSES, STEP, RATE, LAST_RATE = 6, 1024, 2e-3, 2e-5
FIRST, SECOND, TINY = 0.9, 0.999, 1e-8


@frozen(eq=False)
class Games:
    """seen: (n, inputs) 0 or 1. results: (n, 2) won, and with Schneider. counted: (n, 2) what they are learned from."""

    seen: NDArray[np.uint8]
    results: FloatArray
    counted: FloatArray

    def chosen(self, which: NDArray[np.bool_]) -> Games:
        return Games(self.seen[which], self.results[which], self.counted[which])


def games_of(kinds: tuple[str, ...], seed: int, deals: int, policy: Policy) -> Games:
    """Forced games, played by the policy; Null ouvert ends as with open cards."""
    how = Exploration(kinds, FLOOR, RANDOM_PUTS)
    parts = []
    for first in range(0, deals, BLOCK):
        rows = explored(seed, first, min(BLOCK, deals - first), how, policy=policy)
        rows = rows[rows["declarer"] >= 0]
        solve_open(rows)
        parts.append(results_of(rows))
    return together(parts)


def together(parts: Sequence[Games]) -> Games:
    """All of them as one."""
    return Games(*(np.concatenate([getattr(p, name) for p in parts]) for name in ("seen", "results", "counted")))


def results_of(rows: RowArray) -> Games:
    """What is learned from rows that were played."""
    seen = np.zeros((len(rows), value.INPUTS), np.uint8)
    value.fill_rows(rows, seen)
    null = rows["game"] == NULL
    won = np.where(null, rows["won"] == 1, rows["eyes"] >= WIN)
    high = rows["eyes"] >= SCHNEIDER
    results = np.stack([won, high], axis=1).astype(np.float32)
    return Games(seen, results, np.stack([np.ones(len(rows)), won & ~null], axis=1).astype(np.float32))


def fit(games: Games, seed: int, start: Net | None = None, passes: int = PASSES, highest: float = RATE) -> Net:
    """A network of these games: cross entropy, Adam, a rate that falls in a line from ``highest``. start: the network
    to begin from, drawn weights unless given.
    """
    rng = np.random.default_rng([seed, 3])
    weights = _drawn(rng, games.seen.shape[1]) if start is None else _weights(start)
    first, second = ([np.zeros_like(w) for w in weights] for _ in range(2))
    steps = passes * (len(games.seen) // STEP)
    done = 0
    for _ in range(passes):
        order = rng.permutation(len(games.seen))
        for at in range(0, len(order) - STEP + 1, STEP):
            done += 1
            gradients = _gradients(weights, games, order[at : at + STEP])
            rate = highest + (LAST_RATE - highest) * done / steps
            for w, g, a, b in zip(weights, gradients, first, second, strict=True):
                a += (1 - FIRST) * (g - a)
                b += (1 - SECOND) * (g * g - b)
                w -= rate * (a / (1 - FIRST**done)) / (np.sqrt(b / (1 - SECOND**done)) + TINY)
    return _net(weights)


def _drawn(rng: np.random.Generator, inputs: int) -> list[FloatArray]:
    weights: list[FloatArray] = []
    for above, below in itertools.pairwise((inputs, HIDDEN, INNER, 2)):
        spread = 0.15 if above == inputs else (2 / above) ** 0.5
        weights += [rng.normal(0, spread, (above, below)).astype(np.float32), np.zeros(below, np.float32)]
    return weights


def _weights(net: Net) -> list[FloatArray]:
    """Those of a network as ``_net`` made it, the outputs that are used."""
    first, second, third = np.split(net.floats(), np.cumsum([net.first.size, net.second.size]))
    matrix, last = second.reshape(net.second.shape), third.reshape(net.third.shape)[:, :2]
    bias = np.zeros(HIDDEN, np.float32)
    parts = first.reshape(net.first.shape), bias, matrix[:-1], matrix[-1], last[:-1], last[-1]
    return [part.copy() for part in parts]


def _layers(weights: list[FloatArray], seen: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    hidden = np.clip(seen @ weights[0] + weights[1], 0, TOP)
    inner = np.clip(hidden @ weights[2] + weights[3], 0, TOP)
    return hidden, inner, (1 / (1 + np.exp(-(inner @ weights[4] + weights[5])))).astype(np.float32)


def _gradients(weights: list[FloatArray], games: Games, at: NDArray[np.int64]) -> list[FloatArray]:
    seen = games.seen[at].astype(np.float32)
    hidden, inner, chances = _layers(weights, seen)
    third = (chances - games.results[at]) * games.counted[at] / len(at)
    second = (third @ weights[4].T) * ((inner > 0) & (inner < TOP))
    first = (second @ weights[2].T) * ((hidden > 0) & (hidden < TOP))
    return [seen.T @ first, first.sum(0), hidden.T @ second, second.sum(0), inner.T @ third, third.sum(0)]


def _net(weights: list[FloatArray]) -> Net:
    """As the kernels take it: the bias of the first layer in a row of its own, which no hand lacks."""
    wide = np.zeros((INNER + 1, OUTPUTS), np.float32)
    wide[:-1, :2], wide[-1, :2] = weights[4], weights[5]
    # Every hand has exactly one seat, so the bias can be part of what the seats weigh.
    first = weights[0].copy()
    first[value.SEAT : value.SEAT + 3] += weights[1]
    shape = (value.INPUTS, HIDDEN, INNER, OUTPUTS)
    flat = [first.ravel(), weights[2].ravel(), weights[3], wide.ravel()]
    return Net.of_floats(shape, np.concatenate(flat).astype(np.float32))


def told(net: Net, games: Games) -> NDArray[np.float64]:
    """The chances of games by the network as it is shipped, (n, 2), in floats."""
    weights = _weights(net)
    found = [_layers(weights, part.astype(np.float32))[2] for part in np.array_split(games.seen, 64)]
    return np.concatenate(found).astype(np.float64)


@experiment(
    "bidding.values",
    item="policies/values.policy, KERMIT-1",
    seed=811,
    smoke={"deals": 3000},
    small={"deals": 200_000},
    paper={"deals": 1_500_000},
)
def values(seed: int, deals: int, policy: str = "skat:cards") -> Outcome:
    """Learns what hands are worth from games that a policy plays, and judges it by games left out."""
    plays = find_policy(policy)
    nets, rows = [], []
    for number, (name, kinds) in enumerate(KINDS.items()):
        games = games_of(kinds, seed + number, deals, plays)
        kept = np.arange(len(games.seen)) % JUDGED == 0
        net = fit(games.chosen(~kept), seed + number)
        judged = games.chosen(kept)
        chances, won = told(net, judged)[:, 0], judged.results[:, 0]
        brier = float(np.square(chances - won).mean())
        rows.append((name, int((~kept).sum()), len(won), brier, float(chances.mean()), share_of(won)))
        nets.append(net)
    made = {"learned": learned("bidding.values", seed, deals=deals), "cards": policy, "digest": digest(plays)}
    columns = ("game", "learned from", "judged by", "Brier", "said", "won")
    return Outcome(
        (Sheet.of("Chances of games that were left out", columns, rows),),
        ships={shipped_path(FILE): file_of(nets, made)},
    )


def file_of(nets: Sequence[Net], made: Mapping[str, Any]) -> bytes:
    """The policy file of value networks."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / FILE.name
        save(Policy("skat", {FAMILY: Family(FAMILY, KEY, tuple(nets))}, made), file)
        return file.read_bytes()
