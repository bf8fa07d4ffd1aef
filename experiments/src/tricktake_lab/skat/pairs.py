"""Why our pair of learners and base contradicts the paper's (outer-3 to outer-5): who the tables learned from, and who
plays the cards, one at a time.

The base and the bidder are those of ``outer.match``. Tables grow from the base by self-play whose cards are played by
rule or by a policy, bid by rule, or in a closed loop by the tables themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from attrs import frozen
from tricktake_skat.deals import dealt
from tricktake_skat.games import Games, Player, bid_rows, rotated, rows_of_deals
from tricktake_skat.policy_rows import play_by
from tricktake_skat.rows_play import play

from tricktake.arrays import IntArray
from tricktake.strategies.policy import find_policy
from tricktake_lab.experiment import experiment
from tricktake_lab.outcome import Estimate, Outcome, Sheet, mean_of
from tricktake_lab.skat.bidding import sides
from tricktake_lab.skat.replayed import CARDS
from tricktake_lab.skat.stages import BLOCK, JUDGED_SEED, Tables, added, base_of, bidder, of_xskat

RULE = "skat:rule"
TEAMS = ((0, 0, 1), (0, 1, 1))  # learners are number 0


@frozen
class Way:
    """Self-play to learn from. cards: who plays them. closed: the tables bid one deal in 64, else the rule player."""

    name: str
    cards: str
    closed: bool = False


WAYS = (
    Way("bid and played by rule", RULE),
    Way(f"bid by rule, played by {CARDS}", CARDS),
    Way(f"bid by the tables, played by {CARDS}", CARDS, closed=True),
)


def grown(base: Tables, way: Way, seed: int, games: int) -> Tables:
    """The base with so many deals of self-play."""
    found, policy = base, None if way.cards == RULE else find_policy(way.cards)
    for at in range(0, games, BLOCK):
        asked = dict(zip(("skat:suit", "skat:grand"), found, strict=True)) if way.closed else None
        found = added(found, play(seed, at, min(BLOCK, games - at), asked, policy=policy))
    return found


def gains(ours: Player, others: Player, deals: IntArray, cards: Sequence[str]) -> dict[tuple[str, str], Estimate]:
    """What learners make more than the others, a player and 36 games, by how many of each there are and who plays the
    cards; each deal three times with the seats moved on, bid once.
    """
    found: dict[tuple[str, str], Estimate] = {}
    for teams in TEAMS:
        places, seats = rotated(deals, teams)
        bid = rows_of_deals(places)
        bid_rows([ours, others], bid, seats)
        for name in cards:
            rows = bid.copy()
            play_by(None if name == RULE else find_policy(name), rows)
            each = sides(Games(rows, seats, np.zeros((len(rows), 0), np.int64)), teams)
            found[f"{teams.count(0)} : {teams.count(1)}", name] = mean_of(each[:, 0] - each[:, 1], digits=1)
    return found


@experiment(
    "causes.pair",
    item="OUTER-24; docs/reproduced.md",
    seed=9304,
    smoke={"games": 200, "deals": 8},
    small={"games": 500_000, "deals": 5000},
    paper={"games": 2_000_000, "deals": 20_000},
)
def pair(seed: int, games: int, deals: int, cards: tuple[str, ...] = (RULE, CARDS)) -> Outcome:
    """Learners against the base by who played the games learned from, and by who plays the cards of the match.

    games: of self-play, beside the tables that know 16 million of the rule player (``stages``).
    """
    whole = of_xskat()
    base = base_of(whole[0]), base_of(whole[1])
    dealt_now, others = dealt(seed + JUDGED_SEED, 0, deals), bidder(base)
    learners = {"16 million, bid and played by rule": bidder(whole)}
    learners |= {way.name: bidder(grown(base, way, seed, games)) for way in WAYS}
    facts, lines = dict[str, Any](), []
    for name, ours in learners.items():
        found = gains(ours, others, dealt_now, cards)
        facts |= {f"{name}; cards by {who}; {teams}": gain for (teams, who), gain in found.items()}
        lines.append((name, *found.values()))
    columns = ("learned from", *(f"{teams}, cards by {who}" for teams, who in found))
    return Outcome((Sheet.of(f"{deals} deals, {games} games of self-play", columns, lines),), facts)
