"""The experiment behind ``skat:expert``: what its rules are worth on contracts of a log, played in one loop."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tricktake_skat.games import play_contracts
from tricktake_skat.kernels import GRAND
from tricktake_skat.rows import RowArray, read_rows
from tricktake_skat.strategies.expert import PAPER, SWITCHED, Expert

from tricktake.arrays import IntArray
from tricktake_lab.experiment import experiment, log_file
from tricktake_lab.outcome import Estimate, Outcome, Sheet, mean_of

KINDS = ("suit", "grand", "null")


def contracts_of(path: Path, n: int) -> RowArray:
    """The first n contracts of a log; all for 0."""
    found: list[RowArray] = []
    for rows in read_rows(path, on_error=lambda error: None):
        found.append(rows[rows["declarer"] >= 0])
        if n and sum(map(len, found)) >= n:
            break
    return np.concatenate(found)[: n or None]


@experiment(
    "expert.rules",
    item="docs/results.md, expert",
    seed=0,
    smoke={"log": "sample", "games": 100},
    small={"log": "sample", "games": 0},
    paper={"log": "x901.log.gz", "games": 40_000},
)
def rules(seed: int, log: str, games: int) -> Outcome:
    """Expert and rule player in either role on the first contracts of a log, then one rule left out or added at a time.

    Shares are of contracts the declarer wins, differences pairwise by contract. games: 0 for all. No chance in it.
    """
    rows = contracts_of(log_file(log), games)
    kind = np.where(rows["game"] < GRAND, 0, np.where(rows["game"] == GRAND, 1, 2))
    expert = Expert()
    sides = {"rule": None, "expert": expert}
    base = play_contracts(rows, None, None).made
    whole = play_contracts(rows, expert, expert).made
    pairs, without = [], []
    for first, declarer in sides.items():
        for second, defenders in sides.items():
            won = play_contracts(rows, declarer, defenders).made
            pairs.append((f"{first} / {second}", *_shares(won, None, kind), *_shares(won, base, kind)))
    for name in SWITCHED:
        for who, pair in (("declarer", (Expert(name), expert)), ("defenders", (expert, Expert(name)))):
            won = play_contracts(rows, *pair).made
            if (won != whole).any():
                without.append((who, name, *_shares(won, whole, kind)))
    more = []
    for names in (*PAPER, "+".join(PAPER)):
        won = play_contracts(rows, Expert(also=names), expert).made
        more.append((names, *_shares(won, whole, kind)))
    columns = ("declarer / defenders", *KINDS, *(f"{name} less rule / rule" for name in KINDS))
    counts = ", ".join(f"{(kind == i).sum()} {name}" for i, name in enumerate(KINDS))
    sheets = (
        Sheet.of(f"Won of {counts}", columns, pairs),
        Sheet.of("One rule left out, less expert / expert", ("who", "without", *KINDS), without),
        Sheet.of("Rules of the paper, declarer, less expert / expert", ("also", *KINDS), more),
    )
    return Outcome(sheets)


def _shares(won: NDArray[np.bool_], reference: NDArray[np.bool_] | None, kind: IntArray) -> list[Estimate]:
    """The mean by kind of contract, less that of a reference."""
    each = won.astype(float) - (0 if reference is None else reference)
    return [mean_of(each[kind == k], "%", 4) for k in range(len(KINDS))]
