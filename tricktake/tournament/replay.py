"""Replaying recorded games: what the record says of each contract, what the open cards say, and what we make of it.

The papers' main table (ELO-26, OUTER-20 to 22): eight cells, recorded / open card / ours, 1 for a contract that is
won. The open-card result is the solver's on the position before the first card: can the declarer's side reach the
goal of its contract if everybody sees all cards. A contract that is overbid can be lost in spite of that.
"""

from __future__ import annotations

import functools
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice, product
from typing import Any

from attrs import asdict, evolve, frozen

from tricktake import blocks, html
from tricktake.action import Action, Event
from tricktake.blocks import Keeping, Work
from tricktake.child import Fault
from tricktake.errors import InputError, TricktakeError
from tricktake.game import Contract, Game, Score
from tricktake.pool import Jobs
from tricktake.records import jsonl
from tricktake.records.record import GameRecord
from tricktake.records.recording import Recording
from tricktake.search.opencard import wins
from tricktake.search.problem import Problem
from tricktake.table import Table
from tricktake.tournament import listeners
from tricktake.tournament.config import Config
from tricktake.tournament.match import Seats, at_tricks
from tricktake.tournament.referee import decision_seed, fallback, play
from tricktake.tournament.seat import Seat
from tricktake.tournament.stats import clustered, paired, share_p
from tricktake.tournament.store import packed, unpacked

CHUNK, BLOCK = 8, 50  # records sent to a worker at a time, and in a block that is kept
CELLS = tuple("".join(bits) for bits in product("01", repeat=3))  # recorded, open card, ours


@frozen
class Replayed:
    """What came of one record. Points are those of a series, summed over the seats.

    status: "played"; "passed", the record holds no contract; "folded", our bidders passed; "refused", see ``reason``.
    open_ours: the result of the contract we played, which is the recorded one if all was kept.
    """

    id: str
    status: str
    reason: str = ""
    kind: str = ""
    record: bool = False
    open: bool = False
    ours: bool = False
    open_ours: bool = False
    points_record: float = 0
    points_ours: float = 0
    faults: tuple[tuple[str, str], ...] = ()


class ReplayWorker:
    """Replays records with one player on every seat. ``config`` names game, player and how to contain it."""

    def __init__(self, config: Config, keep: frozenset[str]) -> None:
        self.config, self.keep = config, keep
        self.game = config.make_game()
        self.seats = Seats(config)

    def __call__(self, records: Sequence[GameRecord]) -> list[Replayed]:
        """What became of each of these records."""
        return [self._replay(record) for record in records]

    def close(self) -> dict[str, dict[str, float]]:
        return self.seats.close()

    def _replay(self, record: GameRecord) -> Replayed:
        try:
            return self._replayed(record)
        except InputError as error:
            return Replayed(record.id, "refused", f"{error.field}: {error.reason}" if error.field else error.reason)
        except (TricktakeError, ValueError) as error:
            return Replayed(record.id, "refused", str(error))

    def _replayed(self, record: GameRecord) -> Replayed:
        game, contract = self.game, record.contract
        if record.passed:
            return Replayed(record.id, "passed")
        if contract is None:
            raise InputError(None, None, "contract", "none is recorded")
        if contract.declarer < 0:
            raise InputError(None, None, "contract", "nobody declares, so that nothing is won or lost")
        recording = Recording.of(game)
        score = recording.score(record)
        won = record.result.get("won", score.won)
        if won is None:
            raise InputError(None, None, "won", "the record does not say whether the contract was won")
        open_result = open_win(recording.problem(record))
        seats = self.seats.of([self.config.players[0]] * game.seats)
        table = begin(game, record, self.keep, seats, self.config.seed)
        if table.contract is None or table.over:
            reached = None
        else:
            reached = open_result if self.keep >= decisive(game) else open_win(Problem.of(table))
        names = [self.config.players[0].name] * game.seats
        listeners.begins(table, self.config.seed, record.id, names)
        faults = play(table, seats, seed=self.config.seed, game_id=record.id, max_faults=self.config.max_faults)
        listeners.ends(table, record.id, names)
        ours = table.score()
        return Replayed(
            record.id,
            "played" if reached is not None else "folded",
            kind=contract.kind,
            record=bool(won),
            open=open_result,
            ours=bool(ours.won),
            open_ours=bool(reached),
            points_record=_points(game, score, contract.declarer),
            points_ours=_points(game, ours, contract.declarer),
            faults=tuple((fault.kind, fault.reason) for fault in faults),
        )


def _points(game: Game, score: Score, declarer: int) -> float:
    """What a game adds to the sum over seats and records; the declarer's points for each where they cancel out."""
    points = game.series_points(score)
    return points[declarer] * game.seats if game.score_total == 0 else sum(points)


def open_win(problem: Problem) -> bool:
    """Whether the side reaches its goal with open cards. Raises ValueError for a goal without a number."""
    return bool(wins(problem.state, problem.seat))


def keeps(game: Game) -> tuple[str, ...]:
    """What a replay of this game may keep as recorded: what its phases before the tricks decide (``Phase.keep``)."""
    return tuple(dict.fromkeys(phase.keep for phase in game.phases[:-1]))


def decisive(game: Game) -> frozenset[str]:
    """Those that settle how the tricks begin: what was said in an auction does not, if a contract is declared later."""
    words = frozenset(keeps(game))
    return words - {"auction"} or words


def needed_roles(game: Game, keep: frozenset[str]) -> tuple[str, ...]:
    """The roles a strategy needs if this is kept: those of the phases it has to decide, and of the tricks."""
    left = () if keep >= decisive(game) else [phase for phase in game.phases[:-1] if phase.keep not in keep]
    return tuple(dict.fromkeys(phase.role for phase in (*left, game.phases[-1])))


def begin(game: Game, record: GameRecord, keep: frozenset[str], seats: Sequence[Seat], seed: int) -> Table:
    """The table from which we go on: what is kept is taken from the record, the rest decided by the seats.

    With all that is ``decisive`` kept it stands at the first trick; the recorded auction was heard if it is kept, too.
    A seat that is to choose the skat for a kept contract sees that contract in its view.
    Raises InputError if the game cannot tell how the bidding may have gone.
    """
    if keep >= decisive(game):
        if "auction" in keep and record.before is not None:
            return Table.replay(game, record.deal, record.before, record.board)
        return record.table_at_play(game)
    recorded = list(_recorded(game, record))
    table = Table.start(game, record.deal, record.board)
    number = 0
    while not table.over and not at_tricks(table):
        phase, turn = table.phase, table.turn
        assert phase is not None
        assert turn is not None
        action = _next(recorded, turn, table.legal()) if phase.keep in keep else None
        if action is not None:
            table.apply(action)
            continue
        shown: Contract | None = None
        if "contract" in keep and record.contract is not None and record.contract.declarer == turn:
            shown = record.contract
        table.apply_unchecked(_ask(table, seats, decision_seed(seed, f"{record.id}.begin", turn, number), shown))
        number += 1
    return table


def _recorded(game: Game, record: GameRecord) -> Iterator[Event]:
    """The actions before the tricks, as recorded or as they may have been."""
    assert record.contract is not None
    yield from record.before if record.before is not None else Recording.of(game).presumed(record)


def _next(recorded: list[Event], turn: int, legal: Sequence[Action]) -> Action | None:
    """Take out the first recorded action that fits here; those before it belong to phases that are not kept."""
    for n, event in enumerate(recorded):
        if event.seat == turn and event.action in legal:
            del recorded[: n + 1]
            return event.action
    return None


def _ask(table: Table, seats: Sequence[Seat], seed: int, shown: Contract | None) -> Action:
    actor = table.actor
    assert actor is not None
    view = table.view(actor)
    if shown is not None:
        view = evolve(view, contract=shown)
    try:
        wanted = seats[actor].ask(view, seed).action
    except Fault:
        return fallback(table, seed)
    return next(
        (a for a in view.legal if (a.verb, a.value, a.mask) == (wanted.verb, wanted.value, wanted.mask)),
        fallback(table, seed),
    )


def chunks(records: Iterable[GameRecord], size: int = CHUNK) -> Iterator[tuple[GameRecord, ...]]:
    rows = iter(records)
    while batch := tuple(islice(rows, size)):
        yield batch


def replay(config: Config, keep: frozenset[str], records: Iterable[GameRecord], jobs: Jobs = 1) -> Iterator[Replayed]:
    """What became of each record, in their order. A block is named by its records, wherever they come from."""
    whole = isinstance(jobs, Keeping)
    tasks = chunks(records, BLOCK if whole else CHUNK)
    facts = {**config.as_row(), "keep": sorted(keep)}
    files = blocks.files_in(player.text for player in config.players)
    make = functools.partial(ReplayWorker, config, keep)
    work = Work("replay", config.seed, facts, make, _encoded, _decoded, files, _texts)
    found = blocks.run(work, (((n * BLOCK, len(task)), task) for n, task in enumerate(tasks)), jobs)
    return chain.from_iterable(found)


def _texts(records: Sequence[GameRecord]) -> Iterator[str]:
    return (jsonl.FORMAT.text(record) for record in records)


def _encoded(rows: Sequence[Replayed]) -> bytes:
    return packed(map(asdict, rows))


def _decoded(data: bytes) -> list[Replayed]:
    return [Replayed(**{**row, "faults": tuple(map(tuple, row["faults"]))}) for row in unpacked(data)]


# -- adding up --------------------------------------------------------------------------------------------------------


class Tally:
    """The sums over replayed records, in the order of the records."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.cells: dict[str, Counter[str]] = defaultdict(Counter)  # by kind
        self.right: dict[str, Counter[str]] = defaultdict(Counter)  # results equal to the open-card result
        self.points: list[tuple[float, float]] = []
        self.status: Counter[str] = Counter()
        self.refused: list[dict[str, str]] = []
        self.faults: Counter[str] = Counter()
        self.first_faults: dict[str, str] = {}

    def add(self, row: Replayed) -> None:
        self.status[row.status] += 1
        if row.status == "refused":
            self.refused.append({"id": row.id, "reason": row.reason})
        for kind, reason in row.faults:
            self.faults[kind] += 1
            self.first_faults.setdefault(kind, f"{row.id}: {reason}")
        if row.status in ("played", "folded"):
            self.points.append((row.points_record, row.points_ours))
        if row.status == "played":
            self.cells[row.kind]["".join(str(int(b)) for b in (row.record, row.open, row.ours))] += 1
            self.right[row.kind]["record"] += row.record == row.open
            self.right[row.kind]["ours"] += row.ours == row.open_ours

    def _repr_html_(self) -> str:
        facts = [(key, value) for key, value in self.row().items() if not isinstance(value, (dict, list))]
        return html.facts(f"{self.game.name}: recorded games replayed", facts)

    def row(self) -> dict[str, Any]:
        """The result as JSON: see docs/tournaments.md for the keys."""
        total = sum(self.cells.values(), Counter())
        out = _cells(total, sum(self.right.values(), Counter()))
        out["kinds"] = {kind: _cells(self.cells[kind], self.right[kind]) for kind in sorted(self.cells)}
        out["p_wins"] = share_p(total["001"] + total["011"], total["100"] + total["110"])
        out[self.score_key] = self._scores()
        out["passed"], out["folded"] = self.status["passed"], self.status["folded"]
        out["refused"] = self.refused
        out["faults"], out["first_faults"] = dict(self.faults), self.first_faults
        return out

    @property
    def score_key(self) -> str:
        """``score36`` for a game with series of 36, ``score`` for one without series."""
        return f"score{self.game.series}" if self.game.series > 1 else "score"

    def _scores(self) -> dict[str, Any]:
        """SKAT-43: points of all seats, shared evenly among them, for a series of games; with 95 % intervals."""
        if not self.points:
            return {"record": None, "ours": None}
        scale = self.game.series / self.game.seats
        record = clustered(((a, 1.0) for a, _ in self.points), scale)
        ours = clustered(((b, 1.0) for _, b in self.points), scale)
        difference, p = paired([b - a for a, b in self.points], scale)
        assert record is not None
        assert ours is not None
        return {
            "record": record.mean,
            "ours": ours.mean,
            "difference": difference.mean,
            "error": {"record": record.error, "ours": ours.error, "difference": difference.error},
            "p": p,
        }


def _cells(cells: Counter[str], right: Counter[str]) -> dict[str, Any]:
    games = sum(cells.values())
    wins = {
        name: sum(n for cell, n in cells.items() if cell[i] == "1") for i, name in enumerate(("record", "open", "ours"))
    }
    return {
        "games": games,
        "cells": {cell: cells[cell] for cell in CELLS},
        "wins": wins,
        "accuracy": {who: right[who] / games if games else None for who in ("record", "ours")},
    }
