"""Worker processes: tasks out, results back in whatever order they end."""

from __future__ import annotations

import multiprocessing
import signal
import traceback
from collections.abc import Callable, Iterable, Iterator
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, Protocol

from tricktake.errors import TricktakeError


class Worker(Protocol):
    """What does the work in each process; ``close`` may return what is to be told at the end."""

    def __call__(self, task: Any, /) -> Any: ...

    def close(self) -> Any: ...


class WorkerFailed(RuntimeError):
    """A worker raised or died. The message holds its traceback."""


def run(
    make: Callable[[], Worker], tasks: Iterable[Any], jobs: int, at_close: Callable[[Any], None] | None = None
) -> Iterator[Any]:
    """Results of ``tasks``, unordered. ``make`` must pickle; with one job it works in this process.

    Every worker has one task at a time, so that stopping loses little. ``at_close`` is given what each worker's
    ``close`` returns, if all went well. Ending the iteration early (an error, Ctrl-C) kills the workers; they also end
    when this process dies.
    """
    if jobs == 1:
        yield from _run_here(make, tasks, at_close)
        return
    context = multiprocessing.get_context("spawn")  # a fork would copy memory, and with it deals
    workers: dict[Connection, BaseProcess] = {}
    waiting = iter(tasks)
    process: BaseProcess
    try:
        for task in waiting:
            ours, theirs = context.Pipe()
            process = context.Process(target=_serve, args=(make, theirs), daemon=False)
            process.start()
            theirs.close()
            ours.send(task)
            workers[ours] = process
            if len(workers) == jobs:
                break
        busy = set(workers)
        while busy:
            for ready in wait(list(busy)):
                assert isinstance(ready, Connection)
                kind, value = _receive(ready, workers[ready])
                if kind == "closed":
                    busy.discard(ready)
                    if at_close is not None:
                        at_close(value)
                    continue
                ready.send(next(waiting, _END))
                yield value
        for process in workers.values():
            process.join(5.0)
    finally:
        for connection, process in workers.items():
            connection.close()
            if process.is_alive():
                process.kill()
            process.join()


_END = None  # no task is None


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


def _receive(connection: Connection, process: BaseProcess) -> tuple[str, Any]:
    try:
        kind, value = connection.recv()
    except (EOFError, OSError):
        process.join(5.0)
        raise WorkerFailed(f"a worker process died (exit code {process.exitcode})") from None
    if kind == "refused":
        raise value
    if kind == "failed":
        raise WorkerFailed(value)
    return kind, value


def _serve(make: Callable[[], Worker], connection: Connection) -> None:
    """The life of a worker process."""
    from tricktake.tournament.seatchild import die_with_parent

    die_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the main process decides when to stop
    worker: Worker | None = None
    try:
        worker = make()
        while (task := connection.recv()) is not _END:
            connection.send(("result", worker(task)))
        connection.send(("closed", worker.close()))
    except (EOFError, BrokenPipeError):  # the main process is gone
        if worker is not None:
            worker.close()
    except TricktakeError as error:
        connection.send(("refused", error))
    except Exception:
        connection.send(("failed", traceback.format_exc()))
