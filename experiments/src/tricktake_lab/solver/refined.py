"""The refinements of the search that Kermit's paper names (KERMIT-14), each with nodes with and without.

A plain alpha-beta search with a transposition table stands in for Kermit's: what a refinement is worth depends on what
is there besides, and the project's own solver orders cards by learned weights instead (docs/solver.md).
"""

from __future__ import annotations

import numpy as np
from attrs import field, frozen
from tricktake_skat.contract import SkatContract
from tricktake_skat.rules import skat_rules

from tricktake.arrays import FloatArray, IntArray
from tricktake.search.positions import Positions
from tricktake_lab.experiment import experiment
from tricktake_lab.outcome import Cell, Outcome, Sheet, mean_of, share_of
from tricktake_lab.solver._kernels import refined as kernel
from tricktake_lab.solver.questions import endings

MEMO = 1 << 18  # positions remembered
WIDE = 1 << 12  # bounds beyond all values
WEIGHTS = (1, 2, 4)  # of a reply, in eyes
NEAR_PAIRS = 8  # ace and ten, king and queen of four suits: eyes that grouping them can cost at most


@frozen
class How:
    """A search with refinements. group: 0 none, 1 of equal cards one, 2 of nearly equal ones. order: tricks and eyes
    first. fast: what a reply counts. delay: in Null, lost tricks count by when.
    """

    group: int = 1
    order: bool = True
    fast: int = 0
    delay: bool = False

    def switches(self, null: bool) -> IntArray:
        return np.array([self.group, self.order, self.fast, self.delay, null], np.int64)


@frozen(eq=False)
class Search:
    """Searches that share a table."""

    memo: IntArray = field(factory=lambda: np.zeros((MEMO, kernel.MEMO), np.int64))
    epoch: list[int] = field(factory=lambda: [0])

    def values(self, positions: Positions, how: How, window: IntArray | None = None) -> tuple[IntArray, IntArray]:
        """What the side gets, (n,), and nodes. window: (n,), ask only whether it gets that much."""
        compiled = positions.rules.compile()
        null, n = positions.sense < 0, len(positions)
        values, nodes = np.zeros(n, np.int64), np.zeros(n, np.int64)
        for i, row in enumerate(positions.rows):
            self.epoch[0] += 1
            counted = np.zeros(1, np.int64)
            asked = None if window is None else int(window[i])
            bounds = (-WIDE, WIDE) if asked is None else (asked - 1, asked)
            found = kernel.searched(
                compiled.header, compiled.cards, compiled.suits, row, *bounds, how.switches(null), self.memo,
                self.epoch[0], counted,
            )  # fmt: skip
            values[i], nodes[i] = found if asked is None else found >= asked, counted[0]
        return values, nodes


SUIT_GAMES = {
    "without any": How(0, order=False),
    "of equal cards one": How(1, order=False),
    "of equal cards one, fastest cut first": How(1, order=False, fast=WEIGHTS[1]),
    "and tricks and eyes first": How(1),
    **{f"and fastest cut first, {w} a reply": How(1, fast=w) for w in WEIGHTS},
    "and nearly equal cards grouped": How(2),
    "all three": How(2, fast=WEIGHTS[1]),
}
NULLS = {"won or lost": How(1), "and fastest cut first": How(1, fast=WEIGHTS[1]), "with depth": How(1, delay=True)}
PLAIN, FASTEST = "and tricks and eyes first", "fastest cut first"
ALONE = "of equal cards one"  # the same without another order


def saved(nodes: FloatArray, before: FloatArray) -> Cell:
    """The share of nodes saved, as a geometric mean over positions; the interval by the delta method."""
    logs = mean_of(np.log(nodes / before))
    ratio = float(np.exp(logs.mean))
    return type(logs)(1 - ratio, ratio * logs.error, logs.n, "%")


@experiment(
    "solver.refinements",
    item="KERMIT-14; docs/kermit.md",
    seed=831,
    smoke={"positions": 8, "cards": 4},
    small={"positions": 200, "cards": 6},
    paper={"positions": 200, "cards": 7},
)
def refinements(seed: int, positions: int, cards: int) -> Outcome:
    """Nodes of a plain search with one refinement after the other; what grouping near-equal cards early costs.

    positions: random endings of each game, of so many cards a hand, anybody leading; asked whether the declarer gets
    half of the eyes that are left (nodes), and for the exact value (errors). Savings are over the line ``tricks and
    eyes first``, of equal cards one.
    """
    rng, search = np.random.default_rng(seed), Search()
    facts: dict[str, Cell] = {}
    sheets = []
    for name, ways in (("C", SUIT_GAMES), ("G", SUIT_GAMES), ("N", NULLS)):
        rules = skat_rules(SkatContract(0, name))
        given = endings([rules], cards, positions, rng).positions[0]
        window = np.ones(positions, np.int64) if name == "N" else (_eyes_left(given) + 1) // 2
        base = search.values(given, ways[PLAIN] if PLAIN in ways else How(1), window)[1]
        exact = None if name == "N" else search.values(given, How(1))[0]
        lines, counts = [], {}
        for said, how in ways.items():
            answers, nodes = search.values(given, how, None if how.delay else window)
            counts[said] = nodes.astype(float)
            gain = saved(nodes.astype(float), base.astype(float))
            line: list[Cell] = [said, round(float(nodes.mean())), gain]
            if exact is not None:
                error = np.abs(search.values(given, how)[0] - exact)
                wrong = answers != (exact >= window)
                line += [share_of(error > 0), int(error.max()), share_of(wrong)]
            lines.append(line)
            facts[f"{name}: {said}"] = gain
        if name != "N":
            facts[f"{name}: {FASTEST}"] = facts[f"{name}: and {FASTEST}, {WEIGHTS[1]} a reply"]
            facts[f"{name}: {FASTEST}, no other order"] = saved(counts[f"{ALONE}, {FASTEST}"], counts[ALONE])
        errors = () if name == "N" else ("other value", "largest error", "other answer")
        columns = ("search", "nodes", "saved", *errors)
        sheets.append(Sheet.of(f"{name}: {positions} endings of {cards} cards", columns, lines))
    return Outcome(tuple(sheets), facts)


def _eyes_left(given: Positions) -> IntArray:
    """The cost of all cards in the hands, (n,)."""
    costs = np.zeros(64, np.int64)
    compiled = given.rules.compile()
    costs[: len(compiled.to_deck)] = np.array(given.rules.card_cost)[compiled.to_deck]
    hands = given.rows[:, : given.rules.seats]
    all_cards = np.bitwise_or.reduce(hands, axis=1)
    return np.asarray((all_cards[:, None] >> np.arange(64) & 1) @ costs)
