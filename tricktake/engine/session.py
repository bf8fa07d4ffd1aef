"""One engine at one seat: its process, and what it was told."""

from __future__ import annotations

import contextlib
import os
import shlex
import subprocess
import time
from collections.abc import Sequence
from typing import Any

from attrs import define, field

from tricktake.child import EXIT_SECONDS, Child, Fault
from tricktake.engine import protocol
from tricktake.engine.dialogue import Dialogue
from tricktake.engine.protocol import Answer, Hello
from tricktake.errors import InputError
from tricktake.game import Game, Score
from tricktake.messages import Naming, Node, line, parse
from tricktake.search.limit import Limit
from tricktake.view import View

# Reads until this process ends, however it does, and then kills the group of the engine.
WATCH = 'read _; kill -s KILL -- "-$1"'


def words(command: str) -> list[str]:
    """The words of a command line. Raises InputError."""
    try:
        command.encode()  # it is written into records and stores
        found = shlex.split(command)
    except UnicodeEncodeError:
        raise InputError(None, None, "command", f"is not UTF-8: {command!r}") from None
    except ValueError as error:
        raise InputError(None, None, "command", f"{error}: {command!r}") from None
    if not found:
        raise InputError(None, None, "command", "is empty; e.g. command='./my_engine --fast'")
    return found


@define
class Session:
    """An engine's process, for one seat. Whatever goes wrong is a Fault, after which the process is dead.

    seconds: for a decision. start_seconds: until it has said hello. game_seconds: for all decisions of a game, None
    without bound; ``used`` of them are over.
    """

    command: Sequence[str]
    seconds: float
    start_seconds: float
    game_seconds: float | None = None
    used: float = 0.0
    hello: Hello | None = None
    _child: Child | None = None
    _watch: subprocess.Popen[bytes] | None = None
    _said: Dialogue = field(factory=Dialogue)

    @property
    def pid(self) -> int | None:
        return None if self._child is None else self._child.process.pid

    def start(self) -> Hello:
        """Start it, if it does not run, and exchange hellos. Raises Fault of kind start."""
        if self._child is not None and self.hello is not None:
            return self.hello
        try:
            self._run()
            self.hello = Hello.from_json(parse(self._ask(protocol.hello(), self.start_seconds)))
        except OSError as error:
            raise Fault("start", f"{self.command[0]}: {error.strerror}") from None
        except InputError as error:
            raise self._killed("start", f"its hello: {error}") from None
        except Fault as fault:
            raise Fault("start", f"does not start: {fault.reason}", fault.trace) from None
        return self.hello

    def new(self, game: Game, seat: int) -> None:
        """A game begins; told with the first message that follows."""
        self._said.new(game, seat)
        self.used = 0.0

    def decide(self, view: View, limit: Limit, seed: int) -> Answer:
        """Its decision. Raises Fault: also if it plays no such game or role, or if its clock has run out."""
        said = self.start()
        if not said.plays(view.game, view.role):
            raise Fault("error", f"{said.name} does not say that it decides {view.role!r} in {view.game}")
        left = None if self.game_seconds is None else self.game_seconds - self.used
        if left is not None and left <= 0:
            raise Fault("time", f"the {self.game_seconds:g} s of the game are over")
        seconds = self.seconds if left is None else min(left, self.seconds)
        *greeting, question = self._said.question(view, limit, {"decision": seconds, "game": left}, seed)
        for message in greeting:
            self._tell(message)
        begun = time.perf_counter()
        try:
            answer = self._ask(question, seconds)
        finally:
            self.used += time.perf_counter() - begun
        try:
            return self._read(parse(answer, "answer"), Naming(view.layout))
        except InputError as error:
            raise self._killed("garbled", str(error)) from None

    def _read(self, node: Node, naming: Naming) -> Answer:
        kind = node["type"].word(("action", "error"))
        if node["n"].number() != self._said.number:
            raise node["n"].wrong(f"is an answer to {node['n'].value}, not to {self._said.number}")
        if kind == "error":
            raise Fault("error", node["message"].text())
        return Answer.from_json(node, naming)

    def end(self, view: View, score: Score | None) -> None:
        """A game is over. Nothing is told to an engine that was not asked in it. Raises Fault."""
        told = self._said.end(view, score)
        for message in told if self._child is not None else ():
            self._tell(message)

    def ping(self) -> None:
        """Ask for a sign of life. Raises Fault."""
        self.start()
        try:
            node = parse(self._ask(self._said.ping(), self.seconds), "answer")
            node["type"].word(("pong",))
            node["n"].number(self._said.number, self._said.number)
        except InputError as error:
            raise self._killed("garbled", str(error)) from None

    def tell(self, message: dict[str, Any]) -> None:
        """Send any message that needs no answer. Raises Fault."""
        self.start()
        self._tell(message)

    def close(self) -> int | None:
        """Ask it to quit, and kill it if it does not; returns the exit code, None if it had to be killed."""
        child, code = self._child, None
        if child is not None:
            with contextlib.suppress(Fault, subprocess.TimeoutExpired):
                child.tell(line({"type": "quit"}), EXIT_SECONDS)
                code = child.process.wait(EXIT_SECONDS)
        self.kill()
        return code

    def kill(self) -> None:
        """End it and its children."""
        child, self._child, watch, self._watch = self._child, None, self._watch, None
        self._said.greeted = False
        if watch is not None:  # before its pipe is closed: it has nothing left to kill
            watch.kill()
            watch.wait()
            assert watch.stdin is not None
            watch.stdin.close()
        if child is not None:
            child.kill()

    # -- the process ----------------------------------------------------------------------------------------------

    def _run(self) -> None:
        process = subprocess.Popen(
            self.command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,  # not interrupted by Ctrl-C, and its own children can be killed with it
        )
        assert process.stdout is not None
        assert process.stderr is not None
        self._child = Child(process, process.stdout.fileno(), process.stderr.fileno())
        self._watch = subprocess.Popen(
            ["/bin/sh", "-c", WATCH, "sh", str(process.pid)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            cwd=os.sep,
        )

    def _ask(self, message: dict[str, Any], seconds: float) -> bytes:
        assert self._child is not None
        try:
            return self._child.ask(line(message), seconds)
        except Fault:
            self.kill()
            raise

    def _tell(self, message: dict[str, Any]) -> None:
        assert self._child is not None
        try:
            self._child.tell(line(message), self.seconds)
        except Fault:
            self.kill()
            raise

    def _killed(self, kind: str, reason: str) -> Fault:
        said = "" if self._child is None else self._child.said()
        self.kill()
        return Fault(kind, reason, said)
