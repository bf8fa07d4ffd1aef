"""Whether the open-card solver is exact: random endings of random rules against plain minimax.

The solver leaves out cards and positions by proofs about ranks; an error in one of them shows only where several meet.
So values of single cards are compared by the ten thousand, in rules nobody plays.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from tricktake.cards import Deck
from tricktake.rules import Duty, Goal, GoalKind, Overtake, Tie, TrickRules
from tricktake.search.opencard import NO_CARD, Solver
from tricktake.search.positions import Positions
from tricktake.search.tables import Tables
from tricktake.trick import TrickState
from tricktake_lab.experiment import experiment
from tricktake_lab.outcome import Outcome, Sheet
from tricktake_lab.solver._kernels import plain

SUITS, RANKS = "CDHSE", "23456789TJQKA"
MOST_CARDS = {2: 6, 3: 4, 4: 3, 5: 3}  # in a hand; with suits to follow up to two more
MEMO = 1 << 20  # positions
SMALL_TABLE = 1 << 13  # words: entries are written over
LONE = "alone"  # of ranks or lead limits, where one seat avoids cost alone
KINDS = {"ranks": 0.3, "lead limits": 0.2, "duties": 0.1, "copies": 0.2, "overtaking": 0.1, LONE: 0.1}  # shares


class Plain:
    """Values by plain minimax."""

    def __init__(self) -> None:
        self.memo = np.zeros((MEMO, plain.MEMO), np.int64)
        self.epoch = 0

    def card_values(self, state: TrickState, side: int) -> dict[int, int]:
        """The final cost of the side after each legal card."""
        positions = Positions.from_states([state], side)
        compiled = positions.rules.compile()
        values = np.full(64, NO_CARD, np.int64)
        self.epoch += 1
        plain.plain_values(
            compiled.header, compiled.cards, compiled.suits, positions.rows[0], self.epoch, self.memo, values
        )
        return {int(compiled.to_deck[c]): int(v) for c, v in enumerate(values) if v != NO_CARD}


def random_rules(rng: np.random.Generator, kind: str) -> TrickRules:
    """Odd rules of a kind: ``ranks``, or with what patterns have to take in besides, or what makes them impossible;
    or a lone seat's, which relaxed searches are about.
    """

    def chance(p: float) -> bool:
        return bool(rng.random() < p)

    seats = int(rng.choice([2, 3, 3, 4, 4, 4, 5]))
    suits, copies = int(rng.integers(1, 6)), 2 if kind == "copies" else 1
    ranks = int(rng.integers(min(13, -(-seats * 4 // (suits * copies))), 14))
    ranks = min(ranks, 60 // (suits * copies))
    deck = Deck(SUITS[:suits], RANKS[:ranks], copies)
    n = len(deck)
    suit_of = [deck.suits.index(card.suit) for card in deck]
    power = [deck.ranks.index(card.rank) for card in deck]
    if chance(0.3):
        jumbled = rng.permutation(ranks).tolist()
        power = [jumbled[p] for p in power]
    trump = None if chance(0.4) else int(rng.integers(suits))
    if trump is not None and chance(0.3):  # a rank of trumps above all suits
        for c in range(n):
            if deck.ranks.index(deck[c].rank) == ranks - 1:
                suit_of[c], power[c] = trump, 20 + deck.suits.index(deck[c].suit)
    price = str(rng.choice(["none", "even", "some", "any"], p=[0.35, 0.1, 0.35, 0.2]))
    costs = random_costs(rng, price, n)
    teams = (None, tuple(s % 2 for s in range(seats)), tuple(int(s != 0) for s in range(seats)))[int(rng.integers(3))]
    goals = tuple(
        Goal(list(GoalKind)[int(rng.integers(len(GoalKind)))], int(rng.integers(0, 20)))
        for _ in range(seats if teams is None else 2)
    )
    if kind == LONE:
        teams, goals = None, (Goal(GoalKind.LEAST),) * seats
    low = -2 if price == "any" else 0
    limits = kind == "lead limits" or (kind == LONE and chance(0.5))
    duty = None
    if kind == "duties":
        called = [c for c in range(n) if suit_of[c] == suit_of[0]]
        duty = Duty(sum(1 << int(c) for c in rng.permutation(called)[: int(rng.integers(1, 3))]), int(rng.integers(4)))
    return TrickRules(
        deck,
        seats,
        tuple(suit_of),
        tuple(int(p) for p in power),
        trump,
        costs,
        1 if price == "none" else int(rng.integers(low, 4)),
        0 if chance(0.6) else int(rng.integers(low, 9)),
        list(Tie)[int(rng.integers(len(Tie)))],
        teams,
        goals,
        follow=chance(0.9),
        trump_when_void=chance(0.3),
        overtake=Overtake.ALWAYS if kind == "overtaking" else Overtake.NEVER,
        lead_limit=_limited(rng, suit_of) if limits else 0,
        breakers=_limited(rng, suit_of) if limits else 0,
        lead_excuse=_some(rng, n) if limits and chance(0.2) else 0,
        first_lead=_some(rng, n) if limits and chance(0.5) else 0,
        first_ban=_some(rng, n) if limits and chance(0.5) else 0,
        duty=duty,
    )


def random_costs(rng: np.random.Generator, price: str, n: int) -> tuple[int, ...]:
    """Of n cards: ``none``, ``even`` (all alike), ``some`` (half of them), ``any`` (negative ones too)."""
    if price == "even":
        return (int(rng.integers(1, 4)),) * n
    lowest = -4 if price == "any" else 0
    costs = rng.integers(lowest, 12, n) * (rng.random(n) < (1.0 if price == "any" else 0.5))
    return tuple(int(c) for c in costs) if price != "none" else (0,) * n


def _some(rng: np.random.Generator, n: int, share: float = 0.25) -> int:
    return sum(1 << c for c in range(n) if rng.random() < share)


def _limited(rng: np.random.Generator, suit_of: Sequence[int]) -> int:
    """Whole suits and single cards, as in most games, or cards at random."""
    n = len(suit_of)
    if rng.random() < 0.3:
        return _some(rng, n)
    suits = {suit for suit in range(max(suit_of) + 1) if rng.random() < 0.4}
    return sum(1 << c for c in range(n) if suit_of[c] in suits) | _some(rng, n, 0.04)


def random_ending(rng: np.random.Generator, rules: TrickRules, most: int) -> TrickState:
    """Up to ``most`` cards a hand, perhaps in the middle of a trick."""
    size = min(int(rng.integers(2, most + 1)), len(rules.deck) // rules.seats)
    order = [int(c) for c in rng.permutation(len(rules.deck))[: size * rules.seats]]
    hands = [sum(1 << c for c in order[s * size : (s + 1) * size]) for s in range(rules.seats)]
    credit = tuple(int(c) for c in rng.integers(-5, 20, rules.seats))
    leader, broken, first = int(rng.integers(rules.seats)), rng.random() < 0.5, rng.random() < 0.3
    released = rng.random() < 0.3
    state = TrickState(rules, hands, leader, credit=credit, broken=broken, first=first, released=released)
    for _ in range(int(rng.integers(rules.seats)) if rng.random() < 0.25 else 0):
        state.play(state.legal()[int(rng.integers(len(state.legal())))])
    return state


@frozen
class Question:
    """A position of random rules, asked about the final cost of a side."""

    kind: str
    state: TrickState
    side: int

    def __str__(self) -> str:
        state = self.state
        facts = (state.hands, state.leader, state.table, state.taken, state.broken, state.tricks, self.side)
        return str((self.kind, state.rules, *facts))


def random_question(
    rng: np.random.Generator, kinds: Sequence[str], most: Callable[[TrickRules], int] | int
) -> Question:
    """Of these kinds in their ``KINDS`` shares, with up to ``most`` cards a hand."""
    shares = np.array([KINDS[kind] for kind in kinds])
    kind = str(rng.choice(kinds, p=shares / shares.sum()))
    rules = random_rules(rng, kind)
    state = random_ending(rng, rules, most if isinstance(most, int) else most(rules))
    side = int(rng.integers(1, (1 << rules.seats) - 1))
    if kind == LONE:
        side = 1 << int(rng.integers(rules.seats))
    return Question(kind, state, side)


def agreed(counts: Mapping[str, NDArray[np.int64]], *columns: str) -> Outcome:
    """What was compared of each kind, and of all."""
    rows = [(kind, *count.tolist()) for kind, count in counts.items()]
    total = np.sum(list(counts.values()), axis=0)
    return Outcome((Sheet.of("All values agree", ("rules", *columns), [*rows, ("all", *total.tolist())]),))


@experiment(
    "solver.exact",
    item="docs/solver.md",
    seed=1,
    smoke={"values": 1500, "cards": 4},
    small={"values": 60_000, "cards": 6},
    paper={"values": 1_000_000, "cards": 7},
)
def exact(seed: int, values: int, cards: int, kinds: tuple[str, ...] = tuple(KINDS)) -> Outcome:
    """Compare values of single cards, best values and answers in random endings of random rules with plain minimax.

    values: of cards, at least. cards: the most in a hand (fewer at four and five seats). kinds: of rules. Raises
    RuntimeError at a difference.
    """
    rng = np.random.default_rng(seed)
    simple, solver, small = Plain(), Solver(1), Solver(1)
    solver.tables, small.tables = Tables(relaxed=1), Tables(SMALL_TABLE, relaxed=1)
    counts: dict[str, NDArray[np.int64]] = {kind: np.zeros(3, np.int64) for kind in kinds}

    def most(rules: TrickRules) -> int:
        return min(cards, MOST_CARDS[rules.seats] + (min(len(rules.deck.suits) - 1, 2) if rules.follow else 0))

    while sum(int(count[1]) for count in counts.values()) < values:
        asked = random_question(rng, kinds, most)
        wanted = simple.card_values(asked.state, asked.side)
        counts[asked.kind] += check(rng, solver if rng.random() < 0.8 else small, asked, wanted)
    return agreed(counts, "positions", "values of cards", "nodes")


def check(rng: np.random.Generator, solver: Solver, asked: Question, wanted: dict[int, int]) -> NDArray[np.int64]:
    """Positions, values and nodes of one position that was compared. Raises RuntimeError."""
    state, side = asked.state, asked.side
    positions = Positions.from_states([state], side)
    most = (positions.sense > 0) == bool(side >> state.turn & 1)
    value = (max if most else min)(wanted.values())
    found = solver.batch(positions, "cards")
    solved = solver.solve(state, side, line=bool(rng.random() < 0.2))
    threshold = value + int(rng.integers(-1, 3))
    answer = solver.at_least(state, threshold, side)
    if found.values_of(0) != wanted:
        raise RuntimeError(f"{found.values_of(0)}, by minimax {wanted}: {asked}")
    if solved.value != value or wanted[solved.card] != value:
        raise RuntimeError(f"value {solved.value} with card {solved.card}, by minimax {wanted}: {asked}")
    reached = answer.card < 0 or (wanted[answer.card] >= threshold) == most
    if bool(answer) != (value >= threshold) or not reached:
        raise RuntimeError(f"at least {threshold}: {answer}, by minimax {wanted}: {asked}")
    at = state.copy()
    for card in solved.line:
        at.play(card)
    if solved.line and (not at.over or at.side_taken(side) != value):
        raise RuntimeError(f"the line {solved.line} brings {at.side_taken(side)}, not {value}: {asked}")
    return np.array([1, len(wanted), int(found.nodes[0]) + solved.nodes])
