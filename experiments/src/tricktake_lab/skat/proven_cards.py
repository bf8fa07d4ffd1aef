"""What proven cards are worth (KBPS-16, KBPS-22): XSkat contracts replayed with and without them."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import numpy as np

from tricktake.pool import in_order
from tricktake.records.formats import get_game, read
from tricktake.search.limit import Limit
from tricktake.strategies.player import Player
from tricktake.tournament.referee import play
from tricktake.tournament.seat import LocalSeat
from tricktake_lab.experiment import experiment, log_file
from tricktake_lab.outcome import Outcome, Sheet, mean_of

SERIES = 36
Result = tuple[bool, float, float]  # won, Seeger points of the declarer, seconds


def replay(file: Path, specs: Sequence[str], records: int, part: int, parts: int, seed: int) -> list[list[Result]]:
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
            faults = play(table, [seat] * game.seats, seed=seed, game_id=record.id)
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


@experiment(
    "cards.proven",
    item="KBPS-16, KBPS-22; docs/results.md, paranoia",
    seed=0,
    smoke={"log": "sample", "games": 3, "specs": ("skat:rule", "core:paranoia(then=skat:rule,nodes=200)")},
    small={"log": "sample", "games": 60},
    paper={"log": "x902.log.gz", "games": 5000},
)
def proven(
    seed: int,
    log: str,
    games: int,
    specs: tuple[str, ...] = ("skat:expert", "core:paranoia(then=skat:expert)"),
    jobs: int = 1,
) -> Outcome:
    """Suit games and grands of a log with every spec on all three seats; auction, contract and skat are kept.

    Results are compared with those of the first spec, contract by contract; points are the declarer's.
    """
    file = log_file(log)
    tasks = [(file, specs, games, part, jobs, seed) for part in range(jobs)]
    parts = list(in_order(_part, tasks, jobs))
    data = np.array(list(interleaved(parts)), float)  # contracts, specs, (won, points, seconds)
    rows = []
    for i, spec in enumerate(specs):
        won, points, seconds = data[:, i].T
        gained = int(((won == 1) & (data[:, 0, 0] == 0)).sum())
        lost = int(((won == 0) & (data[:, 0, 0] == 1)).sum())
        difference = mean_of(SERIES * (points - data[:, 0, 1]), digits=1)
        cells = (int(won.sum()), gained, lost, mean_of(SERIES * points, digits=1), difference)
        rows.append((spec, *cells, 1000 * float(seconds[len(seconds) > 1 :].mean())))
    columns = ("player", "declarer wins", "gained", "lost", "points in 36 games", "difference", "ms a game")
    return Outcome((Sheet.of(f"{len(data)} contracts", columns, rows),))


def _part(task: tuple[Path, Sequence[str], int, int, int, int]) -> list[list[Result]]:
    return replay(*task)
