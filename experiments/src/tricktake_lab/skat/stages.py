"""The paper on learning in the outer loop: accuracy of self-play, tables of several stages, learner and non-learner.

The tables are those of before a learned policy played the cards: ``xskat-suit.table`` and ``xskat-grand.table`` know
two million games of XSkat (seeds 101 to 108) and 16 million of self-play by rule (seed 1001), and came along until
November 2026. The base is what they learned from XSkat's games, whose bids are unknown: those buckets alone. It counts
alike for every bid.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from attrs import evolve, frozen
from tricktake_skat.bidding.model import Model
from tricktake_skat.bidding.style import Style
from tricktake_skat.deals import dealt
from tricktake_skat.games import Player
from tricktake_skat.kernels import features
from tricktake_skat.questions.declarer import GRAND_GAME, SUIT
from tricktake_skat.rows import RowArray
from tricktake_skat.rows_play import play
from tricktake_skat.winning import null_array

from tricktake.arrays import FloatArray
from tricktake.errors import InputError
from tricktake.learning import LearnedTable, learn, merge
from tricktake.learning.counts import Counts
from tricktake.policy.policy import Policy
from tricktake.strategies.policy import find_policy
from tricktake_lab.experiment import experiment
from tricktake_lab.outcome import Outcome, Sheet, mean_of, share_of
from tricktake_lab.skat.bidding import KINDS, matched
from tricktake_lab.skat.replayed import CARDS, Replay, bid_by, played, recorded_rows, series_points

BLOCK = 100_000  # deals of self-play held in memory
JUDGED_SEED = 1 << 20  # from the seed of the loop to that of the deals it is judged by
BID = "bid"
MILLION = 1_000_000
Tables = tuple[LearnedTable, LearnedTable]  # suit and grand


def base_of(table: LearnedTable) -> LearnedTable:
    """What a table has learned from games whose bids are unknown, counted alike for every bid."""
    form, first = table.form, table.layers[0]
    columns = list(form.columns(0))
    at = [form.names[column] for column in columns].index(BID)
    vectors = form.hash(0).unrank(first.keys)
    unknown = vectors[:, at] == features.UNKNOWN_BID
    vectors, won, games = vectors[unknown], first.won[unknown], first.games[unknown]
    layers = []
    for number in range(len(table.layers)):
        kept = [columns.index(column) for column in form.columns(number)]
        parts = []
        for bid in range(features.UNKNOWN_BID + 1) if at in kept else (features.UNKNOWN_BID,):
            own = vectors.copy()
            own[:, at] = bid
            keys, which = np.unique(form.hash(number).rank(own[:, kept]), return_inverse=True)
            counts = (np.bincount(which, column, len(keys)).astype(np.int64) for column in (won, games))
            parts.append(Counts(keys, *counts))
        layers.append(Counts.summed(parts))
    return evolve(table, layers=tuple(layers), sources=())


def of_xskat() -> Tables:
    """The tables for suit games and grands that know XSkat's games, and self-play by rule."""
    here = Path(__file__).parent
    return LearnedTable.load(here / "xskat-suit.table", SUIT), LearnedTable.load(here / "xskat-grand.table", GRAND_GAME)


def bidder(tables: Tables) -> Player:
    """The bidder that asks these tables and no network. Raises InputError without a table for Null."""
    nulls = null_array()
    if nulls is None:
        raise InputError(None, None, "null", "no table for Null is registered")
    return Player(Style(), Model.of_tables(*tables, nulls).calibrated())


def added(tables: Tables, rows: RowArray) -> Tables:
    """Tables that have learned from these games, too."""
    suit, grand = (
        merge([table, learn(question, rows)]) for table, question in zip(tables, (SUIT, GRAND_GAME), strict=True)
    )
    return suit, grand


@experiment(
    "outer.selfplay",
    item="OUTER-20, OUTER-21",
    seed=9201,
    smoke={"deals": 200, "solved": 200},
    small={"deals": 12_000, "solved": 12_000},
    paper={"deals": 60_000, "solved": 60_000},
)
def selfplay(seed: int, deals: int, solved: int, cards: str = CARDS) -> Outcome:
    """Self-play of three of our players by kind of game: what open cards say, and what is won.

    The bidder asks value networks, one policy plays the cards. solved: so many of the deals are solved.
    """
    done = played("own", bid_by(Player(Style()), dealt(seed, 0, deals)), find_policy(cards), solved)
    n = len(done.solved)
    there, kinds = done.played[:n], done.kinds[:n]
    opened, won = done.solved == 1, done.won[:n]
    facts: dict[str, Any] = {}
    lines: list[tuple[Any, ...]] = []
    for number, name in (*enumerate(KINDS), (-1, "all")):
        some = there & ((kinds == number) | (number < 0))
        cells = np.bincount(2 * opened[some] + won[some], minlength=4).tolist()
        line = (share_of(some[there], 4), share_of((opened == won)[some], 4), share_of(won[some], 4))
        lines.append((name, *cells, int(some.sum()), *line))
        facts |= {f"{name}: share": line[0], f"{name}: accuracy": line[1]}
    facts |= {"folded": share_of(~done.played, 4), "score": mean_of(series_points(done.rows), digits=1)}
    columns = ("kind", "00", "01", "10", "11", "games", "share", "accuracy", "won")
    return Outcome((Sheet.of(f"{deals} deals; open cards, ours: 1 won", columns, lines),), facts)


@experiment(
    "outer.match",
    item="OUTER-24",
    seed=9202,
    smoke={"deals": 20},
    small={"deals": 5000},
    paper={"deals": 20_000},
)
def match(seed: int, deals: int, cards: str = CARDS) -> Outcome:
    """The paper's pair: the same bidder with tables that know self-play, and with those of the base alone."""
    tables = of_xskat()
    base = base_of(tables[0]), base_of(tables[1])
    done = matched(seed, deals, bidder(tables), bidder(base), cards)
    games = {name: table.games for name, table in zip(("suit", "grand"), base, strict=True)}
    return Outcome(done.sheets, {f"games of the base, {name}": count for name, count in games.items()})


@frozen(eq=False)
class Stage:
    """What a bidder with tables of a stage makes of the recorded deals, and of deals of its own."""

    name: str
    million: float
    tables: Tables
    record: Replay
    own: Replay

    @classmethod
    def of(cls, name: str, games: int, tables: Tables, deals: Sequence[Any], policy: Policy, solved: int) -> Stage:
        """deals: the recorded ones, and those of self-play."""
        made = [played(name, bid_by(bidder(tables), each), policy, solved) for each in deals]
        return cls(name, games / MILLION, tables, *made)

    @staticmethod
    def same(games: Replay) -> FloatArray:
        """Whether solved games end as with open cards; 0.5 where nobody bids, which then is no difference."""
        n = len(games.solved)
        return np.where(games.played[:n], ((games.solved == 1) == games.won[:n]).astype(float), 0.5)

    def row(self) -> tuple[Any, ...]:
        """A row of the table."""
        score = mean_of(series_points(self.record.rows), digits=1)
        cells = [self.record.accurate(), share_of(self.record.won[self.record.played], 4), score]
        cells += [self.own.accurate(), share_of(self.own.won[self.own.played], 4)]
        return (self.million, *cells, *(len(table.layers[0]) for table in self.tables))


COLUMNS = (
    "million games", "accuracy on the record", "won on the record", "score on the record",
    "accuracy of self-play", "won of self-play", "suit buckets", "grand buckets",
)  # fmt: skip


@experiment(
    "outer.stages",
    item="OUTER-22, OUTER-23, OUTER-25",
    seed=9203,
    smoke={"log": "sample", "deals": 40, "solved": 20, "ends": (200, 400)},
    small={"log": "xskat:906:85000", "deals": 2000, "solved": 1500, "ends": (250_000, 500_000, 1_000_000)},
    paper={"log": "xskat:906:85000", "deals": 5000, "solved": 3000, "ends": (1_000_000, 2_000_000, 4_000_000)},
)
def stages(seed: int, log: str, deals: int, solved: int, ends: tuple[int, ...], cards: str = CARDS) -> Outcome:
    """Recorded deals bid with tables of several stages of the loop; without the base; with everything learned twice.

    ends: games of self-play after which tables are made; one deal in 64 is bid by the tables of the stage before, one
    in two explored. solved: so many of the deals are solved.
    """
    record, whose = recorded_rows(log, deals)
    fresh = [record["deal"], dealt(seed + JUDGED_SEED, 0, deals)]
    policy = find_policy(cards)
    suit, grand = of_xskat()
    grown: Tables = base_of(suit), base_of(grand)
    nothing = tuple(evolve(table, layers=(Counts.empty(),) * len(table.layers)) for table in grown)
    own: Tables = nothing[0], nothing[1]
    found = [Stage.of("base", 0, grown, fresh, policy, solved)]
    first = 0
    for end in ends:
        asked = dict(zip(("skat:suit", "skat:grand"), grown, strict=True))
        for at in range(first, end, BLOCK):
            rows = play(seed, at, min(BLOCK, end - at), asked, policy=policy)
            grown, own = added(grown, rows), added(own, rows)
        first = end
        found.append(Stage.of(f"{end}", end, grown, fresh, policy, solved))
    twice = grown[0].scaled(2), grown[1].scaled(2)
    others = [Stage.of("twice", ends[-1], twice, fresh, policy, solved)]
    others.append(Stage.of("without the base", ends[-1], own, fresh, policy, solved))
    facts = {}
    for stage in (*found[1:], *others):
        against = found[0] if stage in found else found[-1]
        gap = stage.same(stage.record) - against.same(against.record)
        name = f"{stage.name if stage is not found[-1] else 'last'} less {'base' if against is found[0] else 'last'}"
        facts[f"{name}: accuracy"] = mean_of(gap, "%", 4)
        facts[f"{name}: accuracy of self-play"] = mean_of(stage.same(stage.own) - against.same(against.own), "%", 4)
        won = stage.own.won.astype(float) - against.own.won
        facts[f"{name}: won of self-play"] = mean_of(won, "%", 4)
        points = series_points(stage.record.rows) - series_points(against.record.rows)
        facts[f"{name}: score"] = mean_of(points, digits=1)
    title = f"{deals} deals of {whose}"
    rest = Sheet.of("Ablations", ("tables", *COLUMNS), [(stage.name, *stage.row()) for stage in others])
    return Outcome((Sheet.of(title, COLUMNS, [stage.row() for stage in found]), rest), facts)
