"""The hands behind ``kermit:knn``: what open cards make of ten cards with two discarded (KERMIT-21, GAP-13).

Hands are made to play games as for Kermit's evaluation, good ones and bad ones.
"""

from __future__ import annotations

import json

import numpy as np
from tricktake_kermit.features import KINDS
from tricktake_kermit.neighbours import FILE, NAMES, PARTS, Played, keys_of
from tricktake_skat.rows_play import Exploration, explored, open_eyes

from tricktake.arrays import IntArray
from tricktake.deal import STREAM
from tricktake_lab.experiment import experiment, learned, shipped_path
from tricktake_lab.kermit.evaluation import FRESH, OFF
from tricktake_lab.outcome import Cell, Outcome, Sheet, mean_of
from tricktake_lab.skat import value_fit

KS = (5, 10, 20, 40, 80)


def solved(kind: str, seed: int, first: int, deals: int, stream: str) -> tuple[IntArray, IntArray]:
    """Keys of hands that were made to play a kind of game, and what open cards make of them."""
    how = Exploration((kind,), value_fit.FLOOR, value_fit.RANDOM_PUTS)
    rows = explored(seed + OFF[kind], first, deals, how, stream)
    rows = rows[rows["declarer"] >= 0]
    positions = np.stack([rows[name] for name in ("game", "own", "put", "declarer")], axis=1)
    return keys_of(positions), open_eyes(rows)


@experiment(
    "kermit.neighbours",
    item="neighbours.json, KERMIT-21",
    seed=833,
    smoke={"deals": 60, "judged_by": 20},
    small={"deals": 1000, "judged_by": 500},
    paper={"deals": 6000, "judged_by": 2000},
)
def hands(seed: int, deals: int, judged_by: int, stream: str = STREAM) -> Outcome:
    """Hands with what open cards made of them, and how far from fresh ones the mean of the k nearest is, by k."""
    found: dict[str, Played] = {}
    lines: list[tuple[Cell, ...]] = []
    for kind in KINDS:
        found[kind] = Played.of(*solved(kind, seed, 0, deals, stream))
        keys, eyes = solved(kind, seed, FRESH, judged_by, stream)
        wrong = [np.abs(found[kind].expected(keys, k) - eyes) for k in KS]
        lines.append((kind, int(found[kind].games.sum()), *(mean_of(each, digits=2) for each in wrong)))
    steps = [(kind, *(played.weights / PARTS).tolist()) for kind, played in found.items()]
    sheets = (
        Sheet.of("Mean error in eyes", ("game", "hands", *(f"k = {k}" for k in KS)), lines),
        Sheet.of("Eyes that a step counts in distances", ("game", *NAMES), steps),
    )
    made = {"learned": learned("kermit.neighbours", seed, deals=deals, stream=stream)}
    made |= {kind: played.as_json() for kind, played in found.items()}
    return Outcome(sheets, ships={shipped_path(FILE): (json.dumps(made) + "\n").encode()})
