"""What open cards say of recorded games: of the contract, and card by card."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context
from typing import Any, Literal

from attrs import field, frozen

from tricktake.errors import InputError, TricktakeError
from tricktake.game import Game
from tricktake.records.record import GameRecord
from tricktake.rules import GoalKind
from tricktake.search.limit import Limit
from tricktake.search.opencard import Solver, default_solver
from tricktake.trick import TrickState

Asked = Literal["value", "win", "cards"]

BATCH = 8  # records sent to a worker at a time
AHEAD = 4  # batches waiting for each worker, so that a long file is never in memory


@frozen
class Verdict:
    """The open-card verdict on one record, for the side of its declarer (of the leader in games without one).

    value: final cost of the side with its credits, as the rules count it (Skat: eyes with the skat; tricks in Null
    and announced Schwarz); None if not asked. win: whether the side can reach its goal; None if it has no threshold.
    cards: value after each card that may be led, by name. ms: wall clock. reason: why there is no verdict.
    """

    id: str
    passed: bool = False
    value: int | None = None
    win: bool | None = None
    ms: float = 0.0
    nodes: int = 0
    cards: dict[str, int] = field(factory=dict)
    source: str = ""
    reason: str = ""

    def to_json(self) -> dict[str, Any]:
        """The verdict as ``tricktake solve`` prints it."""
        if self.passed:
            return {"id": self.id, "passed": True}
        out: dict[str, Any] = {"id": self.id, "value": self.value, "win": self.win}
        out |= {"ms": round(self.ms, 3), "nodes": self.nodes}
        return out | ({"cards": self.cards} if self.cards else {})


def judge(
    game: Game, record: GameRecord, asked: Asked = "value", limit: Limit | None = None, solver: Solver | None = None
) -> Verdict:
    """Solve the contract of a record at its first trick. What cannot be solved is a verdict with a reason."""
    if record.passed:
        return Verdict(record.id, passed=True, source=record.source)
    solver = solver or default_solver()
    try:
        state = _start(game, record)
        seat = _seat(record, state)
        side = state.rules.side_mask(seat)
        kind = state.rules.goal(seat).kind
        start = time.perf_counter()
        value, win, cards, nodes = None, None, {}, 0
        if asked == "win" or kind is GoalKind.EXACTLY:
            answer = solver.wins(state, seat, limit)
            win, nodes = bool(answer), answer.nodes
        if asked == "value":
            found = solver.solve(state, side, limit, line=False)
            value, nodes = found.value, nodes + found.nodes
        elif asked == "cards":
            from tricktake.search.positions import Positions

            solved = solver.batch(Positions.from_states([state], side), "cards", limit=limit)
            deck = state.rules.deck
            cards = {deck[c].name: v for c, v in solved.values_of(0).items()}
            value, nodes = int(solved.value[0]), nodes + int(solved.nodes[0])
        if win is None and value is not None:
            win = state.rules.goal(seat).met(value)
        ms = (time.perf_counter() - start) * 1000
    except (TricktakeError, ValueError) as error:
        reason = error.reason if isinstance(error, InputError) else str(error)
        return Verdict(record.id, source=record.source, reason=reason)
    return Verdict(record.id, False, value, win, ms, nodes, cards, record.source)


def judge_all(
    game: Game, records: Iterable[GameRecord], asked: Asked = "value", limit: Limit | None = None, jobs: int = 1
) -> Iterator[Verdict]:
    """``judge`` for every record in its order; the same for any number of processes, but for the milliseconds."""
    default_solver().warm_up()
    if jobs == 1:
        for record in records:
            yield judge(game, record, asked, limit)
        return
    todo = iter(records)
    waiting: deque[Future[list[Verdict]]] = deque()
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        while batch := list(islice(todo, BATCH)):
            waiting.append(pool.submit(_judge_batch, game.spec, batch, asked, limit))
            if len(waiting) >= AHEAD * jobs:
                yield from waiting.popleft().result()
        for future in waiting:
            yield from future.result()


def _judge_batch(game: str, batch: list[GameRecord], asked: Asked, limit: Limit | None) -> list[Verdict]:
    from tricktake.records.formats import get_game

    rules = get_game(game)
    assert rules is not None
    default_solver().warm_up()
    return [judge(rules, record, asked, limit) for record in batch]


# -- card by card -----------------------------------------------------------------------------------------------------


@frozen
class Step:
    """One card of a recorded game. before, after: open-card value for the side, lost: what the player's side gave away.

    trick: from 1.
    """

    trick: int
    seat: int
    card: str
    before: int
    after: int
    lost: int


def analyse(game: Game, record: GameRecord, solver: Solver | None = None) -> list[Step]:
    """Each recorded card with what the open cards allowed before and after it, for the side of the declarer.

    Raises InputError for a passed-in deal, and IllegalAction where the record breaks the rules.
    """
    if record.passed:
        raise InputError(record.source or None, None, "contract", "the deal was passed in: there is nothing to play")
    solver = solver or default_solver()
    state = _start(game, record)
    seat = _seat(record, state)
    side, sense = state.rules.side_mask(seat), state.rules.goal(seat).sense
    steps = []
    before = solver.solve(state, side, line=False).value
    for event in record.plays:
        if event.action.verb != "play":
            break  # a claim or a concession ends the play of the cards
        (card,) = event.action.cards
        mover, number = state.turn, len([t for t in state.tricks if t]) + 1
        wants_more = (sense > 0) == bool(side >> mover & 1)
        state.play_checked(card)
        after = state.side_taken(side) if state.over else solver.solve(state, side, guess=before, line=False).value
        lost = before - after if wants_more else after - before
        steps.append(Step(number, mover, state.rules.deck[card].name, before, after, lost))
        before = after
    return steps


def _start(game: Game, record: GameRecord) -> TrickState:
    state = record.table_at_play(game).tricks
    if state is None:
        raise InputError(record.source or None, None, "contract", "there are no tricks to play")
    return state.copy()


def _seat(record: GameRecord, state: TrickState) -> int:
    declarer = record.contract.declarer if record.contract is not None else -1
    return declarer if declarer >= 0 else state.turn
