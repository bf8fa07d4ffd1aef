"""What it is worth that a player's worlds know who plays with whom, where cards decide that and nobody says so."""

from __future__ import annotations

import functools

import numpy as np
from attrs import evolve, frozen

from tricktake.alliance import UNKNOWN
from tricktake.deal import deal
from tricktake.game import find_game
from tricktake.pool import in_order
from tricktake.search.limit import Limit
from tricktake.strategies.player import StrategySpec
from tricktake.strategies.strategy import Decision, Strategy
from tricktake.table import Table
from tricktake.tournament.referee import decision_seed
from tricktake.view import View
from tricktake_lab.experiment import experiment
from tricktake_lab.outcome import Outcome, Sheet, mean_of


@frozen
class Ignoring:
    """A part that is told of no alliance: whoever is not surely a partner counts as an opponent in every world."""

    strategy: Strategy

    def decide(self, view: View, limit: Limit, rng: np.random.Generator) -> Decision:
        """The decision of the part without the alliance."""
        rules = view.rules
        if rules is not None and rules.alliance is not None and rules.teams is not None:
            against = 1 - rules.teams[view.turn]
            teams = tuple(against if team == UNKNOWN else team for team in rules.teams)
            view = evolve(view, rules=evolve(rules, alliance=None, teams=teams))
        return self.strategy.decide(view, limit, rng)


def play_deal(game: str, seed: int, part: str, bidder: str, number: int) -> tuple[float, float] | None:
    """One deal, played twice with sides changed: what the seats that know gain a seat, in points and in cost taken.
    None if its contract has no hidden partner, or if one seat is alone.
    """
    knows = StrategySpec.from_text(part).make()
    parts = (knows, Ignoring(knows))
    bids = StrategySpec.from_text(bidder).make()
    rules_of = find_game(game)
    start = Table.start(rules_of, deal(rules_of.layout, seed, number))

    def decide(table: Table, who: Strategy) -> None:
        assert table.turn is not None
        made = len(table.events)
        rng = np.random.default_rng(decision_seed(seed, str(number), table.turn, made))
        table.apply(who.decide(table.view(table.turn), Limit(), rng).action, table.turn)

    while start.tricks is None and not start.over:
        decide(start, bids)
    rules = start.tricks.rules if start.tricks is not None else None
    teams = rules.teams if rules is not None else None
    if rules is None or rules.alliance is None or not rules.alliance.cards or teams is None or teams.count(0) != 2:
        return None
    points, costs = [], []
    for first in (0, 1):
        table = Table.replay(rules_of, start.deal, start.events)
        while (turn := table.turn) is not None:
            decide(table, parts[teams[turn] ^ first])
        assert table.tricks is not None
        score, taken = table.score().points, table.tricks.taken
        ours = [seat for seat, team in enumerate(teams) if team == first]
        points.append(sum(score[s] for s in ours) / len(ours))
        costs.append(sum(taken[s] for s in ours) - rules.cost_of(rules.deck.full_mask) / 2)
    return sum(points) / 2, sum(costs) / 2


@experiment(
    "partners.known",
    item="docs/results.md, hidden partners",
    seed=1,
    smoke={"deals": 1, "part": "core:playout(worlds=2,games=1)"},
    small={"deals": 30},
    paper={"deals": 300},
)
def known(
    seed: int,
    deals: int,
    game: str = "doppelkopf",
    part: str = "core:pimc(worlds=10,opening=core:playout(worlds=20,games=2),tricks=6)",
    bidder: str = "doppelkopf:rule",
    jobs: int = 1,
) -> Outcome:
    """Worlds that know their teams against the same player told of none; both sides of each deal, paired.

    deals: how many with a hidden partner. part: plays the cards; bidder: what comes before them.
    """
    found: list[tuple[float, float]] = []
    number = 0
    while len(found) < deals:
        batch = range(number, number + max(1, deals - len(found)))
        task = functools.partial(play_deal, game, seed, part, bidder)
        found += [result for result in in_order(task, batch, jobs) if result is not None]
        number = batch.stop
    data = np.array(found, float)
    row = (game, len(data), mean_of(data[:, 0]), mean_of(data[:, 1], digits=2))
    columns = ("game", "deals", "points a game and seat", "cost above half")
    return Outcome((Sheet.of("Worlds that know their teams against worlds that do not", columns, (row,)),))
