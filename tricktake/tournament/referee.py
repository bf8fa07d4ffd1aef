"""The referee: holds the table, asks the seats, and continues the game after faults of strategies."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from attrs import asdict, frozen

from tricktake.action import Action
from tricktake.child import Fault
from tricktake.errors import IllegalAction
from tricktake.search.limit import Limit
from tricktake.strategies.player import plays
from tricktake.strategies.strategy import Result, Strategy
from tricktake.table import Table
from tricktake.tournament.seat import MEMBER, Reply, Seat

MAX_FAULTS = 3
BIDDING = Limit(worlds=5)  # of a decision of ``bidding_of``


@frozen
class FaultRow:
    """A fault as stored. decision: its number for this seat in this game, from 0; -1 at the game's begin or end.
    taken: the action taken instead.
    """

    seat: int
    decision: int
    kind: str
    reason: str
    taken: str
    trace: str = ""

    def as_row(self) -> dict[str, Any]:
        return asdict(self, filter=lambda attribute, value: attribute.name != "trace" or bool(value))


def decision_seed(seed: int, game_id: str, seat: int, decision: int) -> int:
    """The seed of the random numbers of a decision: 128 bits of blake2b, which cannot be inverted.

    A deal cannot be computed from it, but a guess of ``seed`` can be tested: against strategies that might try this,
    use a seed of many digits.
    """
    text = f"{seed}/{game_id}/{seat}/{decision}"
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=16).digest(), "little")


def bidding_of(strategy: Strategy, seed: int, game_id: str) -> Callable[[Table], Action]:
    """What a strategy does at a table, whoever is to act, outside of a tournament; something at random where it has no
    role.
    """

    def choose(table: Table) -> Action:
        assert table.actor is not None
        view = table.view(table.actor)
        start = decision_seed(seed, game_id, view.seat, len(table.events))
        if not plays(strategy, view.role):
            return fallback(table, start)
        return strategy.decide(view, BIDDING, np.random.default_rng(start)).action

    return choose


def play(
    table: Table,
    seats: Sequence[Seat],
    *,
    seed: int,
    game_id: str,
    max_faults: int = MAX_FAULTS,
    until: Callable[[Table], bool] = lambda table: False,
) -> list[FaultRow]:
    """Play a table to its end, or ``until`` says to stop, and return the faults, in order.

    If a seat fails (``Fault``, an illegal action, a refused claim), a fault is charged and a random legal action is
    taken for it, drawn from the numbers of that decision. At its ``max_faults``-th fault a seat forfeits the rest of
    the game: it is not asked again, and random actions are taken for it. Faults are counted per game, so that results
    do not depend on the order in which workers play.
    """
    counts = [0] * table.seats
    faults: list[FaultRow] = []
    charged = [0] * table.seats

    def tell(seat: int, note: Callable[[], None]) -> None:
        """A note to a player that answers nothing; if it fails, the seat is charged and nothing is done instead."""
        try:
            note()
        except Fault as fault:
            charged[seat] += 1
            faults.append(FaultRow(seat, -1, fault.kind, fault.reason, "", fault.trace))

    for seat, player in enumerate(seats):
        tell(seat, functools.partial(player.begin, table.game.spec, seat))
    while not table.over and not until(table):
        actor = table.actor
        assert actor is not None
        number = counts[actor]
        counts[actor] += 1
        start = decision_seed(seed, game_id, actor, number)
        if charged[actor] >= max_faults:
            table.apply_unchecked(fallback(table, start))
            continue
        view = table.view(actor)
        try:
            answer = seats[actor].ask(view, start)
            _apply(table, actor, view.legal, answer)
            for line in answer.failed:
                done = answer.action.to_text(table.deal.layout.deck)
                faults.append(FaultRow(actor, number, MEMBER, line, done))
        except Fault as fault:
            charged[actor] += 1
            action = fallback(table, start)
            done = action.to_text(table.deal.layout.deck)
            faults.append(FaultRow(actor, number, fault.kind, fault.reason, done, fault.trace))
            table.apply_unchecked(action)
    for seat, player in enumerate(seats):
        tell(seat, functools.partial(player.end, functools.partial(result_of, table, seat)))
    return faults


def result_of(table: Table, seat: int) -> Result:
    """What a player is told at the end."""
    return Result(table.view(seat), table.score() if table.over else None)


def _apply(table: Table, actor: int, legal: Sequence[Action], answer: Reply) -> None:
    """Carry out an answer. Raises Fault if the rules do not allow it."""
    wanted = answer.action
    for action in legal:
        if action == wanted or _same(action, wanted):
            table.apply_unchecked(action)
            return
    deck = table.deal.layout.deck
    for card in wanted.cards:
        if not 0 <= card < len(deck):
            raise Fault("illegal", f"card {card} is none of the deck")
    try:  # a claim or concession; else this raises an error with the reason
        table.apply(wanted, actor)
    except IllegalAction as error:
        raise Fault("illegal", str(error)) from None


def _same(legal: Action, wanted: Action) -> bool:
    """The same cards in another order."""
    return (
        (legal.verb, legal.value, legal.hidden) == (wanted.verb, wanted.value, wanted.hidden)
        and len(legal.cards) == len(wanted.cards) > 1
        and sorted(legal.cards) == sorted(wanted.cards)
    )


def fallback(table: Table, start: int) -> Action:
    legal = table.legal()
    return legal[int(np.random.default_rng(start).integers(len(legal)))]
