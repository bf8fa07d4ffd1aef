"""What knowing about hidden partners is worth: PIMC whose worlds know their teams, and PIMC that ignores them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from attrs import evolve, frozen
from tricktake_schafkopf.rules import aims

from tricktake.cards import bits
from tricktake.deal import Deal, deal
from tricktake.game import Game, find_game
from tricktake.search.limit import Limit
from tricktake.search.problem import Problem
from tricktake.strategies.player import Player
from tricktake.strategies.strategy import Decision, Strategy
from tricktake.table import Table
from tricktake.tournament.referee import decision_seed
from tricktake.view import View
from tricktake_lab.experiment import experiment
from tricktake_lab.outcome import Outcome, Sheet, mean_of


@frozen
class Blind:
    """A part that takes everybody but the declarer for his enemy, itself included, as if there were no called ace.

    The duties of the ace stay known, and so what they tell of who holds it.
    """

    strategy: Strategy

    def decide(self, view: View, limit: Limit, rng: np.random.Generator) -> Decision:
        rules, contract = view.rules, view.contract
        if rules is not None and contract is not None and rules.alliance is not None:
            teams = tuple(int(seat != contract.declarer) for seat in range(rules.seats))
            rules = evolve(rules, alliance=None, teams=teams)
            view = evolve(view, rules=rules, aims=aims(rules, view.seat == contract.declarer))
        return self.strategy.decide(view, limit, rng)


def rufs(game: Game, seed: int, bidder: Strategy) -> Iterator[Table]:
    """Tables at the first trick of games with a called ace, as a bidder bids them; endless."""
    number = 0
    while True:
        table = Table.start(game, deal(game.layout, seed, number))
        while table.tricks is None and not table.over:
            step(table, [bidder] * game.seats, seed, number)
        if table.contract is not None and table.contract.kind == "ruf":
            yield table
        number += 1


def step(table: Table, parts: Sequence[Strategy], seed: int, number: int) -> None:
    """One decision."""
    seat = table.actor
    assert seat is not None
    rng = np.random.default_rng(decision_seed(seed, str(number), seat, len(table.events)))
    table.apply(parts[seat].decide(table.view(seat), Limit(), rng).action)


def declared(dealt: Deal, table: Table, sides: tuple[Strategy, Strategy], seed: int, number: int) -> tuple[int, bool]:
    """What the declarer gets, and whether he wins, if the first part plays his side and the second the other one."""
    assert table.contract is not None
    again = Table.replay(table.game, dealt, table.events)
    ours = set(bits(Problem.of(again).state.rules.side_mask(table.contract.declarer)))
    parts = [sides[0] if seat in ours else sides[1] for seat in range(again.seats)]
    while not again.over:
        step(again, parts, seed, number)
    score = again.score()
    return score.points[table.contract.declarer], bool(score.won)


@experiment(
    "schafkopf.partners",
    item="docs/results.md, hidden partners",
    seed=12,
    smoke={"deals": 2, "to_random": 1, "worlds": 2, "cards": 24},
    small={"deals": 50, "to_random": 10, "worlds": 5, "cards": 24},
    paper={"deals": 300, "to_random": 60, "worlds": 5, "cards": 32},
)
def partners(seed: int, deals: int, to_random: int, worlds: int, cards: int) -> Outcome:
    """PIMC against PIMC that ignores hidden partners, and against random play, on both sides of games with called aces.

    Contracts are those of the rule bidder. Each is played twice with sides exchanged; a player's advantage is half the
    difference of what the declarer gets, in cents for each seat and game. to_random: how many deals against random.
    """
    game = find_game(f"schafkopf(cards={cards})" if cards != 32 else "schafkopf")
    pimc = Player.from_spec(f"play=core:pimc(worlds={worlds})")
    others: dict[str, Strategy] = {"PIMC that ignores partners": Blind(pimc), "random": Player.from_spec("core:random")}
    points: dict[str, list[float]] = {name: [] for name in others}
    wins: dict[str, list[tuple[bool, bool]]] = {name: [] for name in others}
    tables = rufs(game, seed, Player.from_spec("bid=schafkopf:rule"))
    for number, table in zip(range(deals), tables, strict=False):
        for name, other in others.items():
            if name == "random" and number >= to_random:
                continue
            mine, won = declared(table.deal, table, (pimc, other), seed, number)
            theirs, lost = declared(table.deal, table, (other, pimc), seed, number)
            points[name].append((mine - theirs) / 2)
            wins[name].append((won, lost))
    rows = []
    for name in others:
        both = np.array(wins[name], float)
        rows.append(
            (name, len(both), mean_of(np.array(points[name]), "", 2), *(mean_of(both[:, k], "%", 3) for k in (0, 1)))
        )
    columns = ("PIMC against", "deals", "cents a seat and game", "it wins as declarer", "the other does")
    return Outcome((Sheet.of(f"{cards} cards, {worlds} worlds", columns, rows),))
