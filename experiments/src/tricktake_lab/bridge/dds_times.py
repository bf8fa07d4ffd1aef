"""How long boards take here and in DDS, by endplay (extra of the tests).

Two questions a board: all opening leads in the strain and of the leader the list names (``solve_board``), and the
double-dummy table (``calc_dd_table``). One thread, processor time; the answers are compared on the way.
"""

from __future__ import annotations

import itertools
import statistics
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from tricktake_bridge.deck import BRIDGE, TABLE_STRAINS
from tricktake_bridge.formats.common import opening
from tricktake_bridge.rules import strain_rules

from tricktake.deal import deal
from tricktake.errors import InputError
from tricktake.game import find_game
from tricktake.records.formats import read
from tricktake.records.solving import solve_record
from tricktake.search.limit import Limit
from tricktake.search.opencard import default_solver
from tricktake.search.problem import Problem
from tricktake.search.solving import solve_problems
from tricktake.trick import TrickState
from tricktake_lab.bridge.dds import Dds
from tricktake_lab.experiment import CHECKOUT, experiment
from tricktake_lab.outcome import Outcome, Sheet, mean_of

LIST = CHECKOUT / "plugins" / "bridge" / "tests" / "data" / "dds-100.dds"
FREAK_LENGTH = 8  # cards of the longest suit of a freak deal, at least; and somebody is void
FREAK_NODES = 10_000_000  # a lead of one may take


def timed(call: Callable[[], Any]) -> tuple[Any, float]:
    """The answer and the milliseconds of processor time it took."""
    start = time.process_time()
    answer = call()
    return answer, (time.process_time() - start) * 1000


def warm_up() -> None:
    """Have the kernels ready before anything is timed."""
    default_solver().warm_up()
    solve_problems([Problem(TrickState(strain_rules("NT"), (1, 2, 4, 8)), 0, True)])


@experiment(
    "bridge.dds",
    item="docs/bridge.md",
    seed=0,
    smoke={"boards": 1, "tables": False},
    small={"boards": 3},
    paper={"boards": 100},
)
def times(seed: int, boards: int, source: Path = LIST, tables: bool = True) -> Outcome:
    """How long boards take here and in DDS; the answers are compared on the way. No chance in it.

    source: a list in DDS's format. tables: the double-dummy tables too.
    """
    dds, game = Dds(), find_game("bridge")
    warm_up()
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
            _same(record.id, record.result.get("table", table), table)
            found["table"].append((ours, other, solved.nodes))
    rows = []
    for name, each in found.items():
        if each:
            mine, others, nodes = (list(column) for column in zip(*each, strict=True))
            cells = (mean_of(mine, digits=0), statistics.median(mine), max(mine), mean_of(nodes, digits=0))
            rows.append((name, len(each), *cells, mean_of(others, digits=0), sum(mine) / sum(others)))
    columns = ("question", "boards", "ms", "median", "slowest", "nodes", "ms of DDS", "ratio")
    return Outcome((Sheet.of("Milliseconds of processor time a board", columns, rows),))


def freak_deals(seed: int) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Of the series of a seed the deals with a suit of ``FREAK_LENGTH`` cards or more in one hand and a void in one:
    their numbers and hands.
    """
    layout = find_game("bridge").layout
    suits = [BRIDGE.of_suit_mask(suit) for suit in BRIDGE.suits]
    for number in itertools.count():
        hands = deal(layout, seed, number).hands
        lengths = [(hand & suit).bit_count() for hand in hands for suit in suits]
        if max(lengths) >= FREAK_LENGTH and min(lengths) == 0:
            yield number, hands


@experiment(
    "bridge.freaks", item="docs/bridge.md", seed=63, smoke={"boards": 1}, small={"boards": 21}, paper={"boards": 63}
)
def freaks(seed: int, boards: int) -> Outcome:
    """Nodes of all leads of deals of freak shapes, in a random strain and of a random leader, compared with DDS.

    boards: so many freak deals of the seed's series. Raises Unknown if a lead takes more than ``FREAK_NODES``.
    """
    dds, rng = Dds(), np.random.default_rng(seed)
    warm_up()
    nodes, ours, theirs = [], 0.0, 0.0
    for number, hands in itertools.islice(freak_deals(seed), boards):
        strain, leader = TABLE_STRAINS[int(rng.integers(len(TABLE_STRAINS)))], int(rng.integers(4))
        state = TrickState(strain_rules(strain), hands, leader)
        problem, limit = Problem(state, leader, True), Limit(nodes=FREAK_NODES)
        (leads,), mine = timed(lambda p=problem, n=limit: solve_problems([p], limit=n))  # type: ignore[misc]
        found, other = timed(lambda s=state: dds.card_values(s))  # type: ignore[misc]
        _same(str(number), dict(leads.cards), found)
        nodes.append(leads.nodes)
        ours, theirs = ours + mine, theirs + other
    row = (boards, mean_of(nodes, digits=0), max(nodes), ours / boards, theirs / boards)
    columns = ("deals", "nodes", "most", "ms", "ms of DDS")
    return Outcome((Sheet.of("All leads of freak deals", columns, [row]),))


def _same(board: str, ours: object, theirs: object) -> None:
    if ours != theirs:
        raise RuntimeError(f"board {board}: {ours} here, {theirs} by DDS")
