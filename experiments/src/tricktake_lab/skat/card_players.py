"""The experiment behind Skat's card player: two players of the cards on the same contracts, roles swapped."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import count, islice

import numpy as np
from attrs import field, frozen
from tricktake_skat.contract import contract_of
from tricktake_skat.deck import SEATS
from tricktake_skat.scoring import GAMES_OF_SERIES

from tricktake.game import Score, find_game
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


@frozen
class Cost:
    """What players spent. seconds: CPU time, decisions: cards chosen from several, both by player."""

    seconds: dict[str, float] = field(factory=lambda: defaultdict(float))
    decisions: dict[str, int] = field(factory=lambda: defaultdict(int))


def card_player(spec: str, name: str) -> Player:
    """The player of a spec; one strategy alone has to play the cards only."""
    whole = spec if "play=" in spec else f"bid=core:random,exchange=core:random,play={spec}"
    return Player.from_spec(whole, name)


def play_out(
    table: Table, names: Sequence[str], players: Mapping[str, Player], limit: Limit, key: Sequence[int], cost: Cost
) -> Score:
    """Play a table to its end and score it. names: of the player of each seat.

    key: whole numbers of the contract; with the seat and the number of events they are the seed of a decision.
    """
    while not table.over:
        actor = table.actor
        assert actor is not None
        view, name = table.view(actor), names[actor]
        rng = np.random.default_rng([*key, actor, len(table.events)])
        began = time.process_time()
        action = players[name].decide(view, limit, rng).action
        cost.seconds[name] += time.process_time() - began
        cost.decisions[name] += len(view.legal) > 1
        table.apply(action)
    return table.score()


def contracts_bid(bidder: str, seed: int, first: int) -> Iterator[tuple[int, Table]]:
    """Tables at the first trick and their numbers, of the deals of a seed from number ``first`` on, without end."""
    game = find_game("skat")
    bidding = Player.from_spec(f"bid={bidder},exchange={bidder},play=core:random")
    for number in count(first):
        table = at_first_trick(game, bidding, seed, number)
        if table is not None:
            yield number, table


def role_gain(table: Table, role: str) -> float:
    """What the declarer of a finished game gains on each defender in Seeger points, with the sign of a role's side."""
    declarer, points = contract_of(table).declarer, table.game.series_points(table.score())
    gain = points[declarer] - points[(declarer + 1) % SEATS]
    return gain if role == "declarer" else -gain


def duel(
    one: str, other: str, bidder: str, seed: int, first: int, kinds: tuple[str, ...], nodes: int
) -> Iterator[Played]:
    """Contracts of these kinds (all for none) in the deals of a seed from number ``first`` on, without end."""
    game = find_game("skat")
    players = {"one": card_player(one, "one"), "other": card_player(other, "other")}
    limit = Limit(nodes=nodes) if nodes else Limit()
    for number, table in contracts_bid(bidder, seed, first):
        if kinds and contract_of(table).kind not in kinds:
            continue
        contract = contract_of(table)
        points, won, cost = {}, {}, Cost()
        for who, against in (NAMES, NAMES[::-1]):
            names = [who if seat == contract.declarer else against for seat in range(SEATS)]
            start = Table.replay(game, table.deal, table.events)
            score = play_out(start, names, players, limit, (seed, number), cost)
            points[who], won[who] = game.series_points(score), bool(score.won)
        yield Played(contract.kind, contract.declarer, points, won, cost.seconds, cost.decisions)


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
