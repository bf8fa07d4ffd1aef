"""How long boards take here and in DDS, by endplay (extra of the tests).

Two questions a board: all opening leads in the strain and of the leader the list names (``solve_board``), and the
double-dummy table (``calc_dd_table``). One thread; the answers are compared on the way.
"""

from __future__ import annotations

import itertools
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tricktake_bridge.formats.common import opening
from tricktake_bridge.rules import strain_rules

from tricktake.errors import InputError
from tricktake.game import find_game
from tricktake.records.formats import read
from tricktake.records.solving import solve_record
from tricktake.search.opencard import default_solver
from tricktake.search.problem import Problem
from tricktake.search.solving import solve_problems
from tricktake.trick import TrickState
from tricktake_lab.bridge.dds import Dds
from tricktake_lab.experiment import CHECKOUT, experiment
from tricktake_lab.outcome import Outcome, Sheet, mean_of

SAMPLE = CHECKOUT / "plugins" / "bridge" / "tests" / "data" / "dds-10.dds"


def timed(call: Callable[[], Any]) -> tuple[Any, float]:
    """The answer and the milliseconds it took."""
    start = time.perf_counter()
    answer = call()
    return answer, (time.perf_counter() - start) * 1000


@experiment(
    "bridge.dds",
    item="docs/bridge.md",
    seed=0,
    smoke={"boards": 1, "tables": False},
    small={"boards": 3},
    paper={"boards": 10},
)
def times(seed: int, boards: int, source: Path = SAMPLE, tables: bool = True) -> Outcome:
    """How long boards take here and in DDS; the answers are compared on the way. No chance in it.

    source: a list in DDS's format. tables: the double-dummy tables too.
    """
    dds, game = Dds(), find_game("bridge")
    default_solver().warm_up()
    found: dict[str, list[tuple[float, float, int]]] = {"leads": [], "table": []}
    for record in itertools.islice(read(source, strict=True), boards):
        start = opening(record)
        if start is None:
            raise InputError(str(source), None, record.id, "names no strain and leader")
        state = TrickState(strain_rules(start[0]), record.deal.hands, start[1])
        (leads,), ours = timed(lambda s=state, d=start[1]: solve_problems([Problem(s, d, True)]))  # type: ignore[misc]
        theirs, other = timed(lambda s=state: dds.card_values(s))  # type: ignore[misc]
        _same(record.id, dict(leads.cards), theirs)
        found["leads"].append((ours, other, leads.nodes))
        if tables:
            solved, ours = timed(lambda r=record: solve_record(game, r))  # type: ignore[misc]
            table, other = timed(lambda r=record: dds.table(r.deal))  # type: ignore[misc]
            _same(record.id, solved.facts["tricks"], table)
            found["table"].append((ours, other, solved.nodes))
    rows = []
    for name, each in found.items():
        if each:
            mine, others, nodes = (list(column) for column in zip(*each, strict=True))
            cells = (mean_of(mine, digits=0), statistics.median(mine), max(mine), mean_of(nodes, digits=0))
            rows.append((name, len(each), *cells, mean_of(others, digits=0), sum(mine) / sum(others)))
    columns = ("question", "boards", "ms", "median", "slowest", "nodes", "ms of DDS", "ratio")
    return Outcome((Sheet.of("Milliseconds a board", columns, rows),))


def _same(board: str, ours: object, theirs: object) -> None:
    if ours != theirs:
        raise RuntimeError(f"board {board}: {ours} here, {theirs} by DDS")
