"""Models of table features against their slow twin, how they are learned, and their files."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.naive_learning import naive_glem, naive_mean
from tricktake.errors import InputError
from tricktake.learning.glem import Glem, Glems, Link, TableFeature
from tricktake.learning.glemfit import Tally, fit_tables, fit_weights

AXES = (("length", 3), ("ace", 2))
LINKS: list[Link] = ["linear", "logistic"]
numbers = st.floats(-3, 3)
indices = st.tuples(st.integers(0, 2), st.integers(0, 1))


@given(
    st.sampled_from(LINKS),
    numbers,
    st.lists(st.tuples(numbers, st.lists(numbers, min_size=6, max_size=6)), min_size=1, max_size=3),
    st.lists(st.lists(indices, max_size=3), min_size=1, max_size=4),
)
def test_the_value_is_that_of_the_twin(
    link: Link,
    constant: float,
    tables: list[tuple[float, list[float]]],
    positions: list[list[tuple[int, int]]],
) -> None:
    features = tuple(TableFeature(f"t{i}", AXES, np.array(values)) for i, (_, values) in enumerate(tables))
    model = Glem(features, tuple(weight for weight, _ in tables), constant, link)
    cells = np.full((len(positions), 3), -1)  # a part that is not there adds nothing
    for row, position in zip(cells, positions, strict=True):
        for k, (length, ace) in enumerate(position):
            row[k] = features[0].cells(length, ace)
    by_index = [{(a, b): values[2 * a + b] for a in range(3) for b in range(2)} for _, values in tables]
    wanted = [
        naive_glem(link, constant, [(w, table, p) for (w, _), table in zip(tables, by_index, strict=True)])
        for p in positions
    ]
    assert model.value([cells] * len(features)) == pytest.approx(wanted)


@given(st.lists(st.tuples(indices, numbers), min_size=1, max_size=20), st.floats(0.5, 20), numbers)
def test_means_are_those_of_the_twin(games: list[tuple[tuple[int, int], float]], kappa: float, base: float) -> None:
    table = TableFeature("t", AXES, np.zeros(6))
    cells = np.array([int(table.cells(*at)) for at, _ in games])
    tally = Tally.of(cells, np.array([[outcome] for _, outcome in games]), table.size)
    halves = [
        Tally.of(part, np.array([[x] for _, x in games])[k::2], 6) for k, part in ((0, cells[::2]), (1, cells[1::2]))
    ]
    assert (halves[0] + halves[1]).sums == pytest.approx(tally.sums)
    found = tally.means(np.full((6, 1), base), kappa)
    for a in range(3):
        for b in range(2):
            assert found[2 * a + b, 0] == pytest.approx(naive_mean(games, (a, b), base, kappa))


def test_the_background_goes_on_where_nothing_was_met() -> None:
    """A value that grows by 2 a step is continued to the cell nobody met."""
    design = np.column_stack([np.ones(5), np.arange(5)])
    games = np.array([1e4, 1e4, 1e4, 1e4, 0])
    tally = Tally(games, (games * (1 + 2 * np.arange(5)))[:, None])
    assert tally.background(design)[4, 0] == pytest.approx(9, abs=0.01)


@pytest.mark.parametrize("link", LINKS)
def test_weights_are_found_again(link: Link) -> None:
    rng = np.random.default_rng(3)
    x = rng.normal(2, [1, 30], (20_000, 2))
    score = 0.5 + x @ [1.0, -0.03]
    y = (rng.random(20_000) < 1 / (1 + np.exp(-score))).astype(float) if link == "logistic" else score
    constant, weights = fit_weights(x, y, link)
    assert (constant, *weights) == pytest.approx((0.5, 1.0, -0.03), rel=0.15)
    assert fit_weights(x, y, link) == (constant, weights)
    assert math.isfinite(fit_weights(x, np.ones(len(x)), "logistic")[0])
    with pytest.raises(ValueError, match="nothing"):
        fit_weights(x[:0], y[:0])


@pytest.mark.parametrize("link", LINKS)
def test_tables_are_found_again(link: Link) -> None:
    """Two parts of each position look into one table; its entries come back, and never met ones stay."""
    rng = np.random.default_rng(4)
    truth = Glem((TableFeature("t", AXES, rng.normal(0, 1, 6)),), (1.0,), 0.2, link)
    cells = rng.integers(0, 5, (20_000, 2))
    cells[:500, 1] = -1
    value = truth.value([cells])
    y = (rng.random(len(value)) < value).astype(float) if link == "logistic" else value
    start = Glem((TableFeature("t", AXES, np.full(6, 0.3)),), (2.0,), 0.0, link)
    found = fit_tables(start, [cells], y)
    assert found.value([cells]) == pytest.approx(value, abs=0.05)
    assert found.features[0].values[5] == pytest.approx(0.6)
    assert np.array_equal(fit_tables(start, [cells], y).features[0].values, found.features[0].values)
    with pytest.raises(ValueError, match="nothing"):
        fit_tables(start, [cells[:0]], y[:0])


def test_a_file_says_what_was_saved(tmp_path: Path) -> None:
    feature = TableFeature("t", AXES, np.arange(6) / 2)
    saved = Glems(
        {"suit": Glem((feature,), (0.5,), -1.0), "grand": Glem((feature,), (2.0,), 0.0, "linear")}, {"seed": 7}
    )
    for name in ("a.glem", "b.glem"):
        saved.save(tmp_path / name)
    file = tmp_path / "a.glem"
    assert file.read_bytes() == (tmp_path / "b.glem").read_bytes()
    again = Glems.load(file)
    assert again.made == {"seed": 7}
    for name, model in saved.models.items():
        other = again.models[name]
        assert (other.weights, other.constant, other.link) == (model.weights, model.constant, model.link)
        assert other.features[0].axes == AXES
        assert np.array_equal(other.features[0].values, feature.values)
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    (tmp_path / "damaged.glem").write_bytes(data)
    for broken in ("damaged.glem", "none.glem"):
        with pytest.raises(InputError, match=broken):
            Glems.load(tmp_path / broken)


def test_what_does_not_fit_is_refused() -> None:
    feature = TableFeature("t", AXES, np.zeros(6))
    with pytest.raises(ValueError, match="6 cells"):
        TableFeature("t", AXES, np.zeros(5))
    with pytest.raises(ValueError, match="2 indices"):
        feature.cells(1)
    with pytest.raises(ValueError, match="invalid entry"):
        feature.cells(3, 0)
    with pytest.raises(ValueError, match="2 weights"):
        Glem((feature,), (1.0, 2.0))
    with pytest.raises(ValueError, match="no link"):
        Glem((feature,), (1.0,), link="probit")  # type: ignore[arg-type]
