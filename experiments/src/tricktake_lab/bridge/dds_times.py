"""How long boards take here and in DDS: ``python -m tricktake_lab.bridge.dds_times [BOARDS] [LIST]``.

Two questions a board: all opening leads in the strain and of the leader the list names (``solve_board``), and the
double-dummy table (``calc_dd_table``). One thread; the answers are compared on the way.
"""

from __future__ import annotations

import itertools
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tricktake_bridge.formats.common import opening
from tricktake_bridge.rules import strain_rules

from plugins.bridge.tests.bridge_tables import GAME, Dds
from tricktake.records.formats import read
from tricktake.records.solving import solve_record
from tricktake.search.opencard import default_solver
from tricktake.search.problem import Problem
from tricktake.search.verdict import answers
from tricktake.trick import TrickState

SAMPLE = Path("plugins/bridge/tests/data/dds-10.dds")


def timed(call: Callable[[], Any]) -> tuple[Any, float]:
    """The answer and the milliseconds it took."""
    start = time.perf_counter()
    answer = call()
    return answer, (time.perf_counter() - start) * 1000


def main(boards: int, source: str | Path) -> None:
    dds = Dds()
    default_solver().warm_up()
    found: dict[str, list[tuple[float, float, int]]] = {"leads": [], "table": []}
    for record in itertools.islice(read(source, strict=True), boards):
        start = opening(record)
        assert start is not None
        state = TrickState(strain_rules(start[0]), record.deal.hands, start[1])
        (leads,), ours = timed(lambda s=state, d=start[1]: answers([Problem(s, d, True)]))  # type: ignore[misc]
        theirs, other = timed(lambda s=state: dds.card_values(s))  # type: ignore[misc]
        assert dict(leads.cards) == theirs, record.id
        found["leads"].append((ours, other, leads.nodes))
        verdict, ours = timed(lambda r=record: solve_record(GAME, r))  # type: ignore[misc]
        table, other = timed(lambda r=record: dds.table(r.deal))  # type: ignore[misc]
        assert verdict.facts["tricks"] == table, record.id
        found["table"].append((ours, other, verdict.nodes))
    for name, times in found.items():
        mine, others, nodes = (list(column) for column in zip(*times, strict=True))
        sys.stdout.write(
            f"{name}: {len(times)} boards, ours {statistics.mean(mine):.0f} ms a board (median"
            f" {statistics.median(mine):.0f}, slowest {max(mine):.0f}; {statistics.mean(nodes):,.0f} nodes),"
            f" DDS {statistics.mean(others):.0f} ms, ratio {sum(mine) / sum(others):.1f}\n"
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10, sys.argv[2] if len(sys.argv) > 2 else SAMPLE)
