"""The tables and figures of the paper on ratings that leagues of known strength can show."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from tricktake_skat.deals import dealt
from tricktake_skat.luck import Declared
from tricktake_skat.scoring import GAMES_OF_SERIES

from tricktake.arrays import FloatArray
from tricktake.ratings import charts
from tricktake.ratings.proportional import Proportional
from tricktake.ratings.results import Results
from tricktake.ratings.run import subsets
from tricktake.ratings.sensitivity import FROM_TOP, KS, spread
from tricktake.ratings.system import get_system
from tricktake_lab.experiment import experiment
from tricktake_lab.outcome import Estimate, Outcome, Sheet, bootstrapped, share_of
from tricktake_lab.skat.league import League, play_league, play_slipping, seated
from tricktake_lab.skat.ratings import crowd, rank_correlation

PRINTED_SCORES = (  # Table II of ELO
    (1387, 1018, 152), (501, 1359, 934), (637, 1284, 1125), (800, 812, 913), (1213, 1221, 965),
    (1124, 1445, 994), (1381, 1187, 938), (693, 374, 1536), (460, 1167, 721), (871, 15, 1417),
)  # fmt: skip
TOP = 5
FEW = 10  # series; who played less is said to be known by a small sample
SLIPS = (0.0, 0.25)  # range of the chances of a random card in a crowd
FACTORS = ("flat", "win")


@experiment(
    "ratings.evolution",
    item="ELO-9",
    seed=0,
    smoke={},
    small={},
    paper={},
)
def evolution(seed: int, k: float = 0.02, start: float = 800.0) -> Outcome:
    """The ten series of the paper's Table II: expectations and ratings. No chance in it."""
    scores = np.array(PRINTED_SCORES, float)
    results = Results.of(["0", "1", "2"], np.tile([0, 1, 2], (len(scores), 1)), scores, GAMES_OF_SERIES)
    _, after = Proportional(k=k, start=start).curves(results)
    before = np.vstack([np.full((1, 3), start), after[:-1]])
    expected = before * scores.sum(axis=1, keepdims=True) / before.sum(axis=1, keepdims=True)
    rows = [
        (str(n + 1), *scores[n].astype(int).tolist(), *expected[n].round(2).tolist(), *after[n].round(2).tolist())
        for n in range(len(scores))
    ]
    columns = ("series", *(f"{letter}{seat}" for letter in "SER" for seat in range(3)))
    return Outcome((Sheet.of(f"K = {k:g}, start {start:g}", columns, rows),), {"sum": float(after[-1].sum())})


def uneven(players: int, series: int, seed: int, activity: float) -> League:
    """A crowd of random strength in which few players play much. activity: exponent of the law of who plays how often,
    0 for all alike.
    """
    rng = np.random.default_rng(seed)
    slips = np.sort(rng.uniform(*SLIPS, players))
    weights = (rng.permutation(players) + 1.0) ** -activity
    tables = np.argsort(rng.exponential(size=(series, players)) / weights, axis=1)[:, :3].astype(np.int64)
    games = play_slipping(dealt(seed, 0, series * GAMES_OF_SERIES), slips[seated(tables)], seed)
    return League(slips, tables, Declared.of_games(games), seed)


@experiment(
    "ratings.lists",
    item="ELO-24, ELO-25",
    seed=7_100_000,
    smoke={"players": 40, "series": 60, "number": 2},
    small={"players": 663, "series": 2329, "number": 2},
    paper={"players": 663, "series": 2329, "number": 20},
)
def lists(seed: int, players: int, series: int, number: int, activity: float = 1.0) -> Outcome:
    """The lists by mean score and by the proposed rating with two K: who leads, and how often he has played.

    number: leagues; the lists shown are those of the first. Strength is the place in the list of true strengths.
    """
    shown: list[tuple[Any, ...]] = []
    found: dict[str, list[float]] = {}
    ways = {"mean score": "mean", "K = 0.02": "proportional(k=0.02)", "K = 0.05": "proportional(k=0.05)"}
    for n in range(number):
        results = uneven(players, series, seed + n, activity).results()
        played = np.bincount(results.players.ravel(), minlength=players)
        known = np.flatnonzero(played)
        leaders: dict[str, list[int]] = {}
        for way, name in ways.items():
            rating = get_system(name).rated(results).rating[:, 0]
            order = known[np.argsort(-rating[known], kind="stable")]
            leaders[way] = order[:TOP].tolist()
            top = order[:TOP]
            facts = {"leaders, median series": float(np.median(played[top])), "few": float((played[top] < FEW).mean())}
            facts |= {
                "strength": float(top.mean()),
                "rank correlation": rank_correlation(rating[known], -known.astype(float)),
            }
            facts["first"] = float(rating[order[0]])
            for fact, value in facts.items():
                found.setdefault(f"{way}: {fact}", []).append(value)
            if n == 0:
                shown += [(way, place + 1, int(p) + 1, int(played[p]), float(rating[p])) for place, p in enumerate(top)]
        shared = len(set(leaders["K = 0.02"]) & set(leaders["K = 0.05"]))
        found.setdefault("leaders shared by both K", []).append(shared)
        found.setdefault("all: median series", []).append(float(np.median(played[known])))
        found.setdefault("all: few", []).append(float((played[known] < FEW).mean()))
    columns = ("list", "place", "true place", "series", "rating")
    facts_of = {name: bootstrapped(np.array(values), 2) for name, values in found.items()}
    facts_of["small samples among the leaders, less all"] = bootstrapped(
        np.array(found["mean score: few"]) - np.array(found["all: few"])
    )
    return Outcome((Sheet.of(f"{players} players, {series} series, first of {number}", columns, shown),), facts_of)


@experiment(
    "ratings.ranges",
    item="ELO-17, ELO-27",
    seed=7_200_000,
    smoke={"players": 12, "series": 60, "number": 2},
    small={"players": 300, "series": 2329, "number": 3},
    paper={"players": 300, "series": 2329, "number": 20},
)
def ranges(seed: int, players: int, series: int, number: int) -> Outcome:
    """The spread of ratings by K and both factors, as Table VIII has it, over leagues of the paper's size.

    The difference in range from no correction is taken within each league. Positions are those of all games.
    """
    found: dict[tuple[tuple[str, ...], float], list[tuple[float, ...]]] = {}
    seats, values = [], []
    for n in range(number):
        league = crowd(players, series, seed + n)
        declared = league.games.seat >= 0
        seats.append(league.games.seat[declared])
        values.append(np.abs(league.games.value[declared]))
        for factors in subsets(FACTORS):
            results = league.results(factors)
            for k in KS:
                s = spread(results, factors, Proportional(k=k, start=850.0))
                found.setdefault((factors, k), []).append((s.highest, s.mean, s.lowest, *s.top, s.volatility))
    rows = []
    facts: dict[str, Any] = {}
    for (factors, k), each in found.items():
        table = np.array(each)
        name = " ".join(factors) or "none"
        wide = table[:, 0] - table[:, 2]
        plain = np.array(found[(), k])
        facts[f"range, {name}, K = {k:g}"] = bootstrapped(wide, 1)
        if factors:
            facts[f"range, {name} less none, K = {k:g}"] = bootstrapped(wide - (plain[:, 0] - plain[:, 2]), 1)
        if k != KS[0]:
            before = np.array(found[factors, KS[KS.index(k) - 1]])
            facts[f"range, {name}, K = {k:g} less the K before"] = bootstrapped(wide - before[:, 0] + before[:, 2], 1)
        rows.append((name, f"{k:g}", *table.mean(axis=0).round(3).tolist()))
    columns = ("luck", "K", "max", "mean", "min", *(f"{q} %" for q in FROM_TOP), "volatility")
    return Outcome((_positions(np.concatenate(seats), np.concatenate(values), facts),
                    Sheet.of(f"Means of {number} leagues", columns, rows)), facts)  # fmt: skip


def _positions(seats: FloatArray, values: FloatArray, facts: dict[str, Any]) -> Sheet:
    rows = []
    for seat, name in enumerate(("1", "2", "3", "1-3")):
        some = values[seats == seat] if seat < 3 else values
        error = 1.96 * float(some.std()) / max(1, len(some)) ** 0.5
        rows.append((name, len(some), int(some.sum()), Estimate(float(some.mean()), error, len(some))))
        if seat < 3:
            facts[f"declared in position {name}"] = share_of(seats == seat)
    return Sheet.of("By position", ("position", "games", "sum of values", "mean"), rows)


@experiment(
    "ratings.curves",
    item="ELO-28",
    seed=6_999_999,
    smoke={"series": 60, "images": None},
    small={"series": 300, "images": None},
    paper={"series": 300, "images": None},
)
def curves(seed: int, series: int, images: Path | None, k: float = 0.04) -> Outcome:
    """The ratings of five players over their series and over all series, under the four settings of the factors.

    images: a folder for the charts (figures 2 and 3). Amplitude is the mean over players of the standard deviation of
    a rating in the second half of its series.
    """
    league = play_league(np.linspace(0.0, SLIPS[1], 16), series, seed)
    system = Proportional(k=k)
    rows, settings = [], {}
    for factors in subsets(FACTORS):
        results = league.results(factors)
        ratings, curve = system.curves(results)
        name = " + ".join(factors) or "no correction"
        settings[name] = (results, curve)
        own = [curve[results.players == player] for player in range(len(ratings))]
        rows.append((name, bootstrapped([float(each[len(each) // 2 :].std()) for each in own], 1)))
    if images is not None:
        results, curve = settings["no correction"]
        ratings, _ = system.curves(results)
        players = [0, 4, 8, 12, 15]
        charts.rating_curves(results, curve, ratings, system.start, players).save(images / "elo-fig2.png")
        charts.four_settings(settings, ratings.names, system.start, players).save(images / "elo-fig3.png")
    return Outcome((Sheet.of(f"{series} series, K = {k:g}", ("luck", "amplitude"), rows),))
