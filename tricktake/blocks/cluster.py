"""A Dask cluster as a crew: a scheduler and workers that somebody else started, or some on this machine.

Dask may run a task twice, and again when a worker dies: tasks are pure, and only results count. Tasks and results are
pickled by the client and by workers: each side can run code of the other, so join only a cluster you trust, and let
nobody else reach its ports (docs/scale.md).
"""

from __future__ import annotations

import contextlib
import logging
import pickle
import queue
import signal
import socket
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Iterator
from types import TracebackType
from typing import Any, Self

from attrs import define, field

from tricktake import pool
from tricktake.blocks import versions
from tricktake.errors import InputError, TricktakeError
from tricktake.jit import warm
from tricktake.plugins import loaded
from tricktake.pool import AHEAD, Worker, WorkerFailed

LOCAL = "local:"
INSTALL = "--cluster needs dask.distributed: pip install 'tricktake[cluster]'"
AT_ONCE = 2  # tasks in flight for each thread: one that runs and one that waits there
CONNECT_SECONDS = 10.0  # until a scheduler has answered
WAIT_SECONDS = 120.0  # until a scheduler that was lost, or the first worker, is there
LOOK_SECONDS = 5.0  # between looks at how many workers there are
LIVES = 3  # times that Dask may give a task up because its workers died (four each time)
KEPT = 8  # workers (players with their tables) that a process keeps
SHOWN = 8  # differences named in an error

Say = Callable[[str], None]


class WorkersDiffer(TricktakeError):
    """Workers that would compute something else than this process."""


@define
class Cluster:
    """The crew at an address: ``tcp://host:8786``, ``tls://host:8786``, or ``local:N`` for N processes here.

    say: told what the user should know. Used as a context: what was started here ends with it, a cluster that was there
    before goes on. Raises InputError for an address that is none, TricktakeError where nobody answers.
    """

    address: str
    say: Say = lambda line: None
    _client: Any = None
    _own: Any = None
    _cold: list[str] = field(factory=list)
    _needs: frozenset[str] = frozenset()
    _threads: int = 0
    _looked: float = 0.0

    def __str__(self) -> str:
        return self.address

    def __enter__(self) -> Self:
        distributed = _distributed()
        target: Any = self.address
        if self.address.startswith(LOCAL):
            number = self.address.removeprefix(LOCAL)
            if not number.isdecimal() or int(number) < 1:
                raise InputError(None, None, "--cluster", f"local:N with a number of processes, not {self.address!r}")
            with pool.held({signal.SIGINT}):  # the main process decides when they end
                target = self._own = distributed.LocalCluster(
                    n_workers=int(number), threads_per_worker=1, processes=True, host="127.0.0.1",
                    dashboard_address="127.0.0.1:0", silence_logs=logging.CRITICAL,
                )  # fmt: skip
        elif "://" not in self.address:
            raise InputError(None, None, "--cluster", f"tcp://HOST:PORT or local:N, not {self.address!r}")
        try:
            self._connect(target)
            self.say(f"cluster {self.address}: {self._threads} workers; dashboard: {self._client.dashboard_link}")
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for each in (self._client, self._own):
            if each is not None:
                with contextlib.suppress(Exception):  # nothing to save: others may have ended it
                    each.close(timeout=CONNECT_SECONDS)
        self._client = self._own = None

    # -- who is there -------------------------------------------------------------------------------------------------

    def _connect(self, target: Any) -> None:
        """Raises TricktakeError if nobody is there in time, WorkersDiffer."""
        try:
            self._client = _distributed().Client(target, timeout=CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError) as error:
            raise TricktakeError(f"no scheduler answers at {self.address}: {error}") from None
        if not self._client.nthreads():
            self.say(f"cluster {self.address}: waiting for workers")
            try:
                self._client.wait_for_workers(1, timeout=WAIT_SECONDS)
            except Exception:  # its TimeoutError, or a scheduler that went away
                raise TricktakeError(f"cluster {self.address} has no workers after {WAIT_SECONDS:.0f} s") from None
        self._checked(self._needs)
        self._look()

    def check(self, needs: Iterable[str]) -> None:
        """Compare files that work needs, if that was not done before. Raises WorkersDiffer."""
        new = frozenset(needs) - self._needs
        if new:
            self._checked(new)
            self._needs |= new

    def _checked(self, needs: Iterable[str]) -> None:
        names = sorted(needs)
        ours = {**versions.facts(), **versions.of_files(names)}
        found = self._client.run(_present, names, on_error="return")
        wrong = []
        for address, there in sorted(found.items()):
            if isinstance(there, BaseException):
                wrong.append(f"{address}: tricktake cannot be used there: {there}")
            else:
                wrong += [f"{address} ({there['host']}): {each}" for each in versions.differences(ours, there["facts"])]
        if wrong:
            more = [f"and {len(wrong) - SHOWN} more"] if len(wrong) > SHOWN else []
            raise WorkersDiffer("\n".join(["workers would compute something else:", *wrong[:SHOWN], *more]))
        cold = {there["host"]: address for address, there in sorted(found.items()) if not there["warm"]}
        self._cold = list(cold.values())

    def _look(self) -> int:
        """How many threads work, asked for now and then."""
        if time.monotonic() - self._looked > LOOK_SECONDS:
            with contextlib.suppress(Exception):  # that it is gone is noticed where answers are waited for
                self._threads = sum(self._client.nthreads().values()) or self._threads
            self._looked = time.monotonic()
        return max(1, self._threads)

    def _again(self) -> None:
        """Find the scheduler once more, which may have been started anew. Raises TricktakeError."""
        if self._own is not None:
            raise TricktakeError("the scheduler of this machine's cluster died")
        self.say(f"cluster {self.address}: connection lost, looking for the scheduler for {WAIT_SECONDS:.0f} s")
        with contextlib.suppress(Exception):
            self._client.close(timeout=1)
        limit = time.monotonic() + WAIT_SECONDS
        while True:
            try:
                self._connect(self.address)
                self.say(f"cluster {self.address}: going on")
                return
            except WorkersDiffer:
                raise
            except Exception:  # it may die again while we ask
                if time.monotonic() > limit:
                    raise
                time.sleep(0.5)

    # -- work ---------------------------------------------------------------------------------------------------------

    def run(
        self,
        make: Callable[[], Worker],
        tasks: Iterable[Any],
        at_close: Callable[[Any], None] | None = None,
        *,
        ordered: bool = False,
    ) -> Iterator[Any]:
        """As ``pool.run``. Ending the iteration early cancels what is in flight and leaves the cluster alone."""
        flight = _Flight(self, pickle.dumps(make))
        numbered = enumerate(tasks)
        held: dict[int, Any] = {}
        due, given = 0, 0
        # Kernels are compiled by one process of a node before the others come and want them.
        warming = self._cold
        self._cold = []

        def fill() -> None:
            nonlocal given
            room = len(warming) or AT_ONCE * self._look()
            while len(flight.tasks) < room and (not ordered or given < due + AHEAD * room):
                each = next(numbered, None)
                if each is None:
                    return
                flight.give(*each, at=warming[given] if given < len(warming) else None)
                given += 1

        try:
            fill()
            while flight.tasks:
                for number, answer in flight.answers():
                    held[number if ordered else due + len(held)] = answer
                if warming and len(held) + due >= len(warming):
                    warming = []
                fill()
                while due in held:
                    due += 1
                    yield pool.result(*held.pop(due - 1))
                fill()
            if at_close is not None:
                for facts in flight.closed():
                    at_close(facts)
        finally:
            flight.cancel()


@define
class _Flight:
    """Tasks that are on their way, by number."""

    cluster: Cluster
    make: bytes
    tasks: dict[int, tuple[Any, bytes]] = field(factory=dict)
    _done: queue.SimpleQueue[tuple[int, Any]] = field(factory=queue.SimpleQueue)
    _deaths: Counter[int] = field(factory=Counter)

    def give(self, number: int, task: Any, at: str | None = None) -> None:
        """Send a task; ``at``: to this worker, if it is there."""
        data = pickle.dumps(task)
        self.tasks[number] = (None, data)
        try:
            self._send(number, data, at)
        except Exception:  # a client that has given up
            self._resend()

    def _send(self, number: int, task: bytes, at: str | None = None) -> None:
        place = {} if at is None else {"workers": [at], "allow_other_workers": True}
        client = self.cluster._client
        future = client.submit(_work, versions.code(), self.make, task, pure=False, priority=-number, **place)
        self.tasks[number] = (future, task)
        future.add_done_callback(lambda done: self._done.put((number, done)))

    def answers(self) -> Iterator[tuple[int, tuple[str, Any]]]:
        """The next answer, if there is one soon."""
        try:
            number, future = self._done.get(timeout=LOOK_SECONDS)
        except queue.Empty:
            if self.cluster._client.status != "running":
                self._resend()
            return
        sent, task = self.tasks.get(number, (None, b""))
        if sent is not future:
            return  # of a scheduler that is no more
        status, error = future.status, None
        try:
            if status == "finished":
                answer = future.result()
            elif status == "error":
                error = future.exception()
        except Exception as lost:  # between its end and our asking
            status, error = "lost", lost
        if status == "finished":
            del self.tasks[number]
            future.release()
            yield number, answer
        elif status == "error" and type(error).__name__ != "KilledWorker":
            raise WorkerFailed(f"a task failed outside of its work: {error}")
        elif status == "error":
            self._deaths[number] += 1
            if self._deaths[number] >= LIVES:
                raise WorkerFailed(f"the workers die that do task {number}: {error}")
            self._send(number, task)
        else:
            self._resend()

    def _resend(self) -> None:
        """Everything again: pure tasks may be done twice."""
        while True:
            self.cluster._again()
            try:
                for number, (_, task) in list(self.tasks.items()):
                    self._send(number, task)
            except Exception:  # it died meanwhile; looking for it takes only so long
                continue
            return

    def closed(self) -> Iterator[Any]:
        """What ``close`` of every worker returned."""
        for found in self.cluster._client.run(_closed, self.make).values():
            yield from found

    def cancel(self) -> None:
        """Have nobody begin with what is left."""
        if self.tasks and self.cluster._client is not None:
            with contextlib.suppress(Exception):  # the cluster may be gone
                self.cluster._client.cancel([future for future, _ in self.tasks.values() if future is not None])
        self.tasks.clear()


# -- in the worker's process ------------------------------------------------------------------------------------------

_workers: OrderedDict[tuple[bytes, int], Worker] = OrderedDict()
_guard = threading.Lock()


def _present(needs: list[str]) -> dict[str, Any]:
    """What a worker computes with."""
    return {"facts": {**versions.facts(), **versions.of_files(needs)}, "host": socket.gethostname(), "warm": warm()}


def _work(expected: str, make: bytes, task: bytes) -> tuple[str, Any]:
    """Do a task, by the worker of this thread that was made for it."""
    if versions.code() != expected:  # one that came later than the others
        return "refused", WorkersDiffer(f"a worker on {socket.gethostname()} came later and has other code or data")
    loaded()  # what is sent may be made of a plugin's classes
    return pool.answer(_Made(make), pickle.loads(task))


@define
class _Made:
    """The worker that is made once a thread, and kept."""

    make: bytes

    def __call__(self, task: Any) -> Any:
        key = (self.make, threading.get_ident())
        with _guard:
            if key in _workers:
                _workers.move_to_end(key)
            old = _workers.popitem(last=False)[1] if len(_workers) >= KEPT and key not in _workers else None
        if old is not None:
            old.close()
        if key not in _workers:
            _workers[key] = pickle.loads(self.make)()
        return _workers[key](task)

    def close(self) -> None:
        pass


def _closed(make: bytes) -> list[Any]:
    with _guard:
        ended = [_workers.pop(key) for key in list(_workers) if key[0] == make]
    return [worker.close() for worker in ended]


# -- the library ------------------------------------------------------------------------------------------------------


def _distributed() -> Any:
    """The library, imported only where it is used. Raises TricktakeError if it is missing."""
    try:
        import distributed
    except ImportError:
        raise TricktakeError(INSTALL) from None
    for name in list(logging.root.manager.loggerDict):
        if name.startswith("distributed"):  # tracebacks of lost connections: we say what is lost
            logging.getLogger(name).setLevel(logging.CRITICAL)
    return distributed
