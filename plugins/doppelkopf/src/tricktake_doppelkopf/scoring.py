"""The score in game points (tournament rules 7)."""

from __future__ import annotations

from collections.abc import Sequence

from tricktake.trick import Trick
from tricktake_doppelkopf.pack import Pack
from tricktake_doppelkopf.rules import ALL, BLACK, KONTRA, NONE, RE, SAVES, TARGETS, needed

DOPPELKOPF = 40  # eyes in a trick that make it one
ANNOUNCED = 2  # points for Re and for Kontra
NAMES = ("re", "kontra")
MISSED = (90, 60, 30)

Points = list[tuple[str, int]]  # what for, and points; positive for Re


def winner(eyes: Sequence[int], tricks: Sequence[int], levels: Sequence[int]) -> int | None:
    """The side that wins; None if both announced at least no 90 and neither kept it."""
    for side in (RE, KONTRA):
        own, other = levels[side], levels[1 - side]
        if own == BLACK:
            won = tricks[1 - side] == 0
        elif own <= 0 and other == BLACK:
            won = tricks[side] > 0
        else:
            won = eyes[side] >= needed(levels, side)
        if won:
            return side
    return None


def game_points(eyes: Sequence[int], tricks: Sequence[int], levels: Sequence[int]) -> Points:
    """The points without special ones.

    The winners get 1, 1 for each step below which the others stay (90, 60, 30, no trick), 2 for Re and for Kontra, 1
    for each announcement beyond, whoever made it, and 1 for each such announcement of the others that they missed by
    30 eyes (120 against no 90, 90 against no 60 and so on). If nobody wins, each side gets its steps and misses.
    """
    won = winner(eyes, tricks, levels)
    out: Points = []
    for side in (RE, KONTRA) if won is None else (won,):
        sign, other = (1, -1)[side], 1 - side
        out += [(f"under {n}", sign) for n in MISSED if eyes[other] < n]
        out += [("black", sign)] if not tricks[other] else []
        out += [
            (f"{SAVES[level - 1]} against {('no 90', 'no 60', 'no 30', 'black')[level - 1]}", sign)
            for level in range(1, levels[other] + 1)
            if eyes[side] >= SAVES[level - 1]
        ]
        if won is None:
            continue
        out.insert(0, ("won", sign))
        for said in (RE, KONTRA):
            if levels[said] > NONE:
                out.append((NAMES[said], sign * ANNOUNCED))
            out += [
                (f"{NAMES[said]} no {ALL - TARGETS[n] + 1}" if n < BLACK else f"{NAMES[said]} black", sign)
                for n in range(1, levels[said] + 1)
            ]
    return out


def special_points(pack: Pack, tricks: Sequence[Trick], teams: Sequence[int], won: int | None) -> Points:
    """The special points of a game of two against two: against the old ladies, foxes, charlie, doppelkopfs."""
    out: Points = [("against the old ladies", -1)] if won == KONTRA else []
    for number, trick in enumerate(tricks):
        side = teams[trick.winner]
        sign = (1, -1)[side]
        if trick.cost >= DOPPELKOPF:
            out.append(("doppelkopf", sign))
        for k, card in enumerate(trick.cards):
            seat = (trick.leader + k) % len(teams)
            if pack.foxes >> card & 1 and teams[seat] != side:
                out.append(("fox", sign))
            if number == len(tricks) - 1 and pack.charlies >> card & 1 and seat == trick.winner:
                out.append(("charlie", sign))
    return out
