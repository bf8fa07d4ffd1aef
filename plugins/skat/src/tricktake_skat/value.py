"""What a game is worth and who has won it (SPEC part 3, points 7 to 11; ISkO 5.2 to 5.4).

House decisions, where the rules are silent, are marked so and gathered in docs/skat.md.
"""

from __future__ import annotations

from attrs import frozen

from tricktake_skat.contract import NULL_VALUE, SkatContract
from tricktake_skat.rules import ALL_TRICKS, OUT_OF_SCHNEIDER, SCHNEIDER, WIN

IMPOSSIBLE = 121  # eyes nobody can reach


def level(contract: SkatContract, matadors: int, *, schneider: bool = False, schwarz: bool = False) -> int:
    """The factor of the base value of a suit or grand game, 0 for Null.

    matadors: with (positive) or without (negative). schneider, schwarz: reached by either side. What is announced
    counts as reached, since a missed announcement is lost at least at that level, and is not charged twice (5.2.5).
    """
    if contract.is_null:
        return 0
    return (
        abs(matadors)
        + 1
        + contract.hand
        + (schneider or schwarz or contract.schneider)
        + contract.schneider
        + (schwarz or contract.schwarz)
        + contract.schwarz
        + contract.ouvert
    )


def game_value(contract: SkatContract, matadors: int, *, schneider: bool = False, schwarz: bool = False) -> int:
    """Base value times level; the fixed value of a Null game. Neither doubled for a loss nor raised to the bid."""
    if contract.is_null:
        return contract.base
    return contract.base * level(contract, matadors, schneider=schneider, schwarz=schwarz)


def overbid_value(contract: SkatContract) -> int:
    """What an overbid game is charged before doubling: the smallest multiple of the base value reaching the bid.

    House decision for Null: the next value of a Null game that reaches the bid, or the bid itself above them all.
    """
    if contract.is_null:
        return min((v for v in NULL_VALUE.values() if v >= contract.bid), default=contract.bid)
    return -(-contract.bid // contract.base) * contract.base


def needed_eyes(contract: SkatContract, matadors: int) -> int:
    """The least eyes with which the declarer of a suit or grand game wins, 121 if only Schwarz or nothing will do.

    More than 61 if Schneider is announced, or is needed to reach the bid.
    """
    if contract.schwarz or game_value(contract, matadors, schneider=True) < contract.bid:
        return IMPOSSIBLE
    return WIN if not contract.schneider and game_value(contract, matadors) >= contract.bid else SCHNEIDER


@frozen
class Verdict:
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


def settle(contract: SkatContract, matadors: int, eyes: int, tricks: int) -> Verdict:
    """The verdict on ``eyes`` (0 to 120, with the skat) and ``tricks`` (0 to 10) of the declarer, all being played.

    A game worth less than its bid is lost and charged at the smallest sufficient multiple; Schneider or Schwarz may
    lift it to the bid.
    """
    if contract.is_null:
        overbid = contract.base < contract.bid
        value = overbid_value(contract) if overbid else contract.base
        won = tricks == 0 and not overbid
        return Verdict(won, value, value if won else -2 * value, 0, overbid, False, False)
    schwarz = tricks in (0, ALL_TRICKS)
    schneider = schwarz or eyes >= SCHNEIDER or eyes < OUT_OF_SCHNEIDER
    value = game_value(contract, matadors, schneider=schneider, schwarz=schwarz)
    overbid = value < contract.bid
    if overbid:
        value = overbid_value(contract)
    made = eyes >= WIN
    if contract.schneider:
        made = eyes >= SCHNEIDER
    if contract.schwarz:
        made = tricks == ALL_TRICKS
    won = made and not overbid
    return Verdict(won, value, value if won else -2 * value, value // contract.base, overbid, schneider, schwarz)
