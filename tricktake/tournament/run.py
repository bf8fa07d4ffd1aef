"""Running a tournament: games missing in the store are given to the workers, their results go into the store."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from attrs import evolve

from tricktake import pool
from tricktake.errors import InputError
from tricktake.records import formats
from tricktake.records.record import GameRecord
from tricktake.tournament.config import Config
from tricktake.tournament.match import DealTask, MatchWorker
from tricktake.tournament.schedule import Schedule
from tricktake.tournament.sequential import Asked, Until
from tricktake.tournament.store import Row, Store, config_hash

Progress = Callable[[int], None]


def default_store(config: Config, file: Path | None = None) -> Path:
    """The default store: beside the TOML file, else in the current folder, named by the hash."""
    return file.with_suffix(".jsonl") if file is not None else Path(f"tournament-{config_hash(config.as_row())}.jsonl")


def run(
    config: Config,
    path: str | Path,
    jobs: int = 1,
    progress: Progress = lambda games: None,
    until: Until | None = None,
) -> dict[str, Row]:
    """Play all games that are not yet in the store and return all rows by id.

    Stopping it in any way loses no finished game; calling it again continues, also with more deals. The rows do not
    depend on ``jobs``. until: no deal is played after the one that decides; deals count in their order, so neither
    does this one depend on how fast workers are. Raises InputError for a store of another tournament, or with more
    deals than are asked for.
    """
    schedule = config.schedule()
    with Store(path, config.as_row(), until.as_row() if until else None) as store:
        if strange := store.rows.keys() - schedule.ids:
            reason = f"the store has game {min(strange)}, {schedule.deals} deals are asked for: they can only grow"
            raise InputError(path, None, "deals", reason)
        progress(len(store.rows))
        started, before = time.perf_counter(), len(store.rows)
        costs: list[dict[str, Any]] = []
        make = functools.partial(MatchWorker, config)
        asked = Asked.of(until, config, store.rows)
        tasks = _tasks(config, schedule, store, asked)
        for rows in pool.run(make, tasks, jobs, costs.append, ordered=until is not None):
            if asked.decided:
                continue  # of a later deal, which was begun meanwhile
            for row in rows:
                store.add(row)
            asked.go_on()
            progress(len(rows))
        if played := len(store.rows) - before:
            seconds = round(time.perf_counter() - started, 2)
            store.add_session({"games": played, "jobs": jobs, "seconds": seconds, "players": _merged(costs)})
        return dict(store.rows)


def _tasks(config: Config, schedule: Schedule, store: Store, asked: Asked) -> Iterator[DealTask]:
    records = contract_records(config) if config.records else None
    for deal in range(schedule.deals):
        if asked.decided:
            return
        record = next(records, None) if records is not None else None
        if records is not None and record is None:
            raise InputError(None, None, "deals", f"{schedule.deals} are asked for, the records hold {deal} contracts")
        missing = tuple(p.number for p in schedule.of_deal(deal) if p.id not in store.rows)
        if missing:
            yield DealTask(deal, missing, record)


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
