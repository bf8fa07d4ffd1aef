"""Contract scores and their comparison at duplicate (Laws of Duplicate Bridge 2017, 77 and 78)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from tricktake_bridge.contract import BridgeContract

# Law 78B: the least difference in points that is worth 1, 2, ... 24 IMPs.
IMP_SCALE = (
    *(20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600),
    *(750, 900, 1100, 1300, 1500, 1750, 2000, 2250, 2500, 3000, 3500, 4000),
)


def contract_points(contract: BridgeContract, tricks: int, vulnerable: bool) -> int:
    """Points of the declarer's side for ``tricks`` taken by it, negative if the contract is down (Law 77)."""
    over = tricks - contract.tricks
    if over < 0:
        return -_down(-over, contract.doubled, vulnerable)
    trick = 20 if contract.strain in "CD" else 30
    first = 10 if contract.strain == "NT" else 0
    bid = (trick * contract.level + first) << contract.doubled
    game = 500 if vulnerable else 300
    points = bid + (game if bid >= 100 else 50)
    if contract.level == 6:
        points += 750 if vulnerable else 500
    elif contract.level == 7:
        points += 1500 if vulnerable else 1000
    if not contract.doubled:
        return points + trick * over
    return points + 50 * contract.doubled + over * (200 if vulnerable else 100) * contract.doubled


def _down(tricks: int, doubled: int, vulnerable: bool) -> int:
    if not doubled:
        return tricks * (100 if vulnerable else 50)
    if vulnerable:
        points = 300 * tricks - 100
    else:
        points = 100 + 200 * (tricks - 1) + 100 * max(0, tricks - 3)
    return points * doubled


def imps(difference: int) -> int:
    """A difference in points as international match points, with its sign."""
    count = bisect_right(IMP_SCALE, abs(difference))
    return count if difference >= 0 else -count


def matchpoints(scores: Sequence[int]) -> tuple[float, ...]:
    """For each score of one side on a board: 1 for every other table it beats, 1/2 for every tie (Law 78A)."""
    return tuple(sum(1.0 for b in scores if a > b) + 0.5 * (sum(1 for b in scores if a == b) - 1) for a in scores)


def cross_imps(scores: Sequence[int]) -> tuple[float, ...]:
    """For each score of one side on a board: IMPs against every other table, on average (cross-IMPs, Law 78B)."""
    others = max(len(scores) - 1, 1)
    return tuple(sum(imps(a - b) for b in scores) / others for a in scores)


def butler(scores: Sequence[int]) -> tuple[int, ...]:
    """IMPs of each score against a datum, the mean of all tables rounded to ten points (the nearer, then the even)."""
    datum = round(sum(scores) / len(scores) / 10) * 10
    return tuple(imps(score - datum) for score in scores)
