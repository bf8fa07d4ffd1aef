"""What takes time is done in worker processes, so that the server goes on: decisions of bots, hints, reviews.

A decision is Python and kernels; in the server's own process everybody would wait for the first, and a bot that hangs
could not be ended.
"""

from __future__ import annotations

import asyncio
import functools
import heapq
import itertools
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, ClassVar, Protocol

import numpy as np
from attrs import frozen

from tricktake.action import Action
from tricktake.errors import TricktakeError
from tricktake.game import find_game
from tricktake.pool import Late, Timed, WorkerFailed
from tricktake.search.limit import Limit
from tricktake.server.memory import Past, Remembers, keeps_memory, kept
from tricktake.strategies.player import Player
from tricktake.strategies.rehearsal import rehearse
from tricktake.view import View

SHARE = 0.6  # of a bot's clock that its search may use: the rest is for waiting, loading and the way
URGENT, USUAL, IDLE = 0, 1, 2  # bots at a table; hints and reviews; warming up
WARM_SECONDS = 300.0  # kernels may have to be compiled
WARM_DECISION = 0.5  # seconds
LOAD_SECONDS = 60.0  # more for the first task of a kind, for the same reason


class Task(Protocol):
    """Something a worker does; it is pickled. needs: what has to be loaded for it, "" for nothing."""

    @property
    def needs(self) -> str: ...

    def __call__(self) -> Any: ...


@functools.lru_cache(maxsize=32)
def player_of(spec: str) -> Player:
    """A player, made once a process."""
    return Player.from_spec(spec)


@frozen
class Decide:
    """A decision of a bot. The view is all it gets, and where it keeps a memory the views before.

    Raises Remembers if it keeps one, but ``past`` is None.
    """

    spec: str
    view: View
    limit: Limit
    seed: int
    past: Past | None = None

    @property
    def needs(self) -> str:
        return f"{self.spec} {self.view.role}{'' if self.past is None else ' with a past'}"

    def __call__(self) -> tuple[Action, str]:
        if self.past is not None:
            found = kept(self.spec, self.past).decide(self.past, self.view, self.limit, self.seed)
        elif keeps_memory(player := player_of(self.spec)):
            raise Remembers(self.spec)
        else:
            found = player.decide(self.view, self.limit, np.random.default_rng(self.seed))
        return found.action, found.reason


@frozen
class Warm:
    """Play a game, so that the kernels of a player are loaded, and compiled if they never were."""

    game: str
    spec: str
    needs: ClassVar[str] = ""

    def __call__(self) -> None:
        rehearse(find_game(self.game), player_of(self.spec), Limit(seconds=WARM_DECISION))


class _Runner:
    """The worker's side."""

    def __call__(self, task: Task) -> Any:
        return task()

    def close(self) -> None:
        pass


Waiting = tuple[int, int, Task, float, "Future[Any]"]
"""Urgency, number, task, seconds, and where the result goes."""


class Thinking:
    """A few worker processes, each served by a thread, and the tasks that wait for them, the urgent ones first."""

    def __init__(self, workers: int) -> None:
        self._shared: list[Waiting] = []  # heaps: tasks for anybody
        self._own: list[list[Waiting]] = [[] for _ in range(workers)]  # tasks for one worker
        self._news = threading.Condition()
        self._count = itertools.count()
        self._workers = [Timed(_Runner) for _ in range(workers)]
        self._threads = [
            threading.Thread(target=self._serve, args=(n,), daemon=True, name=f"thinking-{n}") for n in range(workers)
        ]
        self._closed = False
        self._cold = 0  # players that are being loaded; whoever compiles a kernel, others who need one wait for it
        for thread in self._threads:
            thread.start()

    def submit(self, task: Task, seconds: float, urgency: int = USUAL, home: int | None = None) -> Future[Any]:
        """The result of a task to come; seconds: from the moment a worker begins. Fails with Late, WorkerFailed or the
        error of the task. home: tasks of the same number are done by the same worker, in order.
        """
        future: Future[Any] = Future()
        with self._news:
            if self._closed:
                future.cancel()
                return future
            heap = self._shared if home is None else self._own[home % len(self._own)]
            heapq.heappush(heap, (urgency, next(self._count), task, seconds, future))
            self._news.notify_all()
        return future

    async def do(self, task: Task, seconds: float, urgency: int = USUAL) -> Any:
        """``submit``, to be awaited."""
        return await asyncio.wrap_future(self.submit(task, seconds, urgency))

    def warm(self, game: str, spec: str) -> None:
        """Have the workers load what a player needs, one after the other, so that others are free meanwhile."""
        self._cold += 1
        self._warm(Warm(game, spec), len(self._workers))

    def _warm(self, task: Warm, times: int) -> None:
        if not times:
            self._cold -= 1
        elif not self._closed:
            done = self.submit(task, WARM_SECONDS, IDLE)
            done.add_done_callback(lambda future: self._warm(task, 0 if future.cancelled() else times - 1))

    def close(self) -> None:
        """End all workers; what waits is cancelled."""
        with self._news:
            self._closed = True
            for heap in (self._shared, *self._own):
                for *_, future in heap:
                    future.cancel()
            self._news.notify_all()
        for worker in self._workers:
            worker.interrupt()
        for thread in self._threads:
            thread.join(5.0)

    def _next(self, number: int) -> Waiting | None:
        """The next task of a worker; None at the end."""
        heaps = (self._shared, self._own[number])
        with self._news:
            self._news.wait_for(lambda: self._closed or any(heaps))
            return None if self._closed else heapq.heappop(min(filter(None, heaps)))

    def _serve(self, number: int) -> None:
        worker = self._workers[number]
        loaded: set[str] = set()
        while (found := self._next(number)) is not None:
            _, _, task, seconds, future = found
            if not future.set_running_or_notify_cancel():
                continue
            if task.needs not in loaded or self._cold:
                seconds += LOAD_SECONDS
            loaded = loaded | {task.needs} if _settle(future, functools.partial(worker, task, seconds)) else set()
        worker.close()


def _settle(future: Future[Any], work: Callable[[], Any]) -> bool:
    """Do the work for a future; False if the worker did not survive it."""
    try:
        future.set_result(work())
    except (Late, WorkerFailed) as error:
        future.set_exception(error)
        return False
    except TricktakeError as error:
        future.set_exception(error)
    except Exception as error:
        future.set_exception(RuntimeError(f"{type(error).__name__}: {error}"))
        return False
    return True
