"""The second stage behind ``policies/values.policy``: value networks learn from games that they bid themselves.

Forced games (``value_fit``) are of hands, bids and discards that a bidder does not meet: the others' bids are a rule
player's, and the discards are not the best of many estimates. Here bidders with networks bid (some too much, so that
weak hands play too), and declare games and discards that the networks think best, or nearly so. What comes of them
teaches the networks further, together with forced games, so that nothing is forgotten.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from tricktake_skat.bidding.model import learned as model_of
from tricktake_skat.bidding.style import Style
from tricktake_skat.bidding.value import find_values, packed_values
from tricktake_skat.games import Player, bid_rows, dealt_rows
from tricktake_skat.policy_rows import play_by
from tricktake_skat.rows import RowArray
from tricktake_skat.rows_play import solve_open

from tricktake.arrays import IntArray
from tricktake.policy.policy import Family, Policy
from tricktake.policy.policyfile import digest
from tricktake.strategies.policy import find_policy
from tricktake_lab.experiment import experiment, learned, shipped_path
from tricktake_lab.outcome import Cell, Outcome, Sheet, mean_of, share_of
from tricktake_lab.skat._kernels import own_games as kernel
from tricktake_lab.skat.value_fit import FILE, JUDGED, KINDS, Games, file_of, fit, games_of, results_of, together, told

BLOCK = 10_000  # deals at a time
THRESHOLDS = (10.0, -10.0, -40.0)  # one seat of each deal draws its own; the others' is the first
SKATS = 33  # of 231, with which hands are weighed: seven times as fast, and off by about seven points
NEAR, LEAST, HANDS = 15.0, -50.0, 0.35  # see ``own_games.around``
PASSES, RATE = 4, 1e-3
SAYINGS = {
    "declared": (kernel.DECLARED,),
    "best discard": (kernel.BEST,),
    "drawn discard": (0,),
    "from the hand": (-1,),
}


def own_rows(values: Family, name: str, seed: int, first: int, n: int, policy: Policy) -> tuple[RowArray, IntArray]:
    """Contracts that bidders with these networks come to, played by the policy, and what is said of each (``around``).

    name: of the networks. A deal depends on the seed and its number only.
    """
    rng = np.random.default_rng([seed, first])
    seats = np.zeros((n, 3), np.int64)
    seats[np.arange(n), rng.integers(0, 3, n)] = rng.integers(0, len(THRESHOLDS), n)
    rows, model = dealt_rows(seed, first, n), model_of(value=name)
    bid_rows([Player(Style(threshold=t), model) for t in THRESHOLDS], rows, seats, SKATS)
    out, said = np.repeat(rows[:1], kernel.MOST * n), np.zeros(kernel.MOST * n, np.int64)
    loss = float(Style().aggressiveness)
    count = kernel.around(packed_values([values]), rows, loss, NEAR, LEAST, HANDS, seed, out, said)
    out, said = out[:count], said[:count]
    play_by(policy, out)
    solve_open(out)
    return out, said


def own_games(values: Family, name: str, seed: int, deals: int, policy: Policy) -> tuple[Games, IntArray, IntArray]:
    """Games, their kind (0 suit to 3 Null ouvert), and what is said of them."""
    parts, kinds, sayings = [], [], []
    for first in range(0, deals, BLOCK):
        rows, said = own_rows(values, name, seed, first, min(BLOCK, deals - first), policy)
        parts.append(results_of(rows))
        kinds.append(np.maximum(rows["game"] - 3, 0) + rows["ouvert"])
        sayings.append(said)
    return together(parts), np.concatenate(kinds), np.concatenate(sayings)


def said_and_won(chances: NDArray[np.float64], won: NDArray[np.float32]) -> tuple[Cell, ...]:
    """What chances say, what is won, the difference, and the Brier score."""
    brier = mean_of(np.square(chances - won), digits=4)
    return len(won), mean_of(chances, "%"), share_of(won > 0), mean_of(chances - won, "%"), brier


@experiment(
    "bidding.own",
    item="policies/values.policy, KERMIT-1",
    seed=821,
    smoke={"deals": 200, "forced": 400},
    small={"deals": 20_000, "forced": 20_000},
    paper={"deals": 250_000, "forced": 250_000},
)
def own(seed: int, deals: int, forced: int, start: str = "skat:values", policy: str = "skat:cards") -> Outcome:
    """Value networks learn from games that they bid, beginning from ``start``; how far off they were, and are."""
    plays, before = find_policy(policy), find_policy(start)
    values = find_values(start)
    games, kinds, said = own_games(values, start, seed, deals, plays)
    kept = np.arange(len(kinds)) % JUDGED == 0
    nets, were, are = [], [], []
    for number, (name, forms) in enumerate(KINDS.items()):
        mine = kinds == number
        all_forced = games_of(forms, seed + 1 + number, forced, plays)
        net = fit(together([games.chosen(mine & ~kept), all_forced]), seed + number, values.nets[number], PASSES, RATE)
        nets.append(net)
        for word, which in SAYINGS.items():
            some = mine & np.isin(said, which)
            own_part = games.chosen(some)
            were.append((name, word, *said_and_won(told(values.nets[number], own_part)[:, 0], own_part.results[:, 0])))
        judged = games.chosen(mine & kept)
        for word, which_net in (("before", values.nets[number]), ("after", net)):
            are.append((name, word, *said_and_won(told(which_net, judged)[:, 0], judged.results[:, 0])))
    made = {
        "learned": learned("bidding.own", seed, deals=deals, forced=forced),
        "cards": policy,
        "digest": digest(plays),
        "start": digest(before),
        "before": dict(before.made),
    }
    columns = ("games", "said", "won", "said - won", "Brier")
    sheets = (
        Sheet.of("The networks that bid, before they learn of it", ("game", "contract", *columns), were),
        Sheet.of("Games that were left out", ("game", "networks", *columns), are),
    )
    return Outcome(sheets, ships={shipped_path(FILE): file_of(nets, made)})
