"""Games as they stand at the first trick, as rows the kernels play from, and what their results are worth.

A result is worth something to a seat by what its own side has taken: an array over the cost from the least on, and
behind
it what it is worth to have taken no trick, and all of them, NaN where cost alone counts. What a seat gains is that,
less the mean of what it is worth to the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from tricktake._kernels import policy_layout as P
from tricktake._kernels import policy_play as kernel
from tricktake._kernels.layout import BROKEN, PENDING
from tricktake.alliance import DECLARER, OTHERS, Alliance
from tricktake.arrays import IntArray
from tricktake.cards import signed
from tricktake.condition import Condition
from tricktake.game import Game
from tricktake.policy.encoding import Encoding, goal_cost
from tricktake.rules import Goal, GoalKind, TrickRules
from tricktake.search.positions import moved_masks
from tricktake.table import Table
from tricktake.view import View

FloatArray = NDArray[np.float32]

TIP = 0.2  # of a goal with a number: what all the cost beyond or short of it is worth beside reaching it


@frozen(eq=False)
class Batch:
    """Positions of one encoding. rows: (n, width), see ``_kernels.policy_layout``. worth: (k, span + 2), float32."""

    encoding: Encoding
    rows: IntArray
    worth: FloatArray

    def __len__(self) -> int:
        return len(self.rows)

    def block(self, number: int) -> IntArray:
        """A block of the rows, (n, seats): ``B_HANDS`` and so on."""
        seats = self.encoding.seats
        return self.rows[:, P.R_SEATS + number * seats : P.R_SEATS + (number + 1) * seats]

    def roles(self) -> IntArray:
        """The role of each seat, (n, seats): how far it sits from the declarer; 0 for all where nobody declares."""
        declarer = self.rows[:, [P.R_DECLARER]]
        return np.where(declarer >= 0, (np.arange(self.encoding.seats) - declarer) % self.encoding.seats, 0)

    def chosen(self, which: IntArray | slice) -> Batch:
        """Some of the positions."""
        return Batch(self.encoding, self.rows[which], self.worth)


def width(seats: int) -> int:
    """Numbers of a row."""
    return P.R_SEATS + P.BLOCKS * seats + seats * seats


def worth_of_goal(encoding: Encoding, goal: Goal) -> FloatArray:
    """What costs are worth by the goal of a side alone: reaching it 1, and a little for what is beyond or short of it;
    for being near where it is an exact number.
    """
    costs = np.arange(encoding.low, encoding.low + encoding.span)
    amount = -abs(costs - goal.n) if goal.kind is GoalKind.EXACTLY else goal.sense * (costs - encoding.low)
    share = amount / max(1, encoding.span - 1)
    worth = share if goal.met(0) is None else TIP * share + [bool(goal.met(int(cost))) for cost in costs]
    return np.append(worth, (np.nan, np.nan)).astype(np.float32)


@lru_cache(maxsize=256)
def worth_of_rules(encoding: Encoding, rules: TrickRules) -> tuple[FloatArray, tuple[int, ...]]:
    """What results are worth by the goals of the rules, and the row of each seat (cached: not to be changed)."""
    found: list[FloatArray] = []
    numbers = []
    for seat in range(rules.seats):
        worth = worth_of_goal(encoding, rules.goal(seat))
        if not any(np.array_equal(worth, other, equal_nan=True) for other in found):
            found.append(worth)
        numbers.append(next(i for i, other in enumerate(found) if np.array_equal(worth, other, equal_nan=True)))
    return np.stack(found), tuple(numbers)


def stop_cost(worth: FloatArray, declarer: int, others: Sequence[int], span: int) -> int:
    """How far above the least cost the declarer's side stands when nothing more matters; ``NO_STOP`` if never.

    declarer, others: rows of ``worth``. Holds for costs that are never negative and are shared by two sides.
    """
    for cost in range(1, span):
        mine = np.append(worth[declarer, cost:span], worth[declarer, span + 1])
        theirs = np.append(worth[list(others), : span - cost].ravel(), worth[list(others), span])
        if np.ptp(mine) == 0 and np.ptp(theirs) == 0:
            return cost
    return P.NO_STOP


def row_of(table: Table, encoding: Encoding, numbers: Sequence[int]) -> IntArray:
    """The row of a table at its first trick. numbers: row of ``worth`` of each seat. Raises ValueError elsewhere.

    Where a game shows hands (``Game.shown``), one that opens with the first card (a dummy) is found by playing one,
    which uses the table up.
    """
    state, seats = table.tricks, table.seats
    if state is None or table.gone or table.turn is None:
        raise ValueError("the table is not at its first trick")
    rules, names = at_first_trick(state.rules), table.deal.layout.names
    moved = encoding.compiled.mask_from_deck
    row = np.zeros(width(seats), np.int64)
    blocks = row[P.R_SEATS : P.R_SEATS + P.BLOCKS * seats].reshape(P.BLOCKS, seats)
    known = row[P.R_SEATS + P.BLOCKS * seats :].reshape(seats, seats)
    contract = table.contract
    row[P.R_LEADER] = state.leader
    row[P.R_DECLARER] = -1 if contract is None else contract.declarer
    row[P.R_FLAGS] = BROKEN * state.broken | PENDING * (rules.duty is not None and not state.released)
    row[P.R_FIRST], row[P.R_STOP] = 1, P.NO_STOP
    for seat in range(seats):
        view = table.view(seat)
        blocks[P.B_HANDS, seat] = moved(state.hands[seat])
        for place in range(seats, len(view.known)):
            blocks[P.B_ASIDE, seat] |= moved(view.known[place])
        for other in range(seats):
            known[seat, other] = moved(view.known[other]) if other != seat else 0
        assert view.rules is not None
        _team_blocks(blocks, at_first_trick(view.rules), seat, view.known, names)
        blocks[P.B_TRUE, seat] = rules.side_mask(seat)
        blocks[P.B_CREDIT, seat] = state.taken[seat]
        blocks[P.B_ACTOR, seat] = table.game.actor(table, seat)
        blocks[P.B_WORTH, seat] = numbers[seat]
    _said(row, table.view(state.turn), encoding)
    if type(table.game).shown is not Game.shown:
        table.apply(next(action for action in table.legal() if action.verb == "play"))
    row[P.R_SHOWN] = sum(1 << seat for seat in table.game.shown(table))
    return row


def at_first_trick(rules: TrickRules) -> TrickRules:
    """The rules with the teams of the first trick: a partner whom tricks find was not found then."""
    alliance = rules.alliance
    if alliance is None or not alliance.fixed_by_trick:
        return rules
    return rules.with_teams(alliance.teams((0,) * rules.seats))


def _said(row: IntArray, view: View, encoding: Encoding) -> None:
    """Where teams are hidden: who declares, and what was said for sure of the cards that decide."""
    row[P.R_CALLER] = -1
    alliance = view.rules.alliance if view.rules is not None else None
    if alliance is None or not encoding.hidden:
        return
    row[P.R_CALLER] = -1 if alliance.declarer is None else alliance.declarer
    row[P.R_ALLIED] = sum({1 << each.place for each in view.promised if _promises(each, alliance)})
    row[P.R_APART] = sum({1 << place for place, mask in view.excluded if not alliance.cards & ~mask})


def _promises(condition: Condition, alliance: Alliance) -> bool:
    """Whether who meets a condition surely holds one of the cards that decide."""
    return not condition.unless and (condition.mask & ~alliance.cards).bit_count() < condition.least


def _team_blocks(blocks: IntArray, rules: TrickRules, seat: int, known: Sequence[int], names: Sequence[str]) -> None:
    """Who is with whom, the goal, and what a seat knows to be credited."""
    side = rules.side_mask(seat)
    blocks[P.B_SIDE, seat] = blocks[P.B_MAYBE, seat] = blocks[P.B_TRUE, seat] = side
    blocks[P.B_GOAL, seat] = goal_cost(rules.goal(seat))
    for name, taker in rules.credits:
        block = P.B_MINE if side >> taker & 1 else P.B_OTHERS
        blocks[block, seat] += rules.cost_of(known[names.index(name)])


def batch_of_hands(
    rules: TrickRules,
    deals: Sequence[Sequence[int]] | IntArray,
    declarer: int = -1,
    leader: int = 0,
    names: Sequence[str] = (),
) -> Batch:
    """Deals of given rules, every seat knowing its hand, by the goals of the rules.

    deals: (n, places) masks of the hands and, where the rules credit a seat with it, of another place; names: of all.
    Raises ValueError for rules with hidden teams: these depend on the deal.
    """
    encoding = Encoding.of(rules)
    if encoding.hidden:
        raise ValueError("teams that depend on the deal need a table")
    worth, numbers = worth_of_rules(encoding, rules)
    seats = rules.seats
    row = np.zeros(width(seats), np.int64)
    row[P.R_LEADER], row[P.R_DECLARER] = leader, declarer
    row[P.R_FLAGS], row[P.R_FIRST], row[P.R_STOP] = PENDING * (rules.duty is not None), 1, P.NO_STOP
    blocks = row[P.R_SEATS : P.R_SEATS + P.BLOCKS * seats].reshape(P.BLOCKS, seats)
    for seat in range(seats):
        _team_blocks(blocks, rules, seat, (0,) * len(names), names)
        blocks[P.B_ACTOR, seat], blocks[P.B_WORTH, seat] = seat, numbers[seat]
    batch = Batch(encoding, np.repeat(row[None], len(deals), axis=0), worth)
    places = deals if isinstance(deals, np.ndarray) else np.array([[*map(signed, deal)] for deal in deals], np.int64)
    batch.block(P.B_HANDS)[:] = moved_masks(places[:, :seats], encoding.compiled.from_deck)
    _credit(batch, rules, places, names)
    return batch


def _credit(batch: Batch, rules: TrickRules, places: IntArray, names: Sequence[str]) -> None:
    """Add what the cards of a place are worth to the seat that is credited with them."""
    for name, seat in rules.credits:
        place = places[:, names.index(name)]
        for card, cost in enumerate(rules.card_cost):
            batch.block(P.B_CREDIT)[:, seat] += (place >> card & 1) * cost


def batch_of(tables: Sequence[Table]) -> Batch:
    """The positions of tables at their first trick, all of one encoding, by the goals of their rules.

    Raises ValueError for other tables.
    """
    found: list[FloatArray] = []
    rows = []
    encoding: Encoding | None = None
    for table in tables:
        assert table.tricks is not None
        rules = table.tricks.rules
        encoding_here = Encoding.of(rules)
        if encoding is not None and encoding.key != encoding_here.key:
            raise ValueError("tables of different encodings in one batch")
        encoding = encoding_here
        worth, numbers = worth_of_rules(encoding, rules)
        known = []
        for number in range(len(worth)):
            same = (i for i, other in enumerate(found) if np.array_equal(other, worth[number], equal_nan=True))
            place = next(same, len(found))
            if place == len(found):
                found.append(worth[number])
            known.append(place)
        rows.append(row_of(table, encoding, [known[number] for number in numbers]))
    if encoding is None:
        raise ValueError("no tables")
    return Batch(encoding, np.stack(rows), np.stack(found))


# -- from a view ------------------------------------------------------------------------------------------------------


def first_row(view: View, encoding: Encoding) -> tuple[IntArray, IntArray]:
    """The row of the first trick as far as a view tells, and the cards played since (of the encoding, in order).

    Raises ValueError outside the play.
    """
    rules = view.rules
    if rules is None:
        raise ValueError("there are no tricks yet")
    seats, me = rules.seats, view.seat
    moved, played = encoding.compiled.mask_from_deck, view.played
    tricks = [(trick.leader, trick.cards) for trick in view.tricks] + [(view.leader, view.table)]
    row = np.zeros(width(seats), np.int64)
    blocks = row[P.R_SEATS : P.R_SEATS + P.BLOCKS * seats].reshape(P.BLOCKS, seats)
    known = row[P.R_SEATS + P.BLOCKS * seats :].reshape(seats, seats)
    row[P.R_LEADER] = tricks[0][0]
    row[P.R_DECLARER] = -1 if view.contract is None else view.contract.declarer
    row[P.R_FLAGS] = PENDING * (rules.duty is not None)
    row[P.R_FIRST], row[P.R_STOP] = 1, P.NO_STOP
    for seat in range(seats):
        blocks[P.B_HANDS, seat] = moved(view.known[seat] | played[seat])
        blocks[P.B_ACTOR, seat] = me if view.decides >> seat & 1 else seat
    known[me] = blocks[P.B_HANDS]
    for place in range(seats, len(view.known)):
        blocks[P.B_ASIDE, me] |= moved(view.known[place])
    rules = at_first_trick(rules)
    _team_blocks(blocks, rules, me, view.known, view.layout.names)
    _said(row, view, encoding)
    blocks[P.B_GOAL] = [goal_cost(rules.goal(seat)) for seat in range(seats)]
    return row, np.array([encoding.compiled.from_deck[card] for _, cards in tricks for card in cards], np.int64)


def work_of(view: View, encoding: Encoding | None = None) -> IntArray:
    """The work array of the kernels for a view in which a card is to be played. Raises ValueError outside the play."""
    if view.rules is None:
        raise ValueError("there are no tricks yet")
    encoding = encoding or Encoding.of(view.rules)
    row, cards = first_row(view, encoding)
    w = np.zeros(P.WORK, np.int64)
    compiled = encoding.compiled
    kernel.setup_row(compiled.header, compiled.cards, compiled.suits, encoding.plan, row, w)
    kernel.replay_cards(w, cards, sum(view.sizes[: view.rules.seats]))
    return w


def batch_of_worlds(view: View, worlds: IntArray) -> tuple[Batch, IntArray]:
    """The games of a view from their first trick, one a world, by the goals of the rules; the cards played since.

    worlds: int64, shape (n, places), as ``tricktake.worlds`` gives them. Of what others know only this is taken to be
    known: their hand, and hands that lie open to this seat. Raises ValueError outside the play.
    """
    if view.rules is None:
        raise ValueError("there are no tricks yet")
    rules, seats = view.rules, view.rules.seats
    encoding = Encoding.of(rules)
    first, cards = first_row(view, encoding)
    blocks = first[P.R_SEATS : P.R_SEATS + P.BLOCKS * seats].reshape(P.BLOCKS, seats)
    worth, numbers = worth_of_rules(encoding, rules)
    blocks[P.B_WORTH] = numbers
    for seat in range(seats):
        if seat == view.seat:
            continue
        _team_blocks(blocks, rules, seat, (0,) * len(view.known), view.layout.names)
        if view.sizes[seat] and view.known[seat].bit_count() == view.sizes[seat]:
            first[P.R_SHOWN] |= 1 << seat
    batch = Batch(encoding, np.repeat(first[None], len(worlds), axis=0), worth)
    played = np.array([signed(mask) for mask in view.played], np.int64)
    batch.block(P.B_HANDS)[:] = moved_masks(worlds[:, :seats] | played, encoding.compiled.from_deck)
    if encoding.hidden:
        batch = _with_teams(batch, rules, worlds[:, :seats] | played)
    _credit(batch, rules, worlds, view.layout.names)
    return batch, cards


def _with_teams(batch: Batch, rules: TrickRules, dealt: IntArray) -> Batch:
    """Where teams are hidden: the batch with those of each world, their goals, and what results are worth to them."""
    alliance, encoding = rules.alliance, batch.encoding
    assert alliance is not None
    rules = rules.with_teams((DECLARER, *(OTHERS,) * (rules.seats - 1)))
    worth, numbers = worth_of_rules(encoding, rules)
    ours = alliance.ours(dealt)
    batch.block(P.B_WORTH)[:] = np.where(ours, numbers[0], numbers[1])
    batch.block(P.B_GOAL)[:] = np.where(ours, goal_cost(rules.goal(0)), goal_cost(rules.goal(1)))
    for seat in range(rules.seats):
        batch.block(P.B_TRUE)[:, seat] = alliance.sides(dealt, seat)
    return Batch(encoding, batch.rows, worth)


def inputs_of(view: View) -> IntArray:
    """The numbers of the inputs that are set for a view, sorted. Raises ValueError outside the play."""
    index = np.zeros(kernel.MOST_INPUTS, np.int64)
    n = kernel.encode_work(work_of(view), index)
    return np.sort(index[:n])
