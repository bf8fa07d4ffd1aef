"""Nothing but Null, and the table learned from such games.

Bidding seldom leads to Null, and only with hands the bidder likes. Here all four kinds are forced on every hand with
some chance (``FLOOR``), Null ouvert is judged with open cards, and only what decides the one weak suit is counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from attrs import evolve
from tricktake_null_tables.question import SUIT
from tricktake_skat.rows_play import Exploration, explored, solve_open

from tricktake.learning import LearnedTable, learn, merge
from tricktake.learning.rows import RowArray
from tricktake.policy.policy import Policy
from tricktake_lab.experiment import experiment
from tricktake_lab.experiment import learned as made_by
from tricktake_lab.outcome import Outcome, Sheet

KINDS = ("N", "NH", "NO", "NHO")
FLOOR = -2.5  # least log odds of a forced hand: 8 %
RANDOM_PUTS = 3  # one skat in three is put at random
BLOCK = 100_000

HOW = Exploration(KINDS, FLOOR, RANDOM_PUTS)


def games(seed: int, deals: int, first: int = 0, policy: Policy | None = None) -> Iterator[RowArray]:
    """The forced Null games of the deals of a seed, block by block. policy: plays the cards; None: the rule player."""
    for start in range(first, first + deals, BLOCK):
        rows = explored(seed, start, min(BLOCK, first + deals - start), HOW, policy=policy)
        rows = rows[rows["declarer"] >= 0]
        solve_open(rows)
        yield rows


def learned(seed: int, deals: int) -> LearnedTable:
    """The counts of ``null_tables:suit`` over the deals of a seed, with where they come from."""
    table = merge(learn(SUIT, rows) for rows in games(seed, deals))
    source = {
        "kind": "self-play",
        "player": "skat:rule, games forced",
        "kinds": list(KINDS),
        "floor": FLOOR,
        "random_puts": RANDOM_PUTS,
        "ouvert": "judged with open cards",
        **made_by("null.table", seed, deals=deals),
        "first": 0,
        "games": deals,
        "used": table.games,
    }
    return evolve(table, sources=(source,))


@experiment(
    "null.table",
    item="docs/null-tables.md; KERMIT-3",
    seed=1001,
    smoke={"deals": 300},
    small={"deals": 20_000},
    paper={"deals": 2_000_000},
)
def table(seed: int, deals: int, file: Path | None = None) -> Outcome:
    """A table for Null learned from forced Null games alone; file: where it is saved. The shipped one is another."""
    found = learned(seed, deals)
    if file is not None:
        found.save(file)
    sheet = Sheet.of("Nulls with one weak suit", ("deals", "games", "won"), [(deals, found.games, found.won)])
    return Outcome((sheet,))
