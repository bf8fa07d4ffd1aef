"""Kermit's inference: the bids it knows, and how near to the truth it brings the worlds (KERMIT-16 to 19).

Games are bid by Kermit's bidder and played by a policy. ``kermit.inference`` looks at each at a random moment and
judges beliefs by TSSR (docs/papers.md): the weight of the true world against the mean of worlds drawn uniformly.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

import numpy as np
from tricktake_kermit.batch import Kermit, bid_rows
from tricktake_kermit.inference import FILE, Bids
from tricktake_skat.deck import SEATS
from tricktake_skat.game import SkatGame
from tricktake_skat.games import dealt_rows
from tricktake_skat.policy_rows import play_by
from tricktake_skat.rows import RowArray

from tricktake.belief import find_belief
from tricktake.deal import STREAM
from tricktake.policy.practice import at_first_trick
from tricktake.strategies.player import Player
from tricktake.strategies.policy import find_policy
from tricktake.table import Table
from tricktake_lab.experiment import experiment, learned, shipped_path
from tricktake_lab.outcome import Estimate, Outcome, Sheet, mean_of, share_of
from tricktake_lab.skat.belief_fit import WORLDS, cell, moments

CARDS = "skat:cards"
BIDDER = "kermit:bidder"
LEAST = 1e-6  # weight of a true world that a belief rules out, in means
BELIEFS: dict[str, str] = {
    "as it plays (divided)": "kermit:belief",
    "divided by the worlds' frequencies": "kermit:belief(reading=worlds)",
    "multiplied, as printed": "kermit:belief(reading=printed)",
    "bids alone": "kermit:belief(contract=false)",
    "bids alone, as printed": "kermit:belief(contract=false,reading=printed)",
    "contract alone": "kermit:belief(bids=false)",
    "contract by its chance alone": "kermit:belief(bids=false,discards=false)",
    "skat:belief": "skat:belief",
    "skat:belief without cards": "skat:belief(conventions=false)",
}


def games(seed: int, first: int, n: int, policy: str) -> RowArray:
    """Deals bid by three of Kermit's bidders, cards by a policy."""
    rows = dealt_rows(seed, first, n)
    bid_rows([Kermit()], rows, np.zeros((n, SEATS), np.int64))
    play_by(find_policy(policy), rows)
    return rows


def tables(seed: int, first: int, n: int, policy: str) -> Iterator[tuple[Table, list[int]]]:
    """The same as tables at the first trick, with the cards that will be played."""
    player = Player.from_spec(f"bid={BIDDER},exchange={BIDDER},play=core:random")
    for row in games(seed, first, n, policy):
        table = at_first_trick(SkatGame(), player, seed, int(row["id"]))
        if table is not None:
            yield table, [c for c in row["cards"].tolist() if c >= 0]


@experiment(
    "kermit.bids",
    item="bids.json, KERMIT-17",
    seed=825,
    smoke={"deals": 20},
    small={"deals": 2000},
    paper={"deals": 30_000},
)
def bids(seed: int, deals: int, stream: str = STREAM) -> Outcome:
    """How high hands bid, by what they are like: counted in bids that Kermit's bidder makes."""
    rows = dealt_rows(seed, 0, deals, stream)
    limits = bid_rows([Kermit()], rows, np.zeros((deals, SEATS), np.int64))
    found = Bids.of(rows["deal"][:, :SEATS].ravel(), limits.ravel())
    text = json.dumps({"learned": learned("kermit.bids", seed, deals=deals, stream=stream), "counts": found.as_json()})
    declared = rows["declarer"] >= 0
    facts = (("hands that bid", share_of(limits.ravel() > 0)), ("deals passed in", share_of(~declared)))
    sheet = Sheet.of(f"{deals} deals", ("what", "share"), facts)
    return Outcome((sheet,), ships={shipped_path(FILE): (text + "\n").encode()})


@experiment(
    "kermit.inference",
    item="KERMIT-16 to 19, docs/kermit.md",
    seed=826,
    smoke={"deals": 12, "worlds": 20},
    small={"deals": 400},
    paper={"deals": 4000},
)
def inference(
    seed: int, deals: int, worlds: int = WORLDS, beliefs: tuple[str, ...] = tuple(BELIEFS), policy: str = CARDS
) -> Outcome:
    """TSSR of Kermit's inference by role, with each reading of the formula, beside Skat's own belief."""
    rng = np.random.default_rng(seed)
    made = {name: find_belief(BELIEFS[name]) for name in beliefs}
    found: dict[tuple[str, str], list[float]] = {}
    for view, rows, _ in moments(tables(seed, 0, deals, policy), rng, worlds):
        for name, belief in made.items():
            assert belief is not None
            weights = np.asarray(belief.weigh(view, rows), np.float64)
            mean = weights[1:].mean()
            ratio = max(weights[0] / mean, LEAST) if mean > 0 else 1.0
            found.setdefault((name, cell(view)[1]), []).append(float(np.log(ratio)))
    lines = []
    for name in beliefs:
        cells: list[object] = [name]
        for role in ("declarer", "defender"):
            logs = mean_of(found.get((name, role), []))
            mean = float(np.exp(logs.mean))
            cells += [logs.n, Estimate(mean, mean * logs.error, logs.n, digits=2)]
        lines.append(cells)
    columns = ("belief", "moments as declarer", "TSSR", "as defender", "TSSR ")
    return Outcome((Sheet.of(f"{deals} deals, {worlds} worlds at each moment", columns, lines),))
