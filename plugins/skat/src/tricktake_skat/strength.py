"""Hand strength by counting (SKAT-14, 15; ELO-13, 21): von Stegen and Kinback, for suit and grand games.

Both count the ten cards that are played with, on masks of deck indices. They were written down by Edelkamp; what is
misprinted there, and what was decided, stands with each function.
"""

from __future__ import annotations

from tricktake_skat._kernels import strength as kernel
from tricktake_skat.contract import SUITS

COUNTED = SUITS + "G"  # games these systems speak of: not Null


def von_stegen(trump: str, hand: int, bid: int = 18, grand_jacks: int = 1) -> float:
    """Von Stegen's points of a hand, 0 to about 20 (SKAT-14).

    trump: C, S, H, D or G. bid: what the others have bid against the declarer, 0 for nothing, which adds half a point.
    grand_jacks: what a jack counts in a grand: the printed program counts 1, its text says 2.
    Every jack, ace and ten counts 1, in suit games every trump 1 more. Added are 0.5 for the jacks of clubs and spades,
    1 more with that of hearts, 0.5 more for all four; in suit games 0.5 for three jacks without that of clubs.
    Raises ValueError for Null.
    """
    return float(kernel.von_stegen(_number(trump), hand, bid, grand_jacks))


def kinback(trump: str, hand: int, forehand: bool, gone: int = 0) -> float:
    """Kinback's points of a hand, which are about tricks (SKAT-15).

    trump: C, S, H, D or G. forehand: whether the declarer leads. gone: cards known to be out of play (those put away).
    Grand: aces, jacks, and 1 for the lead. Suit game: trumps that stand in the worst case, 0.5 for the lead, and for
    each side suit one of: A T 2; A K 1.5; A 1; T K 1; T or K among three cards or more 0.5.
    The printed masks test two cards where they mean that others are absent, so that A T K would count 4.5; ours are
    exclusive. Printed are exactly three cards for the last class; ours are at least three, since one more small card
    does not unguard a ten. ``safetricks`` is not defined there: ours is GAP-6. Raises ValueError for Null.
    """
    return float(kernel.kinback(_number(trump), hand, int(forehand), gone))


def standing_trumps(trump: str, hand: int, gone: int = 0) -> int:
    """Trumps of a suit game that take a trick however the others lie. Raises ValueError for other games."""
    if trump not in SUITS:
        raise ValueError(f"standing trumps are counted in suit games, not in {trump!r}")
    return int(kernel.standing_trumps(_number(trump), hand, gone))


def _number(trump: str) -> int:
    if len(trump) != 1 or trump not in COUNTED:
        raise ValueError(f"hands are counted for {', '.join(COUNTED)}, not for {trump!r}")
    return COUNTED.index(trump)
