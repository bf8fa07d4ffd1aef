"""What Kermit's way to bid is worth (KERMIT-11, 12): all seats alike, and against the rule player, by threshold.

Points are those of a player in 36 games; all seats play their cards alike, by a policy.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from tricktake_kermit.batch import Kermit, bid_rows
from tricktake_skat.deals import dealt
from tricktake_skat.deck import SEATS
from tricktake_skat.games import Games, rotated, rows_of_deals
from tricktake_skat.policy_rows import play_by
from tricktake_skat.scoring import GAMES_OF_SERIES

from tricktake.arrays import IntArray
from tricktake.strategies.policy import find_policy
from tricktake_lab.experiment import experiment
from tricktake_lab.outcome import Cell, Outcome, Sheet, mean_of
from tricktake_lab.skat.bidding import KINDS, row_of

CARDS = "skat:cards"


def played(players: Sequence[Kermit | None], deals: IntArray, seats: IntArray, policy: str) -> Games:
    """Games of these bidders, all cards by a policy."""
    rows = rows_of_deals(deals)
    bid_rows(players, rows, seats)
    play_by(find_policy(policy), rows)
    return Games(rows, seats, np.zeros((len(rows), 0), np.int64))


@experiment(
    "kermit.bidding",
    item="KERMIT-11 and 12, docs/kermit.md",
    seed=824,
    smoke={"deals": 3, "thresholds": (0.6,)},
    small={"deals": 1000},
    paper={"deals": 20_000},
)
def bidding(
    seed: int, deals: int, thresholds: tuple[float, ...] = (0.55, 0.6, 0.7, 0.8), policy: str = CARDS
) -> Outcome:
    """Kermit's bidder at several thresholds: three alike, and one against two rule players and two against one."""
    places = dealt(seed, 0, deals)
    alike, against = [], []
    named: dict[str, Kermit | None] = {"rule player": None}
    named |= {f"P >= {b}": Kermit(b) for b in thresholds}
    named |= {f"P >= {thresholds[0]}, no hand games": Kermit(thresholds[0], hands=False)}
    for name, bidder in named.items():
        alike.append(row_of(name, played([bidder], places, np.zeros((deals, SEATS), np.int64), policy)))
        if bidder is None:
            continue
        cells: list[Cell] = [name]
        for teams in ((0, 1, 1), (0, 0, 1)):
            cards, seats = rotated(places, teams)
            games = played([bidder, None], cards, seats, policy)
            scores = games.scores(2) * GAMES_OF_SERIES / np.array([teams.count(0), teams.count(1)])
            each = scores.reshape(deals, SEATS, 2).mean(axis=1)
            cells += [*(mean_of(column, digits=0) for column in each.T), mean_of(each[:, 0] - each[:, 1], digits=0)]
        against.append(cells)
    columns = ("bidder", "score", "passed in", "won", *(c for k in KINDS for c in (k, f"{k} won")), "from the hand")
    others = ("bidder", "one", "two rule players", "difference", "two", "one rule player", "difference ")
    title = f"{deals} deals, cards by {policy}"
    return Outcome((Sheet.of(f"Three alike, {title}", columns, alike), Sheet.of(f"Matches, {title}", others, against)))
