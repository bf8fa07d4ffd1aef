"""How long proofs take on recorded games: ``python -m tricktake_lab.proof_times GAME RECORDS...``.

The contracts are replayed as recorded; before each card with a choice, from a trick on, the seat in turn asks whether
its goal is sure. Times are of one core (thread time), what follows from the view included.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import click
import numpy as np

from tricktake.cli.common import READABLE, print_table
from tricktake.game import Game, find_game
from tricktake.records.formats import read
from tricktake.search.limit import Limit
from tricktake.search.paranoia import Paranoia
from tricktake.view import View

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
    """Whether the declarer's side is in turn, and the view, for every card of the records with a choice."""
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


@click.command()
@click.argument("name", metavar="GAME")
@click.argument("file", metavar="RECORDS", type=READABLE)
@click.option("--kinds", default="suit,grand", show_default=True, help="Kinds of contracts, comma-separated.")
@click.option("--records", default=1000, show_default=True, help="How many of these contracts.")
@click.option("--start", default=3, show_default=True, help="Finished tricks from which on it is asked.")
@click.option("--nodes", default=3_000_000, show_default=True, help="Limit of each question.")
@click.option("--epsilon", default=0.0, show_default=True, help="Probability of splits left out.")
def command(name: str, file: Path, kinds: str, records: int, start: int, nodes: int, epsilon: float) -> None:
    """Print how long it takes to ask whether the goal is sure, card by card of RECORDS."""
    game = find_game(name)
    search, rows = Paranoia(), []
    for number, (declarer, view) in enumerate(questions(game, file, frozenset(kinds.split(",")), records, start)):
        if number == 0:
            search.prove(view, limit=Limit(nodes=nodes), epsilon=epsilon)  # compiles
        before = time.thread_time()
        proof = search.prove(view, limit=Limit(nodes=nodes), epsilon=epsilon)
        spent = 1000 * (time.thread_time() - before)
        rows.append((declarer, len(view.tricks) + 1, proof.nodes, spent, proof.answer is True, proof.answer is None))
    data = np.array(rows, float)
    parts = [("declarer", data[data[:, 0] == 1]), ("defenders", data[data[:, 0] == 0]), ("all", data)]
    parts += [(f"trick {trick:.0f}", data[data[:, 1] == trick]) for trick in np.unique(data[:, 1])]
    print_table(COLUMNS, [_row(who, part) for who, part in parts if len(part)], right=COLUMNS[1:])


def _row(who: str, part: np.ndarray) -> tuple[object, ...]:
    nodes, ms = part[:, 2], part[:, 3]
    times = [f"{t:.2f}" for t in (ms.mean(), np.median(ms), np.quantile(ms, 0.99), np.quantile(ms, 0.999), ms.max())]
    shares = (f"{100 * part[:, 4].mean():.1f} %", f"{100 * part[:, 5].mean():.2f} %")
    return (
        who,
        len(part),
        *shares,
        f"{nodes.mean():.0f}",
        f"{np.quantile(nodes, 0.999):.0f}",
        *times,
    )


if __name__ == "__main__":
    command()
