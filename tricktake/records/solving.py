"""What open cards say of recorded games: of the contract, and card by card."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from itertools import islice, takewhile
from typing import Any

from attrs import field, frozen

from tricktake import pool
from tricktake.errors import InputError, TricktakeError
from tricktake.game import Game, find_game
from tricktake.records.formats import variant_of
from tricktake.records.record import GameRecord
from tricktake.records.recording import Recording
from tricktake.search.limit import Limit
from tricktake.search.opencard import Solver, default_solver
from tricktake.search.solving import Asked, Step, solve_problems, steps

BATCH = 8  # records sent to a worker at a time


@frozen
class Solved:
    """What open cards say of one record.

    facts: what the game makes of it, as printed; for most games ``value`` for the side of the declarer (of the leader
    in games without one) as the rules count it (Skat: eyes with the skat; tricks in Null and announced Schwarz), None
    if not asked, ``win``, None without a threshold, and ``cards``, the value after each card. ms: wall clock.
    reason: why there are none.
    """

    id: str
    passed: bool = False
    facts: Mapping[str, Any] = field(factory=dict)
    ms: float = 0.0
    nodes: int = 0
    source: str = ""
    reason: str = ""

    def to_json(self) -> dict[str, Any]:
        """As ``tricktake solve`` prints it."""
        if self.passed:
            return {"id": self.id, "passed": True}
        return {"id": self.id, **self.facts, "ms": round(self.ms, 3), "nodes": self.nodes}


def solve_record(
    game: Game,
    record: GameRecord,
    asked: Asked = "value",
    limit: Limit | None = None,
    after: int = 0,
    solver: Solver | None = None,
) -> Solved:
    """Solve the problems of a record (``Recording.problems``). What cannot be solved has a reason instead of facts."""
    try:
        recording = Recording.of(variant_of(record, game))
        problems = recording.problems(record, asked, after)
        if not problems:
            return Solved(record.id, passed=True, source=record.source)
        start = time.perf_counter()
        found = solve_problems(problems, asked, limit, solver)
        facts = recording.solved(record, found)
        ms = (time.perf_counter() - start) * 1000
    except (TricktakeError, ValueError) as error:
        reason = error.reason if isinstance(error, InputError) else str(error)
        return Solved(record.id, source=record.source, reason=reason)
    return Solved(record.id, False, facts, ms, sum(outcome.nodes for outcome in found), record.source)


def solve_all(
    game: Game,
    records: Iterable[GameRecord],
    asked: Asked = "value",
    limit: Limit | None = None,
    jobs: pool.Jobs = 1,
    after: int = 0,
) -> Iterator[Solved]:
    """``solve_record`` for every record in its order, the same for any number of processes but for the milliseconds."""
    default_solver().warm_up()
    if jobs == 1:
        for record in records:
            yield solve_record(game, record, asked, limit, after)
        return
    todo = iter(records)
    batches = iter(lambda: list(islice(todo, BATCH)), [])
    for found in pool.in_order(partial(_solve_batch, game.spec, asked, limit, after), batches, jobs):
        yield from found


def _solve_batch(game: str, asked: Asked, limit: Limit | None, after: int, batch: list[GameRecord]) -> list[Solved]:
    rules = find_game(game)
    default_solver().warm_up()
    return [solve_record(rules, record, asked, limit, after) for record in batch]


def analyse(game: Game, record: GameRecord, solver: Solver | None = None) -> list[Step]:
    """Each recorded card with what the open cards allowed before and after it, for the side of the declarer.

    Raises InputError for a passed-in deal, and IllegalAction where the record breaks the rules.
    """
    until_claimed = takewhile(lambda event: event.action.verb == "play", record.plays)
    return steps(
        Recording.of(variant_of(record, game)).problem(record),
        (event.action.cards[0] for event in until_claimed),
        solver,
    )
