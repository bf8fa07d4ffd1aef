"""A player in a process of its own, which may raise, hang, print, send invalid data or die without harm to the match.

Requests are sent as pickles of views; answers are JSON text, limited in length and checked field by field. Nothing from
the child is ever unpickled. Between it and the referee stands a keeper (``seatchild``), so that its parent is not the
referee. This contains faults and keeps the cards of others out of the child's memory; it is not a sandbox against a
program that reads the disk or looks for other processes of its user to attack.
"""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

from attrs import define, field, frozen

from tricktake.action import Action
from tricktake.strategies.strategy import Result
from tricktake.tournament.players import PlayerConfig
from tricktake.tournament.seat import Fault, Reply, Spent
from tricktake.tournament.seatchild import LENGTH
from tricktake.view import View

MAX_ANSWER = 1 << 16  # bytes of one answer
OUTPUT_TAIL = 2000  # bytes kept of what a player prints
START_SECONDS = 60.0
MOVE_SECONDS = 60.0
EXIT_SECONDS = 5.0  # from the end of the channel to that of the process, which says how it ended


@frozen
class Containment:
    """The resources of a player's process. start_seconds: until it has imported its parts and, in addition to
    ``move_seconds``, for the first answer in each role, because kernels have to be loaded or compiled; a process that
    is still late does not get this extension again.
    """

    move_seconds: float = MOVE_SECONDS
    start_seconds: float = START_SECONDS
    memory_mb: int | None = None


@define
class ProcessSeat:
    """A seat whose player lives in a child process, started when first asked and again after it was killed."""

    player: PlayerConfig
    bounds: Containment = Containment()
    spent: Spent = field(factory=Spent)
    output: bytes = b""
    _process: subprocess.Popen[bytes] | None = None
    _answers: int = -1
    _buffer: bytes = b""
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
        if self._process is None:
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
        if "error" in reply:
            raise Fault("error", _text(reply["error"]), _text(reply.get("trace", "")))
        if "garbled" in reply:
            raise Fault("garbled", _text(reply["garbled"]))
        return self._checked(reply)

    def begin(self, game: str, seat: int) -> None:
        """Told at once if the process runs, else before its first decision."""
        self._waiting = [("begin", game, seat)]
        if self._process is not None:
            self._tell_waiting()

    def end(self, result: Callable[[], Result]) -> None:
        """Told if the process runs: who was not asked has seen nothing of the game."""
        self._waiting = []
        if self._process is not None and "end" in self._listens:
            self._tell(("end", result()))

    def close(self) -> None:
        if self._process is not None and "close" in self._listens:
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
        if "error" in reply:
            raise Fault("error", _text(reply["error"]), _text(reply.get("trace", "")))

    @property
    def pid(self) -> int | None:
        return None if self._process is None else self._process.pid

    # -- the child ------------------------------------------------------------------------------------------------

    def _start(self) -> None:
        answers, theirs = os.pipe()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tricktake.tournament.seatchild", str(theirs)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            pass_fds=(theirs,),
            start_new_session=True,  # not interrupted by Ctrl-C, and its own children can be killed with it
        )
        os.close(theirs)
        self._answers, self._buffer, self._number, self.output = answers, b"", 0, b""
        self._seen_roles.clear()
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        for stream in (self._process.stdin.fileno(), self._process.stdout.fileno(), answers):
            os.set_blocking(stream, False)
        start = {"path": sys.path, "player": self.player, "memory_mb": self.bounds.memory_mb}
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
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.kill()
        process.wait()
        os.close(self._answers)
        for stream in (process.stdin, process.stdout):
            assert stream is not None
            with contextlib.suppress(OSError):
                stream.close()

    # -- talking to it --------------------------------------------------------------------------------------------

    def _exchange(self, request: bytes, seconds: float) -> dict[str, Any]:
        """Send a request and wait for its answer. A child that is late, dead or answers invalidly is killed."""
        process = self._process
        assert process is not None
        assert process.stdin is not None
        assert process.stdout is not None
        deadline = time.monotonic() + seconds
        left = memoryview(request)
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdin.fileno(), selectors.EVENT_WRITE)
            selector.register(process.stdout.fileno(), selectors.EVENT_READ)
            selector.register(self._answers, selectors.EVENT_READ)
            while b"\n" not in self._buffer:
                wait = deadline - time.monotonic()
                if wait <= 0:
                    raise self._killed("time", f"no answer in {seconds:g} s")
                for key, _ in selector.select(wait):
                    if key.fd == process.stdin.fileno():
                        left = self._send(key.fd, left)
                        if not left:
                            selector.unregister(key.fd)
                    elif key.fd == self._answers:
                        chunk = os.read(key.fd, MAX_ANSWER)
                        if not chunk:
                            raise self._dead()
                        self._buffer += chunk
                        if len(self._buffer) > MAX_ANSWER:
                            raise self._killed("garbled", f"an answer of more than {MAX_ANSWER} bytes")
                    elif not self._drain(key.fd):
                        selector.unregister(key.fd)
        line, _, self._buffer = self._buffer.partition(b"\n")
        try:
            reply = json.loads(line)
        except (ValueError, RecursionError):
            raise self._killed("garbled", "an answer that is no JSON") from None
        if not isinstance(reply, dict) or reply.get("n") != self._number or self._buffer or left:
            raise self._killed("garbled", "an answer to no question")
        return reply

    def _send(self, stream: int, data: memoryview) -> memoryview:
        try:
            return data[os.write(stream, data) :]
        except BrokenPipeError:
            raise self._dead() from None

    def _drain(self, stream: int) -> bool:
        """Read the player's output and keep its end; False if it closed the stream."""
        chunk = os.read(stream, 1 << 16)
        self.output = (self.output + chunk)[-OUTPUT_TAIL:]
        return bool(chunk)

    def _dead(self) -> Fault:
        assert self._process is not None
        assert self._process.stdout is not None
        with contextlib.suppress(BlockingIOError):
            while self._drain(self._process.stdout.fileno()):
                pass
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(EXIT_SECONDS)
        code = self._process.returncode
        how = "closed its channel" if code is None else f"ended by signal {-code}" if code < 0 else f"exit code {code}"
        return self._killed("crash", f"the process died: {how}", self.output.decode(errors="replace"))

    def _killed(self, kind: str, reason: str, trace: str = "") -> Fault:
        self._kill()
        return Fault(kind, reason, trace)

    def _checked(self, reply: dict[str, Any]) -> Reply:
        verb, value, cards = reply.get("verb"), reply.get("value"), reply.get("cards")
        fits = isinstance(verb, str) and isinstance(value, str) and isinstance(cards, list)
        if not fits or not all(type(card) is int for card in cards or ()):
            raise self._killed("garbled", "an answer without verb, value and cards")
        failed = reply.get("failed", [])
        if not isinstance(failed, list):
            raise self._killed("garbled", "an answer whose failures are no list")
        said = tuple(_text(line) for line in failed)
        return Reply(Action(str(verb), str(value), tuple(cards or ())), _text(reply.get("reason", "")), said)


def _framed(request: Any) -> bytes:
    data = pickle.dumps(request, pickle.HIGHEST_PROTOCOL)
    return LENGTH.pack(len(data)) + data


def _text(value: Any) -> str:
    return value if isinstance(value, str) else repr(value)
