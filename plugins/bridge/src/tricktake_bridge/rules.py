"""What a strain or a contract means for the play of the cards."""

from __future__ import annotations

from functools import cache

from tricktake.rules import Goal, GoalKind, TrickRules
from tricktake.trick import TrickState
from tricktake_bridge.contract import BridgeContract
from tricktake_bridge.deck import BRIDGE

TEAMS = (0, 1, 0, 1)  # North-South, East-West
ALL_TRICKS = 13


@cache
def strain_rules(strain: str, goals: tuple[int, int] = (7, 7)) -> TrickRules:
    """The play in a strain: one point a trick. goals: the tricks North-South and East-West need."""
    trump = None if strain == "NT" else strain
    aims = tuple(Goal(GoalKind.AT_LEAST, n) for n in goals)
    return TrickRules.plain(BRIDGE, 4, trump, trick_cost=1, teams=TEAMS, goals=aims)


def bridge_rules(contract: BridgeContract) -> TrickRules:
    """The play of a contract: the goal of the declarer's side is to make it, that of the other side to set it."""
    goals = [ALL_TRICKS + 1 - contract.tricks] * 2
    goals[contract.declarer % 2] = contract.tricks
    return strain_rules(contract.strain, (goals[0], goals[1]))


def side_tricks(state: TrickState, side: int) -> int:
    """Tricks won so far by north and south (0) or east and west (1)."""
    return state.won[side] + state.won[side + 2]
