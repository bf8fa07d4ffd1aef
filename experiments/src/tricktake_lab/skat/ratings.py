"""The experiments on ratings in docs/results.md: ``python -m tricktake_lab.skat.ratings NAME [--leagues N] ...``."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray

from tricktake.cli.common import print_table
from tricktake.ratings import charts
from tricktake.ratings.bestfit import best_fit
from tricktake.ratings.proportional import Proportional
from tricktake.ratings.results import Results
from tricktake.ratings.run import subsets
from tricktake.ratings.sensitivity import COLUMNS, sensitivity, steps
from tricktake.ratings.system import get_system
from tricktake_lab.skat.league import League, play_league

FloatArray = NDArray[np.float64]

CLUB = tuple(np.linspace(0.0, 0.25, 16).round(4))  # slips of the sixteen players
SEED = 7_000_000  # of the first league; the others follow
TRUTH_SEED = 7_900_000  # the true strengths come from other deals
TRUTH_SERIES = 20_000
OTHER = 500_000  # from the seed of a league to that of the one before it
SYSTEMS = (
    "mean",
    "proportional(k=0.005)",
    "proportional(k=0.01)",
    "proportional(k=0.02)",
    "proportional(k=0.04)",
    "proportional(k=0.08)",
    "proportional(newcomer_k=0.08,newcomer=50)",
    "proportional(first=10)",
    "proportional(opponents=true)",
    "quotient",
    "quotient(root=false)",
    "softmax",
    "softmax(places=true)",
    "elo-average",
    "elo-average(places=true)",
    "elo-pairs",
    "elo-repeated",
    "elo-pool",
    "openskill",
    "best fit",
)
LUCKS: tuple[tuple[str, ...], ...] = (
    (),
    ("flat",),
    ("win",),
    ("flat", "win"),
    ("win(by=table)",),
    ("stegen",),
    ("kinback",),
    ("win(lost=multiply)",),
    ("flat", "win(lost=multiply)"),
    ("deal",),
    ("flat", "deal"),
    ("win(lost=multiply)", "deal"),
)


def ranks(values: FloatArray) -> FloatArray:
    return np.argsort(np.argsort(values)).astype(np.float64)


def rank_correlation(a: FloatArray, b: FloatArray) -> float:
    """Spearman's; ties are none to speak of."""
    return float(np.corrcoef(ranks(a), ranks(b))[0, 1])


def interval(values: Sequence[float] | FloatArray, replicates: int = 2000) -> tuple[float, float]:
    """Mean and half its 95 % interval, by a bootstrap over leagues."""
    found = np.asarray(values)
    rng = np.random.default_rng(0)
    means = found[rng.integers(0, len(found), (replicates, len(found)))].mean(axis=1)
    low, high = np.quantile(means, [0.025, 0.975])
    return float(found.mean()), float(high - low) / 2


def text(values: Sequence[float] | FloatArray, digits: int = 3) -> str:
    mean, error = interval(values)
    return f"{mean:.{digits}f} ± {error:.{digits}f}"


def true_strengths() -> FloatArray:
    """Points in 36 games at random tables of the club, of each player."""
    league = play_league(CLUB, TRUTH_SERIES, TRUTH_SEED)
    return get_system("mean").rated(league.results(("deal",))).rating[:, 0]


def leagues(number: int, series: int, near: int = 0) -> Iterator[League]:
    for n in range(number):
        yield play_league(CLUB, series, SEED + n, near)


def joined(first: Results, second: Results) -> Results:
    """The series of two leagues of the same players, one after the other."""
    return Results(
        first.names,
        np.concatenate([first.players, second.players]),
        np.concatenate([first.scores, second.scores]),
        np.concatenate([first.games, second.games]),
        np.concatenate([first.keys, second.keys]),
        np.concatenate([first.values, second.values]),
        first.length,
    )


def final(name: str, results: Results) -> FloatArray:
    ratings = best_fit(results) if name == "best fit" else get_system(name).rated(results)
    return ratings.rating[:, 0]


@click.group()
def main() -> None:
    """Experiments on ratings. All of them play leagues of rule players that slip."""


@main.command()
@click.option("--leagues", "number", default=20)
@click.option("--series", default=600)
@click.option("--near", default=0, help="Tables of three out of so many neighbours in strength.")
@click.option("--before", default=0, help="Series before, in which the strengths were dealt out otherwise.")
def systems(number: int, series: int, near: int, before: int) -> None:
    """Rank correlation with true strength, by system and number of series."""
    truth = true_strengths()
    print_table(
        ("player", "slips", "strength"),
        [(f"P{i + 1:02d}", s, f"{t:.0f}") for i, (s, t) in enumerate(zip(CLUB, truth, strict=True))],
    )
    cuts = [cut for cut in (75, 150, 300, 600) if cut <= series]
    found: dict[tuple[str, int], list[float]] = {}
    for league in leagues(number, series, near):
        results = league.results()
        if before:
            rng = np.random.default_rng(league.seed)
            other = play_league(rng.permutation(CLUB), before, league.seed + OTHER)
            results = joined(other.results(), results)
        for name in SYSTEMS:
            for cut in cuts:
                rated = final(name, results[: before + cut])
                found.setdefault((name, cut), []).append(rank_correlation(rated, truth))
    base = {cut: np.array(found["mean", cut]) for cut in cuts}
    rows = [
        (
            name,
            *(text(found[name, cut]) for cut in cuts),
            "" if name == "mean" else text(np.array(found[name, cuts[-2]]) - base[cuts[-2]]),
        )
        for name in SYSTEMS
    ]
    columns = ("system", *(f"{cut} series" for cut in cuts), f"less mean, {cuts[-2]}")
    print_table(columns, rows, title=f"Spearman, {number} leagues", right=columns[1:])


@main.command()
@click.option("--leagues", "number", default=20)
@click.option("--series", default=300)
@click.option("--k", default=0.02)
def luck(number: int, series: int, k: float) -> None:
    """What the corrections do: noise of a series, spread, volatility, rank correlation.

    Noise a point is the standard deviation of a player's series over what one point of true strength adds to his mean
    score: the series needed for the same certainty go with its square.
    """
    truth = true_strengths()
    system = Proportional(k=k)
    out: dict[tuple[str, ...], list[list[float]]] = {factors: [] for factors in LUCKS}
    for league in leagues(number, series):
        for factors in LUCKS:
            results = league.results(factors)
            ratings, curve = system.curves(results)
            players = range(len(CLUB))
            noise = np.mean([results.scores[results.players == p].std() for p in players])
            means = final("mean", results)
            slope = np.polyfit(truth, means, 1)[0]
            volatility = np.mean([steps(results, curve, p, system.start).std() for p in players])
            now = ratings.rating[:, 0]
            out[factors].append(
                [
                    means.mean(),
                    noise,
                    noise / slope,
                    now.std(),
                    volatility,
                    volatility / now.std(),
                    rank_correlation(now, truth),
                    rank_correlation(means, truth),
                ]
            )
    plain = np.array(out[()])
    rows = []
    for factors in LUCKS:
        columns_of = np.array(out[factors])
        gain = columns_of[:, 6:] - plain[:, 6:]
        needed = 100 * (columns_of[:, 2] / plain[:, 2]) ** 2
        rows.append(
            (
                " ".join(factors) or "none",
                *(text(columns_of[:, i], d) for i, d in enumerate((0, 0, 0))),
                text(needed, 1) if factors else "100",
                *(text(columns_of[:, 3 + i], d) for i, d in enumerate((1, 2, 3))),
                text(columns_of[:, 6]),
                text(gain[:, 0]) if factors else "",
                text(columns_of[:, 7]),
                text(gain[:, 1]) if factors else "",
            )
        )
    columns = (
        "luck",
        "mean",
        "noise",
        "noise a point",
        "series needed, %",
        "spread",
        "volatility",
        "vol/spread",
        "rho",
        "gain",
        "rho mean",
        "gain",
    )
    print_table(columns, rows, title=f"{number} leagues of {series} series, K = {k}", right=columns[1:])


@main.command()
@click.option("--leagues", "number", default=10)
@click.option("--series", default=3000)
@click.option("--within", default="25,50,100")
def fixpoint(number: int, series: int, within: str) -> None:
    """A player's own series until the rating stays as near to where it ends up (ELO-29)."""
    tolerances = [float(word) for word in within.split(",")]
    rows = []
    collected = list(leagues(number, series))
    for k in (0.01, 0.02, 0.04):
        for factors in ((), ("flat",), ("win",), ("flat", "win"), ("win(lost=multiply)",), ("deal",)):
            needed: dict[float, list[float]] = {t: [] for t in tolerances}
            wobble = []
            for league in collected:
                results = league.results(factors)
                system = Proportional(k=k)
                _, curve = system.curves(results)
                per: dict[float, list[float]] = {t: [] for t in tolerances}
                for player in range(len(CLUB)):
                    own = curve[results.players == player]
                    end = own[len(own) // 2 :]
                    wobble.append(end.std())
                    first = own[: len(own) // 2]
                    for tolerance in tolerances:
                        outside = np.flatnonzero(np.abs(first - end.mean()) > tolerance)
                        per[tolerance].append(outside[-1] + 1 if len(outside) else 0)
                for tolerance in tolerances:
                    needed[tolerance].append(float(np.median(per[tolerance])))
            rows.append(
                (
                    f"{k:g}",
                    " ".join(factors) or "none",
                    f"{np.mean(wobble):.1f}",
                    *(text(needed[t], 0) for t in tolerances),
                )
            )
    columns = ("K", "luck", "wobble", *(f"within {t:g}" for t in tolerances))
    print_table(columns, rows, title=f"median over players, {number} leagues of {series} series", right=columns[2:])


def crowd(players: int, series: int, seed: int) -> League:
    """Many players of random strength, as in the papers' data."""
    slips = np.random.default_rng(seed).uniform(0, 0.25, players)
    return play_league(np.sort(slips), series, seed)


@main.command()
@click.option("--players", default=300)
@click.option("--series", default=2329)
@click.option("--images", type=click.Path(file_okay=False, path_type=Path))
def spread(players: int, series: int, images: Path | None) -> None:
    """The tables of ELO-17 and ELO-27 and the charts of ELO-28, on as many games as the papers had."""
    league = crowd(players, series, SEED - 1)
    games = league.games
    rows = []
    for name, seats in (("1", [0]), ("2", [1]), ("3", [2]), ("1-3", [0, 1, 2])):
        values = np.abs(games.value[np.isin(games.seat, seats)])
        error = 1.96 * values.std() / len(values) ** 0.5
        rows.append((name, len(values), int(values.sum()), f"{values.mean():.1f} ± {error:.1f}"))
    print_table(("position", "games", "sum of values", "mean"), rows, right=("games", "sum of values", "mean"))
    settings = {factors: league.results(factors) for factors in subsets(("flat", "win"))}
    base = Proportional(start=850.0)
    table = sensitivity(settings, system=base)
    print_table(COLUMNS, [row.cells() for row in table], right=COLUMNS[1:])
    ours: tuple[tuple[str, ...], ...] = (("win(lost=multiply)",), ("deal",))
    better = {factors: league.results(factors) for factors in ours}
    print_table(COLUMNS, [row.cells() for row in sensitivity(better, system=base)], right=COLUMNS[1:])
    if images is not None:
        small = play_league(CLUB, 300, SEED)
        pictures(small, images)
        charts.sensitivity_chart(table).save(images / "rating-sensitivity.png")


def pictures(league: League, images: Path) -> None:
    """Curves of the club: both views, and five players under four corrections."""
    system = Proportional(k=0.04)
    results = league.results()
    ratings, curve = system.curves(results)
    shown = [0, 4, 8, 12, 15]
    charts.rating_curves(results, curve, ratings, system.start, shown).save(images / "rating-curves.png")
    settings = {}
    for factors in ((), ("flat",), ("win",), ("flat", "win")):
        found = league.results(factors)
        settings[" + ".join(factors) or "no correction"] = (found, system.curves(found)[1])
    charts.four_settings(settings, ratings.names, system.start, shown).save(images / "rating-luck.png")


@main.command()
@click.option("--leagues", "number", default=10)
@click.option("--series", default=600)
def skill(number: int, series: int) -> None:
    """Spread of best-fit Elo ratings (ELO-30), also with half of the results replaced by coin flips."""
    kinds: dict[str, Callable[[League], Results]] = {
        "a game": lambda league: league.single_games(),
        "a game, dealt cards corrected": lambda league: league.single_games(("deal",)),
        "a series": lambda league: league.results(),
        "a series, dealt cards corrected": lambda league: league.results(("deal",)),
    }
    found: dict[str, list[list[float]]] = {kind: [] for kind in kinds}
    for league in leagues(number, series):
        for kind, make in kinds.items():
            results = make(league)
            rng = np.random.default_rng(league.seed)
            flipped = results.scores.copy()
            coins = rng.random(len(results)) < 0.5
            flipped[coins] = rng.random(flipped[coins].shape)
            half = Results.of(results.names, results.players, flipped)
            found[kind].append([float(best_fit(r).rating[:, 0].std()) for r in (results, half)])
    rows = [(kind, *(text(np.array(found[kind])[:, i], 1) for i in (0, 1))) for kind in kinds]
    columns = ("compared", "spread of Elo", "half of them coin flips")
    print_table(columns, rows, title=f"{number} leagues of {series} series", right=columns[1:])


@main.command()
@click.option("--players", default=300)
def speed(players: int) -> None:
    """Seconds for 83,844 games and for a million series, warm."""
    league = crowd(players, 2329, SEED - 1)
    system = Proportional()
    rows = []

    def timed(what: str, work: Callable[[], object]) -> None:
        work()
        best = min(_seconds(work) for _ in range(3))
        rows.append((what, f"{best:.3f}"))

    timed(
        "2,329 series, luck of 83,844 games by win and flat included",
        lambda: system.rated(league.results(("flat", "win"))),
    )
    timed("2,329 series, dealt cards corrected", lambda: system.rated(league.results(("deal",))))
    timed("2,329 series, 100 replicates of the bootstrap", lambda: system.rated(league.results(("flat", "win")), 100))
    rng = np.random.default_rng(0)
    n = 1_000_000
    tables = np.argsort(rng.random((n, 12)), axis=1)[:, :3] * 1000 + rng.integers(0, 1000, (n, 3))
    many = Results.of([str(i) for i in range(12_000)], tables, rng.normal(800, 350, (n, 3)), 36)
    timed("a million series of 12,000 players", lambda: system.rated(many))
    timed("a million series, 20 replicates of the bootstrap", lambda: system.rated(many, 20))
    print_table(("what", "seconds"), rows, right=("seconds",))


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
