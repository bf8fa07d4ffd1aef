"""What Kermit's way to bid is worth (KERMIT-11, 12): all seats alike, and against the rule player, by threshold.

Points are those of a player in 36 games; all seats play their cards alike, by a policy.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from tricktake_kermit.batch import Kermit, bid_rows
from tricktake_skat.deals import dealt
from tricktake_skat.deck import SEATS
from tricktake_skat.games import Games, rows_of_deals
from tricktake_skat.policy_rows import play_by
from tricktake_skat.scoring import GAMES_OF_SERIES

from tricktake.arrays import FloatArray, IntArray
from tricktake.strategies.policy import find_policy
from tricktake_lab.experiment import experiment
from tricktake_lab.outcome import Cell, Outcome, Sheet, mean_of
from tricktake_lab.skat.bidding import KINDS, row_of

CARDS = "skat:cards"


ALIKE, ONE, TWO = (0, 0, 0), (0, 1, 1), (0, 0, 1)  # who sits where: a bidder and another


def lineups(teams: Sequence[int], one: int, other: int) -> list[tuple[int, ...]]:
    """A bidder by number among others, the players moved on by a seat; all alike once."""
    turns = 1 if len(set(teams)) == 1 else SEATS
    return [tuple((one, other)[teams[(seat + turn) % SEATS]] for seat in range(SEATS)) for turn in range(turns)]


def played(
    players: Sequence[Kermit | None], deals: IntArray, seated: Sequence[tuple[int, ...]], policy: str
) -> list[Games]:
    """Every deal with each of these players on the seats, all cards by a policy: games of each seating. Those of one
    deal are bid one behind the other, so that no hand is weighed twice.
    """
    n = len(seated)
    rows, seats = rows_of_deals(np.repeat(deals, n, axis=0)), np.tile(np.array(seated, np.int64), (len(deals), 1))
    bid_rows(players, rows, seats)
    play_by(find_policy(policy), rows)
    return [Games(rows[i::n], seats[i::n], np.zeros((len(deals), 0), np.int64)) for i in range(n)]


def gains(games: Sequence[Games], one: int, other: int) -> FloatArray:
    """Points of both players in the same deals, a player and 36 games: (n, 2)."""
    counts = np.array([(games[0].seats[0] == number).sum() for number in (one, other)])
    each = [g.scores(max(one, other) + 1)[:, [one, other]] * GAMES_OF_SERIES / counts for g in games]
    return np.asarray(np.mean(each, axis=0))


@experiment(
    "kermit.bidding",
    item="KERMIT-11 and 12, docs/kermit.md",
    seed=824,
    smoke={"deals": 3, "thresholds": (0.6,)},
    small={"deals": 1000},
    paper={"deals": 5000},
)
def bidding(
    seed: int, deals: int, thresholds: tuple[float, ...] = (0.55, 0.6, 0.7, 0.8), policy: str = CARDS
) -> Outcome:
    """Kermit's bidder at several thresholds: three alike, and one against two rule players and two against one."""
    named: dict[str, Kermit | None] = {"rule player": None}
    named |= {f"P >= {b}": Kermit(b) for b in thresholds}
    named |= {f"P >= {thresholds[0]}, no hand games": Kermit(thresholds[0], hands=False)}
    seated = [
        seats for number in range(len(named)) for teams in (ALIKE, ONE, TWO) for seats in lineups(teams, number, 0)
    ]
    games = played(list(named.values()), dealt(seed, 0, deals), seated, policy)
    alike, against = [], []
    for number, name in enumerate(named):
        first, *rest = games[number * len(seated) // len(named) : (number + 1) * len(seated) // len(named)]
        alike.append(row_of(name, first))
        if not number:
            continue
        cells: list[Cell] = [name]
        for some in (rest[:SEATS], rest[SEATS:]):
            each = gains(some, number, 0)
            cells += [*(mean_of(column, digits=0) for column in each.T), mean_of(each[:, 0] - each[:, 1], digits=0)]
        against.append(cells)
    columns = ("bidder", "score", "passed in", "won", *(c for k in KINDS for c in (k, f"{k} won")), "from the hand")
    others = ("bidder", "one", "two rule players", "difference", "two", "one rule player", "difference ")
    title = f"{deals} deals, cards by {policy}"
    return Outcome((Sheet.of(f"Three alike, {title}", columns, alike), Sheet.of(f"Matches, {title}", others, against)))
