"""How often card players give a won game away, judged with open cards on the same positions.

Deals are bid by ``skat:rule`` and played by ``skat:expert``. Up to the eighth trick, wherever some legal cards keep the
goal with open cards and others do not, each player is asked what it would play. Many times cheaper than a tournament,
and blind for all that open cards do not show: it favours players that think in open cards.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np
from attrs import define, field
from tricktake_skat.contract import contract_of

from tricktake.cards import signed
from tricktake.deal import deal
from tricktake.game import find_game
from tricktake.search.limit import Limit
from tricktake.search.valuation import Valuation
from tricktake.strategies.player import Player
from tricktake.strategies.recommend import Situation
from tricktake.table import Table
from tricktake_lab.experiment import experiment
from tricktake_lab.outcome import Outcome, Sheet, mean_of

REFERENCE = "bid=skat:rule,exchange=skat:rule,play=skat:expert"
TRICKS = 8


@define
class Tally:
    """What one player gave away. declarer, given: of each decision, whether it was the declarer's and what it cost."""

    player: Player
    declarer: list[bool] = field(factory=list)
    given: list[float] = field(factory=list)
    seconds: float = 0.0

    def ask(self, table: Table, number: int) -> None:
        """The decision at the table, if cards differ with open cards."""
        view = table.view(table.turn or 0)
        situation = Situation(view)
        won, _ = Valuation(view, np.array([[signed(mask) for mask in table.places]])).met()
        if situation.forced("") or won.all() or not won.any():
            return
        start = time.process_time()
        decision = self.player.decide(view, Limit(), np.random.default_rng([number, len(table.events)]))
        self.seconds += time.process_time() - start
        self.given.append(float(not won[0, situation.cards.index(decision.action.cards[0])]))
        self.declarer.append(contract_of(table).declarer == view.turn)


def study(seed: int, first: int, deals: int, specs: Sequence[str]) -> list[Tally]:
    """Every player's tally. Raises InputError, UnknownName for a wrong spec."""
    game, reference = find_game("skat"), Player.from_spec(REFERENCE)
    tallies = [Tally(Player.from_spec(f"play={spec}")) for spec in specs]
    for number in range(first, first + deals):
        table = Table.start(game, deal(game.layout, seed, number))
        rng = np.random.default_rng(number)
        while table.turn is not None:
            view = table.view(table.turn)
            if view.role == "play" and len(view.tricks) < TRICKS and len(view.legal) > 1:
                for tally in tallies:
                    tally.ask(table, number)
            table.apply(reference.decide(view, Limit(), rng).action)
    return tallies


@experiment(
    "cards.given-away",
    item="docs/results.md, ensemble",
    seed=4242,
    smoke={"deals": 3, "specs": ("core:pimc(worlds=4)", "skat:rule")},
    small={"deals": 40},
    paper={"deals": 400},
)
def given_away(
    seed: int, deals: int, specs: tuple[str, ...] = ("core:pimc", "skat:rule", "skat:expert"), first: int = 0
) -> Outcome:
    """The share of decisions, where cards differ with open cards, in which players give the goal away.

    first: number of the first deal. Differences are to the first player; seconds are of processor time a deal.
    """
    tallies = study(seed, first, deals, specs)
    base = np.array(tallies[0].given)
    rows = []
    for spec, tally in zip(specs, tallies, strict=True):
        given, mine = np.array(tally.given), np.array(tally.declarer, bool)
        parts = (given, given[mine], given[~mine])
        rows.append((spec, *(mean_of(p, "%") for p in parts), mean_of(given - base, "%"), tally.seconds / deals))
    columns = ("player", "given away", "as declarer", "as defender", "difference", "seconds a deal")
    return Outcome((Sheet.of(f"{len(base)} decisions", columns, rows),))
