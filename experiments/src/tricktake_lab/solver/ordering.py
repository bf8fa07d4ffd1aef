"""The experiment behind ``search/ordering.json``: what the open-card solver tries first, and how many nodes that saves.

``solver.ordering`` learns one table by its seed (``climb``), from nothing or from what is shipped, on one set of games,
and compares nodes on fresh games with the shipped table and with none. Games of Skat are self-play, or a log of XSkat;
those of bridge are random endings.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray
from tricktake_bridge.deck import TABLE_STRAINS
from tricktake_bridge.rules import strain_rules
from tricktake_skat.kernels import NULL
from tricktake_skat.rows import RowArray, read_rows
from tricktake_skat.rows_play import play

from tricktake import bench
from tricktake.deal import STREAM
from tricktake.errors import UnknownName
from tricktake.search.opencard import Solver
from tricktake.search.ordering import FILE, SHAPES, Ordering, shipped
from tricktake_lab.experiment import CHECKOUT, experiment, learned, log_file
from tricktake_lab.outcome import Estimate, Outcome, Sheet, mean_of
from tricktake_lab.solver.climb import MEGABYTES, climb
from tricktake_lab.solver.early import starts
from tricktake_lab.solver.questions import Questions, contracts, endings, of_states

FRESH = 1_000_000  # added to the seed for games to judge by
STAGES = 4  # parts of the questions after which a change may be refused
BLOCK = 2000
ENOUGH = 10_000_000  # nodes of a question that is judged
BENCHES = (bench.eyes_exact, bench.eyes_win, bench.null_exact, bench.tricks_exact, bench.hearts_exact)


def nothing() -> Ordering:
    """All weights 0: cards are tried as they are listed."""
    tables: dict[str, Any] = {name: np.zeros(shape, np.int64) for name, shape in SHAPES.items()}
    return Ordering(**tables)


def questions(table: str, seed: int, games: int, log: str | None, cards: int, stream: str = STREAM) -> Questions:
    """What a table is about: ``wants`` suit games and grands, ``avoids`` Nulls (won or lost), ``tricks`` endings of so
    many cards of bridge and ``pairs`` such ones of Doppelkopf after random play (exact values).
    """
    if table == "pairs":
        start, rng = starts()["doppelkopf"], np.random.default_rng(seed)
        return of_states([start.played(rng, start.cards - cards) for _ in range(games)], start.side)
    if table == "tricks":
        rules = [strain_rules(strain) for strain in TABLE_STRAINS]
        return endings(rules, cards, -(-games // len(rules)), np.random.default_rng(seed))
    null, found, have = table == "avoids", [], 0
    for rows in _rows(seed, log, stream):
        found.append(rows[(rows["declarer"] >= 0) & ((rows["game"] == NULL) == null)])
        have += len(found[-1])
        if have >= games:
            break
    return contracts(np.concatenate(found), null, games)


def _rows(seed: int, log: str | None, stream: str) -> Iterator[RowArray]:
    if log is not None:
        yield from read_rows(log_file(log))
        return
    first = 0
    while True:
        yield play(seed, first, BLOCK, stream=stream)
        first += BLOCK


def nodes(ordering: Ordering, what: Questions) -> NDArray[np.int64]:
    """Nodes of each question."""
    solver = Solver(MEGABYTES, ordering)
    return what.nodes(solver, ENOUGH)


@experiment(
    "solver.ordering",
    item="tricktake/search/ordering.json; docs/solver.md",
    seed=31,
    smoke={"games": 8, "fresh": 8, "steps": 4, "cards": 5},
    small={"games": 128, "fresh": 300, "steps": 2000, "cards": 8},
    paper={"games": 512, "fresh": 2000, "steps": 50_000, "cards": 10},
)
def ordering(
    seed: int,
    games: int,
    fresh: int,
    steps: int,
    cards: int,
    table: str = "wants",
    start: str = "nothing",
    log: str | None = None,
    fresh_log: str | None = None,
    stream: str = STREAM,
) -> Outcome:
    """Learn one table of weights by hill climbing on node counts, and compare nodes on fresh games.

    table: wants, avoids, tricks or pairs. start: nothing or shipped. stream: of the deals of self-play.
    """
    if table not in SHAPES:
        raise UnknownName("table", table, SHAPES)
    if start not in ("nothing", "shipped"):
        raise UnknownName("start", start, ("nothing", "shipped"))
    first = shipped() if start == "shipped" else nothing()
    parts = questions(table, seed, games, log, cards, stream).split(STAGES)
    found = climb(table, first, parts, steps, np.random.default_rng(seed))
    facts = {
        "table": table,
        "start": start,
        "games": games,
        "steps": steps,
        "cards": cards,
        "log": log or "none",
        "stream": stream,
    }
    made = learned("solver.ordering", seed, **facts)
    mine = shipped().with_table(table, getattr(found.ordering, table), made)
    none = shipped().with_table(table, np.zeros(SHAPES[table], np.int64))
    asked = {"": questions(table, seed + FRESH, fresh, fresh_log, cards, stream)}
    if table in ("wants", "avoids"):
        asked = {"won or lost": asked[""], "exact value": asked[""].exact()}
    sheets = [_compared(what or "exact value", each, none, mine) for what, each in asked.items()]
    sheets += [_benched(mine), Sheet.of("Course", ("step", "mean root of nodes"), _thinned(found.course))]
    return Outcome(
        tuple(sheets),
        {"weights": getattr(mine, table), "kept": len(found.course) - 1},
        {FILE.relative_to(CHECKOUT): mine.dumps().encode()},
    )


def _compared(title: str, what: Questions, none: Ordering, mine: Ordering) -> Sheet:
    base = nodes(shipped(), what)
    rows: list[tuple[str, Estimate, float, Estimate]] = []
    for name, each in (("shipped", shipped()), ("learned here", mine), ("nothing", none)):
        count = nodes(each, what)
        ratio = np.exp(mean_of(np.log((count + 1) / (base + 1))).mean)
        rows.append((name, mean_of(count, digits=0), float(np.quantile(count, 0.99)), _ratio(count, base, ratio)))
    columns = ("weights", "nodes a game", "99th percentile", "geometric mean of nodes to shipped")
    return Sheet.of(f"{title}: {len(what)} fresh games", columns, rows)


def _ratio(count: NDArray[np.int64], base: NDArray[np.int64], ratio: float) -> Estimate:
    logs = mean_of(np.log((count + 1) / (base + 1)))
    return Estimate(float(ratio), float(ratio) * logs.error, logs.n)


def _benched(mine: Ordering) -> Sheet:
    """Nodes of ``tricktake bench`` with both."""
    rows = []
    for run in BENCHES:
        before = run().signature
        rows.append((run.__name__.replace("_", " "), before, bench_nodes(run, mine)))
    return Sheet.of("tricktake bench", ("bench", "shipped", "learned here"), rows)


def bench_nodes(run: bench.Bench, mine: Ordering) -> int:
    """The signature of a bench with other weights."""
    with patch.object(bench, "Solver", lambda: Solver(ordering=mine)):
        return run().signature


def _thinned(course: tuple[tuple[int, float], ...], most: int = 20) -> list[tuple[int, float]]:
    """The course in at most so many lines, its end included."""
    stride = -(-len(course) // most)
    return sorted({*course[::stride], course[-1]})
