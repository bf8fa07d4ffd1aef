"""Games of a policy by the million into Parquet, and from there into every table: seconds and bytes."""

from __future__ import annotations

import math
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from tricktake_skat.rows import GAMES
from tricktake_skat.rows_play import play

from tricktake.errors import InputError
from tricktake.learning import LearnedTable, Question, find_question, learn_all
from tricktake.learning.columns import read_columns, write_columns
from tricktake.learning.rows import RowArray
from tricktake.learning.store import write_rows
from tricktake.parquet import GROUP
from tricktake.plugins import manager
from tricktake.strategies.policy import find_policy
from tricktake_lab.experiment import experiment
from tricktake_lab.outcome import Outcome, Sheet

CHUNK = 20_000  # deals of a batch


def questions() -> dict[str, Question]:
    """Every registered question about Skat's rows, by name."""
    found = {name: find_question(name) for name in manager().questions.names()}
    return {name: question for name, question in found.items() if question.rows == GAMES}


def same_tables(one: list[LearnedTable], other: list[LearnedTable]) -> bool:
    """Whether the counts of tables are equal, bit for bit."""
    return all(
        np.array_equal(getattr(a, name), getattr(b, name))
        for first, second in zip(one, other, strict=True)
        for a, b in zip(first.layers, second.layers, strict=True)
        for name in ("keys", "won", "games")
    )


@experiment(
    "columns.run",
    item="docs/columns.md, docs/scale.md",
    seed=1701,
    smoke={"games": 300, "beside": 200},
    small={"games": 200_000, "beside": 200_000},
    paper={"games": 10_000_000, "beside": 2_000_000},
)
def columns_run(seed: int, games: int, beside: int, policy: str = "skat:cards", folder: str | None = None) -> Outcome:
    """Self-play of a policy into Parquet, and all tables from there; rows files are measured beside it.

    The cards are played by ``policy``; every second deal is bid by the rule player, the others are forced games (as in
    ``tricktake learn --play``). beside: of so many games all tables are learned from a rows file, too. folder: keeps
    games.parquet and the tables. Seconds are of the processor, of one thread.
    """
    names = questions()
    asked = list(names.values())
    cards = find_policy(policy)
    spent = {"play": 0.0}

    def blocks(until: int) -> Iterator[RowArray]:
        for first in range(0, until, CHUNK):
            start = time.process_time()
            rows = play(seed, first, min(CHUNK, until - first), policy=cards)
            spent["play"] += time.process_time() - start
            yield rows

    next(blocks(1))  # compiled before the clock starts
    learn_all(asked, play(seed, 0, 100, policy=cards))
    with tempfile.TemporaryDirectory() as scratch:
        place = Path(folder or scratch)
        place.mkdir(parents=True, exist_ok=True)
        file, store = place / "games.parquet", Path(scratch) / "games.rows"
        steps: list[tuple[str, int, float, int, float]] = []

        def clocked(step: str, n: int, start: float, size: int | None = None) -> None:
            seconds = time.process_time() - start
            steps.append((step, n, seconds, round(n / seconds), math.nan if size is None else size / n))

        spent["play"] = 0.0
        start = time.process_time()
        write_columns(
            GAMES, blocks(games), file, [{"kind": "self-play", "seed": seed, "deals": games, "policy": policy}]
        )
        clocked("written as Parquet", games, start + spent["play"], file.stat().st_size)
        clocked("played", games, time.process_time() - spent["play"])
        start = time.process_time()
        tables = learn_all(asked, file)
        clocked("all tables", games, start)
        for name, table in zip(names, tables, strict=True):
            start = time.process_time()
            (again,) = learn_all([names[name]], file)
            clocked(f"{name} alone", games, start)
            if not same_tables([again], [table]):
                raise InputError(file, None, name, "learned alone it is another table")
            if folder is not None:
                table.save(place / f"{name.replace(':', '-')}.table")
        start = time.process_time()
        n = write_rows(GAMES, first_of(file, beside), store)
        clocked("written as a rows file (read from Parquet)", n, start, store.stat().st_size)
        part = Path(scratch) / "part.parquet"
        write_columns(GAMES, first_of(file, beside), part)
        found = []
        for name, each in (("rows file", store), ("Parquet", part)):
            start = time.process_time()
            found.append(learn_all(asked, each))
            clocked(f"all tables from {name}", n, start)
        facts = {
            "tables from both equal": same_tables(*found),
            "games": {name: table.games for name, table in zip(names, tables, strict=True)},
            "buckets": {name: sum(map(len, table.layers)) for name, table in zip(names, tables, strict=True)},
            "rows of a row group": GROUP,
        }
    columns = ("step", "games", "seconds", "games a second", "bytes a game")
    return Outcome((Sheet.of("Processor seconds of one thread", columns, steps),), facts)


def first_of(file: Path, n: int) -> Iterator[RowArray]:
    """The first ``n`` rows of a Parquet file."""
    left = n
    for block in read_columns(GAMES, file):
        if left <= 0:
            return
        yield block[:left]
        left -= len(block)
