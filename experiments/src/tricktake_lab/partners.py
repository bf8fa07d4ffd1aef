"""What it is worth that a player's worlds know who plays with whom, where cards decide that and nobody says so."""

from __future__ import annotations

import functools

import numpy as np
from attrs import evolve, frozen

from tricktake.action import Action
from tricktake.alliance import UNKNOWN
from tricktake.deal import deal
from tricktake.errors import UnknownName
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

TOLD = ("worlds", "once", "never", "true")


@frozen
class Informed:
    """A part that is told so much of who plays with whom.

    "worlds": as it is, each world has its teams. "once": a seat counts as an opponent in every world until it is surely
    a partner. "never": all others are opponents, found partners too, as for a program that knows of no hidden teams.
    "true": the true teams, which nobody can know: a bound on what knowing them can bring.
    """

    strategy: Strategy
    told: str
    teams: tuple[int, ...]

    def decide(self, view: View, limit: Limit, rng: np.random.Generator) -> Decision:
        """The decision of the part from what it is told."""
        return self.strategy.decide(self.seen(view), limit, rng)

    def seen(self, view: View) -> View:
        """The view with the teams the part is told."""
        rules = view.rules
        if self.told == "worlds" or rules is None or rules.alliance is None or rules.teams is None:
            return view
        own, known = self.teams[view.turn], rules.teams if self.told == "once" else (UNKNOWN,) * rules.seats
        teams = tuple(
            own if seat == view.turn or team == own else 1 - own
            for seat, team in enumerate(self.teams if self.told == "true" else known)
        )
        return evolve(view, rules=evolve(rules, alliance=None, teams=teams))


@frozen
class Played:
    """One deal, played twice with sides changed.

    points, costs: what a seat of the first player gains a game, and its side takes beyond half. decisions: of the first
    player, with a choice and other teams told to the second; other, again: in how many of them the second chooses
    another card, and the first with other random numbers.
    """

    points: float
    costs: float
    decisions: int
    other: int
    again: int


def play_deal(
    game: str, seed: int, part: str, bidder: str, told: tuple[str, str], compare: bool, number: int
) -> Played | None:
    """One deal. None if its contract has no hidden partner, or if one seat is alone."""
    cards = StrategySpec.from_text(part).make()
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
    one, two = (Informed(cards, each, teams) for each in told)
    points, costs = [], []
    for first in (0, 1):
        table = Table.replay(rules_of, start.deal, start.events)
        while (turn := table.turn) is not None:
            side = teams[turn] ^ first
            action = chosen(table, two if side else one)
            view = table.view(turn)
            if compare and not side and len(view.legal) > 1 and two.seen(view) != one.seen(view):
                counts[0] += 1
                counts[1] += chosen(table, two) != action
                counts[2] += chosen(table, one, "again") != action
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
    first: str = "worlds",
    second: str = "never",
    compare: bool = False,
    jobs: int = 1,
) -> Outcome:
    """Worlds that know their teams against the same player told less; both sides of each deal, paired.

    deals: how many with a hidden partner. part: plays the cards; bidder: what comes before them. first, second: what
    the players are told (``Informed``). compare: whether decisions are compared, too.
    """
    for told in (first, second):
        if told not in TOLD:
            raise UnknownName("thing to be told", told, TOLD)
    found: list[Played] = []
    number = 0
    while len(found) < deals:
        batch = range(number, number + max(1, deals - len(found)))
        task = functools.partial(play_deal, game, seed, part, bidder, (first, second), compare)
        found += [result for result in in_order(task, batch, jobs) if result is not None]
        number = batch.stop
    gains = [mean_of([getattr(each, name) for each in found], digits=2) for name in ("points", "costs")]
    decisions = sum(each.decisions for each in found)
    shares = [sum(getattr(each, name) for each in found) / max(decisions, 1) for name in ("other", "again")]
    row = (
        game,
        first,
        second,
        len(found),
        *gains,
        decisions,
        *(round(share, 3) for share in shares),
    )
    columns = (
        *("game", "first", "second", "deals", "points a seat and game", "cost beyond half"),
        *("decisions compared", "the second's card differs", "with other numbers the first's does"),
    )
    return Outcome((Sheet.of("Worlds that know their teams against worlds that do not", columns, (row,)),))
