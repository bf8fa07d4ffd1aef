"""The experiment of SKAT-37: contracts of a record are kept, every method puts its own skat, all seats play alike.

``python -m tricktake_lab.skat.putting LOG --kind grand --games 20000`` prints a line for each method: score per
36 games (SKAT-43), games won, won by seat, and the difference to the first method on the same deals, with 95 %
intervals. Methods are names of ``selection``, with weights after a slash, a rule left out after a minus and the
chances after an at sign: ``proposed/literal-trump@tables``; ``recorded`` is the skat of the record.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path

import click
import numpy as np
from attrs import frozen
from numpy.typing import NDArray
from tricktake_skat._kernels.cards import GRAND, NULL
from tricktake_skat.games import play_contracts, rows_of_deals
from tricktake_skat.putting import chance
from tricktake_skat.putting.features import Declarers
from tricktake_skat.putting.selection import METHODS, RECORDED, Selector
from tricktake_skat.rows import read_rows
from tricktake_skat.strategies.expert import Expert

from tricktake.errors import InputError

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]

KINDS = {"suit": (0, 1, 2, 3), "grand": (GRAND,), "null": (NULL,)}
CHUNK = 2000  # declarers whose 66 puts are held in memory
SEATS = 3
SERIES = 36
CARDS = 30


@frozen(eq=False)
class Contracts:
    """n games in which the declarer picked up the skat. hands: (n, 4) as dealt; game 6 is Null ouvert."""

    hands: IntArray
    declarers: Declarers
    bid: IntArray
    put: IntArray

    def __len__(self) -> int:
        return len(self.bid)


def contracts(log: Path, kind: str, games: int, skip: int = 0) -> Contracts:
    """The first ``games`` contracts of a kind after ``skip``, played without announcement. Raises InputError."""
    found: list[np.ndarray] = []
    have = 0
    for chunk in read_rows(log):
        take = chunk[np.isin(chunk["game"], KINDS[kind]) & (chunk["hand"] == 0)]
        found.append(take)
        have += len(take)
        if have >= skip + games:
            break
    if not found:
        raise InputError(str(log), None, None, "holds no game")
    rows = np.concatenate(found)[skip : skip + games]
    n = np.arange(len(rows))
    cards = rows["deal"][n, rows["declarer"]] | rows["deal"][:, 3]
    game = rows["game"] + ((rows["game"] == NULL) & (rows["ouvert"] == 1))
    declarers = Declarers(game, cards, np.ascontiguousarray(rows["declarer"]), rows["bids"].copy())
    return Contracts(rows["deal"].copy(), declarers, rows["bid"].copy(), rows["put"].copy())


def select(what: Contracts, selector: Selector, seed: int) -> IntArray:
    """The skats a method puts, (n,)."""
    rng = np.random.default_rng(seed)
    return np.concatenate([selector.select(part, rng).puts for part in _chunks(what.declarers)])


def _chunks(d: Declarers) -> Iterator[Declarers]:
    for i in range(0, len(d), CHUNK):
        yield Declarers(*(column[i : i + CHUNK] for column in (d.games, d.cards, d.seats, d.bids)))


@frozen(eq=False)
class Results:
    """What came of n games: won (n,) and value (n,), as in ``tricktake_skat.rows``."""

    won: IntArray
    value: IntArray

    @property
    def points(self) -> FloatArray:
        """Extended Seeger points of all three seats together, a game; scaled to a series (SKAT-43)."""
        return np.where(self.won == 1, self.value + 50, self.value - 50 + 80) * SERIES / SEATS


def play(what: Contracts, puts: IntArray, expert: bool = False) -> Results:
    """All seats play by rule, or all as ``skat:expert``."""
    d = what.declarers
    rows = rows_of_deals(what.hands)
    columns = {"declarer": d.seats, "game": np.minimum(d.games, NULL), "ouvert": d.games > NULL}
    for name, column in {**columns, "bid": what.bid, "put": puts}.items():
        rows[name] = column
    player = Expert() if expert else None
    played = play_contracts(rows, player, player).rows
    return Results(played["won"], played["value"])


def interval(values: FloatArray) -> float:
    """Half the width of the 95 % interval of a mean."""
    return float(1.96 * values.std(ddof=1) / np.sqrt(len(values))) if len(values) > 1 else float("nan")


def selector_of(name: str) -> Selector:
    """``proposed/literal-trump@tables``: method, weights, a rule left out, chances. Raises UnknownName."""
    text, _, odds = name.partition("@")
    method, _, rest = text.partition("/")
    weights, minus, rule = rest.partition("-")
    return Selector(method, weights or "default", (rule,) if minus else (), chance.named(odds or "rule"))


@click.command()
@click.argument("log", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--kind", type=click.Choice(tuple(KINDS)), default="grand", show_default=True)
@click.option("--games", type=click.IntRange(min=2), default=3300, show_default=True)
@click.option("--skip", type=click.IntRange(min=0), default=0, help="Contracts left out at the start.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="For random skats.")
@click.option("--expert", is_flag=True, help="All seats play as skat:expert instead of skat:rule.")
@click.option("--methods", default=",".join((*METHODS, RECORDED)), show_default=True)
def main(log: Path, kind: str, games: int, skip: int, seed: int, expert: bool, methods: str) -> None:
    """Compare methods of putting on the contracts of LOG."""
    what = contracts(log, kind, games, skip)
    if not len(what):
        raise click.ClickException(f"{log}: no {kind} contracts after {skip}")
    click.echo(f"{len(what)} {kind} contracts of {log.name}, {100 * _overlap(what):.1f} % put by the record as dealt")
    click.echo("method                      score36     diff to first      won %   wins FH/MH/RH   same skat %")
    first: Results | None = None
    first_puts = what.put
    for name in takewhile(bool, methods.split(",")):
        puts = what.put if name == RECORDED else select(what, selector_of(name), seed)
        results = play(what, puts, expert)
        if first is None:
            first, first_puts = results, puts
        difference = results.points - first.points
        wins = "/".join(str(int(results.won[what.declarers.seats == seat].sum())) for seat in range(SEATS))
        same = 100 * (puts == first_puts).mean()
        click.echo(
            f"{name:26} {results.points.mean():8.1f} ± {interval(results.points):4.1f} {difference.mean():+8.1f} ± "
            f"{interval(difference):4.1f}  {100 * results.won.mean():6.2f}   {wins:17} {same:6.1f}"
        )


def _overlap(what: Contracts) -> float:
    return float((what.put == what.hands[:, 3]).mean())


if __name__ == "__main__":
    main()
