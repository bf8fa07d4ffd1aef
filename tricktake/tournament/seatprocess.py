"""A player in a process of its own, which may raise, hang, print, send invalid data or die without harm to the match.

Requests are sent as pickles of views; answers are JSON text, limited in length and checked field by field. Nothing from
the child is ever unpickled. Between it and the referee stands a keeper (``seatchild``), so that its parent is not the
referee. This contains faults and keeps the cards of others out of the child's memory; against a program that reads the
disk or looks for other processes of its user to attack there is ``sandbox``.
"""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

from attrs import define, field, frozen

from tricktake.action import Action
from tricktake.child import KINDS, Child, Fault
from tricktake.strategies.strategy import Result
from tricktake.tournament import sandbox
from tricktake.tournament.players import PlayerConfig
from tricktake.tournament.seat import Reply, Spent
from tricktake.tournament.seatchild import LENGTH
from tricktake.view import View

START_SECONDS = 60.0
MOVE_SECONDS = 60.0


@frozen
class Containment:
    """The resources of a player's process. start_seconds: until it has imported its parts and, in addition to
    ``move_seconds``, for the first answer in each role, because kernels have to be loaded or compiled; a process that
    is still late does not get this extension again. memory_mb: of address space. sandboxed: see ``sandbox``.
    """

    move_seconds: float = MOVE_SECONDS
    start_seconds: float = START_SECONDS
    memory_mb: int | None = None
    sandboxed: bool = False


@define
class ProcessSeat:
    """A seat whose player lives in a child process, started when first asked and again after it was killed."""

    player: PlayerConfig
    bounds: Containment = Containment()
    spent: Spent = field(factory=Spent)
    _child: Child | None = None
    _number: int = 0
    _seen_roles: set[str] = field(factory=set)
    _grace: bool = True
    _broken: Fault | None = None
    _listens: frozenset[str] = frozenset()
    _waiting: list[tuple[Any, ...]] = field(factory=list)

    def ask(self, view: View, seed: int) -> Reply:
        """One decision. Raises Fault after the time limit, or if the child fails, answers invalidly or dies."""
        if self._broken is not None:  # starting it again would fail, too
            raise self._broken
        if self._child is None:
            self._start()
        self._tell_waiting()
        first = self._grace and view.role not in self._seen_roles
        limit = self.bounds.move_seconds + first * self.bounds.start_seconds
        self._number += 1
        start = time.perf_counter()
        try:
            reply = self._exchange(_framed(("decide", view, seed)), limit)
        except Fault as fault:
            self._grace = self._grace and not (first and fault.kind == "time")
            raise
        finally:
            self.spent.add(time.perf_counter() - start)
        self._seen_roles.add(view.role)
        _raise(reply)
        if "garbled" in reply:
            raise Fault("garbled", _text(reply["garbled"]))
        return self._checked(reply)

    def begin(self, game: str, seat: int) -> None:
        """Told at once if the process runs, else before its first decision."""
        self._waiting = [("begin", game, seat)]
        if self._child is not None:
            self._tell_waiting()

    def end(self, result: Callable[[], Result]) -> None:
        """Told if the process runs: who was not asked has seen nothing of the game."""
        self._waiting = []
        if self._child is not None and "end" in self._listens:
            self._tell(("end", result()))

    def close(self) -> None:
        if self._child is not None and "close" in self._listens:
            with contextlib.suppress(Fault):
                self._tell(("close",))
        self._kill()

    def _tell_waiting(self) -> None:
        waiting, self._waiting = self._waiting, []
        for note in waiting:
            if note[0] in self._listens:
                self._tell(note)

    def _tell(self, note: tuple[Any, ...]) -> None:
        """Send what needs no answer but that it was heard, with the time of a decision. Raises Fault."""
        self._number += 1
        start = time.perf_counter()
        try:
            reply = self._exchange(_framed(note), self.bounds.move_seconds)
        finally:
            self.spent.seconds += time.perf_counter() - start
        _raise(reply)

    @property
    def pid(self) -> int | None:
        return None if self._child is None else self._child.process.pid

    # -- the child ------------------------------------------------------------------------------------------------

    def _start(self) -> None:
        answers, theirs = os.pipe()
        words, sandboxed = [sys.executable, "-m", "tricktake.tournament.seatchild", str(theirs)], self.bounds.sandboxed
        process = subprocess.Popen(
            sandbox.command(words) if sandboxed else words,
            env=sandbox.environment() if sandboxed else None,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            pass_fds=(theirs,),
            start_new_session=True,  # not interrupted by Ctrl-C, and its own children can be killed with it
        )
        os.close(theirs)
        assert process.stdout is not None
        self._child = Child(process, answers, process.stdout.fileno())
        self._number = 0
        self._seen_roles.clear()
        kernels = sandbox.kernels() if sandboxed else None
        start = {"path": sys.path, "player": self.player, "memory_mb": self.bounds.memory_mb, "kernels": kernels}
        try:
            reply = self._exchange(_framed(start), self.bounds.start_seconds)
        except Fault as fault:
            reply = {"failed": fault.reason, "trace": fault.trace}
        if "failed" in reply:
            self._kill()
            reason = f"does not start: {_text(reply['failed'])}"
            self._broken = Fault("start", reason, _text(reply.get("trace", "")))
            raise self._broken
        listens = reply.get("listens")
        self._listens = frozenset(map(str, listens)) if isinstance(listens, list) else frozenset()

    def _kill(self) -> None:
        child, self._child = self._child, None
        if child is not None:
            child.kill()
            os.close(child.answers)

    def _exchange(self, request: bytes, seconds: float) -> dict[str, Any]:
        """Send a request and wait for its answer. A child that is late, dead or answers invalidly is killed."""
        assert self._child is not None
        try:
            line = self._child.ask(request, seconds)
        except Fault:
            self._kill()
            raise
        try:
            reply = json.loads(line)
        except (ValueError, RecursionError):
            raise self._garbled("an answer that is no JSON") from None
        if not isinstance(reply, dict) or reply.get("n") != self._number:
            raise self._garbled("an answer to no question")
        return reply

    def _garbled(self, reason: str) -> Fault:
        self._kill()
        return Fault("garbled", reason)

    def _checked(self, reply: dict[str, Any]) -> Reply:
        verb, value, cards = reply.get("verb"), reply.get("value"), reply.get("cards")
        fits = isinstance(verb, str) and isinstance(value, str) and isinstance(cards, list)
        if not fits or not all(type(card) is int for card in cards or ()):
            raise self._garbled("an answer without verb, value and cards")
        failed = reply.get("failed", [])
        if not isinstance(failed, list):
            raise self._garbled("an answer whose failures are no list")
        said = tuple(_text(line) for line in failed)
        return Reply(Action(str(verb), str(value), tuple(cards or ())), _text(reply.get("reason", "")), said)


def _raise(reply: dict[str, Any]) -> None:
    """The Fault that a child reports, if it does."""
    if "error" in reply:
        kind = reply.get("kind", "error")
        raise Fault(kind if kind in KINDS else "error", _text(reply["error"]), _text(reply.get("trace", "")))


def _framed(request: Any) -> bytes:
    data = pickle.dumps(request, pickle.HIGHEST_PROTOCOL)
    return LENGTH.pack(len(data)) + data


def _text(value: Any) -> str:
    return value if isinstance(value, str) else repr(value)
