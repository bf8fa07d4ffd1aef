"""The weights of the move ordering: data that changes how long a search takes, and nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tricktake import bench
from tricktake.cards import Deck
from tricktake.errors import InputError
from tricktake.rules import TrickRules
from tricktake.search.opencard import Solver
from tricktake.search.ordering import COLUMNS, FILE, SHAPES, TRICK_COLUMNS, Ordering, shipped
from tricktake.search.positions import Positions

PAIRS = TrickRules.plain(
    Deck("CDHS", "789TJQKA"), 4, trump="C", card_cost=(0, 0, 0, 10, 2, 3, 4, 11) * 4, teams=(0, 1, 0, 1)
)
RULES = {
    "wants": (bench.eyes_rules(), 6),
    "avoids": (bench.null_rules(), 6),
    "tricks": (bench.tricks_rules(), 5),
    "pairs": (PAIRS, 4),
    "hearts": (bench.hearts_rules(), 4),
}


def drawn(seed: int) -> Ordering:
    rng = np.random.default_rng(seed)
    return Ordering(**{name: rng.integers(-100, 101, shape) for name, shape in SHAPES.items()})


@pytest.mark.kernel
@pytest.mark.parametrize("name", RULES)
def test_it_changes_the_way_but_not_the_value(name: str) -> None:
    rules, cards = RULES[name]
    side = 1 if rules.seats == 3 else rules.side_mask(0)
    positions = Positions.from_states(bench.deals(rules, cards, 6), side)
    usual = Solver(1).batch(positions)
    others = [Solver(1, drawn(seed)).batch(positions) for seed in range(2)]
    for found in others:
        assert np.array_equal(found.lower, usual.lower)
        assert np.array_equal(found.upper, usual.upper)
    assert any(found.nodes.sum() != usual.nodes.sum() for found in others)


@pytest.mark.parametrize("name", SHAPES)
def test_each_table_is_asked_where_it_says(name: str) -> None:
    """Other weights in a table change the nodes of its own kind of game only."""
    base = {key: getattr(shipped(), key) for key in SHAPES}
    changed = Ordering(**{**base, name: getattr(drawn(5), name)})
    moved = set()
    for key in SHAPES:
        rules, cards = RULES[key]
        positions = Positions.from_states(bench.deals(rules, cards, 6), 1 if rules.seats == 3 else rules.side_mask(0))
        if (Solver(1, changed).batch(positions).nodes != Solver(1).batch(positions).nodes).any():
            moved.add(key)
    assert moved == {name}


def test_the_shipped_file_says_what_made_it(tmp_path: Path) -> None:
    ordering = shipped()
    assert ordering.dumps() == FILE.read_text(encoding="utf-8")
    assert all(ordering.learned[name]["experiment"] for name in SHAPES)
    assert (len(COLUMNS), len(TRICK_COLUMNS)) == (ordering.wants.shape[1], ordering.tricks.shape[1])
    file = tmp_path / "x.json"
    file.write_text(drawn(3).dumps())
    assert np.array_equal(Ordering.load(file).array, drawn(3).array)


@pytest.mark.parametrize("change", [{"format": "x"}, {"version": 1}, {"wants": {}}, {"avoids": [1]}, {"tricks": None}])
def test_a_wrong_file_is_refused(change: dict, tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    file.write_text(json.dumps({**json.loads(FILE.read_text()), **change}))
    with pytest.raises(InputError, match=r"x\.json"):
        Ordering.load(file)
    with pytest.raises(InputError, match="No such file"):
        Ordering.load(tmp_path / "y.json")


def test_wrong_shapes_and_sizes_are_refused() -> None:
    good = {name: np.zeros(shape, np.int64) for name, shape in SHAPES.items()}
    with pytest.raises(ValueError, match="tricks"):
        Ordering(**{**good, "tricks": np.zeros((8, 11), np.int64)})
    with pytest.raises(ValueError, match="wants"):
        Ordering(**{**good, "wants": np.full(SHAPES["wants"], 1 << 30)})
