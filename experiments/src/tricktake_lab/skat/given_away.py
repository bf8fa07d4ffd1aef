"""How often card players give a won game away, judged with open cards on the same positions.

    python -m tricktake_lab.skat.given_away FIRST DEALS SPEC SPEC ...

Deals FIRST to FIRST + DEALS - 1 of seed 4242 are bid by ``skat:rule`` and played by ``skat:expert``. Up to the
eighth trick, wherever some legal cards keep the goal with open cards and others do not, each player is asked what it
would play; printed is the share of these decisions that gives the goal away, for declarer and defenders, the difference
to the first player (95 %), and seconds of processor time a deal. Many times cheaper than a tournament, and blind for
all that open cards do not show: it favours players that think in open cards.
"""

from __future__ import annotations

import sys
import time

import click
import numpy as np
from attrs import define, field
from tricktake_skat.contract import contract_of

from tricktake.cards import signed
from tricktake.deal import deal
from tricktake.errors import TricktakeError
from tricktake.game import find_game
from tricktake.search.limit import Limit
from tricktake.search.valuation import Valuation
from tricktake.strategies.player import Player
from tricktake.strategies.recommend import Situation
from tricktake.table import Table

SEED = 4242
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


def study(first: int, deals: int, specs: list[str]) -> list[Tally]:
    """Every player's tally. Raises InputError, UnknownName for a wrong spec."""
    game, reference = find_game("skat"), Player.from_spec(REFERENCE)
    tallies = [Tally(Player.from_spec(f"play={spec}")) for spec in specs]
    for number in range(first, first + deals):
        table = Table.start(game, deal(game.layout, SEED, number))
        rng = np.random.default_rng(number)
        while table.turn is not None:
            view = table.view(table.turn)
            if view.role == "play" and len(view.tricks) < TRICKS and len(view.legal) > 1:
                for tally in tallies:
                    tally.ask(table, number)
            table.apply(reference.decide(view, Limit(), rng).action)
    return tallies


def main(arguments: list[str]) -> None:
    deals, specs = int(arguments[1]), arguments[2:]
    tallies = study(int(arguments[0]), deals, specs)
    base = np.array(tallies[0].given)
    click.echo(f"{len(base)} decisions")
    for spec, tally in zip(specs, tallies, strict=True):
        given, mine = np.array(tally.given), np.array(tally.declarer)
        difference = given - base
        error = 1.96 * difference.std() / max(1, len(difference)) ** 0.5
        click.echo(
            f"{given.mean():.3f} (declarer {given[mine].mean():.3f}, defenders {given[~mine].mean():.3f})"
            f"  {difference.mean():+.3f} +- {error:.3f}  {tally.seconds / deals:.2f} s  {spec}"
        )


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except (IndexError, ValueError):
        sys.exit(__doc__)
    except TricktakeError as error:
        sys.exit(str(error))
