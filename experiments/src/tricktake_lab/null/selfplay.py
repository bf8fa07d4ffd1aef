"""Nothing but Null: ``python -m tricktake_lab.null.selfplay SEED DEALS FILE`` learns a table of such games.

Bidding seldom leads to Null, and only with hands the bidder likes. Here all four kinds are forced on every hand with
some chance (``FLOOR``), Null ouvert is judged with open cards, and only what decides the one weak suit is counted.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from attrs import evolve
from tricktake_null_tables.question import SUIT
from tricktake_skat.rows_play import Exploration, explored, judge_open

from tricktake.errors import InputError
from tricktake.learning import Table, learn, merge
from tricktake.learning.rows import RowArray

KINDS = ("N", "NH", "NO", "NHO")
FLOOR = -2.5  # least log odds of a forced hand: 8 %
RANDOM_PUTS = 3  # one skat in three is put at random
BLOCK = 100_000

HOW = Exploration(KINDS, FLOOR, RANDOM_PUTS)


def games(seed: int, deals: int, first: int = 0) -> Iterator[RowArray]:
    """The forced Null games of the deals of a seed, block by block."""
    for start in range(first, first + deals, BLOCK):
        rows = explored(seed, start, min(BLOCK, first + deals - start), HOW)
        rows = rows[rows["declarer"] >= 0]
        judge_open(rows)
        yield rows


def learned(seed: int, deals: int) -> Table:
    """The counts of ``null_tables:suit`` over the deals of a seed, with where they come from."""
    table = merge(learn(SUIT, rows) for rows in games(seed, deals))
    source = {
        "kind": "self-play",
        "player": "skat:rule, games forced",
        "kinds": list(KINDS),
        "floor": FLOOR,
        "random_puts": RANDOM_PUTS,
        "ouvert": "judged with open cards",
        "seed": seed,
        "first": 0,
        "games": deals,
        "used": table.games,
    }
    return evolve(table, sources=(source,))


def main() -> None:
    """Learn and write a table file."""
    if len(sys.argv) != 4 or not (sys.argv[1] + sys.argv[2]).isdecimal():
        raise InputError(None, None, "arguments", "a seed, a number of deals and a file are needed")
    learned(int(sys.argv[1]), int(sys.argv[2])).save(sys.argv[3])


if __name__ == "__main__":
    main()
