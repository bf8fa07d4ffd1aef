"""Worker processes: every result in its place, whatever their number; and what becomes of those that fail."""

from __future__ import annotations

import os
import random
import time
from pathlib import Path
from typing import Any

import pytest

from tricktake.errors import InputError
from tricktake.pool import AHEAD, WorkerFailed, in_order, run

SOURCES = Path(__file__).resolve().parents[2]


class Fragile:
    """A worker that squares, refuses 7, fails at 8 and dies at 9."""

    def __call__(self, task: int) -> int:
        if task == 7:
            raise InputError("file", 1, "field", "seven")
        if task == 8:
            raise RuntimeError("eight")
        if task == 9:
            os._exit(3)
        return task * task

    def close(self) -> Any:
        return "closed"


@pytest.mark.parametrize("jobs", [1, 2])
def test_results_as_they_come(jobs: int) -> None:
    told: list[str] = []
    assert sorted(run(Fragile, range(1, 7), jobs, told.append)) == [1, 4, 9, 16, 25, 36]
    assert told == ["closed"] * jobs
    with pytest.raises(InputError, match="seven"):
        list(run(Fragile, [7], jobs))
    assert list(run(Fragile, [], jobs)) == []


def test_how_a_worker_failed() -> None:
    with pytest.raises(WorkerFailed, match="eight"):
        list(run(Fragile, [8], 2))
    with pytest.raises(WorkerFailed, match="exit code 3"):
        list(run(Fragile, [1, 9], 2))


def slowly(task: int) -> int:
    """Later tasks are over sooner."""
    time.sleep(random.Random(task).random() / 20 + (0.2 if task == 0 else 0.0))
    return task * task


def test_results_in_the_order_of_the_tasks() -> None:
    wanted = [n * n for n in range(40)]
    for jobs in (1, 2, 4):
        assert list(in_order(slowly, range(40), jobs)) == wanted


def test_a_failure_comes_in_its_place() -> None:
    for jobs in (1, 2):
        results = run(Fragile, [1, 2, 3, 7, 4, 5], jobs, ordered=True)
        assert [next(results) for _ in range(3)] == [1, 4, 9]
        with pytest.raises(InputError, match="seven"):
            next(results)


def test_tasks_are_not_read_far_ahead() -> None:
    read: list[int] = []
    tasks = (read.append(n) or n for n in range(1000))  # type: ignore[func-returns-value]
    results = in_order(slowly, tasks, 2)
    for n in range(20):
        assert next(results) == n * n
        assert len(read) <= n + 2 * AHEAD + 1
    results.close()  # type: ignore[attr-defined]


def test_processes_are_started_here_only() -> None:
    """But those of ``--cluster local:N``, which Dask starts and ends."""
    starts = ("ProcessPoolExecutor", "get_context(", "os.fork", "multiprocessing.Pool", "multiprocessing.Process")
    starts += ("LocalCluster(",)
    product = [*(SOURCES / "tricktake").rglob("*.py"), *(SOURCES / "plugins").glob("*/src/**/*.py")]
    found = {path.name for path in product if any(word in path.read_text(encoding="utf-8") for word in starts)}
    assert found <= {"pool.py", "cluster.py", "seatchild.py"}  # the last stands between referee and player
    assert found >= {"pool.py", "cluster.py"}
