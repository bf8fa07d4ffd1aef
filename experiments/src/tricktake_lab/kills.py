"""Commands killed at random moments and started again: is anything that was finished lost, doubled or different?

A command is run in a fork of this process, which has run it once: all is imported and compiled, and a kill meets the
work instead of the start.
"""

from __future__ import annotations

import contextlib
import gzip
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from attrs import frozen

from tricktake.archive import replacing
from tricktake.cli.main import main
from tricktake.policy import policyfile
from tricktake.policy import train as training
from tricktake.server.store import Store
from tricktake_lab.experiment import SAMPLE_LOG, experiment
from tricktake_lab.fuzz.protocols import TOKEN, Socket, served
from tricktake_lab.outcome import Outcome, Sheet

ERRORS = "stderr"  # a file of that
MOST_TALKS = 200  # connections until a series of the server is over; one or two do
SHARE = 0.7  # of the time of a whole run: a kill comes before it
Finished = dict[str, object]


class Doubled(AssertionError):
    """Something finished is there twice."""


@frozen
class Case:
    """name: of the command. work(folder): runs it, or what is left of it. finished(folder): what is finished there."""

    name: str
    work: Callable[[Path], None]
    finished: Callable[[Path], Finished]


def told(*words: object) -> None:
    """A command line, in this process. Raises RuntimeError if it fails."""
    try:
        main([str(word) for word in words], standalone_mode=True)
    except SystemExit as stop:
        if stop.code:
            raise RuntimeError(f"{words}: exit code {stop.code}") from None


def by_key(pairs: Sequence[tuple[str, object]]) -> Finished:
    """Raises Doubled."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise Doubled(f"{len(pairs)} entries of {len(found)}")
    return found


def json_lines(file: Path) -> list[dict[str, Any]]:
    """The whole lines of a file."""
    if not file.is_file():
        return []
    return [json.loads(line) for line in file.read_bytes().split(b"\n")[:-1]]


# -- the commands -----------------------------------------------------------------------------------------------------


def tournament(games: int, jobs: int) -> Case:
    """Games of random players into a store."""

    def work(folder: Path) -> None:
        players = ("--player", "core:random", "--player", "rule=play=skat:rule,bid=core:random,exchange=core:random")
        words = ("--game", "skat", *players, "--deals", games, "--isolate", "no", "--seed", 7, "--jobs", jobs)
        told("tournament", *words, "--store", folder / "games.jsonl", "--json")

    def finished(folder: Path) -> Finished:
        return by_key([(row["id"], row) for row in json_lines(folder / "games.jsonl") if "points" in row])

    return Case("tournament", work, finished)


def train(games: int, jobs: int) -> Case:
    """A policy, a checkpoint after each round: of hearts, or two families of Skat for two processes."""
    game, families = ("hearts", ("play",)) if jobs == 1 else ("skat", ("grand", "null"))

    def work(folder: Path) -> None:
        training.SAVE = 0.0
        words = ("--games", games, "--positions", 10, "--hidden", 64, "--seed", 3, "--family", ",".join(families))
        told("train", game, *words, "--jobs", jobs, "--out", folder / "a.policy")

    def finished(folder: Path) -> Finished:
        file = folder / "a.policy"
        if not file.is_file():
            return {}
        policy = policyfile.load(file)
        made = [(f"{name} {what}", policy.made[name][what]) for name in families for what in ("games", "rounds")]
        return {"weights": policyfile.digest(policy), **dict(made)}

    return Case("train", work, finished)


def outer_learn(games: int, jobs: int) -> Case:
    """Two batches of a loop."""
    config = f'questions = ["skat:suit"]\ngames = {games}\nbatches = 2\nseed = 1\njudge_games = 20\njudge_seed = 2\n'

    def work(folder: Path) -> None:
        (folder / "loop.toml").write_text(config)
        told("outer-learn", folder / "loop.toml", "--out", folder / "loop", "--no-chart", "--jobs", jobs)

    def finished(folder: Path) -> Finished:
        batches = [(str(row["batch"]), row) for row in json_lines(folder / "loop" / "curves.jsonl")]
        tables = sorted((folder / "loop").glob("batch-*/*.table")) if batches else []
        known = tables if len(batches) == 3 else []
        return by_key([*batches, *((str(file.relative_to(folder)), file.read_bytes()) for file in known)])

    return Case("outer-learn", work, finished)


def rate(files: int, jobs: int) -> Case:
    """A list that is continued with one file of series after the other; what it was after each is kept beside it."""

    def work(folder: Path) -> None:
        rng = random.Random(5)
        for number in range(files):
            rows = [
                f"{number}-{s},p{p},{rng.randrange(-200, 400)},36" for s in range(30) for p in rng.sample(range(20), 3)
            ]
            after = folder / f"after-{number}.json"
            if after.is_file():
                continue
            file = folder / f"{number}.csv"
            file.write_text("\n".join(["series,player,score,games", *rows]) + "\n")
            told("rate", file, "--state", folder / "club.json", "--bootstrap", 0)
            with replacing(after) as beside:
                shutil.copy(folder / "club.json", beside)

    def finished(folder: Path) -> Finished:
        return {file.name: json.loads(file.read_bytes()) for file in folder.glob("after-*.json")}

    return Case("rate", work, finished)


def convert(copies: int, jobs: int) -> Case:
    """A log of XSkat into JSON lines."""

    def work(folder: Path) -> None:
        log = folder.parent / "games.log"
        if not log.is_file():
            log.write_bytes(gzip.decompress(SAMPLE_LOG.read_bytes()) * copies)
        told("convert", log, folder / "games.jsonl.gz")

    def finished(folder: Path) -> Finished:
        file = folder / "games.jsonl.gz"
        return {"file": file.read_bytes()} if file.is_file() else {}

    return Case("convert", work, finished)


def serve(games: int, jobs: int) -> Case:
    """A series of Skat against bots at a table of the server; what the player is told of its end is written down."""
    hello = json.dumps({"type": "hello", "protocol": 1, "token": TOKEN})
    table = {"type": "create", "game": "skat", "chairs": ["me", "random", "random"], "games": games, "deals": "fuzz"}

    def work(folder: Path) -> None:
        over = False

        def reply(message: dict[str, Any]) -> str | None:
            nonlocal over
            kind = message["type"]
            if kind == "welcome":
                return json.dumps({"type": "watch", "table": 1} if message["tables"] else table)
            if kind == "result":
                with open(folder / "told.jsonl", "ab", buffering=0) as file:
                    file.write(json.dumps({"id": message["id"], "points": message["table_points"]}).encode() + b"\n")
            if kind == "table" and message["state"] in ("between", "over"):
                over = message["state"] == "over"
                return json.dumps({"type": "next", "table": 1})
            if kind == "view" and message["view"]["to_decide"]:
                action = random.Random(f"{message['number']} {message['n']}").choice(message["view"]["legal"])
                return json.dumps({"type": "action", "table": 1, "n": message["n"], "action": action["text"]})
            return None

        for _ in range(MOST_TALKS):
            served(Socket([hello], reply), folder / "store")
            if over or len(finished(folder)) == games:
                return
        raise AssertionError(f"{MOST_TALKS} connections, and the series is not over")

    def finished(folder: Path) -> Finished:
        if not (folder / "store").is_file():
            return {}
        store = Store(folder / "store")
        kept = by_key([(game.id, list(game.points)) for game in store.games_at(1)])
        store.close()
        lost = [row for row in json_lines(folder / "told.jsonl") if kept.get(row["id"]) != row["points"]]
        assert not lost, f"told, but not kept: {lost}"
        return kept

    return Case("serve", work, finished)


# -- killing ----------------------------------------------------------------------------------------------------------


def forked(work: Callable[[Path], None], folder: Path) -> int:
    """The process that works there, silently; its exit code is 0 if all went well."""
    pid = os.fork()
    if pid:
        return pid
    code = 1
    try:
        null = os.open(os.devnull, os.O_RDWR)
        os.dup2(null, 1)
        errors = os.open(folder / ERRORS, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.dup2(errors, 2)
        work(folder)
        code = 0
    finally:
        sys.stderr.flush()
        os._exit(code)


@frozen
class Tried:
    """What came of a case. ends: runs that were over before the kill. wrong: what was lost, doubled or different."""

    kills: int
    ends: int
    finished: int
    seconds: float
    wrong: list[str]


def tried(case: Case, kills: int, rng: random.Random, place: Path) -> Tried:
    """Kill a command so often and let it come to its end, in folders below ``place``; one that ended begins anew."""
    warm, whole = place / "warm", place / "whole"
    warm.mkdir(parents=True)
    whole.mkdir()
    with open(os.devnull, "w") as null, contextlib.redirect_stdout(null), contextlib.redirect_stderr(null):
        case.work(warm)
    begun = time.monotonic()
    if os.waitpid(forked(case.work, whole), 0)[1]:
        raise RuntimeError((whole / ERRORS).read_text()[-2000:])
    seconds, wanted = time.monotonic() - begun, case.finished(whole)
    wrong: list[str] = []
    known: Finished = {}
    met, ends = 0, 0
    while True:
        folder = place / str(ends)
        folder.mkdir(exist_ok=True)
        pid = forked(case.work, folder)
        last = met == kills
        if not last:
            time.sleep(SHARE * seconds * rng.random())
            os.kill(pid, signal.SIGKILL)  # one that has ended waits for us
            met += 1
        status = os.waitpid(pid, 0)[1]
        ended = os.WIFEXITED(status)
        if ended and status:
            wrong.append(f"failed: {(folder / ERRORS).read_text()[-500:]}")
        known = compared(case, folder, known, wanted, ended, wrong)
        if last:
            return Tried(met, ends, len(wanted), round(time.monotonic() - begun, 1), wrong)
        if ended:
            known, ends = {}, ends + 1


def compared(case: Case, folder: Path, known: Finished, wanted: Finished, ended: bool, wrong: list[str]) -> Finished:
    """What is finished now; what is wrong with it is added to ``wrong``. known: what was finished before."""
    try:
        now = case.finished(folder)
    except Exception as error:  # doubled, or no longer to be read
        wrong.append(f"{type(error).__name__}: {error}"[:300])
        return known
    wrong += [f"lost: {key}" for key in known if key not in now]
    wrong += [f"different: {key}" for key in now if now[key] != wanted.get(key)]
    wrong += [f"missing at the end: {key}" for key in wanted if ended and key not in now]
    return now


CASES: dict[str, Callable[[int, int], Case]] = {
    "tournament": tournament,
    "train": train,
    "outer-learn": outer_learn,
    "rate": rate,
    "convert": convert,
    "serve": serve,
}
SIZES = {"tournament": 10, "train": 8192, "outer-learn": 2000, "rate": 5, "convert": 4, "serve": 6}


@experiment(
    "trust.kills",
    item="docs/testing.md",
    seed=1902,
    smoke={"kills": 2, "commands": ("rate",)},
    small={"kills": 10},
    paper={"kills": 50},
)
def kills(seed: int, kills: int = 50, commands: tuple[str, ...] = tuple(CASES), jobs: int = 1) -> Outcome:
    """Commands killed (SIGKILL) at random moments and started again, against runs that were left alone.

    jobs: worker processes, which tournament, outer-learn and train have; a kill of the command is theirs, too.
    """
    rows, wrong = [], {}
    with tempfile.TemporaryDirectory() as place:
        for name in commands:
            t = tried(CASES[name](SIZES[name], jobs), kills, random.Random(f"{name} {seed}"), Path(place) / name)
            rows.append((name, t.kills, t.ends, t.finished, t.seconds, len(t.wrong)))
            if t.wrong:
                wrong[name] = t.wrong[:20]
    heads = ("command", "kills", "ended before one", "things finished", "seconds", "lost, doubled or different")
    return Outcome((Sheet.of("Kills", heads, rows),), {"wrong": wrong})
