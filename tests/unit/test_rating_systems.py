"""Rating systems: the papers' numbers, and what was decided where they are silent."""

from __future__ import annotations

import numpy as np
import pytest

from tricktake.errors import InputError, UnknownName
from tricktake.ratings.proportional import Proportional
from tricktake.ratings.ratings import Ratings
from tricktake.ratings.results import Results
from tricktake.ratings.system import get_system, systems

TABLE_II = [
    ((1387, 1018, 152), (810.69, 803.31, 785.99)),
    ((501, 1359, 934), (801.84, 811.79, 786.37)),
    ((637, 1284, 1125), (794.22, 816.86, 788.91)),
    ((800, 812, 913), (793.51, 815.92, 790.57)),
    ((1213, 1221, 965), (795.30, 817.22, 787.48)),
    ((1124, 1445, 994), (794.16, 821.86, 783.98)),
    ((1381, 1187, 938), (798.58, 821.59, 779.83)),
    ((693, 374, 1536), (795.12, 811.25, 793.64)),
    ((460, 1167, 721), (788.76, 818.71, 792.53)),
    ((871, 15, 1417), (791.04, 803.30, 805.66)),
]


def after(spec: str, scores, ratings=None, games: int = 36) -> list[float]:
    """The ratings of a table after one series."""
    n = len(scores)
    system = get_system(spec)
    before = Ratings.empty().known("ABCD"[:n], system.start)
    if ratings is not None:
        before.rating[:, 0] = ratings
    results = Results.of("ABCD"[:n], [range(n)], [scores], 36, [games])
    return system.rate(before, results).rating[:, 0].tolist()


@pytest.mark.kernel
def test_table_ii_row_by_row():
    """ELO-9."""
    results = Results.of("ABC", [[0, 1, 2]] * 10, [scores for scores, _ in TABLE_II], 36)
    _, curve = Proportional(k=0.02, start=800.0).curves(results)
    assert np.abs(curve - [ratings for _, ratings in TABLE_II]).max() < 0.005 + 1e-9


@pytest.mark.kernel
def test_the_worked_example():
    """ELO-8: the best wins clearly and loses rating points."""
    assert after("proportional", (1200, 800, 800), (1500, 750, 750)) == pytest.approx([1496, 752, 752])


@pytest.mark.kernel
def test_elo_for_two():
    """ELO-2: 100 points are 64 %, 200 are 76 %, 400 a factor of 10."""
    for ahead, chance in ((100, 0.64), (200, 0.76), (400, 10 / 11)):
        won, lost = after("elo(k=1)", (1, 0), (1500 + ahead, 1500))
        assert won == pytest.approx(1500 + ahead + 1 - chance, abs=0.005)
        assert won + lost == pytest.approx(3000 + ahead)
    assert after("elo", (7, 7), (1500, 1500)) == [1500, 1500]


@pytest.mark.kernel
def test_the_rejected_baselines_differ_as_the_paper_says():
    equal = (1500, 1500, 1500)
    assert after("elo-average(k=32)", (3, 2, 1), equal) == [1516, 1484, 1484]  # the table has lost 16
    assert after("elo-pool(k=32)", (3, 2, 1), equal) == [1532, 1484, 1484]
    assert sum(after("elo-pairs", (3, 2, 1), equal)) == pytest.approx(4500)
    forwards = after("elo-pairs(k=32)", (3, 2, 1), equal)
    backwards = after("elo-pairs(k=32)", (1, 2, 3), equal)
    assert forwards[0] != backwards[2]  # the order matters
    # "repeated" takes strong and weak opponents for two of middling strength
    assert after("elo-repeated", (3, 2, 1), (1500, 1900, 1100))[0] == after("elo-repeated", (3, 2, 1), equal)[0]
    assert after("elo-pairs", (3, 2, 1), (1500, 1900, 1100))[0] != after("elo-pairs", (3, 2, 1), equal)[0]


@pytest.mark.kernel
def test_softmax_with_one_winner_or_by_places():
    assert after("softmax(k=30)", (3, 2, 1), (1500,) * 3) == pytest.approx([1520, 1490, 1490])
    assert after("softmax(k=30,places=true)", (3, 2, 1), (1500,) * 3) == pytest.approx([1510, 1500, 1490])
    assert after("softmax(k=30)", (3, 3, 1), (1500,) * 3) == pytest.approx([1505, 1505, 1490])


@pytest.mark.kernel
def test_the_damped_quotient():
    """ELO-6: Y = (1200 / 900) / (800 / 800)."""
    new = after("quotient(memory=9)", (1200, 900, 900), (800,) * 3)
    assert new[0] == pytest.approx((9 * 800 + 1200 * (1200 / 900) ** 0.5) / 10)
    assert after("quotient(memory=9,root=false)", (1200, 900, 900), (800,) * 3)[0] == pytest.approx(
        (9 * 800 + 1200 * 1200 / 900) / 10
    )
    assert after("quotient(memory=9)", (-300, 900, 900), (800,) * 3)[0] == pytest.approx((9 * 800 - 300) / 10)


@pytest.mark.kernel
def test_a_table_without_points():
    """ELO-10: the formula would expect least from the best."""
    assert after("proportional", (0, 0, 0), (1500, 750, 750)) == [1500, 750, 750]
    assert after("proportional", (-100, -100, -100), (1500, 750, 750)) == pytest.approx([1500, 750, 750])
    assert after("proportional", (300, -300, -600), (1500, 750, 750)) == pytest.approx([1510, 748, 742])
    assert after("proportional(below=skip)", (300, -300, -600), (1500, 750, 750)) == [1500, 750, 750]


@pytest.mark.kernel
def test_ratings_below_the_floor_count_as_the_floor():
    after_one = after("proportional", (600, 300, 300), (-500, 1, 998))
    assert after_one[0] == pytest.approx(-500 + 0.02 * (600 - 1.2))
    assert sum(after_one) == pytest.approx(499)


@pytest.mark.kernel
def test_a_short_series_weighs_its_share():
    full, third = after("proportional", (1200, 600, 600)), after("proportional", (400, 200, 200), games=12)
    assert np.subtract(full, 800) == pytest.approx(3 * np.subtract(third, 800))
    full, third = after("softmax", (3, 2, 1)), after("softmax", (3, 2, 1), games=12)
    assert np.subtract(full, 1500) == pytest.approx(3 * np.subtract(third, 1500))


@pytest.mark.kernel
def test_tables_of_four():
    new = after("proportional", (1400, 1000, 800, 800), (800,) * 4)
    assert new == pytest.approx([808, 800, 796, 796])


@pytest.mark.kernel
def test_start_from_the_first_tables():
    """ELO-18: the mean of the first n tables; the others at the table are rated as usual."""
    results = Results.of("ABC", [[0, 1, 2]] * 3, [(900, 800, 700), (700, 600, 200), (1000, 900, 800)], 36)
    _, curve = get_system("proportional(first=2)").curves(results)
    assert curve[0].tolist() == [900, 800, 700]
    assert curve[1].tolist() == [800, 700, 450]
    assert curve[2].sum() == pytest.approx(1950)  # sums are kept from here on
    assert curve[2, 0] == pytest.approx(800 + 0.02 * (1000 - 800 * 2700 / 1950))


@pytest.mark.kernel
def test_newcomers_move_faster():
    """ELO-19: K falls from 0.08 to 0.02 within ten series."""
    results = Results.of("ABC", [[0, 1, 2]] * 12, [(900, 600, 600)] + [(700, 700, 700)] * 11, 36)
    system = get_system("proportional(newcomer_k=0.08,newcomer=10)")
    _, curve = system.curves(results)
    assert curve[0, 0] == pytest.approx(800 + 0.08 * 200)
    plain = get_system("proportional(k=0.05)")
    known = Ratings.empty().known("ABC", 800.0)
    known.seen[:] = 5
    assert system.rate(known, results[:1]).rating == pytest.approx(plain.rate(known, results[:1]).rating)
    known.seen[:] = 10
    assert system.rate(known, results[:1]).rating == pytest.approx(Proportional().rate(known, results[:1]).rating)


@pytest.mark.kernel
def test_the_printed_opponents_factor():
    """ELO-15: 875 against 950 and q = 1.09 take 86 points down to 73."""
    assert round(86 / 1.09 / (950 / 875)) == 73
    results = Results.of("ABC", [[0, 1, 2]], [(86 / 1.09 + 50, 40, 40)], 36)
    results.values[0, 0] = 86 / 1.09
    ratings = Ratings.empty().known("ABC", 800.0)
    ratings.rating[:, 0] = (875, 950, 950)
    literal = get_system("proportional(opponents=true)").rate(ratings, results)
    scores = Results.of("ABC", [[0, 1, 2]], [(86 / 1.09 / (950 / 875) + 50, 40, 40)], 36)
    assert literal.rating == pytest.approx(Proportional().rate(ratings, scores).rating)
    assert literal["A"] < Proportional().rate(ratings, results)["A"]  # who faces stronger players loses by it


@pytest.mark.kernel
def test_the_bootstrap_knows_the_error():
    """Of a mean of n series it is the standard error; other seeds draw otherwise."""
    rng = np.random.default_rng(5)
    n = 400
    results = Results.of("AB", [[0, 1]] * n, rng.normal(800, 300, (n, 2)), 36)
    mean = get_system("mean")
    errors = mean.rated(results, 100).errors()
    assert errors == pytest.approx(1.96 * 300 / n**0.5, rel=0.3)
    assert mean.rate(Ratings.empty(100, seed=1), results).errors()[0] != errors[0]
    assert mean.rate(Ratings.empty(100, seed=1), results)["A"] == mean.rated(results)["A"]


def test_openskill_puts_the_better_player_first():
    pytest.importorskip("openskill")
    rng = np.random.default_rng(1)
    results = Results.of("ABC", [[0, 1, 2]] * 60, rng.normal((900, 800, 700), 150, (60, 3)), 36)
    system = get_system("openskill")
    ratings = system.rated(results)
    assert ratings["A"] > ratings["B"] > ratings["C"]
    assert (ratings.errors() < 1.96 * 25 / 3 / 2).all()
    halves = system.rate(system.rate(Ratings.empty(), results[:20]), results[20:])
    assert np.array_equal(halves.rating, ratings.rating)
    with pytest.raises(InputError, match="bootstrap"):
        system.rated(results, 10)


def test_openskill_says_what_it_needs(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "openskill", None)
    with pytest.raises(InputError, match=r"tricktake\[ratings\]"):
        get_system("openskill").rated(Results.of("AB", [[0, 1]], [[1, 0]]))


# -- specs and wrong input --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", systems())
def test_a_system_is_made_again_from_its_spec(name):
    system = get_system(name, start=700)
    assert get_system(system.spec) == system
    assert system.spec == f"{name}(start=700)"
    assert type(system)().spec == name


@pytest.mark.parametrize(
    ("spec", "field"),
    [
        ("proportional(k=0)", "k"),
        ("proportional(k=x)", "k"),
        ("proportional(first=1.5)", "first"),
        ("proportional(below=odd)", "below"),
        ("proportional(opponents=1)", "opponents"),
        ("softmax(scale=-1)", "scale"),
        ("softmax(places=2)", "places"),
        ("quotient(memory=-1)", "memory"),
        ("openskill(sigma=0)", "sigma"),
        ("quotient(k=1)", "k"),
    ],
)
def test_wrong_parameters_are_named(spec, field):
    with pytest.raises(InputError, match=rf"\b{field}\b"):
        get_system(spec)


def test_unknown_names_and_what_is_no_system():
    with pytest.raises(UnknownName, match="'softmax'"):
        get_system("softmaxx")
    with pytest.raises(InputError, match="no rating system"):
        get_system("skat.luck")


def test_tables_a_system_cannot_rate():
    results = Results.of("ABC", [[0, 1, -1], [0, 1, 2]], [[1, 0, 0], [1, 0, 0]])
    with pytest.raises(InputError, match="series 2"):
        get_system("elo").rated(results)
    assert len(get_system("elo").rated(results[:1])) == 3


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"players": [[0, 3]]}, "without a name"),
        ({"scores": [[1, float("nan")]]}, "no number"),
        ({"games": [0]}, "without games"),
        ({"length": 0}, "at least one game"),
    ],
)
def test_results_that_do_not_fit(change, reason):
    fields = {"names": "AB", "players": [[0, 1]], "scores": [[1, 0]], "length": 1, "games": None} | change
    with pytest.raises(ValueError, match=reason):
        Results.of(*fields.values())


def test_ratings_of_other_players_are_refused():
    ratings = Proportional().rated(Results.of("AB", [[0, 1]], [[1, 0]]))
    with pytest.raises(ValueError, match="otherwise"):
        Proportional().rate(ratings, Results.of("BA", [[0, 1]], [[1, 0]]))
    with pytest.raises(KeyError):
        ratings["C"]
