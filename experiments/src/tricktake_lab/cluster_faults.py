"""A cluster that is killed again and again: whether anything is lost, doubled or different; and what it costs."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from attrs import define, field

from tricktake import pool
from tricktake.blocks import BlockDiffers, BlockStore, Keeping, Key, Work, run
from tricktake.blocks.cluster import Cluster
from tricktake.learning import find_question
from tricktake.learning.rows import RowArray, Rows
from tricktake.learning.selfplay import work_of
from tricktake.pool import Plain
from tricktake_lab.experiment import experiment
from tricktake_lab.memory import resident
from tricktake_lab.outcome import Outcome, Sheet, mean_of

QUESTION, POLICY = "skat:suit", "skat:cards"
SCHEDULER_SHARE = 0.2  # of the kills
PAUSE = 1.0  # seconds, the most between the block that calls for a kill and the kill
STARTED = 120.0  # seconds until a process that was started has done its first thing
TASKS = 400  # empty ones, for the cost of a task
FILES = 500  # blocks in a folder, for its cost
SAMPLES = 20  # looks at the client's memory


@experiment(
    "cluster.faults",
    item="docs/results.md, faults of a cluster",
    seed=20261122,
    smoke={
        "games": 60,
        "block": 10,
        "kills": 1,
        "doubles": 1,
        "workers": 1,
        "timed": 1,
        "long": 10,
        "flow": 4000,
        "flow_block": 200,
    },
    small={"games": 100_000, "kills": 10, "timed": 2, "flow": 1_000_000},
    paper={},
)  # fmt: skip
def faults(
    seed: int,
    games: int = 1_000_000,
    block: int = 10_000,
    kills: int = 50,
    doubles: int = 20,
    timed: int = 4,
    long: int = 60_000,
    flow: int = 10_000_000,
    flow_block: int = 20_000,
    workers: int = 2,
) -> Outcome:
    """Games of the policy player in blocks on a cluster that keeps dying, against the same games by one process alone.

    kills: of a worker, or of the scheduler for a share of ``SCHEDULER_SHARE``; drawn from the seed, as are the blocks
    after which they come and the pause until then. Whoever dies is started again at once. doubles: blocks given out
    twice. timed, long: so many blocks of so many games by the pool of processes and by a cluster, one worker each, for
    the overhead. flow, flow_block: rows that are sent but not played, for the memory of the client. 0 leaves a part
    out.
    """
    rows = find_question(QUESTION).rows
    sheets = []
    if games:
        sheets.append(campaign(rows, seed, games, block, kills, doubles, workers))
    if timed or flow:
        with Cluster("local:1") as cluster:
            if timed:
                sheets += [overhead(cluster, rows, seed, timed, long), folder(rows, seed)]
            if flow:
                sheets.append(memory(cluster, rows, flow, flow_block))
    return Outcome(tuple(sheets))


# -- a cluster that dies ----------------------------------------------------------------------------------------------


@define
class Nodes:
    """A scheduler and workers as processes; the one who watches starts those that are dead, and kills."""

    folder: Path
    workers: int
    port: int = 0
    processes: dict[str, subprocess.Popen[bytes]] = field(factory=dict)
    started: int = 0
    _watch: threading.Thread | None = None
    _lock: Any = field(factory=threading.Lock)
    _over: threading.Event = field(factory=threading.Event)

    @property
    def file(self) -> Path:
        return self.folder / "scheduler.json"

    @property
    def address(self) -> str:
        return f"tcp://127.0.0.1:{self.port}"

    def __enter__(self) -> Nodes:
        self._start("scheduler")
        limit = time.monotonic() + STARTED
        while not self.port:
            with contextlib.suppress(OSError, ValueError):
                self.port = int(json.loads(self.file.read_text())["address"].rpartition(":")[2])
            if time.monotonic() > limit:
                raise TimeoutError("the scheduler does not start")
            time.sleep(0.05)
        for number in range(self.workers):
            self._start(f"worker{number}")
        self._watch = threading.Thread(target=self._keep_alive)
        self._watch.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        assert self._watch is not None
        self._watch.join()
        for process in self.processes.values():
            process.kill()
            process.wait()

    def kill(self, name: str) -> None:
        """Kill -9."""
        with self._lock:
            self.processes[name].kill()
            self.processes[name].wait()

    def _start(self, name: str) -> None:
        shared = ["--host", "127.0.0.1", "--no-dashboard"]
        if name == "scheduler":
            words = ["scheduler", "--port", str(self.port), "--scheduler-file", str(self.file)]
        else:
            words = ["worker", self.address, "--no-nanny", "--nthreads", "1", "--death-timeout", str(STARTED)]
        with (self.folder / f"{name}.log").open("ab") as log:
            self.processes[name] = subprocess.Popen(
                [sys.executable, "-m", "dask", *words, *shared], cwd=self.folder, stdout=log, stderr=log,
                preexec_fn=pool.die_with_parent,
            )  # fmt: skip
        self.started += 1

    def _keep_alive(self) -> None:
        while not self._over.wait(0.05):
            with self._lock:
                for name, process in list(self.processes.items()):
                    if process.poll() is not None:
                        self._start(name)


@define
class Reaper:
    """Kills when its moments come, counted in blocks that were given out."""

    nodes: Nodes
    moments: list[tuple[int, float, str]]
    given: int = 0
    killed: Counter[str] = field(factory=Counter)
    _over: threading.Event = field(factory=threading.Event)
    _thread: threading.Thread | None = None

    def __enter__(self) -> Reaper:
        self._thread = threading.Thread(target=self._reap)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        assert self._thread is not None
        self._thread.join()

    def _reap(self) -> None:
        for after, pause, name in self.moments:
            while self.given < after:
                if self._over.wait(0.02):
                    return
            if self._over.wait(pause):
                return
            self.nodes.kill(name)
            self.killed[name.rstrip("0123456789")] += 1


def moments(rng: np.random.Generator, kills: int, tasks: int, workers: int) -> list[tuple[int, float, str]]:
    """After which task, with what pause, who."""
    after = np.sort(rng.integers(1, max(2, tasks - 1), kills))
    chosen = rng.random(kills) < SCHEDULER_SHARE
    return [
        (int(n), float(rng.uniform(0, PAUSE)), "scheduler" if hit else f"worker{int(rng.integers(workers))}")
        for n, hit in zip(after, chosen, strict=True)
    ]


def campaign(rows: Rows, seed: int, games: int, block: int, kills: int, doubles: int, workers: int) -> Sheet:
    """The same games twice: by one process that nobody disturbs, and by a cluster that is killed again and again."""
    work = work_of(rows, seed, policy=POLICY)
    keys = [(first, min(block, games - first)) for first in range(0, games, block)]
    begun = time.perf_counter()
    wanted = {key: _digest(work.encode(found)) for key, found in zip(keys, run(work, _tasks(keys), 1), strict=True)}
    alone = time.perf_counter() - begun
    rng = np.random.default_rng(seed)
    twice = set(rng.choice(len(keys), min(doubles, len(keys)), replace=False).tolist())
    given = [key for number, key in enumerate(keys) for _ in range(1 + (number in twice))]
    different, seen, begun = 0, Counter[Key](), time.perf_counter()
    with tempfile.TemporaryDirectory() as name, Nodes(Path(name), workers) as nodes, Cluster(nodes.address) as cluster:
        store = BlockStore(Path(name) / "blocks")
        with Reaper(nodes, moments(rng, kills, len(given), workers)) as reaper:

            def tasks() -> Iterator[tuple[Key, Key]]:
                for key in given:
                    reaper.given += 1
                    yield key, key

            for key, found in zip(given, run(work, tasks(), Keeping(store, cluster)), strict=True):
                different += _digest(work.encode(found)) != wanted[key]
                seen[key] += 1
        apart = time.perf_counter() - begun
        kept = {key: store.get(work.block(key, key)) for key in keys}
        files = len(list(store.folder.rglob("*.block")))
        numbers = np.concatenate([work.decode(data)["id"] for data in kept.values()])
        different_ids = len(np.unique(numbers))
        different += sum(_digest(data) != wanted[key] for key, data in kept.items())
        again = sum(not store.put(work.block(key, key), kept[key], "another host") for key in keys)
        found = _forged(store, work, keys[0], kept[keys[0]])
    cells = [
        ("games, blocks", f"{games:,}, {len(keys)}"),
        ("killed with -9: workers, scheduler", f"{reaper.killed['worker']}, {reaper.killed['scheduler']}"),
        ("processes started", nodes.started),
        ("blocks given out twice", len(given) - len(keys)),
        ("blocks lost", len(keys) - files),
        ("games lost, games doubled", f"{games - different_ids}, {len(numbers) - different_ids}"),
        ("blocks different from the undisturbed run", different),
        ("blocks kept once more and found equal", again + sum(n - 1 for n in seen.values())),
        ("a forged duplicate is found", "yes" if found else "no"),
        ("seconds alone, one process", round(alone, 1)),
        (f"seconds disturbed, workers: {workers}", round(apart, 1)),
    ]
    return Sheet.of("a cluster that is killed again and again", ("what", "found"), cells)


def _tasks(keys: list[Key]) -> Iterator[tuple[Key, Key]]:
    return ((key, key) for key in keys)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _forged(store: BlockStore, work: Work, key: Key, data: bytes) -> bool:
    try:
        store.put(work.block(key, key), data[:-1] + bytes([data[-1] ^ 1]), "a forger")
    except BlockDiffers:
        return True
    return False


# -- what it costs ----------------------------------------------------------------------------------------------------


def overhead(cluster: Cluster, rows: Rows, seed: int, timed: int, long: int) -> Sheet:
    """Seconds of a block by one process that works alone and by one worker of a cluster, whose results are packed,
    sent, kept and unpacked, in turn; and of a task with nothing in it.
    """
    work = work_of(rows, seed, policy=POLICY)
    alone: list[float] = []
    apart: list[float] = []
    for number in range(timed):
        # The first, short task of each is for what a process does once.
        keys = [(0, 10), (number * long, long)]
        with tempfile.TemporaryDirectory() as name:
            for seconds, by in ((alone, 1), (apart, Keeping(BlockStore(name), cluster))):
                results = run(work, _tasks(keys), by)
                next(results)
                begun = time.perf_counter()
                next(results)
                seconds.append(time.perf_counter() - begun)
    begun = time.perf_counter()
    list(cluster.run(functools.partial(Plain, abs), range(TASKS), ordered=True))
    cost = (time.perf_counter() - begun) / TASKS
    longer = mean_of([100 * (b / a - 1) for a, b in zip(alone, apart, strict=True)], digits=1)
    cells = [
        ("seconds of a block, one process alone", mean_of(alone)),
        ("seconds of a block, one worker", mean_of(apart)),
        ("longer by %", longer),
        ("milliseconds of an empty task", round(1000 * cost, 2)),
        ("which is % of a block of 10 s", round(100 * cost / 10, 3)),
    ]
    return Sheet.of(f"blocks of {long:,} games", ("what", "found"), cells)


def folder(rows: Rows, seed: int) -> Sheet:
    """What a folder of blocks bears: small blocks kept, looked for and read, by one process; and bytes of a game."""
    work = work_of(rows, seed)
    blocks = [work.block((n, 1), None) for n in range(FILES)]
    cells: list[tuple[str, object]] = []
    with tempfile.TemporaryDirectory() as name:
        store = BlockStore(name)
        for what, doing in (
            ("kept", lambda block: store.put(block, b"0" * 1000, "here")),
            ("looked for", lambda block: block in store),
            ("read", store.get),
        ):
            begun = time.perf_counter()
            for block in blocks:
                doing(block)
            cells.append((f"blocks of 1 kB {what} a second", round(FILES / (time.perf_counter() - begun))))
    found = next(iter(pool.run(work.make, [(0, FILES)], 1)))
    begun = time.process_time()
    data = work.encode(found)
    packed = time.process_time()
    work.decode(data)
    cells.append(("bytes of a game played by rule, packed", round(len(data) / len(found), 1)))
    cells.append(("bytes of a game, unpacked", found.dtype.itemsize))
    cells.append(("microseconds to pack a game", round(1e6 * (packed - begun) / len(found), 2)))
    cells.append(("microseconds to unpack a game", round(1e6 * (time.process_time() - packed) / len(found), 2)))
    return Sheet.of("blocks in a folder", ("what", "found"), cells)


def blank(rows: Rows, n: int, number: int) -> RowArray:
    """Rows of nothing, as many bytes as rows that were played."""
    return rows.empty(n)


def memory(cluster: Cluster, rows: Rows, flow: int, block: int) -> Sheet:
    """The memory of the client while rows come in, as many as of so many games."""
    tasks = flow // block
    cells, held = [], 0
    make = functools.partial(Plain, functools.partial(blank, rows, block))
    for number, found in enumerate(cluster.run(make, range(tasks), ordered=True), 1):
        held += len(found)
        if number % max(1, tasks // SAMPLES) == 0:
            cells.append((held, round(resident())))
    return Sheet.of("memory of the client", ("games received", "MB resident"), cells)
