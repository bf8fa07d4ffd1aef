"""Open-card solver: what a side gets if all cards lie open and everybody plays best.

A *side* is a set of seats, given as a mask; its value is the cost it has been credited with at the end (with what it
has taken and its credits, e.g. the skat). It maximises that if its goal wants cost and minimises it if its goal
avoids cost (``Goal.sense``). All other seats play together against it, so in games without teams the value is what
the side is sure of (a paranoid coalition). How it works is told in docs/solver.md.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Literal

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from tricktake._kernels import exactly
from tricktake._kernels import opencard as kernel
from tricktake.arrays import IntArray
from tricktake.cards import Deck
from tricktake.errors import TricktakeError
from tricktake.rules import GoalKind, TrickRules
from tricktake.search.limit import Budget, Limit
from tricktake.search.ordering import Ordering, shipped
from tricktake.search.positions import Positions
from tricktake.search.tables import Tables
from tricktake.trick import TrickState

Mode = Literal["value", "win", "cards"]

NO_LIMIT = 1 << 60
NO_CARD = int(np.iinfo(np.int64).min)  # in arrays over cards: this one may not be played
STEP = 10_000  # nodes between two looks at the clock: 1 to 3 ms, for at most 1 % more nodes (docs/solver.md)
SLICE = 32  # positions of one call of a kernel, and the unit of work of a thread
LINE = 64


# A position without cards.
_NOTHING = TrickState(TrickRules(Deck("C", "A"), 2, (0,), (0,)), (0, 0))


class Unknown(TricktakeError):
    """The limit came before the answer."""


@frozen
class Answer:
    """The answer to a yes/no question; ``bool()`` raises Unknown if the limit came first."""

    yes: bool | None
    card: int = -1
    nodes: int = 0

    @property
    def known(self) -> bool:
        return self.yes is not None

    def __bool__(self) -> bool:
        if self.yes is None:
            raise Unknown(f"no answer within {self.nodes} nodes")
        return self.yes


@frozen
class Solution:
    """What the side gets.

    lower, upper: bounds on its final cost, equal unless a limit came first. card: a best card of the seat to move
    (deck index), -1 if none is known. line: play of the cards from here that yields the value. nodes: positions
    entered.
    """

    lower: int
    upper: int
    card: int = -1
    line: tuple[int, ...] = ()
    nodes: int = 0

    @property
    def known(self) -> bool:
        return self.lower == self.upper

    @property
    def value(self) -> int:
        """The exact value. Raises Unknown if the limit came first."""
        if not self.known:
            raise Unknown(f"only known to lie between {self.lower} and {self.upper} after {self.nodes} nodes")
        return self.lower


@frozen(eq=False)
class Solutions:
    """Results of a batch, one entry a position, in its order.

    known: bool, whether the answer is exact. lower, upper: bounds on the final cost of the side (in mode "win": only
    as close as the question needs). card: best card as a deck index, -1 if none. nodes: positions entered.
    card_lower, card_upper: mode "cards" only, shape (n, cards of the deck), bounds after each legal card, NO_CARD
    for all others.
    """

    known: NDArray[np.bool_]
    lower: IntArray
    upper: IntArray
    card: IntArray
    nodes: IntArray
    card_lower: IntArray
    card_upper: IntArray

    def __len__(self) -> int:
        return len(self.known)

    @property
    def value(self) -> IntArray:
        """Exact values, shape (n,). Raises Unknown if one is not known."""
        if not (self.lower == self.upper).all():
            raise Unknown(f"{int((self.lower != self.upper).sum())} of {len(self)} values are not known")
        return self.lower

    def at_least(self, threshold: int) -> NDArray[np.bool_]:
        """Whether the side reaches ``threshold``, shape (n,); False where it is not known (see ``known``)."""
        return self.lower >= threshold

    def values_of(self, i: int) -> dict[int, int]:
        """Mode "cards": legal card -> final cost of the side, of one position. Raises Unknown."""
        lower, upper = self.card_lower[i], self.card_upper[i]
        if (lower != upper).any():
            raise Unknown(f"position {i}: not all values are known")
        return {c: int(v) for c, v in enumerate(lower) if v != NO_CARD}

    @classmethod
    def join(cls, parts: list[Solutions]) -> Solutions:
        return cls(*(np.concatenate([getattr(p, a.name) for p in parts]) for a in cls.__attrs_attrs__))


@frozen
class _Question:
    """What is asked of every position of a batch. number: the threshold if it is asked ``once``, else the first guess.
    cards: about every legal card.
    """

    number: int
    once: bool
    cards: bool

    @classmethod
    def of(cls, mode: Mode, threshold: int | None, guess: int | None) -> _Question:
        """Raises ValueError for a mode that lacks its threshold."""
        if mode == "win" and threshold is None:
            raise ValueError("mode 'win' needs a threshold")
        once = mode != "value" and threshold is not None
        number = threshold if once else guess
        return cls(kernel.NO_GUESS if number is None else number, once, mode == "cards")


class Solver:
    """Tables and what they are asked. One solver must not be used by two threads at a time.

    megabytes: size of the table for all questions, instead of one that depends on the cards left (``Tables``), of which
    only what a deal needs is touched. ordering: what is tried first; changes how many nodes an answer takes, and with a
    limit whether it comes.
    """

    def __init__(self, megabytes: int | None = None, ordering: Ordering | None = None) -> None:
        if megabytes is not None and megabytes < 1:
            raise ValueError("a table needs at least a megabyte")
        self.tables = Tables(None if megabytes is None else megabytes << 17)
        self.weights = (ordering or shipped()).array

    def warm_up(self) -> None:
        """Have the kernel of plain questions ready, so that the first position takes no longer than others."""
        self.batch(Positions.from_states([_NOTHING], 1), "win", threshold=0)

    # -- one position -----------------------------------------------------------------------------------------------

    def solve(
        self,
        state: TrickState,
        side: int | None = None,
        limit: Limit | None = None,
        *,
        guess: int | None = None,
        line: bool = True,
    ) -> Solution:
        """The exact value, a best card and a line of play. ``guess``: where to ask first, which costs nodes only.

        Without a limit the value is always known. The clock is looked at every ``STEP`` nodes.
        """
        positions = Positions.from_states([state], side)
        numbers = np.array([kernel.NO_GUESS if guess is None else guess], np.int64)
        budget = Budget.of(limit)
        timed = budget.limit.seconds is not None
        if timed:
            found = self._by_the_clock(positions, numbers, budget)
            if not (found.known and line) or budget.late:
                return found
        rest = Budget.of(budget.timed())
        results, cards = self._ask(positions, numbers, rest, once=False, line=line, again=timed)
        return _solution(positions.rules, results[0], cards)

    def card_values(self, state: TrickState, side: int | None = None, limit: Limit | None = None) -> dict[int, int]:
        """The final cost of the side after each legal card. Raises Unknown if a limit came first."""
        return self.batch(Positions.from_states([state], side), "cards", limit=limit).values_of(0)

    def at_least(
        self, state: TrickState, threshold: int, side: int | None = None, limit: Limit | None = None
    ) -> Answer:
        """Whether the side ends with at least ``threshold``. (A side that avoids cost hopes for a no.)"""
        positions = Positions.from_states([state], side)
        results, _ = self._ask(positions, np.array([threshold], np.int64), Budget.of(limit), once=True)
        result = results[0]
        yes = bool(result[kernel.R_LOW] >= threshold) if result[kernel.R_KNOWN] else None
        return Answer(yes, _card(positions.rules, result[kernel.R_CARD]), int(result[kernel.R_NODES]))

    def wins(self, state: TrickState, seat: int, limit: Limit | None = None) -> Answer:
        """Whether the team of ``seat`` can reach its goal against all others.

        Raises ValueError if its goal has no threshold.
        """
        rules = state.rules
        goal, side = rules.goal(seat), rules.side_mask(seat)
        match goal.kind:
            case GoalKind.AT_LEAST:
                return self.at_least(state, goal.n, side, limit)
            case GoalKind.AT_MOST:
                found = self.at_least(state, goal.n + 1, side, limit)
                return Answer(None if found.yes is None else not found.yes, found.card, found.nodes)
            case GoalKind.EXACTLY:
                return self._exactly(state, goal.n, side, limit)
            case _:
                raise ValueError(f"the goal of seat {seat} is to get as much or as little as possible: nothing to win")

    # -- many positions ---------------------------------------------------------------------------------------------

    def batch(
        self,
        positions: Positions,
        mode: Mode = "value",
        *,
        threshold: int | None = None,
        guess: int | None = None,
        limit: Limit | None = None,
    ) -> Solutions:
        """Solve many positions in one kernel call after the other.

        mode: "value", the exact value; "win", whether ``threshold`` is reached; "cards", the value after each legal
        card, or if a threshold is given only whether it is reached after each. limit: nodes for each position;
        seconds for all, looked at every ``STEP`` nodes; what is not answered by then stays unknown.
        """
        question, budget = _Question.of(mode, threshold, guess), Budget.of(limit)
        return Solutions.join([self._part(part, question, budget) for part in _slices(positions, self.tables)])

    # -- inside -----------------------------------------------------------------------------------------------------

    def _part(self, positions: Positions, question: _Question, budget: Budget) -> Solutions:
        """Some positions of a batch, in one kernel call if time is not limited."""
        numbers = np.full(len(positions), question.number, np.int64)
        if question.cards:
            found = self._ask_cards(positions, numbers, budget, once=question.once)
            return _solutions(positions.rules, *found)
        results, _ = self._ask(positions, numbers, budget, once=question.once)
        return _solutions(positions.rules, results)

    def _ask(
        self,
        positions: Positions,
        numbers: IntArray,
        budget: Budget,
        *,
        once: bool,
        line: bool = False,
        again: bool = False,
    ) -> tuple[IntArray, IntArray]:
        """Results of the rows, shape (n, RESULT), and the line of the first one if wanted and its value is known.

        again: the first row is what was asked about last, and the tables are of use.
        """
        results = np.zeros((len(positions), kernel.RESULT), np.int64)
        rules, table = (*_arrays(positions.rules), self.weights), self.tables.of(positions.rows)

        def ask(rows: IntArray, start: int, fresh: int, nodes: int) -> None:
            stop = start + len(rows)
            flags = np.int64(once), np.int64(fresh), np.int64(nodes)
            kernel.ask_rows(*rules, rows, numbers[start:stop], *flags, table, results[start:stop])

        _in_steps(ask, positions.rows, results, budget, again)
        cards = np.full(LINE if line else 0, -1, np.int64)
        fresh = np.int64(not line)  # for a card alone: a batch and a single call agree
        for row, result in zip(positions.rows, results, strict=True):
            if not once and result[kernel.R_KNOWN] and (line or result[kernel.R_CARD] < 0) and not budget.late:
                scratch = np.zeros((2, LINE), np.int64)
                nodes = np.int64(_nodes(budget.limit))
                kernel.ask_line(*rules, row, fresh, nodes, table, result, cards, scratch)
        return results, cards

    def _ask_cards(
        self, positions: Positions, numbers: IntArray, budget: Budget, *, once: bool
    ) -> tuple[IntArray, IntArray, IntArray]:
        """Results of the rows, and bounds after each legal card."""
        n = len(positions)
        results = np.zeros((n, kernel.RESULT), np.int64)
        lows, highs = np.full((n, LINE), NO_CARD, np.int64), np.full((n, LINE), NO_CARD, np.int64)
        rules, table = (*_arrays(positions.rules), self.weights), self.tables.of(positions.rows)

        def ask(rows: IntArray, start: int, fresh: int, nodes: int) -> None:
            part = slice(start, start + len(rows))
            flags = np.int64(once), np.int64(fresh), np.int64(nodes)
            kernel.ask_cards(*rules, rows, numbers[part], *flags, table, results[part], lows[part], highs[part])

        _in_steps(ask, positions.rows, results, budget)
        return results, lows, highs

    def _by_the_clock(self, positions: Positions, numbers: IntArray, budget: Budget) -> Solution:
        """Question by question, so that bounds remain when the time is over."""
        low, high, card, first = -NO_LIMIT, NO_LIMIT, -1, int(numbers[0])
        number = -NO_LIMIT  # costs nothing, and says what is possible at all
        while low < high and not budget.over:
            results, _ = self._ask(
                positions, np.array([number], np.int64), Budget.of(budget.left()), once=True, again=low > -NO_LIMIT
            )
            result, below = results[0], low
            budget.spend(int(result[kernel.R_NODES]))
            low, high = max(low, int(result[kernel.R_LOW])), min(high, int(result[kernel.R_HIGH]))
            if not result[kernel.R_KNOWN]:
                break
            if result[kernel.R_CARD] >= 0:
                card = _card(positions.rules, result[kernel.R_CARD])
            number = first if number == -NO_LIMIT else low + 1 if low > below else high
        return Solution(low, high, card, (), budget.spent)

    def _exactly(self, state: TrickState, n: int, side: int, limit: Limit | None) -> Answer:
        positions = Positions.from_states([state], side)
        compiled, table = positions.rules.compile(), self.tables.of(positions.rows)
        results = np.zeros((1, kernel.RESULT), np.int64)

        def ask(rows: IntArray, i: int, fresh: int, nodes: int) -> None:
            exactly.ask_exactly(
                compiled.header, compiled.cards, compiled.suits, rows[0], n, fresh, nodes, table, results[i]
            )

        _in_steps(ask, positions.rows, results, Budget.of(limit))
        result = results[0]
        yes = bool(result[kernel.R_LOW]) if result[kernel.R_KNOWN] else None
        return Answer(yes, _card(positions.rules, result[kernel.R_CARD]), int(result[kernel.R_NODES]))


# -- one solver a thread ----------------------------------------------------------------------------------------------

_local = threading.local()


def default_solver() -> Solver:
    """The solver of this thread, made when first asked for."""
    if not hasattr(_local, "solver"):
        _local.solver = Solver()
    solver: Solver = _local.solver
    return solver


def solve(
    state: TrickState,
    side: int | None = None,
    limit: Limit | None = None,
    *,
    guess: int | None = None,
    line: bool = True,
) -> Solution:
    """``Solver.solve`` with this thread's table. ``side``: mask over seats, the team to move if not given."""
    return default_solver().solve(state, side, limit, guess=guess, line=line)


def card_values(state: TrickState, side: int | None = None, limit: Limit | None = None) -> dict[int, int]:
    """``Solver.card_values`` with this thread's table: legal card -> final cost of the side."""
    return default_solver().card_values(state, side, limit)


def at_least(state: TrickState, threshold: int, side: int | None = None, limit: Limit | None = None) -> Answer:
    """``Solver.at_least`` with this thread's table."""
    return default_solver().at_least(state, threshold, side, limit)


def wins(state: TrickState, seat: int, limit: Limit | None = None) -> Answer:
    """``Solver.wins`` with this thread's table."""
    return default_solver().wins(state, seat, limit)


def solve_batch(
    positions: Positions,
    mode: Mode = "value",
    *,
    threshold: int | None = None,
    guess: int | None = None,
    limit: Limit | None = None,
    jobs: int = 1,
) -> Solutions:
    """``Solver.batch`` over ``jobs`` threads with a table each, which work outside the interpreter; the results do not
    depend on their number.
    """
    if jobs <= 1 or len(positions) <= SLICE:
        return default_solver().batch(positions, mode, threshold=threshold, guess=guess, limit=limit)
    question, budget = _Question.of(mode, threshold, guess), Budget.of(limit)

    def solve_part(part: Positions) -> Solutions:
        return default_solver()._part(part, question, budget)

    with ThreadPoolExecutor(jobs, "solver") as threads:
        return Solutions.join(list(threads.map(solve_part, _slices(positions, Tables()))))


def _in_steps(
    ask: Callable[[IntArray, int, int, int], None],
    rows: IntArray,
    results: IntArray,
    budget: Budget,
    again: bool = False,
) -> None:
    """Ask about all rows at once, or if time is limited about one after the other, ``STEP`` nodes at a time.

    ask: a call of a kernel with some rows, the number of the first, whether its tables are empty, and the nodes of
    each. A question that goes on finds what it had proven in the tables. Rows not reached in time are asked for their
    first bounds only. again: what the tables hold is of the first row.
    """
    most, fresh = int(_nodes(budget.limit)), int(not again)
    if budget.limit.seconds is None:
        ask(rows, 0, fresh, most)
        return
    for i in range(len(rows)):
        spent = 0
        while True:
            ask(rows[i : i + 1], i, fresh, 1 if budget.late else min(STEP, most - spent))
            spent += int(results[i, kernel.R_NODES])
            fresh = 0
            if results[i, kernel.R_KNOWN] or spent >= most or budget.late:
                break
        results[i, kernel.R_NODES] = spent
        fresh = 1


def _slices(positions: Positions, tables: Tables) -> Iterator[Positions]:
    return (positions[part] for part in tables.parts(positions.rows, SLICE))


def _card(rules: TrickRules, card: int) -> int:
    return -1 if card < 0 else int(rules.compile().to_deck[card])


def _solution(rules: TrickRules, result: IntArray, line: IntArray) -> Solution:
    return Solution(
        int(result[kernel.R_LOW]),
        int(result[kernel.R_HIGH]),
        _card(rules, result[kernel.R_CARD]),
        tuple(_card(rules, c) for c in line if c >= 0),
        int(result[kernel.R_NODES]),
    )


def _arrays(rules: TrickRules) -> tuple[IntArray, IntArray, IntArray]:
    compiled = rules.compile()
    return compiled.header, compiled.cards, compiled.suits


def _nodes(limit: Limit | None) -> np.int64:
    return np.int64(NO_LIMIT if limit is None or limit.nodes is None else limit.nodes)


def _solutions(
    rules: TrickRules, results: IntArray, lows: IntArray | None = None, highs: IntArray | None = None
) -> Solutions:
    from_deck = rules.compile().from_deck
    none = np.zeros((len(results), 0), np.int64)
    best = results[:, kernel.R_CARD]
    return Solutions(
        results[:, kernel.R_KNOWN].astype(bool),
        results[:, kernel.R_LOW],
        results[:, kernel.R_HIGH],
        np.where(best < 0, -1, rules.compile().to_deck[np.maximum(best, 0)]),
        results[:, kernel.R_NODES],
        none if lows is None else lows[:, from_deck],
        none if highs is None else highs[:, from_deck],
    )
