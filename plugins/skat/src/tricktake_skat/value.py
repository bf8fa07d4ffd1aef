"""What a game is worth and who has won it (RULE-7 to 11; ISkO 5.2 to 5.4).

House decisions, where the rules are silent, are marked so and gathered in docs/skat.md.
"""

from __future__ import annotations

from attrs import frozen

from tricktake.jit import interpreted
from tricktake_skat._kernels import skat as kernel
from tricktake_skat._kernels.skat import IMPOSSIBLE
from tricktake_skat.contract import SkatContract

__all__ = ["IMPOSSIBLE", "Settlement", "game_value", "level", "needed_eyes", "overbid_value", "settle"]


def level(contract: SkatContract, matadors: int, *, schneider: bool = False, schwarz: bool = False) -> int:
    """The factor of the base value of a suit or grand game, 0 for Null.

    matadors: with (positive) or without (negative). schneider, schwarz: reached by either side. What is announced
    counts as reached.
    """
    if contract.is_null:
        return 0
    flags = int(contract.hand), contract.announced, int(contract.ouvert)
    return int(interpreted(kernel.level_of)(matadors, *flags, schneider, schwarz))


def game_value(contract: SkatContract, matadors: int, *, schneider: bool = False, schwarz: bool = False) -> int:
    """Base value times level; the fixed value of a Null game. Neither doubled for a loss nor raised to the bid."""
    return contract.base * (level(contract, matadors, schneider=schneider, schwarz=schwarz) or 1)


def overbid_value(contract: SkatContract) -> int:
    """What an overbid game is charged before doubling (``_kernels.skat``)."""
    return int(interpreted(kernel.overbid_value)(contract.game, contract.base, contract.bid))


def needed_eyes(contract: SkatContract, matadors: int) -> int:
    """The least eyes with which the declarer of a suit or grand game wins, 121 if only Schwarz or nothing will do.

    More than 61 if Schneider is announced, or is needed to reach the bid.
    """
    flags = int(contract.hand), contract.announced, int(contract.ouvert)
    return int(interpreted(kernel.needed_eyes)(contract.base, matadors, *flags, contract.bid))


@frozen
class Settlement:
    """How a game ended: ``value`` of the game, ``points`` of the declarer (a loss doubled and negative).

    level: factor of the base value that was counted, 0 for Null. schneider, schwarz: reached by either side.
    """

    won: bool
    value: int
    points: int
    level: int
    overbid: bool
    schneider: bool
    schwarz: bool


def settle(contract: SkatContract, matadors: int, eyes: int, tricks: int) -> Settlement:
    """What comes of ``eyes`` (0 to 120, with the skat) and ``tricks`` (0 to 10) of the declarer, all being played.

    A game worth less than its bid is lost and charged at the smallest sufficient multiple; Schneider or Schwarz may
    lift it to the bid.
    """
    won, value, factor, overbid, schneider, schwarz = interpreted(kernel.settle)(
        contract.game,
        int(contract.hand),
        contract.announced,
        int(contract.ouvert),
        matadors,
        contract.bid,
        eyes,
        tricks,
    )
    points = interpreted(kernel.points_of)(won, value)
    return Settlement(bool(won), int(value), int(points), int(factor), bool(overbid), bool(schneider), bool(schwarz))
