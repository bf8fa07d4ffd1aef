"""Running a tournament: games missing in the store are given to the workers, their results go into the store.

Where blocks are kept (``blocks``) a block is some deals with all of their games, and the store is what they are merged
into: the rows are the same.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from attrs import evolve

from tricktake import blocks
from tricktake.blocks import BlockDiffers, Keeping, Key, Work
from tricktake.errors import InputError
from tricktake.pool import Jobs
from tricktake.records import formats
from tricktake.records.record import GameRecord
from tricktake.tournament.config import Config
from tricktake.tournament.match import DealTask, MatchWorker
from tricktake.tournament.schedule import Schedule
from tricktake.tournament.sequential import Asked, Until
from tricktake.tournament.store import Row, Store, canonical, config_hash, fixed, packed, unpacked

BLOCK = 10  # deals of a block: a second with players that think for 10 ms a game, a minute with those that take one

Progress = Callable[[int], None]
Tasks = Iterator[tuple[Key, Sequence[DealTask]]]


def default_store(config: Config, file: Path | None = None) -> Path:
    """The default store: beside the TOML file, else in the current folder, named by the hash."""
    return file.with_suffix(".jsonl") if file is not None else Path(f"tournament-{config_hash(config.as_row())}.jsonl")


def run(
    config: Config,
    path: str | Path,
    jobs: Jobs = 1,
    progress: Progress = lambda games: None,
    until: Until | None = None,
) -> dict[str, Row]:
    """Play all games that are not yet in the store and return all rows by id.

    Stopping it in any way loses no finished game; calling it again continues, also with more deals. The rows do not
    depend on ``jobs``. until: no deal is played after the one that decides; deals count in their order, so neither
    does this one depend on how fast workers are. Raises InputError for a store of another tournament, or with more
    deals than are asked for; BlockDiffers if a game was played twice and ended differently.
    """
    schedule = config.schedule()
    if isinstance(jobs, Keeping) and jobs.share is not None:
        return _share(config, schedule, jobs, progress)
    with Store(path, config.as_row(), until.as_row() if until else None) as store:
        if strange := store.rows.keys() - schedule.ids:
            reason = f"the store has game {min(strange)}, {schedule.deals} deals are asked for: they can only grow"
            raise InputError(path, None, "deals", reason)
        progress(len(store.rows))
        started, before = time.perf_counter(), len(store.rows)
        costs: list[dict[str, Any]] = []
        asked = Asked.of(until, config, store.rows)
        whole = isinstance(jobs, Keeping)
        tasks = _tasks(config, schedule, store.rows, asked, BLOCK if whole else 1, whole=whole)
        for rows in blocks.run(work_of(config), tasks, jobs, costs.append, ordered=until is not None):
            new = 0
            for _, deal in groupby(rows, key=lambda row: row["deal"]):
                if asked.decided:
                    break  # later ones were begun meanwhile
                new += sum(_added(store, row) for row in deal)
                asked.go_on()
            progress(new)
        if played := len(store.rows) - before:
            seconds = round(time.perf_counter() - started, 2)
            by = jobs if isinstance(jobs, int) else str(jobs)
            store.add_session({"games": played, "jobs": by, "seconds": seconds, "players": _merged(costs)})
        return dict(store.rows)


def work_of(config: Config) -> Work:
    """A tournament as work: a task is some deals, a result the rows of their games."""
    players = (*config.players, *((config.bidder,) if config.bidder else ()))
    return Work(
        "tournament",
        config.seed,
        fixed(config.as_row()),
        functools.partial(DealsWorker, config),
        packed,
        unpacked,
        blocks.files_in(player.text for player in players),
    )


class DealsWorker(MatchWorker):
    """Plays the games of some deals."""

    def __call__(self, tasks: Sequence[DealTask]) -> list[Row]:  # type: ignore[override]
        return [row for task in tasks for row in super(DealsWorker, self).__call__(task)]


def _added(store: Store, row: Row) -> bool:
    """Whether a game is new to the store. Raises BlockDiffers if it is there with another result."""
    there = store.rows.get(row["id"])
    if there is None:
        store.add(row)
        return True
    if canonical(there) != canonical(row):
        raise BlockDiffers(f"game {row['id']}", str(store.path), "a block")
    return False


def _share(config: Config, schedule: Schedule, jobs: Keeping, progress: Progress) -> dict[str, Row]:
    """The blocks of one job of an array; it leaves the store to the run that merges. Raises ShareDone."""
    asked = Asked.of(None, config, {})
    for rows in blocks.run(work_of(config), _tasks(config, schedule, {}, asked, BLOCK, whole=True), jobs):
        progress(len(rows))
    return {}


def _tasks(
    config: Config, schedule: Schedule, rows: Mapping[str, Row], asked: Asked, size: int, *, whole: bool
) -> Tasks:
    """Deals with missing games, ``size`` at a time. whole: all games of all of these, so that the block has its name
    whatever was played before.
    """
    records = contract_records(config) if config.records else None
    for first in range(0, schedule.deals, size):
        if asked.decided:
            return
        tasks: list[DealTask] = []
        missing = False
        deals = range(first, min(first + size, schedule.deals))
        for deal in deals:
            record = next(records, None) if records is not None else None
            if records is not None and record is None:
                reason = f"{schedule.deals} are asked for, the records hold {deal} contracts"
                raise InputError(None, None, "deals", reason)
            left = tuple(p.number for p in schedule.of_deal(deal) if p.id not in rows)
            missing |= bool(left)
            numbers = tuple(range(len(schedule.rows))) if whole else left
            tasks.append(DealTask(deal, numbers, record))
        if missing:
            yield (first, len(deals)), tasks


def contract_records(config: Config) -> Iterator[GameRecord]:
    """The records of a match in contracts mode: those with a contract. Raises InputError for a broken one."""
    game = config.make_game()
    for name in config.records:
        for record in formats.read(name, game=game, strict=True):
            if record.contract is not None:
                yield record


def with_all_records(config: Config) -> Config:
    """The same tournament over as many deals as its records hold."""
    return evolve(config, deals=sum(1 for _ in contract_records(config)))


def _merged(costs: list[dict[str, Any]]) -> dict[str, Any]:
    total: dict[str, Any] = {}
    for worker in costs:
        for name, spent in worker.items():
            mine = total.setdefault(name, {"decisions": 0, "seconds": 0.0, "slowest": 0.0})
            mine["decisions"] += spent["decisions"]
            mine["seconds"] = round(mine["seconds"] + spent["seconds"], 3)
            mine["slowest"] = max(mine["slowest"], spent["slowest"])
    return total
