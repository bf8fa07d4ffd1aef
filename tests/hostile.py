"""A plugin of strategies for the toy game that attack the machine; what gets through is told as a fault."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

from tricktake.hookspecs import Register, hookimpl
from tricktake.search.limit import Limit
from tricktake.strategies.strategy import Decision
from tricktake.view import View

PTRACE_ATTACH = 16


class Attacks:
    """Tries everything. ``TRICKTAKE_TARGETS`` names a file, a port where somebody listens, a process."""

    def __init__(self) -> None:
        self.secret, port, pid = os.environ["TRICKTAKE_TARGETS"].split()
        self.port, self.pid = int(port), int(pid)

    def decide(self, view: View, limit: Limit, rng: np.random.Generator) -> Decision:
        through = [name for name, attempt in self.attempts().items() if succeeds(attempt)]
        raise RuntimeError(f"through: {' '.join(through) or 'nothing'}")

    def attempts(self) -> dict[str, Callable[[], object]]:
        package = Path(sys.modules["tricktake"].__file__ or "").parent
        return {
            "passwd": Path("/etc/passwd").read_text,
            "secret": Path(self.secret).read_text,
            "folder": lambda: next(Path(self.secret).parent.iterdir()),
            "environment": lambda: os.environ["SECRET_OF_THE_HOST"],
            "code": lambda: written(package),
            "own code": lambda: open(__file__, "a").close(),
            "root": lambda: written(Path("/")),
            "device": lambda: written(Path("/dev")),
            "loopback": lambda: socket.create_connection(("127.0.0.1", self.port), 2),
            "network": lambda: socket.create_connection(("192.0.2.1", 80), 1),
            "referee": lambda: os.kill(self.pid, signal.SIGTERM),
            "trace": lambda: traced(self.pid),
            "processes": lambda: os.listdir(f"/proc/{self.pid}"),
            "memory": lambda: bytearray(64 << 30),
            "disk": lambda: filled(1 << 29),
        }


def succeeds(attempt: Callable[[], object]) -> bool:
    try:
        attempt()
    except (OSError, LookupError, MemoryError, subprocess.SubprocessError, StopIteration):
        return False
    return True


def written(folder: Path) -> None:
    """Write a file there, and take it away again."""
    with tempfile.TemporaryFile(dir=folder):
        pass


def filled(size: int) -> None:
    """So many bytes of files."""
    with tempfile.TemporaryFile() as file:
        file.write(bytes(size))


def traced(pid: int) -> None:
    if ctypes.CDLL(None, use_errno=True).ptrace(PTRACE_ATTACH, pid, None, None) < 0:
        raise OSError(ctypes.get_errno(), "ptrace")


class KillsAll:
    """Kills every process it can reach."""

    def decide(self, view: View, limit: Limit, rng: np.random.Generator) -> Decision:
        os.kill(-1, signal.SIGKILL)
        signal.pause()
        return Decision(view.legal[0])


class Stays:
    """Leaves a process behind that has a session of its own, and plays on."""

    def decide(self, view: View, limit: Limit, rng: np.random.Generator) -> Decision:
        with contextlib.suppress(OSError):
            subprocess.Popen(["sleep", "987654"], start_new_session=True)
        return Decision(view.legal[0])


@hookimpl
def register_strategies(register: Register) -> None:
    register("attacks", Attacks)
    register("kills-all", KillsAll)
    register("stays", Stays)
