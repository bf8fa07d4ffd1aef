"""Bridge as a game of the framework."""

from __future__ import annotations

from functools import cache
from typing import ClassVar

from tricktake.game import Game, Score
from tricktake.phase import Phase, Tricks
from tricktake.rules import Goal, GoalKind, TrickRules
from tricktake.table import Table
from tricktake_bridge.auction import Auction
from tricktake_bridge.contract import BridgeContract
from tricktake_bridge.deck import BOARDS, BRIDGE, LAYOUT, vulnerable
from tricktake_bridge.scoring import contract_points


@cache
def bridge_rules(contract: BridgeContract) -> TrickRules:
    """The play: one point a trick, North-South against East-West; team 0 is North-South."""
    goals = [Goal(GoalKind.AT_LEAST, 14 - contract.tricks)] * 2
    goals[contract.declarer % 2] = Goal(GoalKind.AT_LEAST, contract.tricks)
    trump = None if contract.strain == "NT" else contract.strain
    return TrickRules.plain(BRIDGE, 4, trump, trick_cost=1, teams=(0, 1, 0, 1), goals=tuple(goals))


def contract_of(table: Table) -> BridgeContract:
    """The contract on a table. Raises ValueError if there is none."""
    if not isinstance(table.contract, BridgeContract):
        raise ValueError("there is no contract on this table")
    return table.contract


class BridgeGame(Game):
    """Duplicate bridge. Seats 0 to 3 are N, E, S, W; boards count from 0 and set dealer and vulnerability.

    The dummy lies open from the first card on, and the declarer plays it.
    """

    name: ClassVar[str] = "bridge"
    summary: ClassVar[str] = "Duplicate bridge: auction, dummy, contract and duplicate scoring"
    boards: ClassVar[int] = BOARDS
    layout = LAYOUT
    phases: tuple[type[Phase], ...] = (Auction, Tricks)

    def rules(self, table: Table) -> TrickRules:
        return bridge_rules(contract_of(table))

    def contract(self, text: str) -> BridgeContract:
        return BridgeContract.from_text(text)

    def first_leader(self, table: Table) -> int:
        return (contract_of(table).declarer + 1) % 4

    def shown(self, table: Table) -> tuple[int, ...]:
        led = table.tricks is not None and (table.tricks.tricks or table.tricks.table)
        return (contract_of(table).dummy,) if led else ()

    def actor(self, table: Table, seat: int) -> int:
        contract = table.contract
        return contract.declarer if isinstance(contract, BridgeContract) and seat == contract.dummy else seat

    def score(self, table: Table) -> Score:
        """Points of each seat (partners score alike). detail: contract, tricks, over, vulnerable."""
        if table.contract is None:
            return Score((0,) * 4, detail={"passed": True})
        contract = contract_of(table)
        assert table.tricks is not None
        side = contract.declarer % 2
        tricks = table.tricks.won[side] + table.tricks.won[side + 2]
        exposed = vulnerable(table.board, contract.declarer)
        points = contract_points(contract, tricks, exposed)
        detail = {
            "passed": False,
            "declarer": contract.declarer,
            "contract": str(contract),
            "tricks": tricks,
            "over": tricks - contract.tricks,
            "vulnerable": exposed,
        }
        return Score(
            tuple(points if seat % 2 == side else -points for seat in range(4)),
            tricks >= contract.tricks,
            tricks,
            detail,
        )
