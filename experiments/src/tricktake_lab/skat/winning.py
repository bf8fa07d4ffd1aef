"""The experiments on the learned tables (docs/results.md).

Games to judge by are a file of records or ``SEED:GAMES`` of self-play; no table may have been learned from them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from attrs import evolve, frozen
from numpy.typing import NDArray
from tricktake_skat.bidding.model import Model, learned
from tricktake_skat.games import Player, play_games
from tricktake_skat.kernels import GRAND, NULL, features
from tricktake_skat.questions.declarer import GRAND_GAME, SUIT
from tricktake_skat.rows import read_rows
from tricktake_skat.rows_play import open_card, play
from tricktake_skat.rules import WIN
from tricktake_skat.winning import KAPPA, null_array

from tricktake.arrays import FloatArray, IntArray
from tricktake.errors import InputError
from tricktake.learning import LearnedTable, Question, find_question, find_table, learn, merge
from tricktake.learning.counts import Counts
from tricktake.learning.rows import RowArray
from tricktake.learning.smooth import smoothed, with_unknown
from tricktake.strategies.policy import find_policy
from tricktake_lab.experiment import experiment, log_file
from tricktake_lab.outcome import Z95, Estimate, Outcome, Sheet, share_of
from tricktake_lab.skat.bidding import CARDS, matched

WELL_FILLED = 1000  # judged games of a bucket
BINS = 20
BLOCK = 50_000


def blocks(source: str, policy: str = CARDS) -> Iterator[RowArray]:
    """Rows of a record file, or of ``SEED:GAMES`` of self-play. policy: plays its cards, "" for the rule player.

    Raises InputError.
    """
    seed, colon, games = source.partition(":")
    if colon and (seed + games).isdecimal():
        plays = find_policy(policy) if policy else None
        for first in range(0, int(games), BLOCK):
            yield play(int(seed), first, min(BLOCK, int(games) - first), policy=plays)
        return
    if not Path(source).is_file():
        raise InputError(source, None, None, "neither a file nor SEED:GAMES")
    yield from read_rows(source)


def games_of(question: Question, source: str, policy: str = CARDS) -> tuple[IntArray, IntArray]:
    """Vectors and results of all games of a question, from ``blocks``."""
    parts = [question.found(rows)[:2] for rows in blocks(source, policy)]
    return np.concatenate([values for values, _ in parts]), np.concatenate([won for _, won in parts])


@frozen(eq=False)
class Quality:
    """How good probabilities are. answered: how many there are. bucket_error: mean absolute difference between
    probability and share won over the well-filled buckets, weighted by games; noise: what chance alone makes of it;
    beyond: the root of the mean square difference that is left when that of chance is taken away.
    """

    answered: int
    brier: float
    buckets: int
    bucket_error: float
    noise: float
    beyond: float


def quality(chances: FloatArray, won: IntArray, buckets: IntArray) -> Quality:
    """buckets: number of the bucket of each game, from 0; chances below 0 are no answers."""
    known = chances >= 0
    p, w, b = chances[known], won[known], buckets[known]
    n, wins, said = (np.bincount(b, weights) for weights in (None, w, p))
    full = n >= WELL_FILLED
    n, share, mean = n[full], wins[full] / n[full], said[full] / n[full]
    variance = mean * (1 - mean) / n
    total = max(1.0, float(n.sum()))
    square = float((n * (np.square(share - mean) - variance)).sum() / total)
    return Quality(
        int(known.sum()),
        float(np.square(p - w).mean()),
        int(full.sum()),
        float((n * abs(share - mean)).sum() / total),
        float((n * np.sqrt(2 / np.pi * variance)).sum() / total),
        max(0.0, square) ** 0.5,
    )


def variants(table: LearnedTable) -> dict[str, LearnedTable]:
    """Ways to ask a table."""
    names = [name for name, _ in table.form.layers]

    def only(*layers: str) -> LearnedTable:
        chosen = [names.index(layer) for layer in layers]
        form = evolve(table.form, layers=tuple(table.form.layers[i] for i in chosen))
        return evolve(table, form=form, layers=tuple(table.layers[i] for i in chosen), question=None)

    return {
        **{f"{name} only": only(name) for name in names},
        "fallback at 1 game": table,
        "fallback below 50": evolve(table, form=evolve(table.form, confidence=50)),
        "smoothed": smoothed(with_unknown(table, "bid", features.UNKNOWN_BID), KAPPA),
    }


def _evaluated(title: str, tables: Mapping[str, LearnedTable], vectors: IntArray, won: IntArray) -> Sheet:
    form = next(iter(tables.values())).form
    names = form.layers[min(1, len(form.layers) - 1)][1]  # few buckets of the foreground are well filled
    columns = [i for i, name in enumerate(form.names) if name in names]
    _, buckets = np.unique(vectors[:, columns], axis=0, return_inverse=True)
    rows = []
    for name, table in tables.items():
        q = quality(table.probabilities(vectors), won, buckets)
        rows.append((name, q.answered / len(won), q.brier, q.buckets, q.bucket_error, q.noise, q.beyond))
    head = ("table", "answered", "Brier", f"buckets >= {WELL_FILLED}", "mean error", "by chance", "beyond")
    return Sheet.of(title, head, rows)


@experiment(
    "winning.calibration",
    item="OUTER-23; docs/results.md, learning",
    seed=9001,
    smoke={"games": 2000},
    small={"games": 40_000},
    paper={"games": 400_000},
)
def calibration(
    seed: int,
    games: int,
    question: str = "skat:suit",
    table: str | None = None,
    judged_by: str | None = None,
    svg: Path | None = None,
    policy: str = CARDS,
) -> Outcome:
    """How well a learned table tells who wins, layer by layer.

    table: a file instead of the registered one. judged_by: a log instead of self-play, whose cards ``policy`` plays, ""
    for the rule player. svg: the reliability diagram.
    """
    asks = find_question(question)
    asked = find_table(table or question, asks)
    vectors, won = games_of(asks, judged_by or f"{seed}:{games}", policy)
    ways = variants(asked)
    title = f"{question}: learned from {asked.games} games, judged by {len(won)}"
    sheet = _evaluated(title, {"smoothed": ways.pop("smoothed"), **ways}, vectors, won)
    chances = smoothed(with_unknown(asked, "bid", features.UNKNOWN_BID), KAPPA).probabilities(vectors)
    answered = chances >= 0  # a hand like none the table was learned from has no chance
    chances, won = chances[answered], won[answered]
    bins = np.minimum((chances * BINS).astype(np.int64), BINS - 1)
    n, said, wins = (np.bincount(bins, weights, BINS) * 1.0 for weights in (None, chances, won))
    rows = [
        (f"{i / BINS:.0%} to {(i + 1) / BINS:.0%}", int(n[i]), float(said[i] / n[i]), share_of(won[bins == i]))
        for i in np.flatnonzero(n)
    ]
    if svg is not None:
        _draw(svg, question, said, wins, n)
    return Outcome(
        (sheet, Sheet.of("Said and won", ("said", "games", "mean said", "won"), rows)), {"won": share_of(won)}
    )


def _draw(svg: Path, name: str, said: NDArray[Any], wins: NDArray[Any], n: NDArray[Any]) -> None:
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ImportError as error:
        raise InputError(None, None, "svg", "drawing needs matplotlib: pip install matplotlib") from error
    mpl.rcParams["svg.hashsalt"] = "tricktake"
    full = n > 0
    p, share = said[full] / n[full], wins[full] / n[full]
    bar = 1.96 * np.sqrt(np.maximum(share * (1 - share), 1e-9) / n[full])
    figure = Figure(figsize=(4.5, 4.5))
    axes = figure.subplots()
    axes.plot((0, 1), (0, 1), color="0.7", linewidth=1)
    axes.errorbar(p, share, bar, fmt="o", markersize=4, capsize=2)
    axes.set(xlabel="said", ylabel="won", title=f"{name}: said and won", xlim=(0, 1), ylim=(0, 1))
    svg.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(svg, metadata={"Date": None}, bbox_inches="tight")


@experiment(
    "winning.ablation",
    item="OUTER-23; docs/results.md, learning",
    seed=9001,
    smoke={"games": 2000},
    small={"games": 40_000},
    paper={"games": 400_000, "base": "xskat:101:85000"},
)
def ablation(
    seed: int,
    games: int,
    question: str = "skat:suit",
    base: str = "sample",
    table: str | None = None,
    judged_by: str | None = None,
    policy: str = CARDS,
) -> Outcome:
    """What a base table of recorded games and the games of self-play are worth.

    base: the log whose games are the base, which is added to the table of self-play. judged_by: a log instead of
    self-play, policy: as of ``winning.calibration``.
    """
    asks = find_question(question)
    played = find_table(table or question, asks)
    first = merge(learn(asks, rows) for rows in read_rows(log_file(base)))
    whole = _sum(first, played)
    source = f"{seed}:{games}" if judged_by is None else str(log_file(judged_by))
    vectors, won = games_of(asks, source, policy)
    chosen = {
        "base only": first,
        "self-play only": played,
        "base and self-play": whole,
        "duplicated": whole.scaled(2),
        "base weighs a tenth": _sum(first.scaled(0.1), played),
        "base weighs three times": _sum(first.scaled(3), played),
    }
    known = lambda t: smoothed(with_unknown(t, "bid", features.UNKNOWN_BID), KAPPA)  # noqa: E731
    ways = {"fallback at 1 game": lambda t: t, "smoothed": known}
    sheets = [
        _evaluated(f"{question}, {how}", {key: made(value) for key, value in chosen.items()}, vectors, won)
        for how, made in ways.items()
    ]
    return Outcome(tuple(sheets), {"games of the base": first.games, "judged by": len(won), "won": share_of(won)})


def _sum(one: LearnedTable, other: LearnedTable) -> LearnedTable:
    layers = tuple(Counts.summed(pair) for pair in zip(one.layers, other.layers, strict=True))
    return evolve(one, layers=layers)


@experiment(
    "winning.underace",
    item="OUTER-18; docs/results.md, learning",
    seed=0,
    smoke={"least": 300},
    small={"least": 300},
    paper={"least": 300},
)
def underace(
    seed: int, least: int, question: str = "skat:lead-suit", table: str | None = None, known_bids: bool = False
) -> Outcome:
    """Open with the ace or under it? The two buckets of the shipped table that differ in the last feature.

    least: games of both buckets. known_bids: only where the partner's bid is known, that is self-play. No chance in it.
    """
    asks = find_question(question)
    asked = find_table(table or question, asks)
    names = list(asked.form.names)
    counts = {values: (won, games) for layer, values, won, games in asked if layer == asked.form.layers[0][0]}
    found: list[tuple[Any, ...]] = []
    for values, (won, games) in counts.items():
        other = counts.get((*values[:-1], 0))
        if values[names.index("ace")] == 0 or values[-1] == 0 or other is None:
            continue
        if min(games, other[1]) < least or (known_bids and values[names.index("partner_bid")] == 2):
            continue
        p, q = won / games, other[0] / other[1]
        error = float(np.sqrt(p * (1 - p) / games + q * (1 - q) / other[1]))
        gain = Estimate(p - q, Z95 * error, games + other[1], "%")
        found.append((*values[:-1], p, games, q, other[1], gain, (p - q) / max(error, 1e-9)))
    columns = (*names[:-1], "ace: lost", "games", "under: lost", "games", "difference", "z")
    ahead = sum(row[-2].mean > 0 for row in found)
    sheet = Sheet.of("Ace and under", columns, sorted(found, key=lambda row: [*row[: len(names) - 1]]))
    return Outcome((sheet,), {"pairs": len(found), "say the ace": ahead})


@experiment(
    "winning.accuracy",
    item="OUTER-20, OUTER-21; docs/results.md",
    seed=9001,
    smoke={"games": 60},
    small={"games": 2000},
    paper={"games": 20_000},
)
def accuracy(seed: int, games: int) -> Outcome:
    """How often the rule player's games end as with open cards, by contract."""
    rows = play_games(seed, 0, games).rows
    said, null, ouvert = open_card(rows), rows["game"] == NULL, rows["ouvert"] == 1
    kinds = {"suit": (rows["game"] >= 0) & (rows["game"] < GRAND), "grand": rows["game"] == GRAND}
    kinds |= {"Null": null & ~ouvert, "Null ouvert": null & ouvert, "all": rows["declarer"] >= 0}
    held = np.where(null, rows["tricks"] == 0, rows["eyes"] >= WIN)
    lines = []
    for name, chosen in kinds.items():
        cells = np.bincount(2 * said[chosen] + held[chosen], minlength=4)
        lines.append((name, int(cells.sum()), *cells.tolist(), share_of(said[chosen] == held[chosen])))
    open_won = tuple(f"open {a}, won {b}" for a in (0, 1) for b in (0, 1))
    sheet = Sheet.of(f"{games} deals", ("contract", "games", *open_won, "accuracy"), lines)
    return Outcome((sheet,), {"passed in": share_of(rows["declarer"] < 0)})


@experiment(
    "winning.match",
    item="OUTER-24; docs/results.md",
    seed=90210,
    smoke={"deals": 20},
    small={"deals": 1500},
    paper={"deals": 9000},
)
def match(seed: int, deals: int, suit: str | None = None, grand: str | None = None, cards: str = "") -> Outcome:
    """A bidder that asks the shipped tables against the rule player, or against one that asks other table files.

    cards: the policy that plays all of them, "" for the rule player.
    """
    other = Player(None)
    if suit is not None and grand is not None:
        tables = (find_table(suit, SUIT), find_table(grand, GRAND_GAME))
        nulls = null_array()
        if nulls is None:
            raise InputError(None, None, "null", "no table for Null is registered")
        other = Player(model=Model.of_tables(*tables, nulls).calibrated())
    return matched(seed, deals, Player(model=learned(value="")), other, cards)
