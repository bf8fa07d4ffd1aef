"""What open cards say of recorded games: of the contract, and card by card."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from itertools import groupby, islice
from typing import Any, Literal

from attrs import field, frozen

from tricktake import pool
from tricktake.errors import InputError, TricktakeError
from tricktake.game import Game
from tricktake.records.record import GameRecord
from tricktake.rules import GoalKind
from tricktake.search.limit import Limit
from tricktake.search.opencard import Solver, default_solver
from tricktake.search.positions import Positions
from tricktake.search.problem import Outcome, Problem

Asked = Literal["value", "win", "cards"]

BATCH = 8  # records sent to a worker at a time


@frozen
class Verdict:
    """The open-card verdict on one record.

    facts: what the game makes of it, as printed; for most games ``value`` for the side of the declarer (of the leader
    in games without one) as the rules count it (Skat: eyes with the skat; tricks in Null and announced Schwarz), None
    if not asked, ``win``, None without a threshold, and ``cards``, the value after each card. ms: wall clock.
    reason: why there is no verdict.
    """

    id: str
    passed: bool = False
    facts: Mapping[str, Any] = field(factory=dict)
    ms: float = 0.0
    nodes: int = 0
    source: str = ""
    reason: str = ""

    def to_json(self) -> dict[str, Any]:
        """The verdict as ``tricktake solve`` prints it."""
        if self.passed:
            return {"id": self.id, "passed": True}
        return {"id": self.id, **self.facts, "ms": round(self.ms, 3), "nodes": self.nodes}


def judge(
    game: Game,
    record: GameRecord,
    asked: Asked = "value",
    limit: Limit | None = None,
    after: int = 0,
    solver: Solver | None = None,
) -> Verdict:
    """Solve the problems of a record (``Game.problems``). What cannot be solved is a verdict with a reason."""
    try:
        problems = game.problems(record, asked, after)
        if not problems:
            return Verdict(record.id, passed=True, source=record.source)
        start = time.perf_counter()
        found = ask(problems, asked, limit, solver)
        facts = game.solved(record, found)
        ms = (time.perf_counter() - start) * 1000
    except (TricktakeError, ValueError) as error:
        reason = error.reason if isinstance(error, InputError) else str(error)
        return Verdict(record.id, source=record.source, reason=reason)
    return Verdict(record.id, False, facts, ms, sum(outcome.nodes for outcome in found), record.source)


def ask(
    problems: Iterable[Problem], asked: Asked = "value", limit: Limit | None = None, solver: Solver | None = None
) -> list[Outcome]:
    """The answers to problems, in their order. Raises Unknown if a limit came first."""
    solver = solver or default_solver()
    out: list[Outcome] = []
    for _, group in groupby(problems, lambda p: (p.state.rules, p.state.rules.side_mask(p.seat), p.cards)):
        out += _together(list(group), asked, limit, solver)
    return out


def _together(group: list[Problem], asked: Asked, limit: Limit | None, solver: Solver) -> list[Outcome]:
    """The answers to problems of the same rules and side."""
    first = group[0]
    rules = first.state.rules
    goal = rules.goal(first.seat)
    wins = None
    if asked == "win" or goal.kind is GoalKind.EXACTLY:
        wins = [solver.wins(p.state, p.seat, limit) for p in group]
        if asked == "win":
            return [Outcome(win=bool(answer), nodes=answer.nodes) for answer in wins]
    positions = Positions.from_states([p.state for p in group], rules.side_mask(first.seat))
    solved = solver.batch(positions, "cards" if first.cards else "value", limit=limit)
    values, nodes = solved.value.tolist(), solved.nodes.tolist()
    out = []
    for i, value in enumerate(values):
        cards = {rules.deck[c].name: v for c, v in solved.values_of(i).items()} if first.cards else {}
        if wins is None:
            out.append(Outcome(value, goal.met(value), cards, nodes[i]))
        else:
            out.append(Outcome(value, bool(wins[i]), cards, nodes[i] + wins[i].nodes))
    return out


def judge_all(
    game: Game,
    records: Iterable[GameRecord],
    asked: Asked = "value",
    limit: Limit | None = None,
    jobs: int = 1,
    after: int = 0,
) -> Iterator[Verdict]:
    """``judge`` for every record in its order; the same for any number of processes, but for the milliseconds."""
    default_solver().warm_up()
    if jobs == 1:
        for record in records:
            yield judge(game, record, asked, limit, after)
        return
    todo = iter(records)
    batches = iter(lambda: list(islice(todo, BATCH)), [])
    for verdicts in pool.in_order(partial(_judge_batch, game.spec, asked, limit, after), batches, jobs):
        yield from verdicts


def _judge_batch(game: str, asked: Asked, limit: Limit | None, after: int, batch: list[GameRecord]) -> list[Verdict]:
    from tricktake.records.formats import get_game

    rules = get_game(game)
    assert rules is not None
    default_solver().warm_up()
    return [judge(rules, record, asked, limit, after) for record in batch]


# -- card by card -----------------------------------------------------------------------------------------------------


@frozen
class Step:
    """One card of a recorded game. before, after: open-card value for the side, lost: what the player's side gave away.

    trick: from 1. choice, reason: the card somebody else would have played there, and why, if one was asked. proof:
    what became of proving that the goal was sure there, and of verifying the proof, if that was wanted.
    """

    trick: int
    seat: int
    card: str
    before: int
    after: int
    lost: int
    choice: str = ""
    reason: str = ""
    proof: str = ""


def analyse(game: Game, record: GameRecord, solver: Solver | None = None) -> list[Step]:
    """Each recorded card with what the open cards allowed before and after it, for the side of the declarer.

    Raises InputError for a passed-in deal, and IllegalAction where the record breaks the rules.
    """
    solver = solver or default_solver()
    problem = game.at_play(record)
    state, seat = problem.state, problem.seat
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
