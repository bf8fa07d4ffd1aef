"""The experiment on recorded contracts: auction, contract and skat of XSkat's games, the cards played by ours.

A contract is played from the first trick with us on all three seats, with our declarer against plain defenders, and
with a plain declarer against our defenders. Beside it stands what XSkat made of the same contracts by its own play.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from tricktake_skat.contract import contract_of
from tricktake_skat.deck import SEATS
from tricktake_skat.policy_match import gains
from tricktake_skat.practice import batch_of, by_family, contracts_of
from tricktake_skat.rows import RowArray, read_rows
from tricktake_skat.scoring import BONUS, OTHERS_BONUS
from tricktake_skat.strategies.expert import Expert

from tricktake.game import find_game
from tricktake.policy.policy import Policy
from tricktake.records import formats
from tricktake.search.limit import Limit
from tricktake.strategies.policy import find_policy
from tricktake_lab.experiment import experiment, log_file
from tricktake_lab.outcome import Outcome, Sheet, mean_of, share_of
from tricktake_lab.skat.card_players import Cost, card_player, play_out

FloatArray = NDArray[np.float64]
RULE, EXPERT, XSKAT = "skat:rule", "skat:expert", "XSkat"
COLUMNS = (
    "family",
    "declarer",
    "defenders",
    "contracts",
    "won",
    "points a game",
    "won, over XSkat",
    "points, over XSkat",
)


def gain(points: ArrayLike) -> FloatArray:
    """What the declarer gains on each defender by the plain points of its game."""
    points = np.asarray(points, np.float64)
    return np.where(points > 0, points + BONUS, points - BONUS - OTHERS_BONUS[SEATS])


def recorded(path: Path, contracts: int) -> RowArray:
    """The first contracts of a log. Raises InputError if it cannot be read."""
    rows = np.concatenate(list(read_rows(path, "xskat")))
    return rows[rows["declarer"] >= 0][:contracts]


def by_policy(policy: Policy, log: RowArray) -> dict[tuple[str, str], FloatArray]:
    """Gains of the declarer by who declares and who defends, (n,): the policy and the plain players."""
    pairs = [("policy", "policy"), ("policy", RULE), ("policy", EXPERT), (RULE, "policy"), (EXPERT, "policy")]
    found = {pair: np.full(len(log), np.nan) for pair in [*pairs, (RULE, RULE), (EXPERT, EXPERT)]}
    for kind in families(log):
        rows = log[which(log, kind)]
        given = contracts_of(rows)
        batch, family = batch_of(given), policy.families[kind]
        declares = np.arange(SEATS) == rows["declarer"][:, None]
        for (declarer, defenders), into in found.items():
            ours = (declarer == "policy") * declares | (defenders == "policy") * ~declares
            other = Expert() if EXPERT in (declarer, defenders) else None
            into[which(log, kind)] = gains(family, given, ours, other, batch)
    return found


def families(log: RowArray) -> list[str]:
    """The families there are."""
    return [family for family, rows in by_family(log).items() if len(rows)]


def which(log: RowArray, family: str) -> NDArray[np.int64]:
    """The rows of a family."""
    numbered = log.copy()
    numbered["id"] = np.arange(len(log))
    return np.asarray(by_family(numbered)[family]["id"])


def by_players(path: Path, contracts: int, one: str, seed: int, nodes: int) -> dict[tuple[str, str], FloatArray]:
    """The same by players at a table, card by card."""
    game = find_game("skat")
    players = {name: card_player(name, name) for name in (one, RULE)}
    found: dict[tuple[str, str], list[float]] = {(one, one): [], (one, RULE): [], (RULE, one): []}
    records = formats.read(path, game, on_error=lambda error: None)
    limit = Limit(nodes=nodes) if nodes else Limit()
    for number, record in enumerate(islice((r for r in records if r.contract is not None), contracts)):
        seat = contract_of(record.table_at_play(game)).declarer
        for (declarer, defenders), each in found.items():
            names = [declarer if s == seat else defenders for s in range(SEATS)]
            points = game.series_points(
                play_out(record.table_at_play(game), names, players, limit, (seed, number), Cost())
            )
            each.append(points[seat] - points[(seat + 1) % SEATS])
    return {pair: np.array(each) for pair, each in found.items()}


def sheet(title: str, log: RowArray, found: Mapping[tuple[str, str], FloatArray]) -> Sheet:
    """A row for each pair of players and family, all families first."""
    recorded_gains = gain(log["value"])
    rows: list[tuple[Any, ...]] = []
    for kind in ("all", *families(log)):
        part = np.arange(len(log)) if kind == "all" else which(log, kind)
        theirs = recorded_gains[part]
        for (declarer, defenders), each in {**found, (XSKAT, XSKAT): recorded_gains}.items():
            ours = each[part]
            more = [mean_of((ours > 0) * 1.0 - (theirs > 0), "%", 4), mean_of(ours - theirs, digits=1)]
            rows.append((kind, declarer, defenders, len(part), share_of(ours > 0, 4), mean_of(ours, digits=1), *more))
    return Sheet.of(title, COLUMNS, rows)


@experiment(
    "cards.recorded",
    item="docs/results.md, recorded contracts",
    seed=905,
    smoke={"log": "sample", "contracts": 100, "sample": 2, "player": "core:policy(policy=skat:cards)"},
    small={"log": "sample", "contracts": 500, "sample": 50},
    paper={"log": "x905.log.gz", "contracts": 20_000, "sample": 300},
)
def measure(
    seed: int, log: str, contracts: int, sample: int, policy: str = "skat:cards", player: str = "skat:player",
    nodes: int = 40_000,
) -> Outcome:  # fmt: skip
    """XSkat's contracts from the first trick by a policy on all seats, as declarer and as defenders, and as recorded.

    sample: of the first contracts, played by ``player`` with so many nodes a decision. seed: of these decisions.
    """
    path = log_file(log)
    found = recorded(path, contracts)
    sheets = [sheet(f"{policy} on contracts of XSkat", found, by_policy(find_policy(policy), found))]
    if sample:
        played = by_players(path, sample, player, seed, nodes)
        sheets.append(sheet(f"{player} on the first of them", found[:sample], played))
    return Outcome(tuple(sheets))
