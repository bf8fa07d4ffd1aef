"""What proven cards are worth: XSkat contracts replayed with and without them (KBPS-16, 22).

``python -m tricktake_lab.skat.proven_cards RECORDS "skat:rule" "core:paranoia(then=skat:rule)"``: every
spec plays all three seats of every suit and grand contract, auction, contract and skat being kept. Results are compared
with those of the first spec, contract by contract.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context
from pathlib import Path

import click
import numpy as np

from tricktake.cli.common import READABLE, print_table
from tricktake.records.formats import get_game, read
from tricktake.search.limit import Limit
from tricktake.strategies.player import Player
from tricktake.tournament.referee import play
from tricktake.tournament.seat import LocalSeat
from tricktake.tournament.stats import paired

SERIES = 36
Result = tuple[bool, float, float]  # won, Seeger points of the declarer, seconds


def replay(file: Path, specs: Sequence[str], records: int, part: int, parts: int) -> list[list[Result]]:
    """The results of each ``parts``-th contract from ``part`` on: a row a contract, a column a spec."""
    game = get_game("skat")
    assert game is not None
    seats = [LocalSeat(lambda spec=spec: Player.from_spec(f"play={spec}"), Limit()) for spec in specs]  # type: ignore[misc]
    wanted = (r for r in read(file, game) if r.contract is not None and r.contract.kind in ("suit", "grand"))
    rows = []
    for record in islice(wanted, part, records, parts):
        row = []
        for seat in seats:
            table = record.table_at_play(game)
            start = time.thread_time()
            faults = play(table, [seat] * game.seats, seed=0, game_id=record.id)
            if faults:
                raise RuntimeError(f"{record.id}: {faults[0].reason}")
            score = table.score()
            assert record.contract is not None
            points = game.series_points(score)[record.contract.declarer]
            row.append((bool(score.won), points, time.thread_time() - start))
        rows.append(row)
    return rows


def interleaved(parts: Sequence[list[list[Result]]]) -> Iterator[list[Result]]:
    """The rows in the order of the records."""
    for n in range(max(len(part) for part in parts)):
        yield from (part[n] for part in parts if n < len(part))


@click.command()
@click.argument("file", metavar="RECORDS", type=READABLE)
@click.argument("specs", nargs=-1, required=True)
@click.option("--records", default=5000, show_default=True, help="How many suit and grand contracts.")
@click.option("--jobs", default=1, show_default=True)
def command(file: Path, specs: tuple[str, ...], records: int, jobs: int) -> None:
    """Replay contracts with every spec on all seats, and compare with the first."""
    if jobs == 1:
        parts = [replay(file, specs, records, 0, 1)]
    else:
        with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
            asked = [pool.submit(replay, file, specs, records, part, jobs) for part in range(jobs)]
            parts = [job.result() for job in asked]
    data = np.array(list(interleaved(parts)), float)  # contracts, specs, (won, points, seconds)
    lines = []
    for i, spec in enumerate(specs):
        won, points, seconds = data[:, i].T
        gained = int(((won == 1) & (data[:, 0, 0] == 0)).sum())
        lost = int(((won == 0) & (data[:, 0, 0] == 1)).sum())
        change = ""
        if i:
            estimate, p = paired((points - data[:, 0, 1]).tolist(), SERIES)
            error = estimate.error or 0.0
            change = f"{estimate.mean:+.1f} ± {error:.1f} (p {p:.2g})"
        ms = 1000 * seconds[1:].mean() if len(seconds) > 1 else 1000 * seconds.mean()
        lines.append((spec, int(won.sum()), f"+{gained} -{lost}", f"{SERIES * points.mean():.1f}", change, f"{ms:.1f}"))
    columns = ("player", "declarer wins", "changed", "points per 36", "difference", "ms a game")
    print_table(columns, lines, title=f"{len(data)} contracts; points of the declarer", right=columns[1:])


if __name__ == "__main__":
    command()
