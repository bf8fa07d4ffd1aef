"""Claims and concessions, and what the cards that were not played are worth (RULE-14)."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from tricktake.action import Action
from tricktake.errors import IllegalAction
from tricktake.phase import Tricks
from tricktake.table import Table
from tricktake.trick import TrickState
from tricktake_skat.contract import SkatContract
from tricktake_skat.deck import ALL_EYES, EYES, SEATS, SKAT_PLACE, eyes
from tricktake_skat.rules import ALL_TRICKS, tricks_only

CLAIM, CONCEDE = Action("claim"), Action("concede")


@frozen
class Count:
    """Eyes (with the skat) and tricks of the declarer."""

    eyes: int
    tricks: int


def count(table: Table, declarer: int) -> Count:
    """What the declarer has in finished tricks and the skat."""
    assert table.tricks is not None
    total, tricks = eyes(table.places[SKAT_PLACE]), 0
    for trick in table.tricks.tricks:
        if trick is not None and trick.winner == declarer:
            total += sum(EYES[c] for c in trick.cards)
            tricks += 1
    return Count(total, tricks)


def defenders_count(table: Table, declarer: int) -> Count:
    """The same of both defenders, without the skat."""
    assert table.tricks is not None
    lost = [t for t in table.tricks.tricks if t is not None and t.winner != declarer]
    return Count(sum(EYES[c] for t in lost for c in t.cards), len(lost))


class SkatTricks(Tricks):
    """The play, which any seat may interrupt.

    ``concede``: by the declarer, at once; by the defenders, once both have said it. Everything that was not played
    goes to the other side; in a Null game the declarer's concession counts as a trick, the defenders' as none.
    ``claim``: the side has reached its goal whatever the others do, all cards being open, which the open-card solver
    must prove; else IllegalAction. The remaining play counts as the solver says is the least for the side.
    """

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        assert isinstance(table.contract, SkatContract)
        self.contract = table.contract
        self.conceded: set[int] = set()

    def interruptions(self, seat: int) -> Sequence[Action]:
        if self.turn is None:
            return ()
        return (CLAIM,) if seat in self.conceded else (CLAIM, CONCEDE)

    def interrupt(self, action: Action, seat: int) -> None:
        if action == CLAIM:
            self._stop(_proven(self.table, self.state, self.contract, seat))
            return
        self.conceded.add(seat)
        declarer = self.contract.declarer
        if seat == declarer:
            mine = count(self.table, declarer)
            self._stop(Count(mine.eyes, max(mine.tricks, 1)) if self.contract.is_null else mine)
        elif len(self.conceded) == SEATS - 1:
            self._stop(rest_to_declarer(self.table, self.contract))

    def _stop(self, result: Count) -> None:
        self.table.facts["count"] = result
        self.stopped = True


def rest_to_declarer(table: Table, contract: SkatContract) -> Count:
    """The declarer's count if the defenders give up: all that they have not taken; in a Null game, nothing more."""
    if contract.is_null:
        return count(table, contract.declarer)
    theirs = defenders_count(table, contract.declarer)
    return Count(ALL_EYES - theirs.eyes, ALL_TRICKS - theirs.tricks)


def _proven(table: Table, state: TrickState, contract: SkatContract, seat: int) -> Count:
    """The declarer's count after a claim. Raises IllegalAction if the claim is not proven."""
    from tricktake.search.opencard import solve

    declarer = contract.declarer
    side = state.rules.side_mask(seat)
    goal = state.rules.goal(seat)
    value = solve(state.copy(), side).value
    if not goal.met(value):
        raise IllegalAction(f"seat {seat} claims what open cards do not prove")
    mine, rest = count(table, declarer), ALL_TRICKS - len(state.tricks)
    if contract.is_null:
        return Count(mine.eyes, value if seat == declarer else max(mine.tricks, 1))
    if contract.schwarz:
        return rest_to_declarer(table, contract) if seat == declarer else Count(mine.eyes, mine.tricks)
    # Tricks matter for Schwarz only, and need their own proof: a trick without eyes is one.
    everything = solve(tricks_only(state), side).value == rest
    if seat == declarer:
        return Count(value, mine.tricks + rest if everything else min(mine.tricks + rest, ALL_TRICKS - 1))
    return Count(ALL_EYES - value, mine.tricks if everything else max(mine.tricks, 1))
