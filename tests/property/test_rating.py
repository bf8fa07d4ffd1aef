"""Rating kernels against their twin, and what holds whatever is rated."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import naive_rating
from tricktake.ratings.ratings import Ratings
from tricktake.ratings.results import Results
from tricktake.ratings.sources import RatedGame, grouped
from tricktake.ratings.system import get_system

pytestmark = pytest.mark.kernel

POINTS = st.integers(-2000, 3000)
TABLES = st.lists(
    st.tuples(st.permutations(range(5)), st.lists(POINTS, min_size=4, max_size=4), st.sampled_from([9, 36])),
    min_size=1,
    max_size=6,
)
SEATS = st.integers(2, 4)
NAMES = "ABCDE"
SPECS = [
    "proportional",
    "proportional(k=0.5,below=skip)",
    "quotient",
    "quotient(memory=3,root=false)",
    "softmax",
    "softmax(places=true)",
    "elo-average",
    "elo-average(places=true)",
    "elo-pool",
    "elo-pool(places=true)",
    "elo-pairs",
    "elo-repeated",
]


def results_of(tables, seats, games=None) -> Results:
    return Results.of(
        NAMES,
        [who[:seats] for who, _, _ in tables],
        [scores[:seats] for _, scores, _ in tables],
        36,
        [g for _, _, g in tables] if games is None else games,
    )


@pytest.mark.parametrize("spec", SPECS)
@given(tables=TABLES, seats=SEATS)
def test_the_kernel_agrees_with_its_twin(spec, tables, seats):
    system = get_system(spec)
    options = {key: value for key, value in system.parameters().items() if key in ("places", "memory", "root")} | {
        "skip": system.parameters().get("below") == "skip"
    }
    ratings = dict.fromkeys(range(5), system.start)
    for who, scores, games in tables:
        table = list(who[:seats])
        old = [ratings[p] for p in table]
        new = naive_rating.update(
            system.name, old, [float(s) for s in scores[:seats]], system.k, share=games / 36, **options
        )
        ratings.update(zip(table, new, strict=True))
    found = system.rated(results_of(tables, seats)).rating[:, 0]
    assert found == pytest.approx([ratings[p] for p in range(5)], rel=1e-9, abs=1e-6)


@pytest.mark.parametrize(
    "spec", ["proportional", "proportional(k=0.08)", "softmax", "elo-pairs", "softmax(places=true)"]
)
@given(tables=TABLES, seats=SEATS)
def test_the_sum_of_ratings_never_changes(spec, tables, seats):
    system = get_system(spec)
    _, curve = system.curves(results_of(tables, seats))
    ratings = np.full(5, system.start)
    for (who, _, _), row in zip(tables, curve, strict=True):
        ratings[list(who[:seats])] = row
        assert ratings.sum() == pytest.approx(5 * system.start)


@pytest.mark.parametrize("spec", [*SPECS, "mean", "proportional(first=3,newcomer_k=0.1,newcomer=4,opponents=true)"])
@given(tables=TABLES, seats=SEATS, cut=st.integers(0, 6))
def test_a_list_may_be_continued_anywhere(spec, tables, seats, cut):
    """The bootstrap included; and what was rated before stays as it was."""
    system, results = get_system(spec), results_of(tables, seats)
    whole = system.rate(Ratings.empty(5, seed=3), results)
    first = system.rate(Ratings.empty(5, seed=3), results[:cut])
    kept = first.rating.copy()
    second = system.rate(first, results[cut:])
    assert (first.rating == kept).all()
    for name in ("rating", "seen", "games", "points"):
        assert np.array_equal(getattr(whole, name), getattr(second, name))


@given(tables=TABLES, seats=SEATS)
def test_the_mean_is_the_mean(tables, seats):
    results = results_of(tables, seats)
    ratings = get_system("mean").rated(results)
    played = ratings.games > 0
    assert ratings.rating[played, 0] == pytest.approx(ratings.average(36)[played], abs=1e-6)
    assert (ratings.rating[~played, 0] == 800).all()


@given(tables=TABLES)
def test_two_players_by_elo_are_a_table_of_two_by_softmax(tables):
    results = results_of(tables, 2)
    elo, softmax = (get_system(name).rated(results).rating for name in ("elo", "softmax"))
    assert elo == pytest.approx(softmax)


GAMES = st.lists(st.tuples(st.permutations("ABCDE"), st.tuples(POINTS, POINTS, POINTS)), max_size=40)


@given(games=GAMES, length=st.integers(1, 5))
def test_grouping_loses_nothing(games, length):
    """Every game is in one series of its players; none is longer than asked, and only the last of a table shorter."""
    rated = [
        RatedGame(tuple(who[:3]), tuple(map(float, scores)), (0.0,) * 3, (n,)) for n, (who, scores) in enumerate(games)
    ]
    series = list(grouped(rated, length))
    assert sum(s.games for s in series) == len(games)
    for name in "ABCDE":
        mine = sum(score for who, scores in games for seat, score in zip(who, scores) if seat == name)  # noqa: B905
        assert sum(dict(zip(s.players, s.scores, strict=True)).get(name, 0.0) for s in series) == mine
    for s in series:
        assert s.games == length or s is [other for other in series if other.players == s.players][-1]
    assert len({s.key for s in series}) == len(series)
    assert list(grouped(rated, length, short=False)) == [s for s in series if s.games == length]
