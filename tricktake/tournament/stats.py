"""Statistics of a tournament: means with intervals clustered by deal, paired differences, shares of won contracts.

The games of one deal are not independent, since they share its cards: the deal is the unit of every interval and test
here. Points are per series (Skat: 36 games) and per seat.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, groupby
from statistics import NormalDist
from typing import Any

from attrs import frozen

from tricktake.game import Game
from tricktake.tournament.seat import MEMBER

CONFIDENCE = 0.95
ROUNDING = 1e-9  # of a mean square of deviations: nothing but the last digits of floats

Row = Mapping[str, Any]


@frozen
class Estimate:
    """A mean or share and its 95 % interval, None where it cannot be known: with fewer than two clusters, or for a mean
    if all clusters are alike, which says nothing of how far others are. ``error`` is half its width.

    n: number of observations (games at a seat, contracts); clusters: number of deals.
    """

    mean: float
    low: float | None
    high: float | None
    n: int
    clusters: int

    @property
    def error(self) -> float | None:
        return None if self.low is None or self.high is None else (self.high - self.low) / 2


@frozen
class Difference:
    """First minus second, paired by deal; ``p`` of the two-sided t test that it is zero."""

    first: int
    second: int
    estimate: Estimate
    p: float | None


def _stats() -> Any:
    from scipy import stats  # slow to import, and nobody who only plays needs it

    return stats


def student(n: int) -> float:
    """Standard errors in half the 95 % interval of a mean of n values."""
    return float(_stats().t.ppf((1 + CONFIDENCE) / 2, n - 1))


def clustered(pairs: Iterable[tuple[float, float]], scale: float = 1.0) -> Estimate | None:
    """The ratio of two sums over clusters, (sum of values, their number) per cluster; None without observations.

    The variance is that of the linearised ratio, ``c/(c-1) Σ (y - r m)² / (Σ m)²``, the interval Student's with
    c - 1 degrees of freedom.
    """
    kept = [(y, m) for y, m in pairs if m > 0]
    if not kept:
        return None
    ratio, total, deviation = _ratio(kept)
    c = len(kept)
    if not deviation:
        return Estimate(scale * ratio, None, None, round(total), c)
    error = scale * student(c) * deviation
    return Estimate(scale * ratio, scale * ratio - error, scale * ratio + error, round(total), c)


def _ratio(pairs: Sequence[tuple[float, float]]) -> tuple[float, float, float]:
    """Ratio, sum of the denominators and standard deviation of the ratio; 0 for one cluster, and if all are alike."""
    total = math.fsum(m for _, m in pairs)
    ratio = math.fsum(y for y, _ in pairs) / total
    c = len(pairs)
    spread = math.fsum((y - ratio * m) ** 2 for y, m in pairs)
    if spread <= ROUNDING**2 * math.fsum(y * y for y, _ in pairs):
        spread = 0.0
    return ratio, total, math.sqrt(c / (c - 1) * spread) / total if c > 1 else 0.0


def share(pairs: Iterable[tuple[float, float]]) -> Estimate | None:
    """A share over clusters, (number of successes, number of observations) each: Wilson's interval for the number of
    independent observations that would give the clustered variance, or the number of clusters if all agree.
    """
    kept = [(y, m) for y, m in pairs if m > 0]
    if not kept:
        return None
    p, total, deviation = _ratio(kept)
    c = len(kept)
    if c < 2:
        return Estimate(p, None, None, round(total), c)
    n = min(p * (1 - p) / deviation**2, total) if deviation > 0 else c
    z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return Estimate(p, max(0.0, middle - half), min(1.0, middle + half), round(total), c)


def paired(differences: Sequence[float], scale: float = 1.0) -> tuple[Estimate, float | None]:
    """Mean of one difference per deal, its interval, and the p-value of its being zero; both None if all are alike."""
    estimate = clustered(((d, 1.0) for d in differences), scale)
    if estimate is None:
        raise ValueError("no differences")
    if estimate.error is None:
        return estimate, None
    return estimate, float(_stats().ttest_1samp(differences, 0.0).pvalue)


def share_p(only_first: int, only_second: int) -> float | None:
    """Whether two players win equally often on the same deals: the exact sign test on the deals only one of them won
    (McNemar); None if there are none.
    """
    n = only_first + only_second
    return float(_stats().binomtest(only_first, n, 0.5).pvalue) if n else None


def complete_deals(rows: Iterable[Row], games: int) -> list[Row]:
    """The rows of the deals of which all ``games`` were played, in order: only these are fair to all players."""
    by_deal: dict[int, list[Row]] = defaultdict(list)
    for row in rows:
        by_deal[row["deal"]].append(row)
    return [row for deal in sorted(by_deal) if len(by_deal[deal]) == games for row in sorted_rows(by_deal[deal])]


def sorted_rows(rows: Iterable[Row]) -> list[Row]:
    return sorted(rows, key=lambda row: str(row["id"]))


class Statistics:
    """The statistics of a tournament's rows. ``players``: names, by number; ``series``: games of a series."""

    def __init__(self, rows: Sequence[Row], players: Sequence[str], series: int = 1) -> None:
        self.rows, self.players, self.series = rows, players, series

    def by_deal(self, player: int, rival: int | None = None) -> dict[int, tuple[float, int]]:
        """By deal: points and number of seats of a player; with a rival, only in games in which it plays, too."""
        sums: dict[int, tuple[float, int]] = {}
        for row in self.rows:
            if rival is not None and rival not in row["players"]:
                continue
            mine = [p for p, who in zip(row["series"], row["players"], strict=True) if who == player]
            if mine:
                points, seats = sums.get(row["deal"], (0.0, 0))
                sums[row["deal"]] = (points + sum(mine), seats + len(mine))
        return sums

    def score(self, player: int, rival: int | None = None) -> Estimate | None:
        """Points per series of a player, over all games or those against ``rival``."""
        return clustered(self.by_deal(player, rival).values(), self.series)

    def each(self, first: int, second: int) -> dict[int, float]:
        """By deal: first minus second, points per game and seat of the games both play."""
        a, b = self.by_deal(first, second), self.by_deal(second, first)
        return {deal: a[deal][0] / a[deal][1] - b[deal][0] / b[deal][1] for deal in sorted(a.keys() & b.keys())}

    def difference(self, first: int, second: int) -> Difference | None:
        """First minus second over the games both play, paired by deal; None if they never met."""
        each = self.each(first, second)
        return Difference(first, second, *paired(list(each.values()), self.series)) if each else None

    def differences(self) -> list[Difference]:
        found = (self.difference(a, b) for a, b in combinations(range(len(self.players)), 2))
        return [difference for difference in found if difference is not None]

    def kinds(self) -> list[str]:
        """The kinds of contracts that were played."""
        return sorted({row["kind"] for row in self.rows if row["kind"] is not None})

    def won(self, player: int, kind: str | None = None, *, defending: bool = False) -> Estimate | None:
        """Share of contracts won as declarer, or by a declarer against whom the player defends; None: none played."""
        by_deal: dict[int, list[int]] = defaultdict(lambda: [0, 0])
        for row in self.rows:
            if row["won"] is None or (kind is not None and row["kind"] != kind):
                continue
            declares = row["players"][row["declarer"]] == player
            counts = player in row["players"] and not declares if defending else declares
            if counts:
                by_deal[row["deal"]][0] += bool(row["won"])
                by_deal[row["deal"]][1] += 1
        return share((y, m) for y, m in by_deal.values())

    def passed(self) -> int:
        """Games in which nobody played a contract although the game has them."""
        return sum(row["kind"] is None for row in self.rows) if self.kinds() else 0

    def faults(self, player: int) -> dict[str, int]:
        """The number of a player's faults, by kind."""
        counts: dict[str, int] = defaultdict(int)
        for row in self.rows:
            for fault in row["faults"]:
                if row["players"][fault["seat"]] == player:
                    counts[fault["kind"]] += 1
        return dict(sorted(counts.items()))

    def first_fault(self, player: int, kind: str) -> str:
        """The first fault of a kind: in which game, and why."""
        for row in self.rows:
            for fault in row["faults"]:
                if row["players"][fault["seat"]] == player and fault["kind"] == kind:
                    return f"{row['id']}: {fault['reason']}"
        return ""

    def forfeited(self, player: int, max_faults: int) -> int:
        """Games that a player forfeited by too many faults at one seat."""
        count = 0
        for row in self.rows:
            charged = (fault["seat"] for fault in row["faults"] if fault["kind"] != MEMBER)
            seats = [seat for seat in charged if row["players"][seat] == player]
            count += any(seats.count(seat) >= max_faults for seat in set(seats))
        return count


def compared(rows: Iterable[Mapping[str, Any]], game: Game) -> list[Mapping[str, Any]]:
    """The rows of complete deals, with ``series`` as the game compares the games of a deal (``Game.compared``)."""
    out: list[Mapping[str, Any]] = []
    for _, group in groupby(rows, lambda row: row["deal"]):
        games = list(group)
        results = game.compared([row["points"] for row in games])
        if results is None:
            out += games
        else:
            out += [{**row, "series": list(result)} for row, result in zip(games, results, strict=True)]
    return out
