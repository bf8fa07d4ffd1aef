"""What an experiment is: a function of a seed and a size, with a name, registered; and how one is run and written down.

The function returns an ``Outcome`` and prints nothing. Its parameters besides ``seed`` are what sizes set and what
``--set`` may change; their types are read from its annotations.
"""

from __future__ import annotations

import datetime
import importlib.metadata
import inspect
import json
import os
import platform
import shlex
import subprocess
import tempfile
import time
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import frozen

from tricktake.errors import InputError, UnknownName
from tricktake.learning import LearnedTable
from tricktake.learning.glem import Glems
from tricktake_lab.inputs import XSKAT, xskat_log
from tricktake_lab.outcome import Outcome, plain

SIZES = ("smoke", "small", "paper")
CHECKOUT = Path(__file__).resolve().parents[3]
SAMPLE_LOG = CHECKOUT / "tests" / "data" / "xskat-500.log.gz"
VERSIONS = ("tricktake", "tricktake-skat", "tricktake-lab", "numpy", "numba", "scipy")
Work = Callable[..., Outcome]


@frozen
class Experiment:
    """name: ``topic.what``. item: what it is behind, such as a number of docs/papers.md or a shipped file. seed: of the
    published run. sizes: parameters by size; smoke takes seconds, small minutes, paper is the published run.
    """

    name: str
    item: str
    work: Work
    seed: int
    sizes: Mapping[str, Mapping[str, Any]]

    @property
    def summary(self) -> str:
        """The first line of the function's docstring."""
        return (inspect.getdoc(self.work) or "").partition("\n")[0]

    @property
    def parameters(self) -> dict[str, Any]:
        """Types of all parameters but the seed."""
        return {name: hint for name, hint in typing.get_type_hints(self.work).items() if name not in ("seed", "return")}

    def arguments(self, size: str, changes: Mapping[str, str]) -> dict[str, Any]:
        """The parameters of a size with changes as text. Raises UnknownName, InputError."""
        if size not in self.sizes:
            raise UnknownName("size", size, list(self.sizes))
        found = dict(self.sizes[size])
        for name, value in changes.items():
            if name not in self.parameters:
                raise UnknownName(f"parameter of {self.name}", name, list(self.parameters))
            found[name] = parsed(name, value, self.parameters[name])
        return found


REGISTRY: dict[str, Experiment] = {}


def experiment(name: str, item: str, seed: int, **sizes: Mapping[str, Any]) -> Callable[[Work], Work]:
    """Register a function under a name. sizes: ``smoke``, ``small`` and ``paper``; raises ValueError for others."""

    def register(work: Work) -> Work:
        if tuple(sizes) != SIZES:
            raise ValueError(f"{name}: the sizes are {', '.join(SIZES)}")
        made = Experiment(name, item, work, seed, sizes)
        known = set(inspect.signature(work).parameters) - {"seed"}
        if name in REGISTRY or any(set(values) - known for values in sizes.values()):
            raise ValueError(f"{name}: there are two, or a size names a parameter that it does not have")
        REGISTRY[name] = made
        return work

    return register


def parsed(name: str, text: str, hint: Any) -> Any:
    """A value of a parameter from text; tuples are separated by blanks. Raises InputError."""
    if isinstance(hint, types.UnionType):
        if text == "none":
            return None
        hint = next(part for part in typing.get_args(hint) if part is not type(None))
    try:
        if typing.get_origin(hint) is tuple:
            inner = typing.get_args(hint)[0]
            return tuple(parsed(name, word, inner) for word in shlex.split(text))
        if hint is bool:
            return {"true": True, "false": False}[text.lower()]
        return hint(text)
    except (ValueError, KeyError) as error:
        kind = getattr(hint, "__name__", str(hint))
        raise InputError("--set", None, name, f"{text!r} is no {kind}") from error


def log_file(name: str) -> Path:
    """An XSkat log by its path. ``sample`` is the one that comes with the tests, ``xskat:SEED:GAMES`` is made by XSkat.

    Raises InputError.
    """
    kind, _, rest = name.partition(":")
    seed, _, games = rest.partition(":")
    if kind == XSKAT and (seed + games).isdecimal():
        return xskat_log(int(seed), int(games))
    path = SAMPLE_LOG if name == "sample" else Path(name)
    if not path.is_file():
        raise InputError(str(path), None, None, "is not there; docs/laboratory.md says how to make an XSkat log")
    return path


def run(what: Experiment, size: str, seed: int | None = None, changes: Mapping[str, str] | None = None) -> Run:
    """Run an experiment. Raises what it raises: InputError, UnknownName for wrong arguments."""
    changes = changes or {}
    words = [f"--set={name}={value}" for name, value in changes.items()]
    return run_with(what, size, what.seed if seed is None else seed, what.arguments(size, changes), words)


def run_with(
    what: Experiment, size: str, seed: int, arguments: Mapping[str, Any], words: Sequence[str] | None = None
) -> Run:
    """Run an experiment with these arguments. words: of the command that makes them of those of the size."""
    if words is None:
        usual = what.sizes[size]
        words = [f"--set={name}={_word(value)}" for name, value in arguments.items() if usual.get(name, ...) != value]
    command = ["python", "-m", "tricktake_lab", what.name, "--size", size, "--seed", str(seed), *words]
    started = datetime.datetime.now(datetime.UTC)
    clock = time.perf_counter()
    outcome = what.work(seed, **arguments)
    seconds = time.perf_counter() - clock
    return Run(what, size, seed, arguments, shlex.join(command), started, seconds, outcome)


def _word(value: Any) -> str:
    """A value as ``parsed`` reads it."""
    if isinstance(value, tuple):
        return " ".join(shlex.quote(_word(each)) for each in value)
    return str(value).lower() if value is None or isinstance(value, bool) else str(value)


@frozen
class Run:
    """An experiment that was run."""

    experiment: Experiment
    size: str
    seed: int
    arguments: Mapping[str, Any]
    command: str
    started: datetime.datetime
    seconds: float
    outcome: Outcome

    def as_json(self) -> dict[str, Any]:
        """Everything needed to run it again, and what it found."""
        return {
            "experiment": self.experiment.name,
            "item": self.experiment.item,
            "summary": self.experiment.summary,
            "size": self.size,
            "seed": self.seed,
            "arguments": plain(dict(self.arguments)),
            "command": self.command,
            "commit": commit(),
            "versions": versions(),
            "machine": {"platform": platform.platform(), "processor": processor(), "cpus": os.cpu_count()},
            "started": self.started.isoformat(timespec="seconds"),
            "seconds": round(self.seconds, 3),
            "facts": plain(self.outcome.facts),
            "sheets": [sheet.as_json() for sheet in self.outcome.sheets],
            "ships": [str(path) for path in self.outcome.ships],
        }

    def save(self, file: Path) -> None:
        """Write the JSON."""
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(self.as_json(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")

    def ship(self) -> list[Path]:
        """Write the files of the product it is behind into the checkout; which they are."""
        for path, content in self.outcome.ships.items():
            (CHECKOUT / path).write_bytes(content)
        return list(self.outcome.ships)


def learned(name: str, seed: int, **facts: Any) -> dict[str, Any]:
    """What a shipped file says of what made it: experiment, seed, command, date, and these facts."""
    changed = "".join(f" --set {key}={shlex.quote(str(value))}" for key, value in facts.items())
    command = f"python -m tricktake_lab {name} --seed {seed}{changed} --write"
    return {"experiment": name, "seed": seed, **plain(facts), "date": str(datetime.date.today()), "command": command}


def stored(table: LearnedTable | Glems) -> bytes:
    """The file of a learned table or of models."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "x.table"
        table.save(file)
        return file.read_bytes()


def shipped_path(file: Path) -> Path:
    """Where a file of an installed package lies in the checkout, relative to it; links are kept out of it."""
    return Path(file).resolve().relative_to(CHECKOUT)


def commit() -> str:
    """The commit of the checkout, with "+" if files differ from it; "" outside of one."""
    try:
        head = _git("rev-parse", "HEAD")
        return head + ("+" if _git("status", "--porcelain", "--untracked-files=no") else "")
    except (OSError, subprocess.CalledProcessError):
        return ""


def _git(*words: str) -> str:
    done = subprocess.run(["git", "-C", str(CHECKOUT), *words], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def versions() -> dict[str, str]:
    """Of Python and of what results could depend on."""
    found = {"python": platform.python_version()}
    for name in VERSIONS:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


def processor() -> str:
    """What the machine says of its processor."""
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor()
