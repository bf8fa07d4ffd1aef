"""What the first card costs: a world of Skat's opening lead in PIMC, and hearts from the first card on."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import islice

import numpy as np
from attrs import define, field

from tricktake import worlds
from tricktake.deal import deal
from tricktake.game import find_game
from tricktake.knowledge import Knowledge
from tricktake.records.formats import read
from tricktake.search.limit import Limit
from tricktake.search.opencard import Solver, default_solver
from tricktake.search.paranoia import Paranoia
from tricktake.search.positions import Positions
from tricktake.search.valuation import Valuation
from tricktake.table import Table
from tricktake.view import View
from tricktake_lab.experiment import experiment, log_file
from tricktake_lab.outcome import Outcome, Sheet, mean_of, share_of

KINDS = ("suit", "grand")
MOST = 26  # the cost of a deal of hearts


@define
class Costs:
    """Milliseconds and nodes of a world, by lead: those of one lead are alike."""

    ms: list[float] = field(factory=list)
    nodes: list[float] = field(factory=list)

    def add(self, seconds: float, nodes: int, number: int) -> None:
        self.ms.append(1000 * seconds / number)
        self.nodes.append(nodes / number)


def leads(log: str, records: int) -> Iterator[tuple[str, View]]:
    """Who leads to the first trick of suit games and grands of a log, declarer or defender, and what he sees."""
    game = find_game("skat")
    wanted = (r for r in read(log_file(log), game) if r.contract is not None and r.contract.kind in KINDS)
    for record in islice(wanted, records):
        table = record.table_at_play(game)
        assert record.contract is not None
        yield "declarer" if table.actor == record.contract.declarer else "defender", table.view(table.actor or 0)


@experiment(
    "solver.worlds",
    item="docs/solver.md, worlds of an opening",
    seed=7,
    smoke={"records": 3, "number": 2},
    small={"records": 120},
    paper={"records": 400, "number": 160},
)
def opening(seed: int, records: int, number: int = 20, log: str = "sample") -> Outcome:
    """Time and nodes of a world of Skat's opening lead in PIMC: won or lost, as it lies and after each card.

    number: worlds of each lead, drawn as core:pimc draws them. Processor time, without the drawing.
    """
    rng = np.random.default_rng(seed)
    found: dict[tuple[str, str], Costs] = {}
    default_solver().warm_up()
    for by, view in leads(log, records):
        drawn = worlds.sample(Knowledge.from_view(view), number, rng)
        assert view.rules is not None
        goal = view.rules.goal(view.turn)
        threshold = goal.n if goal.sense > 0 else goal.n + 1
        Valuation(view, drawn[:1]).met()  # what is done once for these rules
        start = time.process_time()
        solved = default_solver().batch(Positions.from_worlds(view, drawn), "win", threshold=threshold)
        one = time.process_time()
        valuation = Valuation(view, drawn)
        valuation.met()
        end = time.process_time()
        for lead in (by, "both"):
            found.setdefault(("as it lies", lead), Costs()).add(one - start, int(solved.nodes.sum()), number)
            found.setdefault(("after each card", lead), Costs()).add(end - one, valuation.nodes, number)
    rows = [
        (*key, len(c.ms), mean_of(c.ms), float(np.median(c.ms)), max(c.ms), mean_of(c.nodes, digits=0))
        for key, c in sorted(found.items())
    ]
    columns = ("won or lost", "lead by", "leads", "ms a world", "median lead", "dearest lead", "nodes a world")
    return Outcome((Sheet.of("Worlds of an opening lead", columns, rows),))


@experiment(
    "paranoia.hearts",
    item="docs/paranoia.md, whole deals of hearts",
    seed=16,
    smoke={"deals": 1, "nodes": 2000},
    small={"deals": 10},
    paper={"deals": 50, "nodes": 10_000_000},
)
def hearts(seed: int, deals: int, nodes: int = 1_000_000) -> Outcome:
    """Hearts from the first card on: what the leader surely keeps below, whatever the others hold, and with open cards.

    Without passing. nodes: the most for a deal. Where the value is not known, the bounds are what was proven.
    """
    game, limit = find_game("hearts(pass_cards=false)"), Limit(nodes=nodes)
    search, solver = Paranoia(), Solver()
    solver.warm_up()
    found: dict[str, list[tuple[float, int, int, int]]] = {"hidden cards": [], "open cards": []}
    for number in range(deals + 1):
        table = Table.start(game, deal(game.layout, seed, number))
        assert table.tricks is not None
        state, view = table.tricks.copy(), table.view(table.tricks.turn)
        for name, ask in (
            ("hidden cards", lambda v=view, n=limit: search.guaranteed(v, n)),
            ("open cards", lambda s=state, n=limit: solver.solve(s, 1 << s.turn, n, line=False)),
        ):
            start = time.process_time()
            answer = ask()
            if number:  # the first one compiles
                found[name].append((1000 * (time.process_time() - start), answer.nodes, answer.lower, answer.upper))
    rows = []
    for name, each in found.items():
        ms, count, lower, upper = (list(column) for column in zip(*each, strict=True))
        known = share_of([low == high for low, high in zip(lower, upper, strict=True)])
        bounds = mean_of(np.maximum(lower, 0)), mean_of(np.minimum(upper, MOST))
        rows.append((name, len(each), known, mean_of(count, digits=0), mean_of(ms, digits=0), *bounds))
    columns = ("question", "deals", "decided", "nodes", "ms", "at least", "at most")
    return Outcome((Sheet.of("Cost of the leader in a whole deal of hearts", columns, rows),))
