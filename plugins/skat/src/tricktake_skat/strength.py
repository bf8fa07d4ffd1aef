"""Hand strength by counting (SKAT-14, 15; ELO-13, 21): von Stegen and Kinback, for suit and grand games.

Both count the ten cards that are played with, on masks of deck indices. They were written down by Edelkamp; what is
misprinted there, and what was decided, stands with the kernels (``_kernels.strength``). trump: C, S, H, D or G.
"""

from __future__ import annotations

from tricktake_skat._kernels import strength as kernel
from tricktake_skat.contract import SUITS

COUNTED = SUITS + "G"  # games these systems speak of: not Null


def von_stegen(trump: str, hand: int, bid: int = 18, grand_jacks: int = 1) -> float:
    """Von Stegen's points, 0 to about 20. bid: of the others against the declarer. Raises ValueError for Null."""
    return float(kernel.von_stegen(_number(trump), hand, bid, grand_jacks))


def kinback(trump: str, hand: int, forehand: bool, gone: int = 0) -> float:
    """Kinback's points. forehand: whether the declarer leads. Raises ValueError for Null."""
    return float(kernel.kinback(_number(trump), hand, int(forehand), gone))


def standing_trumps(trump: str, hand: int, gone: int = 0) -> int:
    """Trumps of a suit game that take a trick however the others lie. Raises ValueError for other games."""
    return int(kernel.standing_trumps(_number(trump, SUITS), hand, gone))


def _number(trump: str, counted: str = COUNTED) -> int:
    if len(trump) != 1 or trump not in counted:
        raise ValueError(f"hands are counted for {', '.join(counted)}, not for {trump!r}")
    return counted.index(trump)
