"""Recorded deals replayed, the papers' main table: eight cells of record, open cards and ours, by who decides what.

A way says who bids and who discards: ``record`` keeps both, a method of discarding keeps contract and auction,
``own`` bids, declares and discards by the bidder, ``own/METHOD`` discards by a method in the bidder's contract. The
cards of all three seats are played by one policy.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray
from tricktake_skat.bidding.style import Style
from tricktake_skat.discard.features import Declarers
from tricktake_skat.discard.selection import METHODS, Selector
from tricktake_skat.games import Player, bid_rows, play_games, rows_of_deals, unplayed
from tricktake_skat.kernels import NULL
from tricktake_skat.policy_rows import play_by
from tricktake_skat.rows import RowArray, read_rows
from tricktake_skat.rows_play import open_card
from tricktake_skat.scoring import BONUS, GAMES_OF_SERIES, OTHERS_BONUS

from tricktake.arrays import BoolArray, FloatArray, IntArray
from tricktake.errors import UnknownName
from tricktake.policy.policy import Policy
from tricktake.strategies.policy import find_policy
from tricktake_lab.experiment import experiment, log_file
from tricktake_lab.inputs import XSKAT, program
from tricktake_lab.outcome import Cell, Estimate, Outcome, Sheet, mean_of, share_of
from tricktake_lab.skat.bidding import KINDS, kinds_of

CARDS = "skat:cards"
RECORD, OWN = "record", "own"
CELLS = tuple(f"{n:03b}" for n in range(8))  # recorded, open card, ours
CHUNK = 2000  # declarers whose 66 discards are held in memory
SEATS = 3
ALL = "all"
TRIED = ("proposed", "winprob", "stegen", "kinback", "random", "learned")
METHODS_OF_PAPER = (RECORD, *TRIED, OWN, *(f"{OWN}/{name}" for name in TRIED if name != "random"))


def recorded_rows(log: str, deals: int) -> tuple[RowArray, str]:
    """The first deals of a log, and whose games they are: those of rule players where XSkat is not installed.

    Deals passed in are among them. Raises InputError.
    """
    kind, _, rest = log.partition(":")
    if kind == XSKAT and program() is None and rest:
        return play_games(int(rest.split(":")[0]), 0, deals).rows, "the rule player"
    parts, have = [], 0
    for part in read_rows(log_file(log), "xskat"):
        parts.append(part)
        have += len(part)
        if have >= deals:
            break
    return np.concatenate(parts)[:deals], "XSkat"


def series_points(rows: RowArray) -> FloatArray:
    """Points of 36 games of a player at a table of three equal ones, if all were like this one (SKAT-43)."""
    value = rows["value"].astype(float)
    lost = value - BONUS + (SEATS - 1) * OTHERS_BONUS[SEATS]
    each = np.where(value > 0, value + BONUS, np.where(value < 0, lost, 0.0))
    return np.asarray(GAMES_OF_SERIES / SEATS * each)


def discarded(rows: RowArray, method: str, seed: int) -> RowArray:
    """The same contracts with the skat that a method chooses; hand games stay as they are."""
    ours = rows.copy()
    free = np.flatnonzero((rows["declarer"] >= 0) & (rows["hand"] == 0))
    selector, rng = Selector(method), np.random.default_rng(seed)
    for at in (free[i : i + CHUNK] for i in range(0, len(free), CHUNK)):
        some = rows[at]
        twelve = some["deal"][np.arange(len(at)), some["declarer"]] | some["deal"][:, 3]
        game = some["game"] + ((some["game"] == NULL) & (some["ouvert"] == 1))
        asked = Declarers(game, twelve, np.ascontiguousarray(some["declarer"]), some["bids"].copy())
        ours["put"][at] = selector.select(asked, rng).discards
    return ours


def bid_by(player: Player, deals: IntArray) -> RowArray:
    """What three such bidders declare and discard in these deals."""
    rows = rows_of_deals(deals)
    bid_rows([player], rows, np.zeros((len(rows), SEATS), np.int64))
    return rows


@frozen(eq=False)
class Replay:
    """A way with its games. solved: (n,) whether the first are won with open cards, for as many as were asked."""

    way: str
    rows: RowArray
    solved: IntArray

    @property
    def played(self) -> BoolArray:
        """Where somebody declares, (n,)."""
        return np.asarray(self.rows["declarer"] >= 0)

    @property
    def won(self) -> BoolArray:
        """Where the declarer has won by the rules, overbids lost, (n,)."""
        return np.asarray(self.rows["won"] == 1)

    @property
    def kinds(self) -> IntArray:
        return kinds_of(self.rows["game"], self.rows["ouvert"])

    def cells(self, record_won: BoolArray) -> IntArray:
        """How many of the solved games are in each of the eight cells."""
        n = len(self.solved)
        some = self.played[:n]
        number = 4 * record_won[:n] + 2 * (self.solved == 1) + self.won[:n]
        return np.asarray(np.bincount(number[some], minlength=len(CELLS)))

    def accurate(self) -> Estimate:
        """The share of solved games that end as with open cards (OUTER-20)."""
        n = len(self.solved)
        some = self.played[:n]
        return share_of((self.solved == 1)[some] == self.won[:n][some], 4)


def played(way: str, rows: RowArray, policy: Policy, solved: int) -> Replay:
    """Contracts of rows played by the policy, the first of them solved."""
    rows = unplayed(rows)
    play_by(policy, rows)
    return Replay(way, rows, open_card(rows[:solved]))


def replays(
    record: RowArray, ways: Sequence[str], policy: Policy, solved: int, seed: int, player: Player
) -> Iterator[Replay]:
    """The record in each of these ways. Raises UnknownName."""
    declared: RowArray | None = None
    for way in ways:
        who, _, method = way.partition("/")
        if who == OWN and declared is None:
            declared = bid_by(player, record["deal"])
        start = declared if who == OWN and declared is not None else record
        if who not in (OWN, RECORD):
            method = who
        if method and method not in METHODS:
            raise UnknownName("way", way, (RECORD, *METHODS, OWN, *(f"{OWN}/{name}" for name in METHODS)))
        yield played(way, discarded(start, method, seed) if method else start, policy, solved)


@experiment(
    "records.replayed",
    item="ELO-26, SKAT-38 to SKAT-41, SKAT-43",
    seed=0,
    smoke={"log": "sample", "deals": 60, "solved": 10},
    small={"log": "xskat:906:85000", "deals": 16_000, "solved": 4000},
    paper={"log": "xskat:906:85000", "deals": 84_340, "solved": 84_340},
)
def replayed(
    seed: int,
    log: str,
    deals: int,
    solved: int,
    ways: tuple[str, ...] = (RECORD, "proposed", OWN, "own/proposed"),
    cards: str = CARDS,
    aggressiveness: float = Style().aggressiveness,
    threshold: float = Style().threshold,
) -> Outcome:
    """Recorded deals with contract and skat of the record, with our skat, and with all our own: eight cells, by kind.

    solved: of the first deals, asked what open cards give. seed: for skats drawn at random. aggressiveness, threshold:
    of our bidders (SKAT-17).
    """
    record, whose = recorded_rows(log, deals)
    player = Player(Style(aggressiveness, threshold))
    done = list(replays(record, ways, find_policy(cards), solved, seed, player))
    facts = _facts(record, done)
    sheets: tuple[Sheet, ...] = (_scores(record, done, whose), _cells(record, done), _by_kind(record, done))
    changes = next((each for each in done if each.way == OWN), None)
    if changes is not None:
        found, more = _changes(record, changes)
        sheets, facts = (*sheets, found), facts | more
    return Outcome(sheets, facts)


@experiment(
    "records.methods",
    item="SKAT-39, SKAT-43",
    seed=0,
    smoke={"log": "sample", "deals": 60, "solved": 5},
    small={"log": "xskat:906:85000", "deals": 10_000, "solved": 1000},
    paper={"log": "xskat:906:85000", "deals": 50_300, "solved": 10_000},
)
def methods(
    seed: int, log: str, deals: int, solved: int, ways: tuple[str, ...] = METHODS_OF_PAPER, cards: str = CARDS
) -> Outcome:
    """Recorded deals with every method of discarding, in the record's contracts and in those of our bidders."""
    return replayed(seed, log, deals, solved, ways, cards)


def _scores(record: RowArray, done: Sequence[Replay], whose: str) -> Sheet:
    there = record["declarer"] >= 0
    first = series_points(done[0].rows)
    lines: list[tuple[Cell, ...]] = []
    for each in done:
        points, some = series_points(each.rows), each.played & there
        folded = share_of((~each.played)[there], 4)
        gain = mean_of((points - first)[there], digits=1)
        score, alone = mean_of(points[there], digits=1), mean_of(points[some], digits=1)
        lines.append((each.way, int(some.sum()), folded, share_of(each.won[some], 4), score, alone, gain))
    columns = ("way", "games", "folded", "won", "score in 36 deals", "score in 36 games", "less the first way")
    return Sheet.of(f"{int(there.sum())} contracts of {whose}", columns, lines)


def _cells(record: RowArray, done: Sequence[Replay]) -> Sheet:
    there = record["declarer"] >= 0
    lines = []
    for each in done:
        some = Replay(each.way, each.rows[there], each.solved[there[: len(each.solved)]])
        cells = some.cells(record["won"][there] == 1)
        lines.append((each.way, *cells.tolist(), int(cells.sum()), some.accurate()))
    return Sheet.of("Record, open cards, ours: 1 won", ("way", *CELLS, "solved", "accuracy"), lines)


def _by_kind(record: RowArray, done: Sequence[Replay]) -> Sheet:
    recorded = record["declarer"] >= 0
    theirs = kinds_of(record["game"], record["ouvert"])
    lines: list[tuple[Any, ...]] = []
    for name, which in _groups(recorded, theirs):
        lines.append(("as played in the record", name, int(which.sum()), share_of(record["won"][which] == 1, 4)))
    for each in done:
        kinds = each.kinds if each.way.startswith(OWN) else theirs
        for name, which in _groups(each.played & recorded, kinds):
            lines.append((each.way, name, int(which.sum()), share_of(each.won[which], 4)))
    return Sheet.of("By kind of game", ("way", "kind", "games", "won"), lines)


def _groups(there: BoolArray, kinds: IntArray) -> list[tuple[str, NDArray[np.bool_]]]:
    return [(ALL, there), *((name, there & (kinds == number)) for number, name in enumerate(KINDS))]


def _facts(record: RowArray, done: Sequence[Replay]) -> dict[str, Any]:
    there, kinds = record["declarer"] >= 0, kinds_of(record["game"], record["ouvert"])
    before = (record["won"] == 1).astype(float)
    facts: dict[str, Any] = {}
    for each in done:
        for name, which in _groups(there, kinds):
            facts[f"{each.way}, {name}: won less record"] = mean_of((each.won - before)[which & each.played], "%", 4)
    names = {each.way: each for each in done}
    for one, other in (("proposed", RECORD), ("own", RECORD), ("own/proposed", RECORD), ("own/proposed", "proposed"),
                       ("own", "own/proposed"),
                       *((f"own/{name}", "own/proposed") for name in METHODS if name != "proposed"),
                       *((name, "proposed") for name in METHODS if name != "proposed")):  # fmt: skip
        if one in names and other in names:
            gap = series_points(names[one].rows) - series_points(names[other].rows)
            facts[f"{one} less {other}: score"] = mean_of(gap[there], digits=1)
            ahead = names[one].won.astype(float) - names[other].won
            facts[f"{one} less {other}: won"] = mean_of(ahead[there], "%", 4)
    return facts


def _changes(record: RowArray, own: Replay) -> tuple[Sheet, dict[str, Any]]:
    """Our games by what the record's were, and the deals that the record folds."""
    before = np.where(record["declarer"] >= 0, kinds_of(record["game"], record["ouvert"]), len(KINDS))
    after = np.where(own.played, own.kinds, len(KINDS))
    theirs, ours = series_points(record), series_points(own.rows)
    lines: list[tuple[Any, ...]] = []
    names = (*KINDS, "folded")
    for a, first in enumerate(names):
        for b, then in enumerate(names):
            some = (before == a) & (after == b)
            if some.any():
                won = [share_of(each[some], 4) for each in (record["won"] == 1, own.won)]
                scores = [mean_of(each[some], digits=0) for each in (theirs, ours)]
                lines.append((first, then, int(some.sum()), *won, *scores))
    folded = before == len(KINDS)
    bid = folded & own.played
    facts = {
        "grand for suit: games": int(((before == 0) & (after == 1)).sum()),
        "suit for grand: games": int(((before == 1) & (after == 0)).sum()),
        "grand for suit: won": share_of(own.won[(before == 0) & (after == 1)], 4),
        "grand for suit: score less record": mean_of((ours - theirs)[(before == 0) & (after == 1)], digits=0),
        "folded by the record: we bid": share_of(own.played[folded], 4),
        "folded by the record: we win": share_of(own.won[bid], 4),
        "folded by the record: score": mean_of(ours[bid], digits=0),
    }
    columns = ("record", "ours", "deals", "record won", "ours won", "record's score", "our score")
    return Sheet.of("By contract", columns, lines), facts
