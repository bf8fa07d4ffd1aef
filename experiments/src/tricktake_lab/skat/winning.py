"""The experiments on the learned tables: ``python -m tricktake_lab.skat.winning COMMAND --help`` (docs/results.md).

Games to judge by are a file of records or ``SEED:GAMES`` of self-play; no table may have been learned from them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click
import numpy as np
from attrs import evolve, frozen
from numpy.typing import NDArray
from tricktake_skat._kernels.cards import GRAND, NULL
from tricktake_skat.games import play_games
from tricktake_skat.questions.declarer import GRAND_GAME, SUIT
from tricktake_skat.rows import read_rows
from tricktake_skat.rows_play import open_card, play
from tricktake_skat.rules import WIN
from tricktake_skat.winning import null_array, smoothed, with_unknown_bids

from tricktake.errors import InputError
from tricktake.learning import Question, Table, find_question, find_table
from tricktake.learning.counts import Counts
from tricktake.learning.rows import RowArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

WELL_FILLED = 1000  # judged games of a bucket
BINS = 20
BLOCK = 50_000


def blocks(source: str) -> Iterator[RowArray]:
    """Rows of a record file, or of ``SEED:GAMES`` of self-play. Raises InputError."""
    seed, colon, games = source.partition(":")
    if colon and (seed + games).isdecimal():
        for first in range(0, int(games), BLOCK):
            yield play(int(seed), first, min(BLOCK, int(games) - first))
        return
    if not Path(source).is_file():
        raise InputError(source, None, None, "neither a file nor SEED:GAMES")
    yield from read_rows(source)


def games_of(question: Question, source: str) -> tuple[IntArray, IntArray]:
    """Vectors and results of all games of a question."""
    parts = [question.found(rows)[:2] for rows in blocks(source)]
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


def variants(table: Table) -> dict[str, Table]:
    """Ways to ask a table."""
    names = [name for name, _ in table.form.layers]

    def only(*layers: str) -> Table:
        chosen = [names.index(layer) for layer in layers]
        form = evolve(table.form, layers=tuple(table.form.layers[i] for i in chosen))
        return evolve(table, form=form, layers=tuple(table.layers[i] for i in chosen), question=None)

    return {
        **{f"{name} only": only(name) for name in names},
        "fallback at 1 game": table,
        "fallback below 50": evolve(table, form=evolve(table.form, confidence=50)),
        "smoothed": smoothed(with_unknown_bids(table)),
    }


def without(table: Table, base: Table) -> Table:
    """The counts of a table less those of one that was merged into it."""
    layers = []
    for counts, less in zip(table.layers, base.layers, strict=True):
        won, games = counts.won.copy(), counts.games.copy()
        at = np.searchsorted(counts.keys, less.keys)
        won[at] -= less.won
        games[at] -= less.games
        kept = games > 0
        layers.append(Counts(counts.keys[kept], won[kept], games[kept]))
    return evolve(table, layers=tuple(layers))


def _judge(tables: Mapping[str, Table], vectors: IntArray, won: IntArray) -> None:
    form = next(iter(tables.values())).form
    names = form.layers[min(1, len(form.layers) - 1)][1]  # few buckets of the foreground are well filled
    columns = [i for i, name in enumerate(form.names) if name in names]
    _, buckets = np.unique(vectors[:, columns], axis=0, return_inverse=True)
    click.echo(f"| table | answered | Brier | buckets >= {WELL_FILLED} | mean error | by chance | beyond |")
    click.echo("|---|---|---|---|---|---|---|")
    for name, table in tables.items():
        q = quality(table.probabilities(vectors), won, buckets)
        click.echo(
            f"| {name} | {q.answered / len(won):.2%} | {q.brier:.5f} | {q.buckets} | "
            f"{q.bucket_error:.2%} | {q.noise:.2%} | {q.beyond:.2%} |"
        )


@click.group()
def main() -> None:
    """Experiments on the learned tables."""


@main.command()
@click.argument("name")
@click.argument("judged_by")
@click.option("--table", help="A table file instead of the registered one.")
@click.option("--svg", type=click.Path(dir_okay=False, path_type=Path), help="Draw the reliability diagram.")
def calibration(name: str, judged_by: str, table: str | None, svg: Path | None) -> None:
    """How well the table NAME (such as skat:suit) tells who wins the games of JUDGED_BY, layer by layer."""
    question = find_question(name)
    asked = find_table(table or name, question)
    vectors, won = games_of(question, judged_by)
    click.echo(f"{name}: learned from {asked.games} games, judged by {len(won)}, of which {won.mean():.1%} won\n")
    ways = variants(asked)
    _judge({"smoothed": ways.pop("smoothed"), **ways}, vectors, won)
    chances = smoothed(with_unknown_bids(asked)).probabilities(vectors)
    bins = np.minimum((chances * BINS).astype(np.int64), BINS - 1)
    n, said, wins = (np.bincount(bins, weights, BINS) * 1.0 for weights in (None, chances, won))
    click.echo("\n| said | games | mean said | won |\n|---|---|---|---|")
    for i in np.flatnonzero(n):
        click.echo(
            f"| {i / BINS:.0%} to {(i + 1) / BINS:.0%} | {int(n[i])} | {said[i] / n[i]:.1%} | {wins[i] / n[i]:.1%} |"
        )
    if svg is not None:
        _draw(svg, name, said, wins, n)


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


@main.command()
@click.argument("name")
@click.argument("base")
@click.argument("judged_by")
@click.option("--table", help="A table file instead of the registered one.")
def ablation(name: str, base: str, judged_by: str, table: str | None) -> None:
    """What the base table and the games of self-play are worth (OUTER-23). BASE: the file of the base table."""
    question = find_question(name)
    whole, first = find_table(table or name, question), find_table(base, question)
    played = without(whole, first)
    vectors, won = games_of(question, judged_by)
    click.echo(f"{name}: judged by {len(won)} games, of which {won.mean():.1%} won\n")
    chosen = {
        "base only": first,
        "self-play only": played,
        "base and self-play": whole,
        "duplicated": whole.scaled(2),
        "base weighs a tenth": _sum(first.scaled(0.1), played),
        "base weighs three times": _sum(first.scaled(3), played),
    }
    for how, made in (("fallback at 1 game", lambda t: t), ("smoothed", lambda t: smoothed(with_unknown_bids(t)))):
        click.echo(f"{how}:\n")
        _judge({key: made(value) for key, value in chosen.items()}, vectors, won)
        click.echo("")


def _sum(one: Table, other: Table) -> Table:
    layers = tuple(Counts.summed(pair) for pair in zip(one.layers, other.layers, strict=True))
    return evolve(one, layers=layers)


@main.command()
@click.argument("name", default="skat:lead-suit")
@click.option("--table", help="A table file instead of the registered one.")
@click.option("--least", default=300, show_default=True, help="Games of both buckets.")
@click.option("--known-bids", is_flag=True, help="Only where the partner's bid is known: self-play.")
def underace(name: str, table: str | None, least: int, known_bids: bool) -> None:
    """Open with the ace or under it? The two buckets that differ in the last feature (OUTER-18)."""
    question = find_question(name)
    asked = find_table(table or name, question)
    names = list(asked.form.names)
    counts = {values: (won, games) for layer, values, won, games in asked if layer == asked.form.layers[0][0]}
    click.echo(f"| {' | '.join(names[:-1])} | ace: lost | games | under: lost | games | difference | z |")
    click.echo("|" + "---|" * (len(names) + 5))
    found = []
    for values, (won, games) in counts.items():
        other = counts.get((*values[:-1], 0))
        if values[names.index("ace")] == 0 or values[-1] == 0 or other is None:
            continue
        bid = values[names.index("partner_bid")]
        if min(games, other[1]) < least or (known_bids and bid == 2):
            continue
        p, q = won / games, other[0] / other[1]
        error = np.sqrt(p * (1 - p) / games + q * (1 - q) / other[1])
        found.append((values[:-1], p, games, q, other[1], p - q, (p - q) / max(error, 1e-9)))
    for values, p, games, q, others, difference, z in sorted(found):
        cells = " | ".join(map(str, values))
        click.echo(f"| {cells} | {p:.1%} | {games} | {q:.1%} | {others} | {difference:+.1%} | {z:+.1f} |")
    ahead = sum(difference > 0 for *_, difference, _ in found)
    click.echo(f"\n{ahead} of {len(found)} pairs say: the ace")


@main.command()
@click.argument("seed", type=int)
@click.argument("games", type=int)
def accuracy(seed: int, games: int) -> None:
    """How often the rule player's games end as with open cards, by contract (OUTER-20, 21)."""
    rows = play_games(seed, 0, games).rows
    said, null, ouvert = open_card(rows), rows["game"] == NULL, rows["ouvert"] == 1
    kinds = {"suit": (rows["game"] >= 0) & (rows["game"] < GRAND), "grand": rows["game"] == GRAND}
    kinds |= {"Null": null & ~ouvert, "Null ouvert": null & ouvert, "all": rows["declarer"] >= 0}
    click.echo("| contract | games | open 0, won 0 | open 0, won 1 | open 1, won 0 | open 1, won 1 | accuracy |")
    click.echo("|---|---|---|---|---|---|---|")
    held = np.where(null, rows["tricks"] == 0, rows["eyes"] >= WIN)
    for name, chosen in kinds.items():
        cells = np.bincount(2 * said[chosen] + held[chosen], minlength=4)
        right = (cells[0] + cells[3]) / max(1, cells.sum())
        error = 1.96 * (right * (1 - right) / max(1, cells.sum())) ** 0.5
        text = " | ".join(map(str, cells))
        click.echo(f"| {name} | {cells.sum()} | {text} | {right:.1%} ± {error:.1%} |")
    click.echo(f"\npassed in: {(rows['declarer'] < 0).mean():.2%}")


@main.command()
@click.argument("seed", type=int)
@click.argument("deals", type=int)
@click.option("--suit", "suit", help="Table file of the other bidder; without it the other is the rule player.")
@click.option("--grand", "grand", help="Table file of the other bidder.")
def match(seed: int, deals: int, suit: str | None, grand: str | None) -> None:
    """A bidder that asks the shipped tables against one that does not (OUTER-24); all cards are played by rule.

    Every deal is played three times with the seats moved on.
    """
    from tricktake_skat.bidding.calibration import calibrated
    from tricktake_skat.bidding.model import Model, learned
    from tricktake_skat.deals import dealt
    from tricktake_skat.games import Player, play_bidders, rotated
    from tricktake_skat.scoring import GAMES_OF_SERIES

    other = Player(None)
    if suit is not None and grand is not None:
        tables = (find_table(suit, SUIT), find_table(grand, GRAND_GAME))
        nulls = null_array()
        assert nulls is not None
        other = Player(model=calibrated(Model.of_tables(*tables, nulls)))
    click.echo("| learners | learner | declares | wins | other | declares | wins | difference |")
    click.echo("|---|---|---|---|---|---|---|---|")
    for teams in ((0, 1, 1), (0, 0, 1)):
        cards, seats = rotated(dealt(seed, 0, deals), teams)
        games = play_bidders([Player(model=learned()), other], cards, seats)
        counts = np.array([teams.count(0), teams.count(1)])
        each = (games.scores(2) / counts * GAMES_OF_SERIES).reshape(deals, -1, 2).mean(axis=1)
        difference = each[:, 0] - each[:, 1]
        who = np.where(games.rows["declarer"] >= 0, seats[np.arange(len(games)), games.rows["declarer"]], -1)
        cells = [f"{teams.count(0)} of 3"]
        for side in range(2):
            share = (who == side).mean() / counts[side]
            cells += [f"{each[:, side].mean():.1f}", f"{share:.1%}", f"{games.rows['won'][who == side].mean():.1%}"]
        error = 1.96 * difference.std() / deals**0.5
        click.echo(f"| {' | '.join(cells)} | {difference.mean():+.1f} ± {error:.1f} |")


if __name__ == "__main__":
    main()
