"""The tables of the paper on paranoia search: recorded deals with proofs for declarer, defenders, both, and nobody."""

from __future__ import annotations

import numpy as np
from tricktake_skat.bidding.style import Style
from tricktake_skat.games import Games, Player
from tricktake_skat.kernels import NULL
from tricktake_skat.rows import RowArray
from tricktake_skat.rows_play import open_card

from tricktake.arrays import FloatArray
from tricktake.deal import Deal
from tricktake.errors import UnknownName
from tricktake.game import find_game
from tricktake.pool import in_order
from tricktake.search.limit import Limit
from tricktake.strategies.player import Player as TablePlayer
from tricktake.table import Table
from tricktake.tournament.referee import play
from tricktake.tournament.seat import LocalSeat
from tricktake_lab.experiment import experiment
from tricktake_lab.outcome import Outcome, Sheet, mean_of, share_of
from tricktake_lab.skat.replayed import CELLS, bid_by, discarded, recorded_rows

SERIES, SEATS = 36, 3
MODES = ("own", "kept", "discarded")  # tables I to III
SETTINGS = ("nobody", "declarer", "defenders", "both")
PART = 50  # contracts handed to a worker at a time


def spec_of(setting: str, then: str) -> str:
    """The players of a setting."""
    if setting == "nobody":
        return then
    return f"core:paranoia(then={then})" if setting == "both" else f"core:paranoia(then={then},seats={setting})"


def tables_of(rows: RowArray) -> list[Table]:
    """Contracts of rows at their first trick."""
    game = find_game("skat")
    games = Games(rows, np.zeros((len(rows), SEATS), np.int64), np.zeros((len(rows), 0), np.int64))
    found = []
    for i, row in enumerate(rows):
        contract = games.contract(i)
        assert contract is not None
        dealt = [int(mask) for mask in row["deal"]]
        held = list(dealt)
        seat = contract.declarer
        held[seat], held[3] = (dealt[seat] | dealt[3]) & ~int(row["put"]), int(row["put"])
        dealt_at, played = Deal(game.layout, tuple(dealt)), Deal(game.layout, tuple(held))
        found.append(Table.at_contract(game, dealt_at, contract, None if contract.hand else played))
    return found


def results(task: tuple[RowArray, str, int]) -> FloatArray:
    """Whether each contract is won, and points of the table in 36 games, (n, 2)."""
    rows, spec, seed = task
    game = find_game("skat")
    seat = LocalSeat(lambda: TablePlayer.from_spec(f"play={spec}"), Limit())
    found = np.zeros((len(rows), 2))
    for number, table in enumerate(tables_of(rows)):
        faults = play(table, [seat] * SEATS, seed=seed, game_id=str(int(rows["id"][number])))
        if faults:
            raise RuntimeError(f"{rows['id'][number]}: {faults[0].reason}")
        score = table.score()
        found[number] = bool(score.won), SERIES / SEATS * sum(game.series_points(score))
    return found


@experiment(
    "records.proven",
    item="KBPS-22",
    seed=0,
    smoke={"log": "sample", "deals": 6, "then": "skat:rule"},
    small={"log": "xskat:906:85000", "deals": 2500},
    paper={"log": "xskat:906:85000", "deals": 50_300},
)
def proven(seed: int, log: str, deals: int, mode: str = "kept", then: str = "skat:expert", jobs: int = 1) -> Outcome:
    """Suit games and grands of recorded deals with proofs for either side: eight cells, wins and scores.

    mode: ``kept``, contract and skat of the record; ``discarded``, our skat in the record's contract; ``own``, all by
    our bidders. then: who plays what is not proven. The open-card result is that of the record's game, as in the paper.
    """
    if mode not in MODES:
        raise UnknownName("mode", mode, MODES)
    record, whose = recorded_rows(log, deals)
    record = record[(record["declarer"] >= 0) & (record["game"] < NULL)]
    rows = bid_by(Player(Style()), record["deal"]) if mode == "own" else record
    rows["id"] = record["id"]
    there = (rows["declarer"] >= 0) & (rows["game"] < NULL)
    record, rows = record[there], rows[there]
    if mode == "discarded":
        rows = discarded(rows, "learned", seed)
    opened, before = open_card(record) == 1, record["won"] == 1
    found = {}
    for setting in SETTINGS:
        tasks = [(rows[i : i + PART], spec_of(setting, then), seed) for i in range(0, len(rows), PART)]
        found[setting] = np.concatenate(list(in_order(results, tasks, jobs)))
    lines, cells, facts = [], [], {}
    for setting, each in found.items():
        won, points = each[:, 0] == 1, each[:, 1]
        counts = np.bincount(4 * before + 2 * opened + won, minlength=len(CELLS))
        cells.append((setting, *counts.tolist()))
        lines.append((setting, int(won.sum()), share_of(won, 4), mean_of(points, digits=1)))
        for other in SETTINGS[: SETTINGS.index(setting)]:
            gap = each - found[other]
            facts[f"{setting} less {other}: score"] = mean_of(gap[:, 1], digits=1)
            facts[f"{setting} less {other}: won"] = mean_of(gap[:, 0], "%", 4)
    facts |= {"record won": share_of(before, 4), "open cards won": share_of(opened, 4)}
    title = f"{len(rows)} suit games and grands of {whose}, {mode}, {then}"
    sheets = (
        Sheet.of(title, ("proofs for", "won", "share", "score in 36 games"), lines),
        Sheet.of("Record, open cards, ours: 1 won", ("proofs for", *CELLS), cells),
    )
    return Outcome(sheets, facts)
