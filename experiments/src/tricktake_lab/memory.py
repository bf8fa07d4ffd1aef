"""The memory a process has, and whether it stays the same however long the process works (``trust.memory``)."""

from __future__ import annotations

import gc
import gzip
import itertools
import os
import re
import resource
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tricktake_skat.rows import read_rows

from tricktake.deal import deal
from tricktake.game import find_game
from tricktake.learning import find_question
from tricktake.learning.selfplay import self_play
from tricktake.records import formats
from tricktake.records.verify import compare
from tricktake.search.limit import Limit
from tricktake.table import Table
from tricktake.tournament.players import PlayerConfig
from tricktake.tournament.referee import play
from tricktake.tournament.seat import LocalSeat
from tricktake_lab.experiment import SAMPLE_LOG, experiment
from tricktake_lab.outcome import Outcome, Sheet

STATUS = Path("/proc/self/status")
LOOKS = 16  # at the memory, in the course of some work
BLOCK = 500  # compiled games of a step
SAMPLE_GAMES = 500  # in the sample log
ROWS = 20_000  # games in a block of the scanner, about


def peak() -> float:
    """Megabytes of this process at most. What ``getrusage`` says begins, on Linux, with those of the process that
    started this one.
    """
    found = re.search(r"VmHWM:\s+(\d+) kB", STATUS.read_text()) if STATUS.exists() else None
    kilobytes = int(found[1]) if found else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return kilobytes * 1024 / 1e6


def resident(pid: int | str = "self") -> float:
    """Megabytes a process has in memory now (Linux)."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def looked(name: str, steps: Iterator[object], number: int) -> tuple[str | int, ...]:
    """Name, number of steps, megabytes after an eighth of them, when all is loaded, after half and at the end, and
    objects that the garbage collector knows after half and at the end, when caches are full.
    """
    marks, objects, every = [], [], max(1, number // LOOKS)
    done = 0
    for done, _ in enumerate(steps, 1):
        if done % every == 0:
            gc.collect()
            marks.append(f"{resident():.1f}")
            objects.append(len(gc.get_objects()))
    half = len(marks) // 2
    return name, done, marks[len(marks) // 8], marks[half], marks[-1], objects[half], objects[-1]


def policy_games(seed: int, blocks: int) -> Iterator[None]:
    """Games of a learned policy in the compiled loop, ``BLOCK`` a step."""
    rows = find_question("skat:suit").rows
    for block in range(blocks):
        for _ in self_play(rows, seed, block * BLOCK, BLOCK, policy="skat:cards"):
            pass
        yield


def full_games(seed: int, games: int, player: str) -> Iterator[None]:
    """Whole games of three of a player before the referee, one a step."""
    game = find_game("skat")
    seats = [LocalSeat(PlayerConfig.from_text(player).make, Limit()) for _ in range(game.seats)]
    for number in range(games):
        play(Table.start(game, deal(game.layout, seed, number)), seats, seed=seed, game_id=str(number))
        yield


def verified(log: Path) -> Iterator[None]:
    """The records of a log, compared with the rules, one a step."""
    game = find_game("skat")
    for record in formats.read(log):
        compare(game, record)
        yield


def converted(log: Path, target: Path) -> Iterator[None]:
    """The same written as JSON lines."""
    with target.open("w") as stream:
        for text in formats.get_format("jsonl").texts(formats.read(log)):
            stream.write(text)
            yield


@experiment(
    "trust.memory",
    item="docs/testing.md",
    seed=1906,
    smoke={"blocks": 2, "games": 16, "copies": 1, "player": "skat:rule"},
    small={"blocks": 200, "games": 1000, "copies": 20, "player": "skat:rule"},
    paper={},
)
def memory(
    seed: int,
    blocks: int = 2000,
    games: int = 10_000,
    copies: int = 1800,
    records: int = 100_000,
    player: str = "skat:quick",
) -> Outcome:
    """Megabytes of this process after an eighth of some work and at its end: games, and a long log that is read.

    blocks: of ``BLOCK`` games by a policy. games: by ``player``. copies: of a sample log of 0.56 MB, in one file,
    which is scanned into rows; its first ``records`` are verified and converted.
    """
    with tempfile.TemporaryDirectory() as name:
        log, records = Path(name) / "games.log", min(records, copies * SAMPLE_GAMES)
        with log.open("wb") as stream:
            for _ in range(copies):
                stream.write(gzip.decompress(SAMPLE_LOG.read_bytes()))
        cells = [
            looked(f"{BLOCK} games of a policy", policy_games(seed, blocks), blocks),
            looked(f"a game of {player}", full_games(seed, games, player), games),
            looked("a record verified", itertools.islice(verified(log), records), records),
            looked(
                "a record converted", itertools.islice(converted(log, Path(name) / "games.jsonl"), records), records
            ),
            looked("a block of rows scanned", read_rows(log, "xskat"), max(1, copies * SAMPLE_GAMES // ROWS)),
        ]
    heads = (
        "step",
        "steps",
        "MB after an eighth",
        "MB after a half",
        "MB at the end",
        "objects after a half",
        "objects at the end",
    )
    return Outcome((Sheet.of("Memory", heads, cells),), {"log": f"{copies * 0.563:.1f} MB"})
