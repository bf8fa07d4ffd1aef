"""Statistics against scipy, numpy and simulation."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from tricktake.tournament.stats import Statistics, clustered, complete_deals, paired, share, share_p


def row(deal: int, number: int, players: list[int], series: list[float], **more: object) -> dict[str, object]:
    facts = {"kind": None, "declarer": None, "won": None, "faults": []}
    return {"id": f"d{deal}.s{number}", "deal": deal, "players": players, "series": series, **facts, **more}


def test_one_value_a_cluster_is_the_plain_interval() -> None:
    values = np.random.default_rng(1).normal(3.0, 2.0, 40)
    found = clustered((v, 1.0) for v in values)
    low, high = stats.t.interval(0.95, 39, values.mean(), stats.sem(values))
    assert found is not None
    assert (found.low, found.high) == pytest.approx((low, high))
    assert (found.n, found.clusters) == (40, 40)


def test_clusters_of_copies_count_once() -> None:
    """Six copies of each value tell no more than one: the interval must not shrink."""
    values = np.random.default_rng(2).normal(size=30)
    one = clustered((v, 1.0) for v in values)
    six = clustered((6 * v, 6.0) for v in values)
    assert one is not None
    assert six is not None
    assert six.error == pytest.approx(one.error)
    assert six.mean == pytest.approx(one.mean)
    assert six.n == 180


def test_interval_covers_the_truth_with_unequal_clusters() -> None:
    rng = np.random.default_rng(3)
    inside = 0
    for _ in range(400):
        sizes = rng.integers(1, 6, 50)
        shared = rng.normal(size=50)
        pairs = [(float((5 + s + rng.normal(size=m)).sum()), float(m)) for s, m in zip(shared, sizes, strict=True)]
        found = clustered(pairs)
        assert found is not None
        inside += found.low <= 5 <= found.high
    assert 360 <= inside <= 396  # 95 % of 400, four deviations wide


def test_one_cluster_has_no_interval() -> None:
    found = clustered([(6.0, 3.0)])
    assert found is not None
    assert found.mean == 2.0
    assert found.error is None
    assert clustered([]) is None


def test_paired_is_the_t_test_of_scipy() -> None:
    rng = np.random.default_rng(4)
    a, b = rng.normal(1.0, 1.0, 25), rng.normal(0.5, 1.0, 25)
    estimate, p = paired(list(a - b), scale=36)
    assert p == pytest.approx(stats.ttest_rel(a, b).pvalue)
    assert estimate.mean == pytest.approx(36 * (a - b).mean())


@pytest.mark.parametrize("values", [[0.0, 0.0], [2.0, 2.0], [2.0], [0.1 + 0.2, 0.3]])
def test_alike_they_tell_nothing_of_others(values: list[float]) -> None:
    """± 0 would say that the next deal must be the same."""
    estimate, p = paired(values)
    assert estimate.mean == pytest.approx(values[0])
    assert estimate.error is p is None


def test_two_deals_have_the_interval_of_student() -> None:
    estimate, p = paired([1.0, 2.0])
    assert estimate.error == pytest.approx(stats.t.ppf(0.975, 1) * 0.5)
    assert p == pytest.approx(stats.ttest_1samp([1.0, 2.0], 0.0).pvalue)


def test_shares_of_single_observations_are_wilson() -> None:
    found = share([(1.0, 1.0)] * 12 + [(0.0, 1.0)] * 28)
    wilson = stats.binomtest(12, 40).proportion_ci(0.95, method="wilson")
    assert found is not None
    assert (found.low, found.high) == pytest.approx((wilson.low, wilson.high), abs=0.01)


def test_a_share_of_all_is_not_certain() -> None:
    found = share([(6.0, 6.0)] * 10)
    assert found is not None
    assert found.mean == 1.0
    assert found.low < 0.8  # ten deals, not sixty games


def test_sign_test_of_wins() -> None:
    assert share_p(3, 12) == pytest.approx(stats.binomtest(3, 15).pvalue)
    assert share_p(0, 0) is None


def test_only_complete_deals_count() -> None:
    rows = [row(0, 0, [0, 1], [1, 0]), row(1, 1, [1, 0], [1, 0]), row(1, 0, [0, 1], [1, 0])]
    assert [r["id"] for r in complete_deals(rows, 2)] == ["d1.s0", "d1.s1"]


def test_scores_and_differences_of_a_table() -> None:
    """Two players, two deals, both seatings; by hand."""
    rows = [
        row(0, 0, [0, 1], [10, 2]),
        row(0, 1, [1, 0], [4, 6]),
        row(1, 0, [0, 1], [-2, 0]),
        row(1, 1, [1, 0], [8, 0]),
    ]
    table = Statistics(rows, ("a", "b"), series=10)
    first, second = table.score(0), table.score(1)
    assert first is not None
    assert second is not None
    assert (first.mean, second.mean) == (35.0, 35.0)  # 14 / 4 and 14 / 4 a game
    difference = table.difference(0, 1)
    assert difference is not None
    assert difference.estimate.mean == 0.0  # (8 - 3) and (-1 - 4)
    assert difference.p == pytest.approx(1.0)


def test_won_contracts_by_role_and_kind() -> None:
    rows = [
        row(0, 0, [0, 1], [0, 0], kind="x", declarer=0, won=True),
        row(0, 1, [1, 0], [0, 0], kind="x", declarer=0, won=False),
        row(1, 0, [0, 1], [0, 0], kind="y", declarer=1, won=True),
        row(1, 1, [1, 0], [0, 0]),
    ]
    table = Statistics(rows, ("a", "b"))
    assert table.kinds() == ["x", "y"]
    assert table.passed() == 1

    def shares(player: int, kind: str | None, defending: bool = False) -> tuple[float, int] | None:
        found = table.won(player, kind, defending=defending)
        return None if found is None else (found.mean, found.n)

    assert shares(0, "x") == (1.0, 1)
    assert shares(1, "x") == (0.0, 1)
    assert shares(1, None) == (0.5, 2)
    assert shares(0, "x", defending=True) == (0.0, 1)
    assert shares(0, "y") is None
