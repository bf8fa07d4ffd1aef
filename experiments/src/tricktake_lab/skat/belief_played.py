"""What the cards tell if they are read by a policy: ``core:played`` beside ``skat:belief``, on games of any player."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import numpy as np
from tricktake_skat.deck import SEATS

from tricktake.belief import find_belief
from tricktake.search.limit import Limit
from tricktake.table import Table
from tricktake_lab.experiment import experiment
from tricktake_lab.outcome import Outcome, Sheet, mean_of
from tricktake_lab.skat.belief_fit import SKAT_GAME, Array, cell, moments, over_others, tssr
from tricktake_lab.skat.card_players import Cost, card_player, contracts_bid, play_out
from tricktake_lab.skat.full_games import POLICY

LIKE = "core:played(policy=skat:cards,heat=2.0,slip=0.2,times=skat:belief(bids=skat:values))"
BELIEFS = ("skat:belief", "skat:belief(bids=skat:values)", LIKE)
PLAYERS = (POLICY, "skat:quick", "skat:ensemble", "skat:rule")
FAR = -30.0  # log weights are not taken for smaller: a world that is ruled out is as unlikely as that


def games_of(spec: str, bidder: str, seed: int, n: int, limit: Limit) -> Iterator[tuple[Table, list[int]]]:
    """Tables at the first trick of n contracts, and the cards that a player plays there in all three seats."""
    player = card_player(spec, "one")
    for number, table in islice(contracts_bid(bidder, seed, 0), n):
        whole = Table.replay(SKAT_GAME, table.deal, table.events)
        play_out(whole, ["one"] * SEATS, {"one": player}, limit, (seed, number), Cost())
        played = whole.events[len(table.events) :]
        yield table, [event.action.cards[0] for event in played if event.action.verb == "play"]


@experiment(
    "belief.played",
    item="docs/results.md, what cards tell a policy",
    seed=9221,
    smoke={"contracts": 6, "worlds": 20},
    small={"contracts": 60, "worlds": 100},
    paper={"contracts": 300, "worlds": 200},
)
def played(
    seed: int, contracts: int, worlds: int, beliefs: tuple[str, ...] = BELIEFS, players: tuple[str, ...] = PLAYERS,
    bidder: str = "skat:bidder", nodes: int = 20_000,
) -> Outcome:  # fmt: skip
    """TSSR of beliefs at random moments of games that players play, by the role of the seat that believes.

    players: policies or strategies that play the contracts of ``bidder``, at most ``nodes`` a decision.
    """
    models, rows = [find_belief(name) for name in beliefs], []
    for player in players:
        found: dict[str, list[Array]] = {}
        games = games_of(player, bidder, seed, contracts, Limit(nodes=nodes))
        for view, sampled, _ in moments(games, np.random.default_rng(seed), worlds):
            likely = [logs_of(model.weigh(view, sampled)) for model in models if model is not None]
            found.setdefault(cell(view)[1], []).append(over_others(np.array(likely)))
        for role, lines in sorted(found.items()):
            logs = np.array(lines)
            for name, each in zip(beliefs, logs.T, strict=True):
                rows.append((player, role, name, len(each), tssr(each), mean_of(each - logs[:, 0], digits=2)))
    columns = ("cards by", "role", "belief", "moments", "TSSR", "log ratio to the first")
    return Outcome((Sheet.of("TSSR by who plays the cards", columns, rows),))


def logs_of(weights: Array) -> Array:
    """The log weights of worlds over that of the likeliest, none below ``FAR``."""
    return np.maximum(np.log(np.maximum(weights, np.finfo(np.float64).tiny)) - np.log(weights.max()), FAR)
