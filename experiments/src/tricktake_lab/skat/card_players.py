"""The experiment behind Skat's card player: two players of the cards on the same contracts, roles swapped."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import islice

import numpy as np
from attrs import frozen
from tricktake_skat.contract import contract_of
from tricktake_skat.deck import SEATS
from tricktake_skat.scoring import GAMES_OF_SERIES

from tricktake.game import find_game
from tricktake.policy.practice import at_first_trick
from tricktake.search.limit import Limit
from tricktake.strategies.player import Player
from tricktake.table import Table
from tricktake_lab.experiment import experiment
from tricktake_lab.outcome import Outcome, Sheet, mean_of

NAMES = ("one", "other")


@frozen
class Played:
    """A contract played twice. points: Seeger points of the three seats by who declared, "one" or "other". won:
    whether it was won then. seconds: CPU time, decisions: cards chosen from several, of both games, by player.
    """

    kind: str
    declarer: int
    points: dict[str, tuple[float, ...]]
    won: dict[str, bool]
    seconds: dict[str, float]
    decisions: dict[str, int]

    @property
    def gain(self) -> float:
        """Points that "one" makes more than "other", a player and 36 games: a third of them is declared by a seat."""
        mine, theirs = self.points["one"], self.points["other"]
        seat, rest = self.declarer, (self.declarer + 1) % SEATS
        return GAMES_OF_SERIES / SEATS * (mine[seat] - theirs[seat] + (SEATS - 1) * (theirs[rest] - mine[rest]))


def duel(
    one: str, other: str, bidder: str, seed: int, first: int, kinds: tuple[str, ...], nodes: int
) -> Iterator[Played]:
    """Contracts of these kinds (all for none) in the deals of a seed from number ``first`` on, without end."""
    game = find_game("skat")
    players = {"one": Player.from_spec(one, "one"), "other": Player.from_spec(other, "other")}
    bidding = Player.from_spec(f"bid={bidder},exchange={bidder},play=core:random")
    limit = Limit(nodes=nodes) if nodes else Limit()
    number = first - 1
    while True:
        number += 1
        table = at_first_trick(game, bidding, seed, number)
        if table is None or (kinds and contract_of(table).kind not in kinds):
            continue
        contract = contract_of(table)
        points, won = {}, {}
        seconds, decisions = dict.fromkeys(NAMES, 0.0), dict.fromkeys(NAMES, 0)
        for who, against in (NAMES, NAMES[::-1]):
            played = Table.replay(game, table.deal, table.events)
            while not played.over:
                actor = played.actor
                assert actor is not None
                name = who if actor == contract.declarer else against
                view = played.view(actor)
                rng = np.random.default_rng([seed, number, actor, len(played.events)])
                start = time.process_time()
                action = players[name].decide(view, limit, rng).action
                seconds[name] += time.process_time() - start
                decisions[name] += len(view.legal) > 1
                played.apply(action)
            score = game.score(played)
            points[who], won[who] = game.series_points(score), bool(score.won)
        yield Played(contract.kind, contract.declarer, points, won, seconds, decisions)


@experiment(
    "cards.duel",
    item="docs/results.md, the card player built on a policy",
    seed=701,
    smoke={"one": "skat:expert", "other": "skat:rule", "contracts": 12},
    small={"one": "skat:player", "other": "skat:ensemble", "contracts": 100},
    paper={"one": "skat:player", "other": "skat:ensemble", "contracts": 1500},
)
def measure(
    seed: int, one: str, other: str, contracts: int, kinds: tuple[str, ...] = (), nodes: int = 40_000
) -> Outcome:
    """Two players of the cards on contracts of the rule player, roles swapped: points, contracts won, CPU time.

    kinds: of contracts, all for none. nodes: limit of every decision, 0 for none.
    """
    found = list(islice(duel(one, other, "skat:rule", seed, 0, kinds, nodes), contracts))
    rows = []
    for kind in ("", *sorted({played.kind for played in found})):
        part = [played for played in found if kind in ("", played.kind)]
        won = [mean_of([p.won[name] for p in part], "%") for name in NAMES]
        cost = [f"{1000 * sum(p.seconds[name] for p in part) / len(part):.0f}" for name in NAMES]
        rows.append((kind or "all", len(part), mean_of([p.gain for p in part], digits=0), *won, *cost))
    columns = ("contracts", "n", "points a player and 36 games", "won by one", "by other", "CPU ms of one", "of other")
    return Outcome((Sheet.of(f"{one} over {other}", columns, rows),))
