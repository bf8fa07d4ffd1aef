"""How long proofs take on recorded games.

The contracts are replayed as recorded; before each card with a choice, from a trick on, the seat to move asks whether
its goal is sure. Times are of one core (thread time), what follows from the view included.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np

from tricktake.game import Game, find_game
from tricktake.records.formats import read
from tricktake.search.limit import Limit
from tricktake.search.paranoia import Paranoia
from tricktake.view import View
from tricktake_lab.experiment import experiment, log_file
from tricktake_lab.outcome import Cell, Outcome, Sheet, mean_of, share_of

COLUMNS = (
    "asked by",
    "questions",
    "proven",
    "unknown",
    "nodes mean",
    "p99.9",
    "ms mean",
    "median",
    "p99",
    "p99.9 ",
    "most",
)


def questions(game: Game, file: Path, kinds: frozenset[str], records: int, start: int) -> Iterator[tuple[bool, View]]:
    """Whether the declarer's side is to move, and the view, for every card of the records with a choice."""
    wanted = (r for r in read(file, game) if r.contract is not None and r.contract.kind in kinds)
    for record in islice(wanted, records):
        table = record.table_at_play(game)
        for event in record.plays:
            if table.over or event.action.verb != "play" or table.tricks is None or table.turn is None:
                break
            if len(table.tricks.tricks) >= start:
                view = table.view(table.actor or 0)
                if len(view.legal) > 1:
                    assert view.rules is not None
                    assert record.contract is not None
                    yield view.rules.team(record.contract.declarer) == view.rules.team(view.turn), view
            table.apply(event.action, event.seat)


@experiment(
    "paranoia.times",
    item="docs/paranoia.md",
    seed=0,
    smoke={"log": "sample", "records": 2, "start": 5},
    small={"log": "sample", "records": 60},
    paper={"log": "x901.log.gz", "records": 1500},
)
def times(
    seed: int,
    log: str,
    records: int,
    game: str = "skat",
    kinds: tuple[str, ...] = ("suit", "grand"),
    start: int = 3,
    nodes: int = 3_000_000,
    epsilon: float = 0.0,
) -> Outcome:
    """How long it takes to ask whether the goal is sure, card by card of recorded games. No chance in it.

    records: how many contracts of these kinds. start: finished tricks from which on it is asked. nodes: limit of each
    question. epsilon: probability of splits left out.
    """
    search, rows, limit = Paranoia(), [], Limit(nodes=nodes)
    asked = questions(find_game(game), log_file(log), frozenset(kinds), records, start)
    for number, (declarer, view) in enumerate(asked):
        if number == 0:
            search.prove(view, limit=limit, epsilon=epsilon)  # compiles
        before = time.thread_time()
        proof = search.prove(view, limit=limit, epsilon=epsilon)
        spent = 1000 * (time.thread_time() - before)
        rows.append((declarer, len(view.tricks) + 1, proof.nodes, spent, proof.answer is True, proof.answer is None))
    data = np.array(rows, float)
    parts = [("declarer", data[data[:, 0] == 1]), ("defenders", data[data[:, 0] == 0]), ("all", data)]
    parts += [(f"trick {trick:.0f}", data[data[:, 1] == trick]) for trick in np.unique(data[:, 1])]
    lines = [_row(who, part) for who, part in parts if len(part)]
    return Outcome((Sheet.of(f"{records} contracts", COLUMNS, lines),))


def _row(who: str, part: np.ndarray) -> tuple[Cell, ...]:
    nodes, ms = part[:, 2], part[:, 3]
    spread = [float(t) for t in (np.median(ms), np.quantile(ms, 0.99), np.quantile(ms, 0.999), ms.max())]
    counts = mean_of(nodes, digits=0), float(np.quantile(nodes, 0.999))
    return (who, len(part), share_of(part[:, 4]), share_of(part[:, 5]), *counts, mean_of(ms), *spread)
