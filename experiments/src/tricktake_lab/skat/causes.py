"""Where our results contradict a paper's: experiments that isolate one cause each.

``causes.grands``: our players declare more grands than people did, and theirs are less accurate than suit games. Each
contract is played as a grand and as a suit game by the same players, and solved with open cards. ``causes.flat``: a
flat value of all games does not narrow the spread of ratings as in the paper; the value itself is what matters.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from attrs import frozen
from tricktake_skat.bidding.bidder import evaluator
from tricktake_skat.bidding.model import SHIPPED
from tricktake_skat.bidding.style import Style
from tricktake_skat.bidding.value import DEFAULT as VALUES
from tricktake_skat.deals import dealt
from tricktake_skat.games import Player, unplayed
from tricktake_skat.kernels import GRAND, NULL
from tricktake_skat.policy_rows import play_by
from tricktake_skat.rows import RowArray
from tricktake_skat.rows_play import open_card

from tricktake.arrays import FloatArray
from tricktake.policy.policy import Policy
from tricktake.ratings.proportional import Proportional
from tricktake.ratings.sensitivity import KS, spread
from tricktake.strategies.policy import find_policy
from tricktake_lab.experiment import experiment
from tricktake_lab.outcome import Outcome, Sheet, bootstrapped, mean_of, share_of
from tricktake_lab.skat.ratings import crowd
from tricktake_lab.skat.replayed import CARDS, bid_by, series_points

SUITS, GRANDS = "CSHD", "G"
EDGES = (0.0, 0.6, 0.7, 0.8, 0.9, 0.95, 1.01)  # of chances
POINTS_OF_A_LOSS = 2  # a lost game costs twice its value


@frozen(eq=False)
class Played:
    """Contracts as they were played. said: chances by the bidder's networks. opened: won with open cards."""

    rows: RowArray
    said: FloatArray
    opened: np.ndarray

    @classmethod
    def of(cls, rows: RowArray, said: FloatArray, policy: Policy) -> Played:
        rows = unplayed(rows)
        play_by(policy, rows)
        return cls(rows, said, open_card(rows) == 1)

    @property
    def won(self) -> np.ndarray:
        return np.asarray(self.rows["won"] == 1)

    @property
    def points(self) -> FloatArray:
        return series_points(self.rows)

    @property
    def open_points(self) -> FloatArray:
        """The same if they ended as with open cards, at the level they were played for."""
        again = self.rows.copy()
        value = np.abs(self.value)
        again["value"] = np.where(self.opened, value, -POINTS_OF_A_LOSS * value)
        return series_points(again)

    @property
    def value(self) -> np.ndarray:
        value = self.rows["value"]
        return np.asarray(np.where(value < 0, value // POINTS_OF_A_LOSS, value))


def both_ways(rows: RowArray) -> tuple[np.ndarray, RowArray, RowArray, FloatArray]:
    """Which contracts could be a suit game as well as a grand; these as grands and as suit games with the best discard
    of each, and the chances of both, (n, 2).
    """
    model, style = evaluator(*SHIPPED[:3], VALUES), Style()
    which, chances, ways = [], [], (rows.copy(), rows.copy())
    for i, row in enumerate(rows):
        seat = int(row["declarer"])
        bids = tuple(int(b) for b in row["bids"])
        cards = int(row["deal"][seat] | row["deal"][3])
        options = model.options(cards, seat, bids, int(row["bid"]), style)  # type: ignore[arg-type]
        best = [next((o for o in options if o.name in names), None) for names in (GRANDS, SUITS)]
        if best[0] is None or best[1] is None:
            continue
        which.append(i)
        chances.append([option.win for option in best if option])
        for way, option, game in zip(ways, best, (GRAND, None), strict=True):
            assert option is not None
            way["game"][i] = SUITS.index(option.name) if game is None else game
            way["put"][i] = option.discard_mask
    found = np.array(which, np.int64)
    return found, ways[0][found], ways[1][found], np.array(chances).reshape(-1, 2)


@experiment(
    "causes.grands",
    item="ELO-17, OUTER-21; docs/reproduced.md",
    seed=9301,
    smoke={"deals": 60},
    small={"deals": 4000},
    paper={"deals": 12_000},
)
def grands(seed: int, deals: int, rule: bool = False, cards: str = CARDS) -> Outcome:
    """Declared suit games and grands played both ways: what our cards make of them, and open cards; and accuracy.

    rule: the rule player bids instead of the bidder with networks. Score: a player and 36 such games.
    """
    policy = find_policy(cards)
    rows = bid_by(Player(None) if rule else Player(Style()), dealt(seed, 0, deals))
    rows = rows[rows["declarer"] >= 0]
    all_games = unplayed(rows)
    play_by(policy, all_games)
    kept = rows[(rows["hand"] == 0) & (rows["game"] < NULL)]
    which, *both, chances = both_ways(kept)
    ways = [Played.of(way, said, policy) for way, said in zip(both, chances.T, strict=True)]
    declared = kept["game"][which] == GRAND
    facts: dict[str, Any] = {"share of grands": share_of(rows["game"] == GRAND, 4)}
    value = np.abs(np.where(all_games["value"] < 0, all_games["value"] // POINTS_OF_A_LOSS, all_games["value"]))
    facts["mean value"] = mean_of(value, digits=1)
    lines = []
    for name, some in (("grand", declared), ("suit", ~declared)):
        cells: list[Any] = [name, int(some.sum())]
        for way in ways:
            cells += [mean_of(way.said[some], "%"), share_of(way.won[some]), share_of(way.opened[some])]
            cells += [mean_of(way.points[some], digits=0), mean_of(way.open_points[some], digits=0)]
        lines.append(cells)
        gaps = [ways[0].points - ways[1].points, ways[0].open_points - ways[1].open_points]
        for said, gap in zip(("by our cards", "with open cards"), gaps, strict=True):
            facts[f"declared {name}: grand less suit, {said}"] = mean_of(gap[some], digits=0)
    facts["value if all were suit games"] = mean_of(np.abs(ways[1].value), digits=1)
    each = [f"as {name}: {what}" for name in ("grand", "suit")
            for what in ("said", "won", "open cards won", "score", "open cards' score")]  # fmt: skip
    title = f"{len(which)} contracts that could be both, bid by {'rule' if rule else 'networks'}, cards by {cards}"
    sheets = (Sheet.of(title, ("declared", "games", *each), lines), _accuracy(ways, declared, facts))
    return Outcome(sheets, facts)


def _accuracy(ways: Sequence[Played], declared: np.ndarray, facts: dict[str, Any]) -> Sheet:
    """Accuracy of what was declared by the chance the bidder saw; and of both as one distribution of chances."""
    kinds = {"grand": (ways[0], declared), "suit": (ways[1], ~declared)}
    lines, shares, accuracy = [], {}, {}
    for name, (way, some) in kinds.items():
        right = (way.won == way.opened)[some]
        bins = np.digitize(way.said[some], EDGES) - 1
        facts[f"{name}: accuracy"] = share_of(right, 4)
        facts[f"{name}: said less than 90 %"] = share_of(way.said[some] < EDGES[4], 4)
        shares[name] = np.bincount(bins, minlength=len(EDGES) - 1)
        accuracy[name] = [share_of(right[bins == b], 4) for b in range(len(EDGES) - 1)]
        for b, cell in enumerate(accuracy[name]):
            at = bins == b
            said = f"{EDGES[b]:.0%} to {min(EDGES[b + 1], 1):.0%}"
            lines.append((name, said, int(at.sum()), share_of(way.won[some][at]), share_of(way.opened[some][at]), cell))
    both = [b for b in range(len(EDGES) - 1) if min(shares["grand"][b], shares["suit"][b]) > 1]
    weight = shares["suit"][both] / max(1, shares["suit"][both].sum())
    gap = [accuracy["grand"][b].mean - accuracy["suit"][b].mean for b in both]
    error = [np.hypot(accuracy["grand"][b].error, accuracy["suit"][b].error) for b in both]
    found = mean_of([0.0, 0.0], "%", 4)
    if both:
        mean, width = float(np.dot(weight, gap)), float(np.sqrt(np.square(weight * error).sum()))
        found = type(found)(mean, width, int(shares["suit"].sum()), "%", 4)
    facts["grand less suit: accuracy at the suit games' chances"] = found
    columns = ("declared", "said", "games", "won", "open cards won", "accuracy")
    return Sheet.of("Accuracy by the chance the bidder saw", columns, lines)


@experiment(
    "causes.flat",
    item="ELO-16, ELO-27; docs/reproduced.md",
    seed=7_200_000,
    smoke={"players": 12, "series": 60, "number": 2},
    small={"players": 300, "series": 2329, "number": 6},
    paper={"players": 300, "series": 2329, "number": 20},
)
def flat(seed: int, players: int, series: int, number: int, values: tuple[float, ...] = (30, 41, 50, 60)) -> Outcome:
    """The spread of ratings (the greatest K) by what value all games are given, less that of no correction.

    Leagues are those of ``ratings.ranges``. The value is the whole difference: steps of a rating are proportional to
    it, and games with one value differ less from each other.
    """
    k = KS[-1]
    found: dict[str, list[float]] = {}
    for n in range(number):
        league = crowd(players, series, seed + n)
        mean = float(np.abs(league.games.value[league.games.seat >= 0]).mean())
        plain = spread(league.results(), (), Proportional(k=k, start=850.0))
        wide = plain.highest - plain.lowest
        found.setdefault("none: range", []).append(wide)
        found.setdefault("none: mean value", []).append(mean)
        for value in values:
            results = league.results((f"flat(value={value})",))
            s = spread(results, (), Proportional(k=k, start=850.0))
            found.setdefault(f"{value:g}: less none", []).append(s.highest - s.lowest - wide)
            found.setdefault(f"{value:g}: volatility", []).append(s.volatility - plain.volatility)
    facts = {name: bootstrapped(each, 2) for name, each in found.items()}
    lines = [(f"{v:g}", facts[f"{v:g}: less none"], facts[f"{v:g}: volatility"]) for v in values]
    columns = ("value of all games", "range less that of no correction", "volatility, the same")
    return Outcome((Sheet.of(f"K = {k:g}, means of {number} leagues", columns, lines),), facts)
