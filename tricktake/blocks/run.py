"""Doing work in blocks: those in the folder are read, the others are done by whoever works, and kept."""

from __future__ import annotations

import functools
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol, runtime_checkable

from attrs import define, field, frozen

from tricktake import pool
from tricktake.blocks.block import Block, Key, Work
from tricktake.blocks.store import BlockStore, who
from tricktake.errors import InputError
from tricktake.pool import Jobs, Worker

AtClose = Callable[[Any], None]


class ShareDone(Exception):
    """The blocks of this share are kept; those of others are not all there. ``str`` tells the user."""

    def __init__(self, share: Share, made: int, missing: int) -> None:
        super().__init__(share, made, missing)
        self.share, self.made, self.missing = share, made, missing

    def __str__(self) -> str:
        rest = f"{self.missing} blocks of others are missing" if self.missing else "all blocks are there"
        return f"share {self.share.index} of {self.share.of}: {self.made} blocks done; {rest}"


@frozen
class Share:
    """Which blocks one job of an array does: every ``of``-th, from ``index`` on."""

    index: int
    of: int

    def __attrs_post_init__(self) -> None:
        if not 0 <= self.index < self.of:
            raise InputError(None, None, "--index", f"must be from 0 to {self.of - 1}, not {self.index}")

    def has(self, number: int) -> bool:
        return number % self.of == self.index


@runtime_checkable
class Checks(Protocol):
    """A crew that can say whether it has what work needs."""

    def check(self, needs: Iterable[str]) -> None: ...


@define
class Keeping:
    """A crew that keeps every block; ``by`` does those that are not there, and work that has no blocks."""

    store: BlockStore
    by: Jobs = 1
    share: Share | None = None

    def __str__(self) -> str:
        return str(self.by)

    def run(
        self,
        make: Callable[[], Worker],
        tasks: Iterable[Any],
        at_close: AtClose | None = None,
        *,
        ordered: bool = False,
    ) -> Iterator[Any]:
        """What ``by`` does with tasks; nothing is kept of them."""
        yield from pool.run(make, tasks, self.by, at_close, ordered=ordered)

    def check(self, needs: Iterable[str]) -> None:
        if isinstance(self.by, Checks):
            self.by.check(needs)

    def blocks(self, work: Work, tasks: Iterable[tuple[Key, Any]], at_close: AtClose | None) -> Iterator[Any]:
        """The results of all blocks in their order. Raises BlockDiffers; ShareDone if only some are asked for and
        others are missing.
        """
        coming: deque[tuple[Block, bool]] = deque()  # what was looked at, and whether it has to be done
        made, missing = 0, 0

        def left() -> Iterator[Any]:
            nonlocal missing
            for number, (key, task) in enumerate(tasks):
                block = work.block(key, task)
                to_do = block not in self.store
                if to_do and self.share is not None and not self.share.has(number):
                    missing += 1
                    continue
                coming.append((block, to_do))
                if to_do:
                    yield task

        def kept() -> Iterator[bytes]:
            while coming and not coming[0][1]:
                yield self.store.get(coming.popleft()[0])

        for maker, data in pool.run(
            functools.partial(_Encoding, work.make, work.encode), left(), self.by, at_close, ordered=True
        ):
            if self.share is None:
                yield from map(work.decode, kept())
            else:  # results come when all are there
                while not coming[0][1]:
                    coming.popleft()
            block, _ = coming.popleft()
            self.store.put(block, data, maker)
            made += 1
            if self.share is None:
                yield work.decode(data)
        if self.share is not None and (made or missing):
            raise ShareDone(self.share, made, missing)
        yield from map(work.decode, kept())


@define
class _Encoding:
    """A worker whose results are bytes, with who made them."""

    make: Callable[[], Worker]
    encode: Callable[[Any], bytes]
    _worker: Worker = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._worker = self.make()

    def __call__(self, task: Any) -> tuple[str, bytes]:
        return who(), self.encode(self._worker(task))

    def close(self) -> Any:
        return self._worker.close()


def run(
    work: Work,
    tasks: Iterable[tuple[Key, Any]],
    jobs: Jobs,
    at_close: AtClose | None = None,
    *,
    ordered: bool = True,
) -> Iterator[Any]:
    """The result of each task of some work. Blocks are kept, and come in order, if ``jobs`` is ``Keeping``.

    Raises BlockDiffers, ShareDone.
    """
    if isinstance(jobs, Checks):
        jobs.check(work.needs)
    if isinstance(jobs, Keeping):
        yield from jobs.blocks(work, tasks, at_close)
    else:
        yield from pool.run(work.make, (task for _, task in tasks), jobs, at_close, ordered=ordered)
