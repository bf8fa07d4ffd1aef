"""Why endgame and hope cards seem worthless beside some players, and not beside others (SKAT-34, KBPS-2).

Each player plays with and without them: the points they bring, and how often they choose another card. Where they are
worth nothing there are two possible causes, that the player finds the same cards or that other cards do not matter.
"""

from __future__ import annotations

from itertools import islice
from typing import Any

import numpy as np

from tricktake.search.limit import Limit
from tricktake.strategies.ensemble import ensemble
from tricktake.strategies.options import playing_strategy
from tricktake.strategies.recommend import Situation
from tricktake_lab.experiment import experiment
from tricktake_lab.outcome import Outcome, Sheet, mean_of, share_of
from tricktake_lab.skat.card_players import contracts_bid, duel

BELIEF = "skat:belief"
BIDDER = "skat:rule"
PLAYERS = {
    "rules": "skat:expert",
    "PIMC": f"core:pimc(worlds=10,belief={BELIEF},opening=core:policy(policy=skat:cards),tricks=2)",
    "rollouts": f"core:rollouts(policy=skat:cards,worlds=60,belief={BELIEF})",
}
ADDED = ("endgame", "hope")


def with_endings(spec: str) -> str:
    """A player after endgame and hope cards."""
    return f"core:ensemble(order=endgame+hope+player,player={spec},belief={BELIEF})"


def decided(spec: str, seed: int, contracts: int, nodes: int) -> tuple[list[bool], list[bool]]:
    """In contracts that a player plays alone: of its choices which endgame or hope cards decide, and of these where it
    would have played another card.
    """
    player, endings = playing_strategy(spec, "player"), ensemble(order="+".join(ADDED), belief=BELIEF)
    limit = Limit(nodes=nodes)
    asked, other = list[bool](), list[bool]()
    for number, table in islice(contracts_bid(BIDDER, seed, 0), contracts):
        while table.turn is not None:
            assert table.actor is not None
            view = table.view(table.actor)
            rng = np.random.default_rng([seed, number, len(table.events)])
            action = player.decide(view, limit, rng).action
            if len(view.legal) > 1:
                situation = Situation(view)
                said = [found for slot in endings.members if (found := slot.recommend(situation, limit, rng))][:1]
                asked.append(bool(said))
                other += [found.action != action for found in said]
            table.apply(action)
    return asked, other


@experiment(
    "causes.endings",
    item="SKAT-34, KBPS-2; docs/reproduced.md",
    seed=9305,
    smoke={"contracts": 2, "looked_at": 1, "players": ("rules",)},
    small={"contracts": 200, "looked_at": 30},
    paper={"contracts": 1500, "looked_at": 100},
)
def endings(
    seed: int, contracts: int, looked_at: int, players: tuple[str, ...] = tuple(PLAYERS), nodes: int = 40_000
) -> Outcome:
    """Players after endgame and hope cards against themselves without: points, and how often another card is played.

    contracts: of the rule player, each played twice with the roles swapped. looked_at: contracts whose choices are
    compared. nodes: of every decision.
    """
    lines, facts = [], dict[str, Any]()
    for name in PLAYERS:
        gains, other = [], list[bool]()
        if name in players:
            spec = PLAYERS[name]
            gains = [p.gain for p in islice(duel(with_endings(spec), spec, BIDDER, seed, 0, (), nodes), contracts)]
            asked, other = decided(spec, seed, looked_at, nodes)
            shares = share_of(np.array(asked)), share_of(np.array(other))
            lines.append((name, len(gains), mean_of(gains, digits=0), *shares))
        facts |= {f"{name}: points": mean_of(gains, digits=0), f"{name}: other cards": share_of(np.array(other))}
    columns = ("player", "contracts", "points a player and 36 games", "choices decided", "another card there")
    return Outcome((Sheet.of("Endgame and hope cards before a player, less the player alone", columns, lines),), facts)
