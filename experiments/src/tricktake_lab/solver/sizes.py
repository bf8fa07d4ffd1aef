"""How large the tables of the open-card solver must be: what random endings fill of them, and what small ones save."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from attrs import evolve
from tricktake_doppelkopf.contract import DoppelkopfContract
from tricktake_doppelkopf.pack import pack
from tricktake_doppelkopf.rules import play_rules

from tricktake import bench
from tricktake.rules import Goal, GoalKind
from tricktake.search.limit import Limit
from tricktake.search.opencard import Solver
from tricktake.search.paranoia import Paranoia
from tricktake.search.positions import Positions
from tricktake.search.tables import WORDS, filled
from tricktake.trick import TrickState
from tricktake_lab.experiment import experiment
from tricktake_lab.memory import resident
from tricktake_lab.outcome import Estimate, Outcome, Sheet, mean_of
from tricktake_lab.solver.clock import Kind, kinds

LARGEST = WORDS[-1][1]
FULL = LARGEST >> 17  # megabytes


def games() -> dict[str, Kind]:
    """Rules of different needs: those of ``kinds``, one who avoids tricks, two packs."""
    packs = play_rules(pack(True), DoppelkopfContract("normal"), "first")
    return {
        **kinds(),
        "no trick": Kind(bench.null_rules(), 10, 1),
        "two packs": Kind(evolve(packs, alliance=None, teams=(0, 1, 0, 1)), 12, 0b0101),
    }


@experiment(
    "solver.tables",
    item="docs/solver.md, sizes of tables",
    seed=5,
    smoke={"deals": 2, "cards": (4,)},
    small={"deals": 30},
    paper={"deals": 300},
)
def tables(
    seed: int, deals: int, cards: tuple[int, ...] = (3, 4, 5, 6, 7, 8, 9, 10), nodes: int = 1_000_000
) -> Outcome:
    """What values of all cards of random endings fill of the tables, and whether a table that is larger saves nodes.

    cards: of each hand. nodes: the most for the value after one card.
    """
    rows = []
    for name, kind in games().items():
        for number in cards:
            if number > kind.cards:
                continue
            states = bench.deals(kind.rules, number, deals, seed)
            rows.append((name, number, *_filled(states, kind.side, nodes)))
    columns = ("rules", "cards", "MB", "nodes", "of those with 256 MB", "heads", "entries", "positions")
    return Outcome((Sheet.of("Most per cent of a table filled by one question", columns, rows),))


def _filled(states: list[TrickState], side: int, most: int) -> tuple[float | str, ...]:
    """Megabytes, nodes, their ratio to those with the largest table, and per cent of the parts that were used."""
    own, full = Solver(), Solver(FULL)
    counts, used = [], []
    for state in states:
        positions = Positions.from_states([state], side)
        pair = [int(s.batch(positions, "cards", limit=Limit(nodes=most)).nodes.sum()) for s in (own, full)]
        counts.append(pair)
        table = own.tables.of(positions.rows)
        used.append(filled(table))
    one, other = np.array(counts).T
    heads, entries, single = (100 * np.array(used).max(axis=0)).tolist()
    return len(table) / (1 << 17), float(one.mean()), f"{one.sum() / other.sum():.4f}", heads, entries, single


@experiment(
    "solver.small",
    item="docs/solver.md, memory",
    seed=9,
    smoke={"deals": 2, "held": 2},
    small={"deals": 200, "held": 8},
    paper={"deals": 1000, "held": 8},
)
def small(seed: int, deals: int, held: int, cards: tuple[int, ...] = (3, 4, 5, 6)) -> Outcome:
    """Time and memory of small questions, each with a solver of its own: tables sized to the question, and full ones.

    Questions are exact values of endings for eyes, and proofs that the leader gets his share. held: solvers of a
    kind that stay alive, by which memory is measured.
    """
    rules, rows = bench.eyes_rules(), []
    alive: list[Any] = []
    asked: dict[str, tuple[Callable[[], Any], Callable[[], Any], Callable[[Any, TrickState], object]]] = {
        "solver": (Solver, lambda: Solver(FULL), lambda solver, state: solver.solve(state, 1, line=False)),
        "proof": (lambda: Paranoia(doubts=()), lambda: Paranoia(16, doubts=()), _prove),
    }
    for name, (own, full, ask) in asked.items():
        ask(own(), bench.deals(rules, 3, 1, seed)[0])  # compiles
        for number in cards:
            states = bench.deals(rules, number, deals, seed)
            row: list[Estimate | float] = []
            for make in (own, full):
                times = []
                for state in states:
                    start = time.process_time()
                    ask(make(), state)
                    times.append(1000 * (time.process_time() - start))
                before = resident()
                for state in states[:held]:
                    alive.append(make())
                    ask(alive[-1], state)
                row += [mean_of(times), (resident() - before) / min(held, deals)]
            rows.append((name, number, *row))
    columns = ("question", "cards", "ms", "MB", "ms with a full table", "MB with one")
    return Outcome((Sheet.of("A solver for each question", columns, rows),))


def _prove(search: Paranoia, state: TrickState) -> None:
    """Ask whether the leader surely gets his share of all eyes, as he sees the deal."""
    search.prove(bench.seen_by_leader(state), Goal(GoalKind.AT_LEAST, 4 * state.hands[0].bit_count()))
