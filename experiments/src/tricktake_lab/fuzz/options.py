"""Options of the command line, each with strange values: every command says what is wrong with them, and no more.

A command is called in a fork of this process, in a folder of its own with samples of all it reads. It may answer,
refuse with exit code 2 and one line, or be stopped because it would work for long; it may not fail otherwise, nor take
a gigabyte.
"""

from __future__ import annotations

import contextlib
import gzip
import os
import random
import re
import resource
import shutil
import signal
import stat
import sys
import tempfile
import time
import traceback
from collections.abc import Sequence
from pathlib import Path

import click
from attrs import frozen

from tricktake.cli.main import main
from tricktake.learning import LearnedTable, learn
from tricktake.learning.tabletext import print_learned
from tricktake_lab.experiment import SAMPLE_LOG, experiment
from tricktake_lab.fuzz.targets import DATA, LOOP, QUESTION, SERIES, TOURNAMENT, some_rows
from tricktake_lab.outcome import Outcome, Sheet

SECONDS = 5.0  # of the clock; who works longer is stopped
MEMORY = 1 << 30  # bytes
FAULTS = re.compile(r"a fault of tricktake|Traceback|Error: |Exception in thread")
FINE = (0, 1, 2)
"""Exit codes."""

# Calls of each command that work, as short as can be. What is meant for a network finds nobody there.
CALLS: dict[str, str] = {
    "plugins": "",
    "games": "hearts",
    "new game": "mine",
    "check": "hearts --deals 1 --seconds 0.1",
    "deal": "skat",
    "play": "hearts --seed 2 --id 3 --no-record",
    "solve": "skat iss.sgf --nodes 100",
    "analyse": "skat iss.sgf --id 541932 --nodes 100",
    "replay": "skat iss.sgf --strategy core:random --limit 1 --isolate no",
    "convert": "iss.sgf out.jsonl",
    "verify": "skat iss.sgf",
    "tournament": "--game hearts --player core:random --player hearts:rule --deals 1 --isolate no",
    "rate": "series.csv --bootstrap 0",
    "learn": "skat:suit short.log --out a.table",
    "rows": "skat:suit short.log --out a.rows",
    "table diff": "one.table one.table",
    "table merge": "one.table one.table --out b.table",
    "table read": "one.txt --out b.table",
    "table show": "one.table",
    "outer-learn": "loop.toml --no-chart",
    "train": "hearts --games 1 --positions 10 --hidden 64 --out mine.policy",
    "blocks join": "blocks --into joined",
    "blocks run": "cup.toml --index 0 --of 1",
    "policy diff": "skat:cards skat:cards --positions 1",
    "policy eval": "skat:cards --positions 2",
    "policy show": "skat:cards",
    "engine check": "cat --game hearts --deals 1 --seconds 0.1",
    "engine serve": "core:random",
    "bench": "--only nothing",
    "advise skat": "CJ HJ CA CT C9 C7 SA HT H9 D7 --chance rule",
    "serve": "--cold --port 0",
    "bridge-table play": "127.0.0.1 N --port 1",
    "bridge-table serve": "boards.pbn --out played.pbn --port 0",
    "iss play": "127.0.0.1 me --port 1",
    "iss serve": "--port 0",
    "iss watch": "127.0.0.1 me --port 1",
}
SERVERS = ("serve", "bridge-table serve", "iss serve", "engine serve", "engine check")
LEFT = ("warm", "reproduce")
"""What is not called: one compiles for minutes and reads names only, the other writes pages of this checkout."""

NUMBERS = (
    "", "-1", "0", "1", "2", "63", "1e3", "1_0", "0x10", "\u0663", "\u00b2", "nan", "9223372036854775807",
    "18446744073709551616", "9" * 400, "9" * 5000,
)  # fmt: skip
FLOATS = (*NUMBERS, "-0.5", "0.5", "inf", "-inf", "1e308", "1e400", "5e-324")
PATHS = (
    "", "-", "missing", "missing/x.table", "folder", "empty", "binary", "pipe", "short.log/x", "x" * 300, "x" * 5000,
    "\udcff", "\u00fc\n", "iss.sgf", "one.table", "cup.toml", "zeros", "bomb.gz", "line",
)  # fmt: skip
WORDS = (
    "", " ", "-", "--", "=", ",", ",,", ":", "(", ")", "a=b", "a(", "core:random(", "core:random(x=1)",
    "core:random()()", "play=core:random", "bid=,play=", "core:pimc(worlds=-1)", "core:pimc(worlds=nan)",
    "core:policy(policy=empty)", "core:policy(policy=one.table)", "core:engine(command=)",
    "core:engine(command=true)", "hearts(", "hearts(x=1)", "oh_hell(players=99)", "oh_hell(players=-1)",
    "oh_hell(players=3)", "skat", "jsonl", "skat:suit", "\udcff", "\u00b2", "\x1b[31m", "a\nb", "%s", "{}", "0", "-1",
    "nan", "1/0", "0/0", "9/3", "5-", "0:1", "9" * 5000, "x" * 5000, "(" * 2000, "core:random(" * 500, "SA", "AS",
    "C7 C7", "forehand", "tcp://", "tcp://127.0.0.1:1", "local:0", "local:-1", "local:x", "http://127.0.0.1:1",
    "ws://", "iss.sgf", "empty", "folder", "pipe",
)  # fmt: skip


@frozen
class Call:
    """A command line: words of a command, and what is given to it."""

    command: str
    words: tuple[str, ...]

    def __str__(self) -> str:
        words = [word.encode(errors="backslashreplace").decode() for word in (self.command, *self.words)]
        return " ".join(word if len(word) < 60 else f"{word[:20]}...[{len(word)}]" for word in words)


def commands() -> dict[str, click.Command]:
    """All commands that are no groups, by their words."""
    found: dict[str, click.Command] = {}

    def walk(command: click.Command, words: tuple[str, ...]) -> None:
        if isinstance(command, click.Group):
            context = click.Context(command)
            for name in command.list_commands(context):
                inner = command.get_command(context, name)
                assert inner is not None
                walk(inner, (*words, name))
        else:
            found[" ".join(words)] = command

    walk(main, ())
    return found


def strange(kind: click.ParamType) -> Sequence[str]:
    """Values for an option or an argument of some type."""
    if isinstance(kind, click.IntRange) or kind is click.INT:
        return NUMBERS
    if isinstance(kind, click.FloatRange) or kind is click.FLOAT:
        return FLOATS
    if isinstance(kind, click.Path):
        return PATHS
    return WORDS


def calls(name: str, command: click.Command) -> list[Call]:
    """The call of a command with each option and each word of it made strange, one at a time."""
    words = tuple(CALLS[name].split())
    found = [Call(name, words)]
    for each in command.params:
        if isinstance(each, click.Option) and each.is_flag:
            found += [Call(name, (*words, flag)) for flag in (*each.opts, *each.secondary_opts)]
        elif isinstance(each, click.Option):
            found += [Call(name, (*words, f"{each.opts[0]}={value}")) for value in strange(each.type)]
    for at, word in enumerate(words):
        if not word.startswith("-") and not (at and words[at - 1].startswith("--")):
            found += [Call(name, (*words[:at], value, *words[at + 1 :])) for value in (*PATHS, *WORDS)]
    return found


def prepared(folder: Path) -> None:
    """Samples of everything that is read."""
    shutil.copy(DATA / "iss-23.sgf", folder / "iss.sgf")
    end = b"=" * 40 + b"\n"
    log = end.join(gzip.decompress(SAMPLE_LOG.read_bytes()).split(end)[:3]) + end
    (folder / "short.log").write_bytes(log)
    (folder / "series.csv").write_bytes(SERIES)
    (folder / "cup.toml").write_bytes(
        TOURNAMENT.replace(b"deals = 10", b"deals = 1").replace(b"core:random", b"core:random")
    )
    (folder / "loop.toml").write_bytes(LOOP.replace(b"games = 100", b"games = 4").replace(b"= 20", b"= 2"))
    learn(QUESTION, some_rows()).save(folder / "one.table")
    with (folder / "one.txt").open("w") as text:
        print_learned(LearnedTable.load(folder / "one.table", QUESTION), text)
    (folder / "boards.pbn").write_text('[Dealer "N"]\n')
    for name in ("folder", "blocks"):
        (folder / name).mkdir()
    (folder / "empty").touch()
    (folder / "binary").write_bytes(random.Random(1).randbytes(5000))
    (folder / "zeros").write_bytes(bytes(1 << 20))
    (folder / "line").write_bytes(b"x" * (1 << 21))
    with gzip.open(folder / "bomb.gz", "wb") as file:
        for _ in range(64):
            file.write(bytes(1 << 20))
    os.mkfifo(folder / "pipe")


# -- calling ----------------------------------------------------------------------------------------------------------


def forked(call: Call, folder: Path) -> int:
    """The process that runs a command in a folder, its output in files there; it is the first of a session."""
    pid = os.fork()
    if pid:
        return pid
    try:
        os.setsid()
        os.chdir(folder)
        resource.setrlimit(resource.RLIMIT_AS, (4 * MEMORY, 4 * MEMORY))
        for number, name in enumerate(("/dev/null", "stdout", "stderr")):
            flags = os.O_RDONLY if number == 0 else os.O_WRONLY | os.O_CREAT | os.O_TRUNC
            os.dup2(os.open(name, flags), number)
        stdio = open(0), open(1, "w"), open(2, "w", errors="backslashreplace")  # noqa: SIM115 - as Python opens them
        sys.stdin, sys.stdout, sys.stderr = stdio
        main([*call.command.split(), *call.words], standalone_mode=True)
    except SystemExit as left:
        code = left.code if isinstance(left.code, int) else 0
        with contextlib.suppress(OSError, ValueError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
    os._exit(99)


def ended(pid: int) -> tuple[int | None, int]:
    """The exit code of a process, None for one that was stopped, and its bytes of memory at most."""
    until = time.monotonic() + SECONDS
    code: int | None = None
    while True:
        found, status, used = os.wait4(pid, os.WNOHANG)
        if found:
            code = os.waitstatus_to_exitcode(status)
            break
        if time.monotonic() > until:
            os.killpg(pid, signal.SIGKILL)
            used = os.wait4(pid, 0)[2]
            break
        time.sleep(0.005)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)  # what it left behind
    return code, used.ru_maxrss * 1024


def wrong(call: Call, samples: Path) -> str:
    """What is wrong with the answer to a call; nothing if it is fine, ``stopped`` if it would have worked for long."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copytree(samples, folder, dirs_exist_ok=True, copy_function=linked)
        code, used = ended(forked(call, folder))
        said = (folder / "stderr").read_text(errors="replace")
        if used > MEMORY:
            return f"{used >> 20} MB"
        if not stat.S_ISFIFO((folder / "pipe").lstat().st_mode):
            return "a pipe was replaced"
        if FAULTS.search(said):
            return said[-400:]
        if code is None:
            return "stopped"
        return "" if code in FINE else f"exit code {code}: {said[-400:]}"


def linked(source: str, target: str) -> None:
    """A sample in another folder; pipes too."""
    if stat.S_ISFIFO(os.lstat(source).st_mode):
        os.mkfifo(target)
    else:
        shutil.copy(source, target)


def warmed(samples: Path, names: Sequence[str] = ()) -> None:
    """Run what works once here, so that its forks find all imported. names: of commands; all if none is named."""
    with tempfile.TemporaryDirectory() as name, open(os.devnull, "w") as null:
        shutil.copytree(samples, name, dirs_exist_ok=True, copy_function=linked)
        with contextlib.chdir(name), contextlib.redirect_stdout(null), contextlib.redirect_stderr(null):
            for command, words in CALLS.items():
                if command not in SERVERS and command in (names or CALLS):
                    with contextlib.suppress(SystemExit):
                        main([*command.split(), *words.split()], standalone_mode=True)


def chosen(seed: int, number: int, names: Sequence[str] = ()) -> list[Call]:
    """So many calls of these commands, of all if none is named; 0: every one."""
    found = [call for name, command in commands().items() if name in (names or CALLS) for call in calls(name, command)]
    return found if not number else random.Random(seed).sample(found, min(number, len(found)))


@experiment(
    "trust.options",
    item="docs/testing.md",
    seed=1907,
    smoke={"number": 5, "names": ("deal",)},
    small={"number": 500},
    paper={"number": 0},
)
def options(seed: int, number: int = 0, names: tuple[str, ...] = ()) -> Outcome:
    """Strange values for every option and argument of every command: what is not answered or refused is a finding.

    One value at a time. number: of calls, drawn by lot; 0 for all. names: of commands; all if none is named.
    """
    counts: dict[str, list[int]] = {}
    found: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as name:
        prepared(Path(name))
        warmed(Path(name), names)
        for call in chosen(seed, number, names):
            said = wrong(call, Path(name))
            row = counts.setdefault(call.command, [0, 0, 0])
            row[0] += 1
            if said == "stopped":
                row[1] += 1
            elif said:
                row[2] += 1
                found[str(call)] = said
    rows = [(name, *row) for name, row in counts.items()]
    return Outcome((Sheet.of("Calls", ("command", "calls", "stopped", "findings"), rows),), {"findings": found})
