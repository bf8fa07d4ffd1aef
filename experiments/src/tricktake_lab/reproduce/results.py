"""The result of an item: the run of its experiment, the paper's numbers beside ours, and the verdicts; as JSON files.

A result that is there with the same experiment, seed, arguments and dependencies is not made again. Items of the same
run share it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import frozen

from tricktake import pool
from tricktake.archive import replacing
from tricktake.errors import InputError
from tricktake_lab import experiments
from tricktake_lab.experiment import Experiment, run_with
from tricktake_lab.outcome import plain
from tricktake_lab.reproduce.depends import fingerprint
from tricktake_lab.reproduce.items import Item
from tricktake_lab.reproduce.verdict import overall

Result = dict[str, Any]


@frozen
class Task:
    """One run that items ask for."""

    experiment: Experiment
    size: str
    seed: int
    arguments: Mapping[str, Any]

    @property
    def key(self) -> str:
        """The same for equal runs of equal code, whatever the commit and the folder of the results."""
        arguments = {name: value for name, value in self.arguments.items() if not isinstance(value, Path)}
        facts = [self.experiment.name, self.seed, plain(arguments), fingerprint(self.experiment.work.__module__)]
        return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()[:16]


def task_of(item: Item, size: str, out: Path) -> Task:
    """What an item asks for at a size. Raises UnknownName."""
    experiment = experiments()[item.experiment]
    return Task(experiment, size, *item.run_with(experiment, size, out))


def judged(item: Item, done: Mapping[str, Any]) -> Result:
    """A run as the result of an item: with the printed numbers, the claims and their verdicts."""
    claims = [claim.judged(done).as_json() for claim in item.claims]
    about: Result = {"item": item.name, "paper": item.paper, "shows": item.shows, "says": item.says}
    about |= {"points": list(item.points), "verdict": overall([claim["verdict"] for claim in claims])}
    return about | {"claims": claims, "printed": plain(dict(item.printed)), "note": item.note, "run": dict(done)}


def read(file: Path) -> Result | None:
    """A result, None if there is none. Raises InputError for a file that is none."""
    if not file.is_file():
        return None
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
        return dict(found) if found["run"] is not None else None
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(str(file), None, None, f"is no result of an item: {error}") from error


def write(result: Result, file: Path) -> None:
    """Write a result; the file appears when complete."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with replacing(file) as beside:
        beside.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def reproduce(
    items: Sequence[Item], size: str, out: Path, jobs: pool.Jobs = 1, again: bool = False
) -> Iterator[tuple[Item, Result, bool]]:
    """Results of items that have an experiment, each written to ``out`` as soon as it is there, and whether it was
    made now. Raises InputError, UnknownName.
    """
    wanted: dict[str, list[Item]] = {}
    tasks: dict[str, Task] = {}
    for item in items:
        if item.experiment:
            task = task_of(item, size, out)
            wanted.setdefault(task.key, []).append(item)
            tasks.setdefault(task.key, task)
    stored = {} if again else _stored(out)
    for key in sorted(set(wanted) & set(stored), key=list(wanted).index):
        yield from _finished(wanted[key], stored[key], out, False)
    left = [key for key in wanted if key not in stored]
    for key, done in zip(left, pool.in_order(_work, [(tasks[key], key) for key in left], jobs), strict=True):
        yield from _finished(wanted[key], done, out, True)


def _finished(items: Iterable[Item], done: Result, out: Path, new: bool) -> Iterator[tuple[Item, Result, bool]]:
    for item in items:
        result = judged(item, done)
        write(result, out / f"{item.name}.json")
        yield item, result, new


def _work(given: tuple[Task, str]) -> Result:
    task, key = given
    return run_with(task.experiment, task.size, task.seed, task.arguments).as_json() | {"key": key}


def _stored(out: Path) -> dict[str, Result]:
    """The runs of the results in a folder, by key."""
    found = (read(file) for file in sorted(out.glob("*.json")))
    return {result["run"]["key"]: result["run"] for result in found if result is not None}
