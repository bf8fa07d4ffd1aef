"""What open cards say of positions: the answers to problems, and a play card by card."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Literal

from attrs import frozen

from tricktake.rules import GoalKind
from tricktake.search.limit import Limit
from tricktake.search.opencard import Solver, default_solver
from tricktake.search.positions import Positions
from tricktake.search.problem import Outcome, Problem

Asked = Literal["value", "win", "cards"]


def solve_problems(
    problems: Iterable[Problem], asked: Asked = "value", limit: Limit | None = None, solver: Solver | None = None
) -> list[Outcome]:
    """The answers to problems, in their order. Raises Unknown if a limit came first."""
    solver = solver or default_solver()
    out: list[Outcome] = []
    for _, group in groupby(problems, lambda p: (p.state.rules, p.side_mask, p.cards)):
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
    positions = Positions.from_states([p.state for p in group], first.side_mask)
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


def steps(problem: Problem, cards: Iterable[int], solver: Solver | None = None) -> list[Step]:
    """Cards played one after the other from a position, with what the open cards allowed before and after each.

    cards: deck indices. The position of the problem is played on. Raises IllegalAction for a card against the rules.
    """
    solver = solver or default_solver()
    state, side = problem.state, problem.side_mask
    sense = state.rules.goal(problem.seat).sense
    out = []
    before = solver.solve(state, side, line=False).value
    for card in cards:
        mover, number = state.turn, len([t for t in state.tricks if t]) + 1
        wants_more = (sense > 0) == bool(side >> mover & 1)
        state.play_checked(card)
        after = state.side_taken(side) if state.over else solver.solve(state, side, guess=before, line=False).value
        lost = before - after if wants_more else after - before
        out.append(Step(number, mover, state.rules.deck[card].name, before, after, lost))
        before = after
    return out
