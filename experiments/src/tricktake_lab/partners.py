"""What it is worth that a player's worlds know who plays with whom, where cards decide that and nobody says so."""

from __future__ import annotations

import functools

import numpy as np
from attrs import evolve, frozen

from tricktake.action import Action
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
    """A part that is told of no alliance: other seats count as opponents in every world.

    never: even those that are surely partners, as for a program that knows of no hidden teams; else only those that may
    be either.
    """

    strategy: Strategy
    never: bool = False

    def decide(self, view: View, limit: Limit, rng: np.random.Generator) -> Decision:
        """The decision of the part without the alliance."""
        return self.strategy.decide(alone(view, self.never), limit, rng)


def alone(view: View, never: bool) -> View:
    """The view of a seat that takes others for its opponents: all of them, or those whose side it does not know."""
    rules = view.rules
    if rules is None or rules.alliance is None or rules.teams is None:
        return view
    own = rules.teams[view.turn]
    teams = tuple(
        own if seat == view.turn or (team == own and not never) else 1 - own for seat, team in enumerate(rules.teams)
    )
    return evolve(view, rules=evolve(rules, alliance=None, teams=teams))


@frozen
class Played:
    """One deal, played twice with sides changed.

    points, costs: what a seat that knows gains a game, and its side takes beyond half. decisions: with a choice and a
    side not known, of the seats that know; other, again: in how many of them the one that ignores chooses another card,
    and the one that knows with other random numbers.
    """

    points: float
    costs: float
    decisions: int
    other: int
    again: int


def play_deal(game: str, seed: int, part: str, bidder: str, never: bool, compare: bool, number: int) -> Played | None:
    """One deal. None if its contract has no hidden partner, or if one seat is alone."""
    knows = StrategySpec.from_text(part).make()
    ignores = Ignoring(knows, never)
    bids = StrategySpec.from_text(bidder).make()
    rules_of = find_game(game)
    start = Table.start(rules_of, deal(rules_of.layout, seed, number))
    counts = [0, 0, 0]

    def chosen(table: Table, who: Strategy, salt: str = "") -> Action:
        assert table.turn is not None
        rng = np.random.default_rng(decision_seed(seed, f"{number}{salt}", table.turn, len(table.events)))
        return who.decide(table.view(table.turn), Limit(), rng).action

    while start.tricks is None and not start.over:
        start.apply(chosen(start, bids), start.turn)
    rules = start.tricks.rules if start.tricks is not None else None
    teams = None if start.tricks is None else start.open_cards().rules.teams
    if rules is None or rules.alliance is None or not rules.alliance.cards or teams is None or teams.count(0) != 2:
        return None
    points, costs = [], []
    for first in (0, 1):
        table = Table.replay(rules_of, start.deal, start.events)
        while (turn := table.turn) is not None:
            side = teams[turn] ^ first
            action = chosen(table, ignores if side else knows)
            view = table.view(turn)
            if compare and not side and len(view.legal) > 1 and view.rules is not None and alone(view, never) != view:
                counts[0] += 1
                counts[1] += chosen(table, ignores) != action
                counts[2] += chosen(table, knows, "again") != action
            table.apply(action, turn)
        assert table.tricks is not None
        score, taken = table.score().points, table.tricks.taken
        ours = [seat for seat, team in enumerate(teams) if team == first]
        theirs = [seat for seat, team in enumerate(teams) if team != first]
        points.append((sum(score[s] for s in ours) - sum(score[s] for s in theirs)) / 4)
        costs.append((sum(taken[s] for s in ours) - sum(taken[s] for s in theirs)) / 2)
    return Played(sum(points) / 2, sum(costs) / 2, *counts)


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
    never: bool = False,
    compare: bool = True,
    jobs: int = 1,
) -> Outcome:
    """Worlds that know their teams against the same player told of none; both sides of each deal, paired.

    deals: how many with a hidden partner. part: plays the cards; bidder: what comes before them. never: whether the
    other player does not even know a partner that is found. compare: whether decisions are compared, too.
    """
    found: list[Played] = []
    number = 0
    while len(found) < deals:
        batch = range(number, number + max(1, deals - len(found)))
        task = functools.partial(play_deal, game, seed, part, bidder, never, compare)
        found += [result for result in in_order(task, batch, jobs) if result is not None]
        number = batch.stop
    gains = [mean_of([getattr(each, name) for each in found], digits=2) for name in ("points", "costs")]
    decisions = sum(each.decisions for each in found)
    shares = [sum(getattr(each, name) for each in found) / max(decisions, 1) for name in ("other", "again")]
    row = (
        game,
        "never" if never else "once sure",
        len(found),
        *gains,
        decisions,
        *(round(share, 3) for share in shares),
    )
    columns = (
        *("game", "other player knows partners", "deals", "points a seat and game", "cost beyond half"),
        *("decisions compared", "other card without teams", "other card with other numbers"),
    )
    return Outcome((Sheet.of("Worlds that know their teams against worlds that do not", columns, (row,)),))
