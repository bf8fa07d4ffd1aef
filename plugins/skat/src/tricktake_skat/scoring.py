"""The extended Seeger-Fabian system (RULE-17; ELO-5; SKAT-43).

A game is given by its declarer and the points of the plain score: the value of the game if won, minus twice the
value if lost, 0 if the deal was passed in.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tricktake_skat.deck import SEATS

GAMES_OF_SERIES = 36
BONUS = 50  # for a won game; deducted for a lost one
OTHERS_BONUS = {3: 40, 4: 30}  # to every other player of a table of 3 or 4, per lost game


def extended_seeger(points: Any, won: Any, lost: Any, lost_by_others: Any, players: int = 3) -> Any:
    """The score of a player of a series: ``ES = points + 50 (won - lost) + 40 lost_by_others`` (30 at a 4-table).

    points: sum of the plain points of the games this player declared; numbers or arrays. The paper's third example
    prints 1295 for 1245 = 495 + 550 + 200 (ELO-5).
    """
    return points + BONUS * (1 * won - 1 * lost) + OTHERS_BONUS[players] * lost_by_others


def seeger(declarer: int, points: int, players: int = 3) -> tuple[int, ...]:
    """What one game adds to the score of each player of a table of ``players`` (3 or 4, with the sitting dealer).

    declarer: number of the player among them; whatever it is, a game of 0 points (passed in) adds nothing.
    """
    own, other = extended_seeger(points, points > 0, points < 0, 0), extended_seeger(0, 0, 0, points < 0, players)
    return tuple(own if player == declarer else other for player in range(players))


def score36(points: Iterable[int]) -> float:
    """Extended Seeger score per player and 36 games, if the games were shared evenly among three players (SKAT-43).

    points: declarer's plain points of each game; the zeros of passed-in deals count as games. 0.0 for no games.
    """
    total = games = 0
    for p in points:
        games += 1
        total += sum(seeger(0, p))
    return GAMES_OF_SERIES * total / (SEATS * games) if games else 0.0
