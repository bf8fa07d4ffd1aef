"""A program that is asked line by line and may be late, talk nonsense or die without harm to who asks."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Callable

from attrs import define

MAX_ANSWER = 1 << 16  # bytes of one answer
OUTPUT_TAIL = 2000  # bytes kept of what a program prints besides
EXIT_SECONDS = 5.0  # from the end of the channel to that of the process, which says how it ended
REASON_LENGTH = 200
KINDS = ("error", "time", "crash", "garbled", "illegal", "start")


class Fault(Exception):
    """A strategy failed to decide. ``kind``: error, time, crash, garbled, illegal, start. ``trace``: the location."""

    def __init__(self, kind: str, reason: str, trace: str = "") -> None:
        super().__init__(kind, reason, trace)
        self.kind, self.trace = kind, trace
        self.reason = reason if len(reason) <= REASON_LENGTH else reason[: REASON_LENGTH - 3] + "..."


@define
class Child:
    """A process in a session of its own, with requests on its standard input.

    answers: the file descriptor its answers are read from, a line each. noise: that of what it prints besides, of which
    ``output`` keeps the end. Who is late, dead or garbled is killed with all processes of its group.
    """

    process: subprocess.Popen[bytes]
    answers: int
    noise: int
    output: bytes = b""
    _buffer: bytes = b""

    def __attrs_post_init__(self) -> None:
        assert self.process.stdin is not None
        for stream in (self.process.stdin.fileno(), self.noise, self.answers):
            os.set_blocking(stream, False)

    def ask(self, request: bytes, seconds: float) -> bytes:
        """Send a request and wait for its answer, one line. Raises Fault; the process is then dead."""
        self._exchange(request, seconds, lambda left: b"\n" in self._buffer)
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line

    def tell(self, note: bytes, seconds: float) -> None:
        """Send what needs no answer. Raises Fault if it is not taken in time; the process is then dead."""
        self._exchange(note, seconds, lambda left: not left)

    def killed(self, kind: str, reason: str, trace: str = "") -> Fault:
        """Kill it; returns the Fault that says why."""
        self.kill()
        return Fault(kind, reason, trace)

    def kill(self) -> None:
        """End it and every process of its group; for a second time that does nothing."""
        process = self.process
        if process.stdin is None or process.stdin.closed:
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()

    def said(self) -> str:
        """The end of what it printed, as text."""
        with contextlib.suppress(BlockingIOError, OSError):
            while self._drain():
                pass
        return self.output.decode(errors="replace")

    # -- talking to it --------------------------------------------------------------------------------------------

    def _exchange(self, request: bytes, seconds: float, done: Callable[[memoryview], bool]) -> None:
        """Send and receive until ``done`` is true of what is left to send."""
        process = self.process
        assert process.stdin is not None
        deadline = time.monotonic() + seconds
        stdin, left = process.stdin.fileno(), memoryview(request)
        with selectors.DefaultSelector() as selector:
            selector.register(stdin, selectors.EVENT_WRITE)
            selector.register(self.answers, selectors.EVENT_READ)
            with contextlib.suppress(ValueError, OSError):  # closed before
                selector.register(self.noise, selectors.EVENT_READ)
            while not done(left):
                wait = deadline - time.monotonic()
                if wait <= 0:
                    raise self.killed("time", f"no answer in {seconds:g} s", self.said())
                for key, _ in selector.select(wait):
                    if key.fd == stdin:
                        left = self._send(stdin, left)
                        if not left:
                            selector.unregister(stdin)
                    elif key.fd == self.answers:
                        self._receive()
                    elif not self._drain():
                        selector.unregister(key.fd)
        if left or self._buffer.partition(b"\n")[2]:
            raise self.killed("garbled", "an answer to no question")

    def _send(self, stream: int, data: memoryview) -> memoryview:
        try:
            return data[os.write(stream, data) :]
        except BrokenPipeError:
            raise self._dead() from None

    def _receive(self) -> None:
        chunk = os.read(self.answers, MAX_ANSWER)
        if not chunk:
            raise self._dead()
        self._buffer += chunk
        if len(self._buffer) > MAX_ANSWER:
            raise self.killed("garbled", f"an answer of more than {MAX_ANSWER} bytes")

    def _drain(self) -> bool:
        """Read what it prints and keep the end; False if it closed the stream."""
        chunk = os.read(self.noise, 1 << 16)
        self.output = (self.output + chunk)[-OUTPUT_TAIL:]
        return bool(chunk)

    def _dead(self) -> Fault:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(EXIT_SECONDS)
        said, code = self.said(), self.process.returncode
        how = "closed its channel" if code is None else f"ended by signal {-code}" if code < 0 else f"exit code {code}"
        return self.killed("crash", f"the process died: {how}", said)
