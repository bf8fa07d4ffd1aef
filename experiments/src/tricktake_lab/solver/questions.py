"""What the solver is asked while its move ordering is learned or judged: positions of any game, a question for each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

import numpy as np
from attrs import evolve, frozen
from numpy.typing import NDArray
from tricktake_skat.contract import GAMES, SkatContract
from tricktake_skat.deck import SEATS, eyes
from tricktake_skat.kernels import GRAND, NULL
from tricktake_skat.rows import RowArray
from tricktake_skat.rules import WIN, skat_rules

from tricktake.rules import TrickRules
from tricktake.search.limit import Limit
from tricktake.search.opencard import Solver
from tricktake.search.positions import Positions
from tricktake.trick import TrickState

IntArray: TypeAlias = NDArray[np.int64]


@frozen(eq=False)
class Questions:
    """Positions by rules; each is asked whether its side reaches the threshold, or for the exact value if that is None.

    ``positions[i]`` all have the threshold ``thresholds[i]``.
    """

    positions: tuple[Positions, ...]
    thresholds: tuple[int | None, ...]

    def __len__(self) -> int:
        return sum(map(len, self.positions))

    def nodes(self, solver: Solver, limit: int) -> IntArray:
        """Nodes of each question, (n,); twice the limit where that came first."""
        found = []
        for positions, threshold in zip(self.positions, self.thresholds, strict=True):
            mode = "value" if threshold is None else "win"
            solved = solver.batch(positions, mode, threshold=threshold, limit=Limit(nodes=limit))  # type: ignore[arg-type]
            found.append(np.where(solved.known, solved.nodes, 2 * limit))
        return np.concatenate(found)

    def split(self, parts: int) -> list[Questions]:
        """Every so many-th position by itself."""
        return [
            Questions(
                tuple(evolve(p, rows=np.ascontiguousarray(p.rows[i::parts])) for p in self.positions), self.thresholds
            )
            for i in range(parts)
        ]

    def shifted(self, by: int) -> Questions:
        """The same positions asked for so much more."""
        return Questions(self.positions, tuple(None if t is None else t + by for t in self.thresholds))

    def exact(self) -> Questions:
        """The same positions asked for their values."""
        return Questions(self.positions, (None,) * len(self.positions))


def of_states(states: Iterable[TrickState], side: int | None = None, threshold: int | None = None) -> Questions:
    """Positions of any game. side: mask over seats; without it the team of the first seat to move of each rules."""
    groups: dict[TrickRules, list[TrickState]] = {}
    for state in states:
        groups.setdefault(state.rules, []).append(state)
    positions = tuple(Positions.from_states(group, side) for group in groups.values())
    return Questions(positions, (threshold,) * len(positions))


def endings(rules: Sequence[TrickRules], cards: int, n: int, rng: np.random.Generator) -> Questions:
    """Random endings, n of each rules, of so many cards a seat, anybody leading; asked for their values."""
    states = []
    for each in rules:
        for _ in range(n):
            order = rng.permutation(len(each.deck))[: each.seats * cards].reshape(each.seats, cards)
            hands = [sum(1 << int(card) for card in hand) for hand in order]
            states.append(TrickState(each, hands, int(rng.integers(each.seats)), first=False))
    return of_states(states, rules[0].side_mask(0))


def contracts(rows: RowArray, null: bool, n: int) -> Questions:
    """The first n Skat contracts of rows, at the first trick: won or lost? Nulls, or suit games and grands."""
    rows = rows[(rows["declarer"] >= 0) & ((rows["game"] == NULL) == null)][:n]
    positions, thresholds = [], []
    for game in range(NULL, NULL + 1) if null else range(GRAND + 1):
        for declarer in range(SEATS):
            some = rows[(rows["game"] == game) & (rows["declarer"] == declarer)]
            if not len(some):
                continue
            rules = skat_rules(SkatContract(declarer, GAMES[game]))
            puts = [0 if null else eyes(put) for put in some["put"].tolist()]
            taken = [tuple(put if seat == declarer else 0 for seat in range(SEATS)) for put in puts]
            hands = zip(some["hands"].tolist(), taken, strict=True)
            positions.append(Positions.from_states([TrickState(rules, h, credit=c) for h, c in hands], 1 << declarer))
            thresholds.append(1 if null else WIN)
    return Questions(tuple(positions), tuple(thresholds))
