"""The experiment of SKAT-37: contracts of a record are kept, every method puts its own skat, all seats play alike.

Methods are names of ``selection``, with weights after a slash, a rule left out after a minus and the chances after an
at sign: ``proposed/literal-trump@tables``; ``recorded`` is the skat of the record. After a tilde stand rules of play
that nobody keeps, joined by a plus: ``proposed~from-above+standing-first`` (SKAT-13).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from attrs import frozen
from tricktake_skat.discard import chance
from tricktake_skat.discard.features import Declarers
from tricktake_skat.discard.selection import METHODS, RECORDED, Selector
from tricktake_skat.games import play_contracts, rows_of_deals
from tricktake_skat.kernels import GRAND, NULL
from tricktake_skat.policy_rows import play_by
from tricktake_skat.rows import read_rows
from tricktake_skat.strategies.expert import Expert

from tricktake.arrays import FloatArray, IntArray
from tricktake.errors import InputError, UnknownName
from tricktake.strategies.policy import find_policy
from tricktake_lab.experiment import experiment, log_file
from tricktake_lab.outcome import Cell, Estimate, Outcome, Sheet, mean_of, share_of

TWO_JACKS = "two-jacks"
KINDS = {"suit": (0, 1, 2, 3), "grand": (GRAND,), TWO_JACKS: (GRAND,), "null": (NULL,)}
JACKS = sum(1 << 8 * suit + 7 for suit in range(4))
INTERMEDIATE = "proposed~from-above+standing-first"  # what it lacks in play (SKAT-13)
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
        if kind == TWO_JACKS:
            take = take[np.bitwise_count((take["own"] | take["put"]) & JACKS) == 2]
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
    return np.concatenate([selector.select(part, rng).discards for part in _chunks(what.declarers)])


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


def play(what: Contracts, puts: IntArray, player: Expert | None = None, cards: str = "") -> Results:
    """All seats play by rule, all as an expert, or all by the policy ``cards``."""
    d = what.declarers
    rows = rows_of_deals(what.hands)
    columns = {"declarer": d.seats, "game": np.minimum(d.games, NULL), "ouvert": d.games > NULL}
    for name, column in {**columns, "bid": what.bid, "put": puts}.items():
        rows[name] = column
    if cards:
        play_by(find_policy(cards), rows)
        return Results(rows["won"], rows["value"])
    played = play_contracts(rows, player, player).rows
    return Results(played["won"], played["value"])


def selector_of(name: str) -> Selector:
    """``proposed/literal-trump@tables``: method, weights, a rule left out, chances. Raises UnknownName."""
    text, _, odds = name.partition("~")[0].partition("@")
    method, _, rest = text.partition("/")
    weights, minus, rule = rest.rpartition("-")
    if not minus or rest.endswith(".toml"):  # a file's name may have hyphens of its own
        weights, rule = rest, ""
    return Selector(method, weights or "default", (rule,) if rule else (), chance.named(odds or "rule"))


@experiment(
    "discard.methods",
    item="SKAT-37, SKAT-43; docs/results.md, discards",
    seed=0,
    smoke={"log": "sample", "kind": "suit", "games": 60},
    small={"log": "sample", "kind": "suit", "games": 500},
    paper={"log": "x901.log.gz", "kind": "grand", "games": 20_000},
)
def compared(
    seed: int,
    log: str,
    kind: str,
    games: int,
    methods: tuple[str, ...] = (*METHODS, INTERMEDIATE, RECORDED),
    skip: int = 0,
    expert: bool = False,
    also: str = "",
    cards: str = "",
) -> Outcome:
    """Methods of discarding on the contracts of a log: score per 36 games, and the difference to the first method.

    kind: suit, grand, null, or two-jacks, grands with two among the declarer's twelve cards. skip: contracts left out
    at the start. expert: all seats play as skat:expert, not by rule. also: rules it plays by that it has on request
    (SKAT-29). cards: a policy that plays them all instead. seed: for skats drawn at random.
    """
    if kind not in KINDS:
        raise UnknownName("kind", kind, KINDS)
    file = log_file(log)
    what = contracts(file, kind, games, skip)
    if not len(what):
        raise InputError(str(file), None, None, f"no {kind} contracts after {skip}")
    first: Results | None = None
    first_puts = what.put
    rows = []
    for name in methods:
        puts = what.put if name == RECORDED else select(what, selector_of(name), seed)
        player = Expert(name.partition("~")[2], also) if expert else None
        results = play(what, puts, player, cards)
        if first is None:
            first, first_puts = results, puts
        wins = "/".join(str(int(results.won[what.declarers.seats == seat].sum())) for seat in range(SEATS))
        difference = mean_of(results.points - first.points, digits=1)
        score, won = mean_of(results.points, digits=1), share_of(results.won)
        rows.append((name, score, difference, won, wins, share_of(puts == first_puts)))
    columns = ("method", "score in 36 games", "difference to the first", "won", "wins FH/MH/RH", "same skat")
    title = f"{len(what)} {kind} contracts of {file.name}"
    return Outcome((Sheet.of(title, columns, rows),), {"put as dealt by the record": _overlap(what)})


def _overlap(what: Contracts) -> float:
    return float((what.put == what.hands[:, 3]).mean())


@experiment(
    "discard.good",
    item="SKAT-20, SKAT-33",
    seed=0,
    smoke={"log": "sample", "games": 60},
    small={"log": "xskat:906:85000", "games": 4000},
    paper={"log": "xskat:906:85000", "games": 12_000},
)
def good(seed: int, log: str, games: int, method: str = "proposed") -> Outcome:
    """How many of the 66 discards the rules leave, how many are good, and whether the record's own is. No chance in it.

    Good is at most 20 % worse than the best. games: contracts of each kind.
    """
    file = log_file(log)
    lines: list[tuple[Cell, ...]] = []
    facts: dict[str, Estimate] = {}
    for kind in ("suit", "grand"):
        what = contracts(file, kind, games)
        found = []
        for part, put in zip(_chunks(what.declarers), _parts(what.put), strict=True):
            chosen = selector_of(method).select(part)
            fine = chosen.good()
            recorded = (chosen.prepared.pairs == put[:, None]) & fine
            found.append(np.column_stack([chosen.keep.sum(axis=1), fine.sum(axis=1), recorded.any(axis=1)]))
        kept, fine_ones, same = np.concatenate(found).T
        cells = mean_of(kept, digits=1), mean_of(fine_ones, digits=1), share_of(same)
        lines.append((kind, len(kept), *cells))
        facts |= {f"{kind}: left by the rules": cells[0], f"{kind}: good": cells[1], f"{kind}: record's good": cells[2]}
    columns = ("kind", "hands", "left by the rules", "good", "the record's is good")
    return Outcome((Sheet.of(f"Discards of 66, {method}, contracts of {file.name}", columns, lines),), facts)


def _parts(column: IntArray) -> Iterator[IntArray]:
    for i in range(0, len(column), CHUNK):
        yield column[i : i + CHUNK]
