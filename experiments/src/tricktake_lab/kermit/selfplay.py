"""Kermit's open question (KERMIT-23): can self-play replace recorded games? Here for judging hands and for bidding.

The same evaluation learns from games of self-play, from nothing but the rules and a player of the cards, and from games
of XSkat. Both are judged by fresh games of either player, and bid against each other at the table.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from attrs import frozen
from tricktake_kermit.batch import Kermit
from tricktake_kermit.evaluation import Model
from tricktake_kermit.features import KINDS, Kind
from tricktake_kermit.learn import Filling, fitted, halves_of, positions_of, said
from tricktake_skat.deals import dealt
from tricktake_skat.deck import SEATS
from tricktake_skat.rows import RowArray

from tricktake.learning.glem import Glem, Glems
from tricktake.policy.policy import Policy
from tricktake.strategies.policy import find_policy
from tricktake_lab.experiment import experiment
from tricktake_lab.kermit.bidding import ALIKE, CARDS, ONE, TWO, gains, lineups, played
from tricktake_lab.kermit.evaluation import BLOCK, FRESH, bid, forced
from tricktake_lab.outcome import Cell, Estimate, Outcome, Sheet, mean_of
from tricktake_lab.skat.bidding import row_of
from tricktake_lab.skat.replayed import recorded_rows

SELF_PLAY = "self-play"
COLUMNS = ("score", "passed in", "won", "suit", "suit won", "grand", "grand won")  # the first columns of ``row_of``


@frozen(eq=False)
class Source:
    """An evaluation and what it has learned from. whose: games of self-play or of the record. games: how many were
    there to learn from, of self-play of each kind; learned: of suit games and of grands.
    """

    whose: str
    games: int
    learned: tuple[int, ...]
    model: Model

    @property
    def name(self) -> str:
        return f"{self.games} of {self.whose}"


def source(whose: str, games: int, blocks: Mapping[Kind, Iterator[RowArray]]) -> Source:
    """Learn the evaluation of suit games and grands from blocks of games of each."""
    glems, counts = dict[str, Glem](), []
    for kind in KINDS:
        halves = halves_of(blocks[kind], kind, Filling())
        glems[kind] = fitted(halves, kind, Filling())
        counts.append(len(halves[0]) + len(halves[1]))
    return Source(whose, games, tuple(counts), Model.of(Glems(glems, {})))


def in_blocks(rows: RowArray) -> Iterator[RowArray]:
    """A few thousand games at a time."""
    return (rows[at : at + BLOCK] for at in range(0, len(rows), BLOCK))


def crossing(gains: Mapping[int, Estimate]) -> Estimate:
    """The fewest games of self-play whose gain is above chance; unknown if none is."""
    found = [games for games, gain in sorted(gains.items()) if gain.mean > gain.error]
    return Estimate(found[0] if found else math.nan, math.nan, len(gains), digits=0)


def judges(kind: Kind, seed: int, deals: int, kept: RowArray, plays: Policy) -> dict[str, RowArray]:
    """Fresh games of a kind to judge by."""
    return {
        "forced": np.concatenate(list(forced(kind, seed, FRESH, deals, plays))),
        "bid": bid(kind, seed, FRESH, deals, plays),
        "of the record": kept,
    }


@experiment(
    "kermit.selfplay",
    item="KERMIT-23, docs/self-play.md",
    seed=829,
    smoke={"log": "sample", "recorded": (300,), "kept": 100, "games": (500,), "as_bid": (500,),
           "judged_by": 500, "deals": 2},
    small={"log": "xskat:906:85000", "recorded": (1000, 10_000, 65_000), "kept": 20_000,
           "games": (1000, 3000, 10_000, 100_000), "judged_by": 25_000, "deals": 500},
    paper={"log": "xskat:906:85000", "recorded": (1000, 3000, 10_000, 65_000), "kept": 20_000,
           "games": (1000, 3000, 10_000, 100_000, 1_000_000), "judged_by": 50_000, "deals": 1000},
)  # fmt: skip
def selfplay(
    seed: int, log: str, recorded: tuple[int, ...], kept: int, games: tuple[int, ...], judged_by: int, deals: int,
    as_bid: tuple[int, ...] = (), threshold: float = 0.6, policy: str = CARDS,
) -> Outcome:  # fmt: skip
    """Kermit's evaluation and bidder by the number of games of self-play it has learned from, and of recorded games.

    recorded: first games of the log to learn from. kept: games behind them to judge by. games: deals of self-play of
    each kind. as_bid: deals that rule players bid, cards by the same policy: recorded games of a player as strong as
    that of self-play. judged_by: fresh deals of self-play. deals: of the matches of the bidders.
    """
    plays = find_policy(policy)
    rows, whose = recorded_rows(log, max(recorded) + kept)
    sources = [source(whose, n, {kind: in_blocks(rows[:n]) for kind in KINDS}) for n in recorded]
    sources += [source(SELF_PLAY, n, {kind: forced(kind, seed, 0, n, plays) for kind in KINDS}) for n in games]
    for n in as_bid:
        games_bid = {kind: in_blocks(bid(kind, seed, 0, n, plays)) for kind in KINDS}
        sources.append(source("self-play as bid", n, games_bid))
    most = sources[len(recorded) - 1]
    sheets, facts = _judged(sources, most, seed, judged_by, rows[max(recorded) :], plays)
    seated = [seats for teams in (ALIKE, ONE, TWO) for seats in lineups(teams, 0, 1)]
    places, alike, found = dealt(seed, 0, deals), [], {}
    for each in sources:
        bidders = [Kermit(threshold, model=model) for model in (each.model, most.model)]
        first, *rest = played(bidders, places, seated, policy)
        row = row_of(each.name, first)
        both = (gains(rest[:SEATS], 0, 1) + gains(rest[SEATS:], 0, 1)) / 2
        gain = mean_of(both[:, 0] - both[:, 1], digits=0)
        if each.whose == SELF_PLAY:
            found[each.games] = facts[f"{each.games} of self-play less all recorded: points"] = gain
        alike.append((*row[: 1 + len(COLUMNS)], "-" if each is most else gain))
    facts["fewest self-play less all recorded: points"] = found[games[0]]
    facts["most self-play less all recorded: points"] = found[games[-1]]
    facts["games of self-play that bid better than all recorded"] = crossing(found)
    columns = ("learned from", *COLUMNS, f"over {most.name}")
    sheets.append(Sheet.of(f"Bidding: {deals} deals, cards by {policy}, P >= {threshold}", columns, alike))
    return Outcome(tuple(sheets), facts)


def _judged(
    sources: Sequence[Source], most: Source, seed: int, deals: int, kept: RowArray, plays: Policy
) -> tuple[list[Sheet], dict[str, Cell]]:
    """Brier scores of the sources; and by how much each is better than the recorded games, for the crossings."""
    sheets, facts = [], dict[str, Cell]()
    for number, kind in enumerate(KINDS):
        tests = {name: positions_of(rows, kind) for name, rows in judges(kind, seed, deals, kept, plays).items()}
        errors = {
            (each.name, name): np.square(said(getattr(each.model, kind), positions) - won)
            for each in sources
            for name, (positions, won) in tests.items()
        }
        lines = [
            (each.name, each.learned[number], *(mean_of(errors[each.name, name], digits=4) for name in tests))
            for each in sources
        ]
        for name in tests:
            better = {
                each.games: mean_of(errors[most.name, name] - errors[each.name, name], digits=4)
                for each in sources
                if each.whose == SELF_PLAY
            }
            facts |= {f"{games} of self-play, {kind}, {name}: gain": gain for games, gain in better.items()}
            facts[f"most self-play, {kind}, {name}: gain"] = better[max(better)]
            facts[f"games of self-play that judge better, {kind}, {name}"] = crossing(better)
        counts = ", ".join(f"{len(won)} {name}" for name, (_, won) in tests.items())
        sheets.append(Sheet.of(f"Brier score, {kind}: judged by games {counts}", ("learned from", kind, *tests), lines))
    return sheets, facts
