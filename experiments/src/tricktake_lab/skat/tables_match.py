"""Two sets of learned tables, each with what is fitted besides, as judges of games and as bidders with cards alike.

A set is a folder: ``suit.table``, ``grand.table`` and ``null.table``, ``prior.json``, ``calibration.json`` and
``schneider.json``.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from attrs import evolve
from tricktake_null_tables.builder import build
from tricktake_null_tables.question import SUIT as NULL_SUIT
from tricktake_null_tables.shipped import COUNTS
from tricktake_skat import plugin
from tricktake_skat.bidding.model import CALIBRATION, HERE, PRIOR, SCHNEIDER_FILE, Model
from tricktake_skat.bidding.style import Style
from tricktake_skat.bidding.value import DEFAULT as VALUES
from tricktake_skat.bidding.value import find_values
from tricktake_skat.deals import dealt
from tricktake_skat.deck import SEATS
from tricktake_skat.games import Player
from tricktake_skat.kernels import GRAND, NULL
from tricktake_skat.questions.declarer import GRAND_GAME, SUIT
from tricktake_skat.rows import RowArray
from tricktake_skat.rows_play import play
from tricktake_skat.winning import Winning, made_of

from tricktake.learning import LearnedTable
from tricktake.strategies.policy import find_policy
from tricktake_lab.experiment import experiment
from tricktake_lab.outcome import Cell, Outcome, Sheet, mean_of
from tricktake_lab.skat.bidding import CARDS, columns_of_rows, games_of, matched, row_of
from tricktake_lab.skat.value_fit import results_of, told

TABLES = {"suit.table": SUIT, "grand.table": GRAND_GAME, "null.table": NULL_SUIT}
BLOCK = 20_000
KINDS = ("suit", "grand", "Null", "Null ouvert")
NETWORKS = "networks"


def files_of(folder: str) -> dict[str, Path]:
    """The files of a set by name; "" for those that are shipped."""
    if folder:
        return {name: Path(folder, name) for name in (*TABLES, PRIOR.name, CALIBRATION.name, SCHNEIDER_FILE.name)}
    tables = {"suit.table": plugin.TABLES / "suit.table", "grand.table": plugin.TABLES / "grand.table"}
    return {**tables, "null.table": COUNTS, **{file.name: file for file in (PRIOR, CALIBRATION, SCHNEIDER_FILE)}}


def set_of(folder: str) -> tuple[Winning, Model]:
    """The chances of a set, as the tables answer by themselves and as a bidder asks them. Raises InputError."""
    files = files_of(folder)
    suit, grand, null = (LearnedTable.load(files[name], question) for name, question in TABLES.items())
    nulls, fitted = build(null).array, Path(folder) if folder else HERE
    return made_of(suit, grand, nulls), Model.of_tables(suit, grand, nulls, folder=fitted).calibrated(fitted)


def asked(rows: RowArray) -> np.ndarray:
    """The questions that ``Winning.chances`` takes, of the games of rows."""
    bids = rows["bids"].copy()
    bids[np.arange(len(rows)), rows["declarer"]] = 0
    columns = (rows["game"], rows["hand"], rows["ouvert"], rows["own"], rows["put"], rows["declarer"], bids.max(axis=1))
    return np.column_stack(columns)


def judged(sets: Mapping[str, Winning], seed: int, games: int, cards: str) -> Sheet:
    """Brier scores of what each set says of games that nobody learned from, and of the networks' chances."""
    parts = [
        play(seed, first, min(BLOCK, games - first), policy=find_policy(cards)) for first in range(0, games, BLOCK)
    ]
    rows = np.concatenate(parts)
    rows = rows[(rows["declarer"] >= 0) & (rows["announced"] == 0)]
    networks, kinds = find_values(VALUES), np.where(rows["game"] < NULL, rows["game"] >= GRAND, 2 + rows["ouvert"])
    lines: list[tuple[Cell, ...]] = []
    for number, kind in enumerate(KINDS):
        some = rows[kinds == number]
        results = results_of(some)
        won = results.results[:, 0]
        said = {name: winning.chances(asked(some)) for name, winning in sets.items()}
        said[NETWORKS] = told(networks.nets[number], results)[:, 0]
        errors = {name: np.square(np.where(chance < 0, 0.5, chance) - won) for name, chance in said.items()}
        first = next(iter(errors))
        for name, error in errors.items():
            more = mean_of(error - errors[first], digits=4)
            told_of = mean_of(said[name], "%"), mean_of(won, "%")
            lines.append((kind, len(some), name, mean_of(error, digits=4), more, *told_of))
    columns = ("game", "games", "judge", "Brier", f"over {first}", "said", "won")
    return Sheet.of(f"Games of {games} fresh deals, forced and bid, cards by {cards}", columns, lines)


@experiment(
    "bidding.tables",
    item="docs/results.md, bidding: tables of the policy's games",
    seed=9181,
    smoke={"deals": 6, "games": 200},
    small={"deals": 1000, "games": 40_000},
    paper={"deals": 5000, "games": 200_000},
)
def tables(seed: int, deals: int, games: int, before: str = "", after: str = "", cards: str = CARDS) -> Outcome:
    """Two sets of tables: Brier scores, three equal bidders of each, matches with and without value networks over them.

    before, after: folders with a set, "" for the shipped one. deals: of every match. games: fresh deals to judge by.
    """
    sets = {"before": set_of(before), "after": set_of(after)}
    sheets = [judged({name: winning for name, (winning, _) in sets.items()}, seed + 1, games, cards)]
    places, equal = dealt(seed, 0, deals), np.zeros((deals, SEATS), np.int64)
    values = find_values(VALUES)
    for title, value in (("tables alone", None), (VALUES, values)):
        players = {name: Player(Style(), evolve(model, value=value)) for name, (_, model) in sets.items()}
        alike = {name: games_of([player], places, equal, cards) for name, player in players.items()}
        rows = [row_of(name, found) for name, found in alike.items()]
        sheets.append(Sheet.of(f"Three equal bidders, {title}, {deals} deals", columns_of_rows(), rows))
        (match,) = matched(seed + 2, deals, players["after"], players["before"], cards).sheets
        sheets.append(evolve(match, title=f"After against before, {title}: {match.title}"))
    return Outcome(tuple(sheets))
