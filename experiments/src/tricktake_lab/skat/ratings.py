"""The experiments on ratings (docs/results.md): leagues of rule players that slip; bootstraps over leagues."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from tricktake.arrays import FloatArray
from tricktake.ratings import charts
from tricktake.ratings.bestfit import best_fit
from tricktake.ratings.proportional import Proportional
from tricktake.ratings.results import Results
from tricktake.ratings.run import subsets
from tricktake.ratings.sensitivity import COLUMNS, sensitivity, steps
from tricktake.ratings.system import get_system
from tricktake_lab.experiment import experiment
from tricktake_lab.outcome import Outcome, Sheet, bootstrapped, mean_of
from tricktake_lab.skat.league import League, play_league

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


def true_strengths(series: int = TRUTH_SERIES) -> FloatArray:
    """Points in 36 games at random tables of the club, of each player."""
    league = play_league(CLUB, series, TRUTH_SEED)
    return get_system("mean").rated(league.results(("deal",))).rating[:, 0]


def leagues(seed: int, number: int, series: int, near: int = 0) -> Iterator[League]:
    for n in range(number):
        yield play_league(CLUB, series, seed + n, near)


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


@experiment(
    "ratings.systems",
    item="ELO-26; docs/results.md, ratings",
    seed=SEED,
    smoke={"number": 2, "series": 75, "truth": 200, "names": ("mean", "proportional(k=0.02)", "elo-pairs")},
    small={"number": 4, "series": 300},
    paper={"number": 20, "series": 600},
)
def systems(
    seed: int,
    number: int,
    series: int,
    near: int = 0,
    before: int = 0,
    truth: int = TRUTH_SERIES,
    names: tuple[str, ...] = SYSTEMS,
) -> Outcome:
    """Rank correlation of ratings with true strength, by system and number of series.

    near: tables of three out of so many neighbours in strength. before: series before, in which the strengths were
    dealt out otherwise. truth: series from which the true strengths are known.
    """
    strengths = true_strengths(truth)
    players = [(f"P{i + 1:02d}", s, round(t)) for i, (s, t) in enumerate(zip(CLUB, strengths.tolist(), strict=True))]
    cuts = [cut for cut in (75, 150, 300, 600) if cut <= series]
    found: dict[tuple[str, int], list[float]] = {}
    for league in leagues(seed, number, series, near):
        results = league.results()
        if before:
            rng = np.random.default_rng(league.seed)
            other = play_league(rng.permutation(CLUB), before, league.seed + OTHER)
            results = joined(other.results(), results)
        for name in names:
            for cut in cuts:
                rated = final(name, results[: before + cut])
                found.setdefault((name, cut), []).append(rank_correlation(rated, strengths))
    last = cuts[max(0, len(cuts) - 2)]
    base = np.array(found[names[0], last])
    rows = [
        (name, *(bootstrapped(found[name, cut]) for cut in cuts), bootstrapped(np.array(found[name, last]) - base))
        for name in names
    ]
    columns = ("system", *(f"{cut} series" for cut in cuts), f"less {names[0]}, {last}")
    sheets = (
        Sheet.of("The club", ("player", "slips", "strength"), players),
        Sheet.of(f"Spearman, {number} leagues", columns, rows),
    )
    return Outcome(sheets)


@experiment(
    "ratings.luck",
    item="ELO-17, ELO-27; docs/results.md, ratings",
    seed=SEED,
    smoke={"number": 2, "series": 40, "truth": 200},
    small={"number": 8, "series": 300},
    paper={"number": 40, "series": 300},
)
def luck(seed: int, number: int, series: int, k: float = 0.02, truth: int = TRUTH_SERIES) -> Outcome:
    """What corrections for luck do: noise of a series, spread, volatility, rank correlation.

    Noise a point is the standard deviation of a player's series over what one point of true strength adds to his mean
    score: the series needed for the same certainty go with its square.
    """
    strengths = true_strengths(truth)
    system = Proportional(k=k)
    out: dict[tuple[str, ...], list[list[float]]] = {factors: [] for factors in LUCKS}
    for league in leagues(seed, number, series):
        for factors in LUCKS:
            results = league.results(factors)
            ratings, curve = system.curves(results)
            players = range(len(CLUB))
            noise = np.mean([results.scores[results.players == p].std() for p in players])
            means = final("mean", results)
            slope = np.polyfit(strengths, means, 1)[0]
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
                    rank_correlation(now, strengths),
                    rank_correlation(means, strengths),
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
                *(bootstrapped(columns_of[:, i], d) for i, d in enumerate((0, 0, 0))),
                bootstrapped(needed, 1) if factors else 100,
                *(bootstrapped(columns_of[:, 3 + i], d) for i, d in enumerate((1, 2, 3))),
                bootstrapped(columns_of[:, 6]),
                bootstrapped(gain[:, 0]) if factors else "",
                bootstrapped(columns_of[:, 7]),
                bootstrapped(gain[:, 1]) if factors else "",
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
    return Outcome((Sheet.of(f"{number} leagues of {series} series, K = {k}", columns, rows),))


@experiment(
    "ratings.fixpoint",
    item="ELO-29; docs/results.md, ratings",
    seed=SEED,
    smoke={"number": 1, "series": 60},
    small={"number": 2, "series": 1000},
    paper={"number": 10, "series": 3000},
)
def fixpoint(seed: int, number: int, series: int, tolerances: tuple[float, ...] = (25.0, 50.0, 100.0)) -> Outcome:
    """A player's own series until the rating stays as near to where it ends up."""
    rows = []
    collected = list(leagues(seed, number, series))
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
                    round(float(np.mean(wobble)), 1),
                    *(bootstrapped(needed[t], 0) for t in tolerances),
                )
            )
    columns = ("K", "luck", "wobble", *(f"within {t:g}" for t in tolerances))
    return Outcome((Sheet.of(f"Median over players, {number} leagues of {series} series", columns, rows),))


def crowd(players: int, series: int, seed: int) -> League:
    """Many players of random strength, as in the papers' data."""
    slips = np.random.default_rng(seed).uniform(0, 0.25, players)
    return play_league(np.sort(slips), series, seed)


@experiment(
    "ratings.spread",
    item="ELO-17, ELO-27, ELO-28; docs/results.md, ratings",
    seed=SEED - 1,
    smoke={"players": 12, "series": 60},
    small={"players": 300, "series": 2329},
    paper={"players": 300, "series": 2329},
)
def spread(seed: int, players: int, series: int, images: Path | None = None) -> Outcome:
    """Values of games by seat and what corrections do to ratings, on as many games as the papers had.

    images: a folder for the charts.
    """
    league = crowd(players, series, seed)
    games = league.games
    rows = []
    for name, seats in (("1", [0]), ("2", [1]), ("3", [2]), ("1-3", [0, 1, 2])):
        values = np.abs(games.value[np.isin(games.seat, seats)])
        rows.append((name, len(values), int(values.sum()), mean_of(values, digits=1)))
    sheets = [Sheet.of("By position", ("position", "games", "sum of values", "mean"), rows)]
    settings = {factors: league.results(factors) for factors in subsets(("flat", "win"))}
    base = Proportional(start=850.0)
    table = sensitivity(settings, system=base)
    sheets.append(Sheet.of("Corrections as printed", COLUMNS, [row.cells() for row in table]))
    ours: tuple[tuple[str, ...], ...] = (("win(lost=multiply)",), ("deal",))
    better = {factors: league.results(factors) for factors in ours}
    ours_too = [row.cells() for row in sensitivity(better, system=base)]
    sheets.append(Sheet.of("Our corrections", COLUMNS, ours_too))
    if images is not None:
        small = play_league(CLUB, 300, seed + 1)
        pictures(small, images)
        charts.sensitivity_chart(table).save(images / "rating-sensitivity.png")
    return Outcome(tuple(sheets))


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


@experiment(
    "ratings.skill",
    item="ELO-30; docs/results.md, ratings",
    seed=SEED,
    smoke={"number": 1, "series": 20},
    small={"number": 2, "series": 300},
    paper={"number": 10, "series": 600},
)
def skill(seed: int, number: int, series: int) -> Outcome:
    """Spread of best-fit Elo ratings, also with half of the results replaced by coin flips."""
    kinds: dict[str, Callable[[League], Results]] = {
        "a game": lambda league: league.single_games(),
        "a game, dealt cards corrected": lambda league: league.single_games(("deal",)),
        "a series": lambda league: league.results(),
        "a series, dealt cards corrected": lambda league: league.results(("deal",)),
    }
    found: dict[str, list[list[float]]] = {kind: [] for kind in kinds}
    for league in leagues(seed, number, series):
        for kind, make in kinds.items():
            results = make(league)
            rng = np.random.default_rng(league.seed)
            flipped = results.scores.copy()
            coins = rng.random(len(results)) < 0.5
            flipped[coins] = rng.random(flipped[coins].shape)
            half = Results.of(results.names, results.players, flipped)
            found[kind].append([float(best_fit(r).rating[:, 0].std()) for r in (results, half)])
    rows = [(kind, *(bootstrapped(np.array(found[kind])[:, i], 1) for i in (0, 1))) for kind in kinds]
    columns = ("compared", "spread of Elo", "half of them coin flips")
    return Outcome((Sheet.of(f"{number} leagues of {series} series", columns, rows),))


@experiment(
    "ratings.speed",
    item="docs/ratings.md",
    seed=SEED - 1,
    smoke={"players": 12, "series": 60, "many": 1000},
    small={"players": 300, "series": 2329, "many": 100_000},
    paper={"players": 300, "series": 2329, "many": 1_000_000},
)
def speed(seed: int, players: int, series: int, many: int) -> Outcome:
    """Seconds for 36 games a series and for ``many`` series, warm, the best of three."""
    league = crowd(players, series, seed)
    system = Proportional()
    rows = []

    def timed(what: str, work: Callable[[], object]) -> None:
        work()
        best = min(_seconds(work) for _ in range(3))
        rows.append((what, best))

    timed(
        f"{series:,} series, luck of their games by win and flat included",
        lambda: system.rated(league.results(("flat", "win"))),
    )
    timed(f"{series:,} series, dealt cards corrected", lambda: system.rated(league.results(("deal",))))
    timed(
        f"{series:,} series, 100 replicates of the bootstrap",
        lambda: system.rated(league.results(("flat", "win")), 100),
    )
    rng = np.random.default_rng(0)
    tables = np.argsort(rng.random((many, 12)), axis=1)[:, :3] * 1000 + rng.integers(0, 1000, (many, 3))
    drawn = Results.of([str(i) for i in range(12_000)], tables, rng.normal(800, 350, (many, 3)), 36)
    timed(f"{many:,} series of 12,000 players", lambda: system.rated(drawn))
    timed(f"{many:,} series, 20 replicates of the bootstrap", lambda: system.rated(drawn, 20))
    return Outcome((Sheet.of("Seconds", ("what", "seconds"), rows),))


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began
