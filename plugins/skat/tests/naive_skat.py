"""Slow and obvious twins of ``_kernels.skat``: the order of matadors as a list, values by counting levels, the auction
as what each seat still has to say.
"""

from __future__ import annotations

from collections.abc import Callable

BASE = {"D": 9, "H": 10, "S": 11, "C": 12, "G": 24}
NULL_VALUE = {"N": 23, "NH": 35, "NO": 46, "NHO": 59}


def card(suit: str, rank: str) -> int:
    return 1 << (8 * "CSHD".index(suit) + "789QKTAJ".index(rank))


def matadors(cards: int, trump: str) -> int:
    """From the top: as many as are held in a row, or lacking."""
    order = [card(suit, "J") for suit in "CSHD"]
    if trump != "G":
        order += [card(trump, rank) for rank in "ATKQ987"]
    held = [bool(cards & one) for one in order]
    run = next((i for i, one in enumerate(held) if one != held[0]), len(held))
    return run if held[0] else -run


def settled(name: str, run: int, bid: int, eyes: int, tricks: int) -> tuple[bool, int]:
    """Whether a declaration such as ``GHS`` is won, and the declarer's points."""
    if name[0] == "N":
        if NULL_VALUE[name] < bid:
            return False, -2 * next((v for v in sorted(NULL_VALUE.values()) if v >= bid), bid)
        return tricks == 0, NULL_VALUE[name] if tricks == 0 else -2 * NULL_VALUE[name]
    base = BASE[name[0]]
    schwarz = tricks == 10 or tricks == 0
    schneider = schwarz or eyes >= 90 or eyes <= 30
    levels = [f"matador {i}" for i in range(abs(run))] + ["game"]
    levels += name[1:]  # Hand, Schneider, Schwarz, ouvert
    levels += ["schneider"] if schneider or "S" in name[1:] else []
    levels += ["schwarz"] if schwarz or "Z" in name else []
    value = base * len(levels)
    if value < bid:
        least = base
        while least < bid:
            least += base
        return False, -2 * least
    won = tricks == 10 if "Z" in name else eyes >= 90 if "S" in name[1:] else eyes >= 61
    return won, value if won else -2 * value


def auction(bids: list[int], wants: Callable[[int, int], bool]) -> tuple[int | None, int, list[int]]:
    """Who declares, the final bid, and the highest bid or hold of each seat. wants(seat, bid): bids or holds it."""
    last, said = 0, [0, 0, 0]
    survivor = 0
    for caller in (1, 2):
        for bid in bids:
            if bid <= last:
                continue
            if not wants(caller, bid):
                break
            last = said[caller] = bid
            if not wants(survivor, bid):
                survivor = caller
                break
            said[survivor] = bid
    if last:
        return survivor, last, said
    if wants(0, bids[0]):
        return 0, bids[0], [bids[0], 0, 0]
    return None, 0, said
