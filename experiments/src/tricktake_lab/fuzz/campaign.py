"""The experiment ``trust.fuzz``: every target attacked for its share of some minutes, a process each."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from typing import Any

from tricktake.errors import InputError, UnknownName
from tricktake_lab.experiment import experiment
from tricktake_lab.fuzz.targets import TARGETS
from tricktake_lab.outcome import Outcome, Sheet

ENGINES = ("own", "atheris")
WAIT, SPARE = 100, 1800  # times its share, and seconds besides, that a target may take by the clock of a busy machine


def attacked(name: str, seed: int, seconds: float, engine: str, corpus: str) -> dict[str, Any]:
    """The report of a child process; a child that dies is a finding."""
    words = [sys.executable, "-m", "tricktake_lab.fuzz.child", name, str(seed), str(seconds), engine, corpus]
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=WAIT * seconds + SPARE, check=False)
        last = done.stdout.strip().splitlines()[-1:]
        if done.returncode == 0 and last:
            found: dict[str, Any] = json.loads(last[0])
            return found
        reason = f"exit code {done.returncode}: {done.stderr[-2000:]}"
    except subprocess.TimeoutExpired:
        reason = "did not end"
    finding = {"error": reason, "where": "the process", "input": "", "bytes": 0}
    return {"target": name, "inputs": 0, "seconds": 0.0, "megabytes": 0, "findings": [finding]}


@experiment(
    "trust.fuzz",
    item="docs/testing.md",
    seed=1901,
    smoke={"minutes": 0.01, "targets": ("dds",)},
    small={"minutes": 5.0},
    paper={"minutes": 60.0},
)
def fuzz(seed: int, minutes: float, targets: tuple[str, ...] = (), engine: str = "own", corpus: str = "") -> Outcome:
    """Damaged files for every parser: what is neither read nor refused with an input error is a finding.

    minutes: of the processor, shared by the targets (all if none is named). engine: ``own`` damages samples at random,
    ``atheris`` keeps what reaches new branches (``pip install atheris``), in the folder ``corpus`` for the next run if
    one is named; both damage them in the same ways.
    """
    if engine not in ENGINES:
        raise UnknownName("engine", engine, list(ENGINES))
    if engine == "atheris" and importlib.util.find_spec("atheris") is None:
        raise InputError("--set", None, "engine", "atheris is not installed: pip install atheris")
    names = targets or tuple(TARGETS)
    for name in names:
        if name not in TARGETS:
            raise UnknownName("target", name, list(TARGETS))
    reports = [attacked(name, seed, minutes * 60 / len(names), engine, corpus) for name in names]
    rows = [(r["target"], r["inputs"], r["seconds"], r["megabytes"], len(r["findings"])) for r in reports]
    sheet = Sheet.of("Attacks", ("target", "inputs", "processor seconds", "most megabytes", "findings"), rows)
    return Outcome((sheet,), {"findings": {r["target"]: r["findings"] for r in reports if r["findings"]}})
