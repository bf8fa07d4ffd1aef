"""Worker processes, the only ones this program starts to share work, but for those Dask starts for ``--cluster
local:N``: tasks out, results back, in the order of the tasks if wanted. A ``Crew`` takes their place where others work.

Workers are spawned: a fork would copy the memory of this process, and with it deals, locks and threads. What they
compile is compiled once, whoever needs it first (``_kernels/_jit.py``).
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import multiprocessing
import signal
import sys
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, Protocol, TypeVar

from attrs import define, field

from tricktake.errors import TricktakeError
from tricktake.plugins import loaded

T = TypeVar("T")
R = TypeVar("R")

MOST_JOBS = 1024  # processes of one machine
AHEAD = 4  # results of each worker that may wait for an earlier one, so that long input is never in memory
PR_SET_PDEATHSIG = 1  # linux/prctl.h
STOPS = {getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)}
"""Signals that ask a command to end."""


class Worker(Protocol):
    """What does the work in each process; ``close`` may return what is to be told at the end."""

    def __call__(self, task: Any, /) -> Any: ...

    def close(self) -> Any: ...


class Crew(Protocol):
    """Who works in place of processes of this machine. What it does with tasks is what ``run`` says."""

    def run(
        self,
        make: Callable[[], Worker],
        tasks: Iterable[Any],
        at_close: Callable[[Any], None] | None = None,
        *,
        ordered: bool = False,
    ) -> Iterator[Any]: ...


Jobs = int | Crew
"""Who does the work: a number of processes of this machine, 1 for this one, or a crew."""


class WorkerFailed(RuntimeError):
    """A worker raised or died. The message holds its traceback."""


class WorkerDied(WorkerFailed):
    """A worker's process ended, by itself or by others."""


def here(jobs: Jobs) -> int:
    """How many threads or processes of this machine may work beside them: what stays here if a crew does the rest."""
    return jobs if isinstance(jobs, int) else 1


def in_order(function: Callable[[T], R], tasks: Iterable[T], jobs: Jobs = 1) -> Iterator[R]:
    """``function`` of each task, in the order of the tasks, whoever works.

    The function and the tasks must pickle; with one job it is called in this process. What it raises is raised in its
    place: a TricktakeError as it is, anything else from a worker as WorkerFailed.
    """
    return run(functools.partial(Plain, function), tasks, jobs, ordered=True)


def run(
    make: Callable[[], Worker],
    tasks: Iterable[Any],
    jobs: Jobs,
    at_close: Callable[[Any], None] | None = None,
    *,
    ordered: bool = False,
) -> Iterator[Any]:
    """Results of ``tasks`` as they come, or in the order of the tasks. ``make`` must pickle; with one job it works in
    this process.

    Every worker has one task at a time, so that stopping loses little. ``at_close`` is given what each worker's
    ``close`` returns, if all went well. Ending the iteration early (an error, Ctrl-C) kills the workers; they also end
    when this process dies.
    """
    if not isinstance(jobs, int):
        yield from jobs.run(make, tasks, at_close, ordered=ordered)
        return
    if jobs <= 1:
        yield from _run_here(make, tasks, at_close)
        return
    with _Workers(make) as workers:
        yield from _shared_out(workers, enumerate(tasks), jobs, AHEAD * jobs if ordered else None)
        for facts in workers.closed():
            if at_close is not None:
                at_close(facts)


class Late(TricktakeError):
    """A worker did not answer in time; it was killed."""


class Timed:
    """One worker process whose tasks have a time limit: who is late or dies is killed, and started again when needed.

    Called by one thread at a time, which waits without holding the interpreter, so that an event loop beside it runs.
    """

    def __init__(self, make: Callable[[], Worker]) -> None:
        self._make = make
        self._workers = _Workers(make)

    def __call__(self, task: Any, seconds: float) -> Any:
        """The result of a task. Raises Late, WorkerFailed, or the TricktakeError of the task."""
        try:
            self._workers.give(0, task)
            if not wait(list(self._workers.busy), seconds):
                raise Late(f"no answer in {seconds:g} s")
            ((_, (kind, value)),) = self._workers.answers()
        except (Late, WorkerFailed):
            self.close()
            raise
        return result(kind, value)

    def interrupt(self) -> None:
        """Kill the process while another thread waits for it, who is told WorkerFailed."""
        self._workers.kill()

    def close(self) -> None:
        """Kill the process."""
        self._workers.__exit__()
        self._workers = _Workers(self._make)


@define
class Plain:
    """A worker without a state."""

    function: Callable[[Any], Any]

    def __call__(self, task: Any) -> Any:
        return self.function(task)

    def close(self) -> None:
        pass


def _run_here(
    make: Callable[[], Worker], tasks: Iterable[Any], at_close: Callable[[Any], None] | None
) -> Iterator[Any]:
    worker = make()
    try:
        for task in tasks:
            yield worker(task)
    finally:
        facts = worker.close()
    if at_close is not None:
        at_close(facts)


def _shared_out(workers: _Workers, tasks: Iterator[tuple[int, Any]], jobs: int, window: int | None) -> Iterator[Any]:
    """The results. window: in order, and no task is given out that lies further behind the next result."""
    held: dict[int, tuple[str, Any]] = {}  # answers that came before their turn
    due, given = 0, 0

    def fill() -> None:
        nonlocal given
        while len(workers.busy) < jobs and (window is None or given < due + window):
            task = next(tasks, None)
            if task is None:
                return
            workers.give(*task)
            given += 1

    fill()
    while workers.busy:
        for number, answer in workers.answers():
            held[number if window is not None else due + len(held)] = answer
        fill()  # before the results are looked at, which may take the caller time
        while due in held:
            due += 1
            yield result(*held.pop(due - 1))
        fill()


def result(kind: str, value: Any) -> Any:
    """The result of an ``answer``. Raises what a worker raised: a TricktakeError, or WorkerFailed."""
    if kind == "refused":
        raise value
    if kind == "failed":
        raise WorkerFailed(value)
    return value


@define
class _Workers:
    """The worker processes: each is started for the first task that finds no idle one."""

    make: Callable[[], Worker]
    busy: dict[Connection, int] = field(factory=dict)
    """Who works on the task of which number."""
    _idle: deque[Connection] = field(factory=deque)
    _processes: dict[Connection, BaseProcess] = field(factory=dict)

    def __enter__(self) -> _Workers:
        return self

    def __exit__(self, *_: object) -> None:
        for connection, process in self._processes.items():
            connection.close()
            if process.is_alive():
                process.kill()
            process.join()

    def kill(self) -> None:
        """Kill all of them."""
        for process in list(self._processes.values()):
            process.kill()

    def give(self, number: int, task: Any) -> None:
        """Have a worker begin with a task."""
        worker = self._idle.popleft() if self._idle else self._started()
        try:
            worker.send((task,))
        except (BrokenPipeError, ConnectionResetError):
            raise self._died(worker) from None
        self.busy[worker] = number

    def answers(self) -> Iterator[tuple[int, Any]]:
        """The next answers with the numbers of their tasks, as soon as there is one."""
        for worker in wait(list(self.busy)):
            assert isinstance(worker, Connection)
            answer = self._receive(worker)
            number = self.busy.pop(worker)
            self._idle.append(worker)
            yield number, answer

    def closed(self) -> Iterator[Any]:
        """End all, who must be idle; what each ``close`` returned."""
        for worker in self._processes:
            worker.send(())
        for worker, process in self._processes.items():
            kind, value = self._receive(worker)
            if kind == "failed":
                raise WorkerFailed(value)
            process.join(5.0)
            yield value

    def _started(self) -> Connection:
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=_serve, args=(theirs,), daemon=False)
        with _interrupts_held():
            process.start()
        theirs.close()
        ours.send(self.make)
        self._processes[ours] = process
        return ours

    def _receive(self, worker: Connection) -> tuple[str, Any]:
        try:
            kind, value = worker.recv()
        except (EOFError, OSError):
            raise self._died(worker) from None
        return kind, value

    def _died(self, worker: Connection) -> WorkerDied:
        process = self._processes[worker]
        process.join(5.0)
        return WorkerDied(f"a worker process died (exit code {process.exitcode})")


@contextlib.contextmanager
def _interrupts_held() -> Iterator[None]:
    """Ctrl-C and the like wait, also in a process that is started meanwhile: it could only print a traceback."""
    if hasattr(signal, "pthread_sigmask"):
        resource_tracker.ensure_running()  # it would let go of interrupts when it is started by the process
    with held(STOPS):
        yield


@contextlib.contextmanager
def held(signals: set[signal.Signals]) -> Iterator[None]:
    """These signals wait, where the system can; processes started meanwhile never hear them, unless they ask."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, signals)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def ignore_stops() -> None:
    """Let the main process decide when to stop: a terminal or a service manager tells everybody."""
    for number in STOPS:
        signal.signal(number, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)


def die_with_parent() -> None:
    """Have the kernel kill this process when its parent dies, where it can (Linux)."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def _serve(connection: Connection) -> None:
    """The life of a worker process."""
    die_with_parent()
    ignore_stops()
    worker: Worker | None = None
    try:
        loaded()  # what is sent may be made of a plugin's classes
        make = connection.recv()
        while task := connection.recv():
            if worker is None:
                worker = make()
            connection.send(answer(worker, *task))
        connection.send(("closed", worker.close() if worker is not None else None))
    except (EOFError, BrokenPipeError):  # the main process is gone
        if worker is not None:
            worker.close()
    except TricktakeError as error:
        connection.send(("refused", error))
    except Exception:
        connection.send(("failed", traceback.format_exc()))


def answer(worker: Worker, task: Any) -> tuple[str, Any]:
    """What a worker sends back: a result, or how it failed."""
    try:
        return "result", worker(task)
    except TricktakeError as error:
        return "refused", error
    except Exception:
        return "failed", traceback.format_exc()
