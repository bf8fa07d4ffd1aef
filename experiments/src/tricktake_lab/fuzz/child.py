"""One target, attacked for some seconds: ``python -m tricktake_lab.fuzz.child TARGET SEED SECONDS ENGINE [CORPUS]``.

ENGINE is ``own`` (mutations of the samples) or ``atheris`` (the same mutations, steered by the branches they reach;
CORPUS is a folder where inputs that reached new ones are kept for the next time).
The last line of stdout is a JSON object: inputs, seconds, megabytes, findings.
"""

from __future__ import annotations

import base64
import gc
import importlib
import json
import os
import random
import re
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Sequence
from pathlib import Path
from types import FrameType, FunctionType
from typing import Any

from tricktake_lab import memory
from tricktake_lab.fuzz.mutations import mutated
from tricktake_lab.fuzz.targets import TARGETS, Target, attack

SLOW, GUIDED = 5, 30  # seconds of the processor for one input, and where branches are counted; no sample takes one
KEPT = 5  # findings of one target, each at another place
PACKAGE = re.compile(r"tricktake(?!_lab)")  # what is under attack


class TooSlow(BaseException):
    """An input took longer than its limit."""


class Attack:
    """The attack on one target: what was found, one finding for each place in the code."""

    def __init__(self, target: Target, folder: Path, limit: float = SLOW) -> None:
        self.target, self.folder, self.limit = target, folder, limit
        self.inputs = 0
        self.findings: dict[str, dict[str, Any]] = {}

    def __call__(self, data: bytes) -> None:
        """Feed one input."""
        self.inputs += 1
        signal.setitimer(signal.ITIMER_VIRTUAL, self.limit)
        try:
            error = attack(self.target, data, self.folder)
        except TooSlow as slow:
            error = slow
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        if error is not None:
            where = place(error)
            if where not in self.findings and len(self.findings) < KEPT:
                shown = base64.b64encode(data[:4096]).decode()
                self.findings[where] = {"error": repr(error)[:300], "where": where, "input": shown, "bytes": len(data)}

    def report(self, seconds: float) -> dict[str, Any]:
        """What came of it."""
        megabytes = memory.peak()
        return {
            "target": self.target.name,
            "inputs": self.inputs,
            "seconds": round(seconds, 2),
            "megabytes": round(megabytes),
            "findings": list(self.findings.values()),
        }


def place(error: BaseException) -> str:
    """Where an error came from: the last line in our code."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [f for f in frames if "tricktake" in f.filename and "tricktake_lab" not in f.filename] or frames
    return f"{Path(ours[-1].filename).name}:{ours[-1].lineno} {type(error).__name__}" if ours else type(error).__name__


def own(attack_on: Attack, samples: Sequence[bytes], rng: random.Random, seconds: float) -> float:
    """Mutations until the time is over; the seconds it took."""
    start = time.process_time()
    while (spent := time.process_time() - start) < seconds:
        attack_on(mutated(rng.choice(samples), rng, attack_on.target.how))
        if attack_on.inputs % 500 == 0:
            gc.collect()
    return spent


def ours() -> list[FunctionType]:
    """The functions of tricktake and its plugins that are loaded, but for kernels, which numba reads."""
    found = (each for each in gc.get_objects() if type(each) is FunctionType)
    return [f for f in found if PACKAGE.match(f.__module__ or "") and "_kernels" not in f.__module__]


def with_atheris(attack_on: Attack, samples: Sequence[bytes], seed: int, seconds: float, corpus: Path) -> None:
    """The same by libFuzzer, which keeps what reaches new branches. It ends the process, so the report comes first."""
    atheris = importlib.import_module("atheris")
    how = attack_on.target.how

    def mutate(data: bytes, most: int, number: int) -> bytes:
        rng = random.Random(number)
        return mutated(data or rng.choice(samples), rng, how)[:most]

    def one(data: bytes) -> None:
        attack_on(data)
        spent = time.process_time() - start
        if spent >= seconds:
            tell(attack_on.report(spent))
            os._exit(0)  # libFuzzer has no other end

    corpus.mkdir(parents=True, exist_ok=True)
    for number, sample in enumerate(samples):
        (corpus / f"sample-{number}").write_bytes(sample)
    words = [f"-seed={seed + 1}", "-max_len=1000000", "-rss_limit_mb=2000", "-timeout=100", str(corpus)]
    for function in ours():
        atheris.instrument_func(function)
    start = time.process_time()
    atheris.Setup([sys.argv[0], *words], one, custom_mutator=mutate)
    atheris.Fuzz()


def stop(number: int, frame: FrameType | None) -> None:
    """What the timer does."""
    raise TooSlow("too many seconds")


def tell(report: dict[str, Any]) -> None:
    """Print a report as one line."""
    sys.stdout.write(json.dumps(report) + "\n")
    sys.stdout.flush()


def main(name: str, seed: int, seconds: float, engine: str, corpus: str = "") -> None:
    """Attack a target, print the report."""
    signal.signal(signal.SIGVTALRM, stop)
    target = TARGETS[name]
    with tempfile.TemporaryDirectory() as folder:
        attack_on = Attack(target, Path(folder), GUIDED if engine == "atheris" else SLOW)
        samples = list(target.samples())
        for sample in samples:
            attack(target, sample, attack_on.folder)  # which also loads and compiles what it needs
            attack_on(sample)
        if engine == "atheris":
            with_atheris(attack_on, samples, seed, seconds, Path(corpus or folder, name))
        else:
            spent = own(attack_on, samples, random.Random(f"{name} {seed}"), seconds)
            tell(attack_on.report(spent))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), *sys.argv[4:])
