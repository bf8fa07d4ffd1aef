"""Error bars and tables."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from tricktake_lab.outcome import Estimate, Sheet, bootstrapped, mean_of, plain, share_of


def test_intervals_hold_what_they_say() -> None:
    """Of many samples 95 % of the intervals hold the truth."""
    rng = np.random.default_rng(1)
    samples = rng.exponential(2.0, (1000, 200))
    for make, least in ((mean_of, 0.92), (bootstrapped, 0.91)):
        found = [make(sample) for sample in samples[: 1000 if make is mean_of else 200]]
        held = np.mean([abs(e.mean - 2.0) <= e.error for e in found])
        assert least < held < 0.975
    share = share_of(rng.random(400) < 0.25)
    assert share.error == pytest.approx(1.96 * math.sqrt(share.mean * (1 - share.mean) / 399), rel=1e-3)


def test_few_or_no_values() -> None:
    assert str(mean_of([])) == "-"
    assert str(mean_of([3.0])) == "3.000"
    assert mean_of([]).as_json() == {"mean": None, "error": None, "n": 0, "unit": ""}


def test_text() -> None:
    assert str(Estimate(0.1234, 0.01, 9, "%")) == "12.3 ± 1.0 %"
    assert str(Estimate(12.34, 0.5, 9, digits=1)) == "12.3 ± 0.5"
    sheet = Sheet.of("Title", ("a", "b", "c"), [(1234, 0.5, Estimate(1.0, 0.25, 4))])
    assert sheet.markdown().splitlines() == [
        "Title", "", "| a | b | c |", "| --- | --- | --- |", "| 1,234 | 0.5 | 1.000 ± 0.250 |",
    ]  # fmt: skip
    with pytest.raises(ValueError, match="2 cells in 3"):
        Sheet.of("Title", ("a", "b", "c"), [(1, 2)])


def test_json_has_no_numpy_and_no_nan() -> None:
    value = {"a": np.float64(1.5), "b": np.array([[1, 2]]), "c": math.nan, "d": (Estimate(1.0, math.nan, 1),)}
    found = json.loads(json.dumps(plain(value), allow_nan=False))
    assert found == {"a": 1.5, "b": [[1, 2]], "c": None, "d": [{"mean": 1.0, "error": None, "n": 1, "unit": ""}]}
