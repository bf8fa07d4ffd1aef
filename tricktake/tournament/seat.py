"""Seats: the interface through which the referee asks a player."""

from __future__ import annotations

import contextlib
import io
import time
import traceback
from collections.abc import Callable, Iterator
from typing import Protocol

import numpy as np
from attrs import define, field, frozen

from tricktake.action import Action
from tricktake.child import Fault
from tricktake.search.limit import Limit
from tricktake.strategies.strategy import Decision, Result, listens, tell
from tricktake.view import View

MEMBER = "member"  # kind of a fault for which nobody is charged: a strategy of the player failed, another one decided
TRACE_LINES = 6  # kept from the end of a traceback


class Decider(Protocol):
    """A player as a seat uses it."""

    def decide(self, view: View, limit: Limit, rng: np.random.Generator) -> Decision: ...


@frozen
class Reply:
    """A decision that was returned and not yet checked for legality."""

    action: Action
    reason: str = ""
    failed: tuple[str, ...] = ()


@define
class Spent:
    """The cost of a player's decisions."""

    decisions: int = 0
    seconds: float = 0.0
    slowest: float = 0.0

    def add(self, seconds: float) -> None:
        self.decisions += 1
        self.seconds += seconds
        self.slowest = max(self.slowest, seconds)


class Seat(Protocol):
    """One player at one seat. ``ask`` raises Fault; ``seed`` starts the random numbers of this decision."""

    spent: Spent

    def ask(self, view: View, seed: int) -> Reply: ...

    def begin(self, game: str, seat: int) -> None:
        """A game begins for the player at this seat. Raises Fault."""

    def end(self, result: Callable[[], Result]) -> None:
        """It is over; ``result`` is asked only if the player wants to know. Raises Fault."""

    def close(self) -> None: ...


@define
class LocalSeat:
    """A trusted player in the referee's own process: fast, and neither its time nor its memory can be limited.

    Its output is discarded, an exception becomes a Fault.
    """

    make: Callable[[], Decider]
    limit: Limit
    spent: Spent = field(factory=Spent)
    _player: Decider | None = None

    def ask(self, view: View, seed: int) -> Reply:
        start = time.perf_counter()
        try:
            with self._contained() as player:
                decision = player.decide(view, self.limit, np.random.default_rng(seed))
        finally:
            self.spent.add(time.perf_counter() - start)
        if not isinstance(decision, Decision):
            raise Fault("garbled", f"returned a {type(decision).__name__}, not a Decision")
        return Reply(decision.action, decision.reason, decision.failed)

    def begin(self, game: str, seat: int) -> None:
        with self._contained() as player:
            tell(player, "begin", game, seat)

    def end(self, result: Callable[[], Result]) -> None:
        with self._contained() as player:
            if listens(player, "end"):
                tell(player, "end", result())

    def close(self) -> None:
        if self._player is not None:
            with contextlib.suppress(Fault), self._contained() as player:
                tell(player, "close")
        self._player = None

    @contextlib.contextmanager
    def _contained(self) -> Iterator[Decider]:
        """The player, made when it is first needed; what it raises becomes a Fault."""
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                if self._player is None:
                    self._player = self.make()
                yield self._player
        except Fault:  # of a strategy that has to do with programs of others
            raise
        except (Exception, SystemExit) as error:
            raise Fault("error", describe(error), trace_tail(error)) from error


def describe(error: BaseException) -> str:
    """An exception in one line."""
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__


def trace_tail(error: BaseException) -> str:
    """The last lines of its traceback, with the names of files but not their folders."""
    frames = traceback.extract_tb(error.__traceback__)[-TRACE_LINES:]
    return "\n".join(f"{f.filename.rsplit('/', 1)[-1]}:{f.lineno} {f.name}: {f.line}" for f in frames)
