"""Paranoia search: what a seat is sure of, whatever the hidden cards are and however all others play (KBPS).

A *proof* is a plan that reaches a goal in every world that fits the knowledge, against opponents (and a partner,
KBPS-18) who see everything. If there is none, some opponent can spoil every plan. How it works: docs/paranoia.md.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np
from attrs import evolve, frozen

from tricktake._kernels import paranoia as kernel
from tricktake._kernels import paranoia_frame as frame
from tricktake._kernels import paranoia_hidden as hiding
from tricktake._kernels import paranoia_state as state
from tricktake._kernels import paranoia_transposition as table
from tricktake._kernels import paranoia_worlds as dealer
from tricktake._kernels import position as row
from tricktake._kernels.layout import C_COST, H_LAST_BONUS, H_TRICK_COST, MAX_SUITS
from tricktake.arrays import IntArray
from tricktake.cards import bits
from tricktake.errors import TricktakeError
from tricktake.rules import Goal, GoalKind, TrickRules
from tricktake.search.infoset import InfoSet
from tricktake.search.limit import Budget, Limit
from tricktake.search.opencard import NO_LIMIT, Unknown, default_solver
from tricktake.search.positions import Positions
from tricktake.search.splits import Caps, unlikely
from tricktake.view import View

# Words of the table by the tricks left, the one on the table included: an entry takes some 10 (``solver.tables``).
WORDS = ((6, 1 << 18), (64, 1 << 21))
CHUNK = 4096  # nodes between two looks at the clock, some milliseconds
PATIENCE = 4096  # nodes after which the search looks for a world that refutes it
DOUBTS = (4, 12)  # worlds then solved open-card, batch by batch


class Unsearchable(TricktakeError):
    """A position the paranoia search cannot take: too many hidden places, rules it does not know, or a goal without a
    number.
    """


@frozen
class Proof:
    """The answer to "is the goal sure?".

    answer: True if a plan reaches it in every world, False if there is none, None if a limit came first. card: the
    first card of the plan (deck index), -1 if there is none or another seat is to move. nodes: positions entered.
    excluded: probability of the worlds that were left out as unlikely (KBPS-14), 0 for a proof in all worlds.
    """

    answer: bool | None
    goal: Goal
    card: int = -1
    nodes: int = 0
    excluded: float = 0.0

    def __bool__(self) -> bool:
        """Whether it is proven."""
        return self.answer is True


@frozen
class Guarantee:
    """What the team is sure of. lower, upper: bounds on the guaranteed final cost, equal unless a limit came first.

    card: a card that secures the best value proven (deck index), -1 if none is known. nodes: positions entered.
    """

    lower: int
    upper: int
    card: int = -1
    nodes: int = 0

    @property
    def value(self) -> int:
        """The guaranteed value. Raises Unknown if the limit came first."""
        if self.lower != self.upper:
            raise Unknown(f"only known to lie between {self.lower} and {self.upper} after {self.nodes} nodes")
        return self.lower


@frozen
class _Step:
    """One search with one need: whether it was answered, and the bound it gives (see ``kernel.R_VALUE``)."""

    done: bool
    value: int
    card: int
    nodes: int


class Paranoia:
    """A table and what it is asked. One must not be used by two threads at a time.

    megabytes: size of the table, instead of one that depends on the cards left. doubts: worlds solved open-card if a
    search takes long, to spare some of those that fail. equals, tabled: whether equivalent cards are tried once and the
    table is used (they change no answer).
    """

    def __init__(
        self,
        megabytes: int | None = None,
        *,
        doubts: Sequence[int] = DOUBTS,
        equals: bool = True,
        tabled: bool = True,
    ) -> None:
        if megabytes is not None and megabytes < 1:
            raise ValueError("a table needs at least a megabyte")
        self._sizes = WORDS if megabytes is None else ((64, megabytes << 17),)
        self._tables: dict[int, IntArray] = {}  # by their size
        self.work = np.zeros(frame.WORK, np.int64)
        self.doubts, self.equals, self.tabled = tuple(doubts), equals, tabled
        self._about: tuple[object, ...] = ()

    # -- what is asked ----------------------------------------------------------------------------------------------

    def prove(
        self,
        known: View | InfoSet,
        goal: Goal | None = None,
        limit: Limit | None = None,
        *,
        epsilon: float = 0.0,
        cards: int | None = None,
        fresh: bool = True,
    ) -> Proof:
        """Whether the team surely reaches a goal: that of its rules if none is given.

        epsilon: splits of a suit less likely than this are left out, and the proof says how much that is. cards: mask
        of the cards that may be played first (deck indices). nodes of a limit are kept to the node (those of worlds
        solved open-card count, too), seconds within some milliseconds. fresh: forget what earlier questions left in the
        table, so that the nodes depend on nothing else; what is kept never changes an answer.

        Raises Unsearchable for goals without a number, more than MAX_HIDDEN hidden places, rare rules and duties still
        in force; ValueError if no world fits.
        """
        info = known if isinstance(known, InfoSet) else InfoSet.from_view(known)
        goal = goal or _goal_of(info)
        if goal.met(0) is None:
            raise Unsearchable("the goal is to get as much or as little as possible: nothing to prove")
        caps = unlikely(info.knowledge, info.rules, epsilon) if epsilon else Caps({}, 0.0)
        self._forget(bool(caps.most), info, fresh)
        step = self._ask(info, goal, caps, Budget.of(limit), cards)
        answer = None if not step.done else step.value >= _need(info, goal)
        return Proof(answer, goal, step.card if answer else -1, step.nodes, caps.excluded)

    def guaranteed(self, known: View | InfoSet, limit: Limit | None = None, *, guess: int | None = None) -> Guarantee:
        """The final cost the team is sure of: at least it for a team that wants cost, at most for one that avoids it.

        A sequence of yes/no questions, each at the next better bound (KBPS-5). guess: where to ask first; the goal
        of the rules if it has a number. Raises as ``prove``; Unsearchable for the goal of exactly n.
        """
        info = known if isinstance(known, InfoSet) else InfoSet.from_view(known)
        goal = info.rules.goal(_first(info.team))
        if goal.kind is GoalKind.EXACTLY:
            raise Unsearchable("a goal of exactly n has no guaranteed value")
        sense, budget = goal.sense, Budget.of(limit)
        kind = GoalKind.AT_LEAST if sense > 0 else GoalKind.AT_MOST
        low, high = -(1 << 30), 1 << 30  # of the value in the sense of the team
        need = sense * (goal.n if guess is None else guess)
        card, nodes = -1, 0
        self._forget(False, info)
        while low < high and not budget.over:
            asked = Goal(kind, sense * need)
            step = self._ask(info, asked, Caps({}, 0.0), budget, None, doubt=not nodes)
            nodes += step.nodes
            if not step.done:
                break
            value = step.value + sense * info.taken
            if value >= need:
                low, card, need = value, step.card if step.card >= 0 else card, value + 1
            else:
                high = need = value
        bounds = (low, high) if sense > 0 else (-high, -low)
        return Guarantee(*bounds, card, nodes)

    # -- inside -----------------------------------------------------------------------------------------------------

    def _forget(self, capped: bool, info: InfoSet, fresh: bool = True) -> None:
        """A new epoch of the table; an empty table if its entries have another size now."""
        about = (info.rules, info.mine, info.team, _goal_of(info).sense, capped)
        if not fresh and about == self._about:
            return
        self._about = about
        size = next(words for most, words in self._sizes if info.left <= most)
        if size not in self._tables:
            self._tables[size] = np.zeros(size, np.int64)
        self.table = self._tables[size]
        words = table.E_MASKS + (2 if capped else 1) * _places(info)
        if words != self.table[table.T_WORDS]:
            if self.table[table.T_WORDS]:
                self.table[:] = 0
            self.table[table.T_WORDS] = words
            buckets = (size - table.T_HEADER) // (words * table.BUCKET)
            self.table[table.T_MASK] = (1 << buckets.bit_length() - 1) - 1
        self.table[table.T_EPOCH] += 1

    def _ask(
        self, info: InfoSet, goal: Goal, caps: Caps, budget: Budget, cards: int | None, doubt: bool = True
    ) -> _Step:
        """One question, which is taken off the budget. The value is counted from now on, in the sense of the team."""
        self._start(info, goal, caps)
        root = info.choices_mask() if cards is None else info.choices_mask() & cards
        doubt = doubt and bool(self.doubts) and goal.kind is not GoalKind.EXACTLY
        before = budget.spent
        step = self._search(info, goal, budget, root, PATIENCE if doubt else NO_LIMIT)
        if step.done or not doubt:
            return step
        left = self._doubt(info, goal, root, budget)
        if not left:
            return _Step(True, _need(info, goal) - 1, -1, budget.spent - before)
        if left != root:
            self._start(info, goal, caps)
        step = self._search(info, goal, budget, left)
        return evolve(step, nodes=budget.spent - before)

    def _start(self, info: InfoSet, goal: Goal, caps: Caps) -> None:
        """Put a question into the work array. Raises ValueError if no world fits, Unsearchable as ``prove``."""
        if info.rules.rare or (info.rules.duty is not None and not info.released):
            raise Unsearchable("the search does not know all the rules of this play (docs/rules.md)")
        question = _question(info, goal, caps, self.equals, self.tabled)
        if not kernel.start(*_signed(info.rules, goal.sense), question, self.work):
            raise ValueError("no world fits what is known")

    def _search(self, info: InfoSet, goal: Goal, budget: Budget, root: int, most: int = NO_LIMIT) -> _Step:
        """Search on, up to ``most`` nodes since the start or what the budget has left. root: the cards that may be
        played first.
        """
        compiled, need = info.rules.compile(), _need(info, goal)
        if not root and info.left:
            return _Step(True, need - 1, -1, 0)
        self.work[state.ROOT] = compiled.mask_from_deck(root) if info.my_turn else -1
        out = np.zeros(kernel.RESULT, np.int64)
        before = stop = int(self.work[state.NODES])
        nodes = most if budget.nodes is None else min(most, before + budget.nodes)
        while not out[kernel.R_DONE] and stop < nodes and not budget.late:
            stop = nodes if budget.seconds is None else min(nodes, stop + CHUNK)
            kernel.run(self.work, self.table, np.int64(stop), out)
        budget.spend(int(self.work[state.NODES]) - before)
        value, card = int(out[kernel.R_VALUE]), int(out[kernel.R_CARD])
        if value < need and info.my_turn and root != info.choices_mask():
            value = need - 1  # the cards left out were only looked at for this need
        chosen = -1
        if info.my_turn and root and value >= need:  # a position settled at once is so by any card
            chosen = _first(root) if card < 0 else int(compiled.to_deck[card])
        return _Step(bool(out[kernel.R_DONE]), value, chosen, int(self.work[state.NODES]))

    def _doubt(self, info: InfoSet, goal: Goal, cards: int, budget: Budget) -> int:
        """Leave out the cards that miss the goal in some world with open cards, and return the others.

        If another seat is to move all or none are left.
        """
        threshold = goal.n if goal.sense > 0 else goal.n + 1
        for worlds in _doubtful(info, self.work, self.doubts):
            nodes = budget.nodes
            if not cards or budget.late or (nodes is not None and nodes <= len(worlds)):
                break
            each = Limit(budget.left().seconds, None if nodes is None else nodes // len(worlds))
            if info.my_turn:
                found = default_solver().batch(worlds, "cards", threshold=threshold, limit=each)
                low, high = found.card_lower, found.card_upper
            else:
                found = default_solver().batch(worlds, "win", threshold=threshold, limit=each)
                low, high = (np.repeat(bound[:, None], len(info.rules.deck), 1) for bound in (found.lower, found.upper))
            lost = high < threshold if goal.sense > 0 else low >= threshold
            budget.spend(int(found.nodes.sum()))
            cards = sum(1 << card for card in bits(cards) if not lost[:, card].any())
        return cards


# -- one a thread -----------------------------------------------------------------------------------------------------

_local = threading.local()


def default_paranoia() -> Paranoia:
    """The search of this thread, made when first asked for."""
    if not hasattr(_local, "paranoia"):
        _local.paranoia = Paranoia()
    found: Paranoia = _local.paranoia
    return found


def prove(
    known: View | InfoSet, goal: Goal | None = None, limit: Limit | None = None, *, epsilon: float = 0.0
) -> Proof:
    """``Paranoia.prove`` with this thread's table."""
    return default_paranoia().prove(known, goal, limit, epsilon=epsilon)


def guaranteed(known: View | InfoSet, limit: Limit | None = None) -> Guarantee:
    """``Paranoia.guaranteed`` with this thread's table."""
    return default_paranoia().guaranteed(known, limit)


# -- questions as the kernel takes them -------------------------------------------------------------------------------


def _first(mask: int) -> int:
    return next(bits(mask))


def _goal_of(info: InfoSet) -> Goal:
    return info.rules.goal(_first(info.team))


def _need(info: InfoSet, goal: Goal) -> int:
    """What is still needed, in the sense of the team."""
    return goal.sense * (goal.n - info.taken)


def _places(info: InfoSet) -> int:
    """Seats, extra places, and that of undealt cards."""
    return len(info.knowledge.layout.names) + 1


@lru_cache(maxsize=1024)
def _signed(rules: TrickRules, sense: int) -> tuple[IntArray, IntArray, IntArray]:
    """The compiled rules with all costs as the team values them."""
    compiled = rules.compile()
    header, cards = compiled.header.copy(), compiled.cards.copy()
    header[[H_TRICK_COST, H_LAST_BONUS]] *= sense
    cards[C_COST] *= sense
    return header, cards, compiled.suits


def _question(info: InfoSet, goal: Goal, caps: Caps, equals: bool, tabled: bool) -> IntArray:
    """The row of numbers a question is to the kernel."""
    rules, known = info.rules, info.knowledge
    compiled, seats, places = rules.compile(), rules.seats, _places(info)
    hidden = {place.index: i for i, place in enumerate(known.hidden)}
    if len(hidden) > state.MAX_HIDDEN or places > state.MAX_PLACES:
        raise Unsearchable(f"{len(hidden)} places hold hidden cards; a paranoia search takes {state.MAX_HIDDEN}")
    q = np.zeros(kernel.QUESTION, np.int64)
    for place in range(places):
        i = hidden.get(place)
        surely = known.known[place] if place < seats else 0
        if i is None:
            q[kernel.Q_MASK + place] = compiled.mask_from_deck(surely)
            q[kernel.Q_ROOM + place] = hiding.OPEN
            continue
        if info.mine >> place & 1:
            raise ValueError(f"seat {place} decides here and does not know its hand")
        q[kernel.Q_MASK + place] = compiled.mask_from_deck(surely | known.unseen & ~known.cannot[i])
        q[kernel.Q_ROOM + place] = known.hidden[i].size + surely.bit_count()
        packed = 0
        for suit in range(MAX_SUITS):
            most = caps.most.get((i, suit), hiding.CAP_MASK) + (surely & rules.suit_mask(suit)).bit_count()
            packed |= min(most, hiding.CAP_MASK) << (hiding.CAP_BITS * suit)
        q[kernel.Q_CAPS + place] = packed
    q[kernel.Q_PLACES] = places
    q[kernel.Q_LEADER], q[kernel.Q_PLAYED] = info.leader, len(info.table)
    for i, card in enumerate(info.table):
        q[kernel.Q_TABLE + i] = compiled.from_deck[card]
    q[kernel.Q_BROKEN], q[kernel.Q_FIRST], q[kernel.Q_LEFT] = info.broken, info.first, info.left
    q[kernel.Q_MINE], q[kernel.Q_TEAM] = info.mine, info.team | info.credited
    q[kernel.Q_NEED] = _need(info, goal)
    q[kernel.Q_EXACT] = goal.kind is GoalKind.EXACTLY
    q[kernel.Q_CAPPED], q[kernel.Q_EQUALS], q[kernel.Q_USE_TABLE] = bool(caps.most), equals, tabled
    q[kernel.Q_ROOT] = -1
    return q


def _doubtful(info: InfoSet, work: IntArray, batches: Sequence[int]) -> Iterator[Positions]:
    """Worlds in which the goal may be missed: each suit in one hand as far as that fits, in turn, the rest at random.

    Always the same ones for the same question.
    """
    rules, total = info.rules, sum(batches)
    n, hidden = len(rules.deck), max(1, len(info.knowledge.hidden))
    rng = np.random.default_rng(0)
    orders = rng.permuted(np.tile(np.arange(n), (total, 1)), axis=1)
    wanted = rng.integers(0, hidden, (total, n))
    hands = [i for i, place in enumerate(info.knowledge.hidden) if place.index < rules.seats]
    compiled = rules.compile()
    unseen = compiled.mask_from_deck(info.knowledge.unseen)
    suits = [int(s) for s in compiled.suits if s & unseen]
    suits.sort(key=lambda s: -(s & unseen).bit_count())
    extremes = [(suit, hand) for suit in suits for hand in hands]
    for world, (suit, hand) in enumerate(extremes[:total]):
        held = (suit >> orders[world] & 1).astype(bool)
        orders[world] = np.concatenate([orders[world][held], orders[world][~held]])
        wanted[world, : held.sum()] = hand
    out = np.zeros((total, _places(info)), np.int64)
    dealer.deal_worlds(work, orders, wanted, out)
    goal_sense = _goal_of(info).sense
    rows = np.zeros((total, row.ROW), np.int64)
    rows[:, row.P_HANDS : row.P_HANDS + rules.seats] = out[:, : rules.seats]
    rows[:, row.P_LEADER], rows[:, row.P_PLAYED] = info.leader, len(info.table)
    for i, card in enumerate(info.table):
        rows[:, row.P_TABLE + i] = compiled.from_deck[card]
    rows[:, row.P_FLAGS], rows[:, row.P_FIRST] = info.broken, info.first
    rows[:, row.P_SIDE], rows[:, row.P_SENSE], rows[:, row.P_TAKEN] = info.team, goal_sense, info.taken
    for place in bits(info.credited):
        for bit, card in enumerate(compiled.to_deck):
            rows[:, row.P_TAKEN] += (out[:, place] >> bit & 1) * rules.card_cost[card]
    start = 0
    for size in batches:
        yield Positions(rules, info.team, goal_sense, rows[start : start + size])
        start += size
