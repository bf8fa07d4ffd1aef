"""How strong search is in each game: PIMC against random play, and against a player with simple manners or rules."""

from __future__ import annotations

import functools
import time

import numpy as np
from attrs import frozen
from tricktake_bridge.practice import likely_contract

from tricktake.deal import deal
from tricktake.game import Game, find_game
from tricktake.policy.practice import practice_for
from tricktake.pool import in_order
from tricktake.search.limit import Limit
from tricktake.search.problem import Problem
from tricktake.strategies.player import Player, StrategySpec, default_spec
from tricktake.strategies.strategy import Strategy
from tricktake.table import Table
from tricktake.tournament.referee import decision_seed
from tricktake_lab.experiment import experiment
from tricktake_lab.outcome import Z95, Estimate, Outcome, Sheet, mean_of

# the game, the simple player, the tricks PIMC leaves to its opening, and the deals of the published run
GAMES: tuple[tuple[str, str, int, int], ...] = (
    ("belote", "core:manners", 3, 60),
    ("bridge", "core:manners", 6, 30),
    ("doppelkopf", "core:manners", 6, 40),
    ("euchre", "core:manners", 1, 400),
    ("five_hundred", "core:manners", 4, 60),
    ("hearts", "hearts:rule", 7, 60),
    ("jass", "core:manners", 4, 30),
    ("oh_hell", "core:manners", 4, 400),
    ("pinochle", "core:manners", 5, 60),
    ("schafkopf", "core:manners", 3, 150),
    ("spades", "core:manners", 6, 60),
    ("tarok", "core:manners", 6, 30),
    ("the_crew", "parlour:the_crew", 0, 200),
    ("whist", "core:manners", 6, 30),
    ("wizard", "core:manners", 4, 60),
)
RANDOM = "core:random"
UNSAID = ("the_crew",)  # its rules do not say what is worth taking, so search refuses them


def at_first_trick(game: Game, seed: int, number: int) -> Table | None:
    """A table after its auction and exchange, which the game's own rules make for all seats; None if it is passed in.

    In bridge, which has no bidder, the contract is given.
    """
    dealt, board = deal(game.layout, seed, number), number % game.boards
    if game.name == "bridge":
        return Table.at_contract(game, dealt, likely_contract(dealt.masks), board=board)
    table = Table.start(game, dealt, board)
    bidder = Player.from_spec(default_spec(game))
    while table.tricks is None and not table.over:
        decide(table, bidder, seed, number)
    return None if table.over else table


def decide(table: Table, who: Strategy, seed: int, number: int) -> None:
    """One decision. Its random numbers are those of the seat and the moment, whoever plays the seat."""
    actor = table.actor
    assert actor is not None
    rng = np.random.default_rng(decision_seed(seed, str(number), actor, len(table.events)))
    table.apply(who.decide(table.view(actor), Limit(), rng).action)


def sides_of(table: Table) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Which seats one player gets, and which the other: the true sides where there are two; everything and nothing if
    all play together; every second seat if all play for themselves.
    """
    rules, seats = Problem.of(table).state.rules, range(table.seats)
    teams = [rules.team(seat) for seat in seats]
    if len(set(teams)) == 1:
        return tuple(seats), ()
    mark = teams[0] if len(set(teams)) == 2 else None
    first = tuple(seat for seat in seats if (teams[seat] == mark if mark is not None else seat % 2 == 0))
    return first, tuple(seat for seat in seats if seat not in first)


@frozen
class Pair:
    """One deal played twice with the seats exchanged. gain: points a seat of the first player beyond those of a seat of
    the second. seconds: CPU time of both games.
    """

    gain: float
    seconds: float


def play_deal(
    game_spec: str, players: tuple[str, str], seed: int, families: tuple[str, ...], number: int
) -> Pair | None:
    """One deal; None if it is passed in, or of another family than those that are named."""
    game = find_game(game_spec)
    start = at_first_trick(game, seed, number)
    if start is None or (families and practice_for(game).family(start.contract) not in families):
        return None
    sides, parts = sides_of(start), [StrategySpec.from_text(player).make() for player in players]
    began, gains = time.process_time(), []
    for swap in (0, 1):
        table = copy_of(start)
        seated = [parts[(seat not in sides[0]) ^ swap] for seat in range(table.seats)]
        while table.actor is not None:
            decide(table, seated[table.actor], seed, number)
        points = game.series_points(table.score())
        means = [sum(points[seat] for seat in side) / len(side) if side else 0.0 for side in sides]
        gains.append((means[0] - means[1]) * (-1 if swap else 1))
    together = 1 if not sides[1] else 2
    return Pair(sum(gains) / together, time.process_time() - began)


def copy_of(table: Table) -> Table:
    """The same table once more."""
    if table.origin is not None:
        return Table.at_contract(table.game, table.deal, *table.origin, table.board)
    return Table.replay(table.game, table.deal, table.events, table.board)


def match(
    game: str, players: tuple[str, str], seed: int, deals: int, jobs: int, families: tuple[str, ...] = ()
) -> list[Pair]:
    """So many deals that are not passed in. families: only contracts of these (``Practice.family``)."""
    found: list[Pair] = []
    number = 0
    while len(found) < deals:
        batch = range(number, number + deals - len(found))
        results = in_order(functools.partial(play_deal, game, players, seed, families), batch, jobs)
        found += [pair for pair in results if pair is not None]
        number = batch.stop
    return found


@experiment(
    "games.strength",
    item="docs/results.md, strength in every game",
    seed=77,
    smoke={"deals": 1, "games": ("euchre", "bridge", "the_crew"), "pimc": "core:pimc(worlds=1,opening=core:manners)"},
    small={"deals": 10},
    paper={"deals": 0},
)
def strength(
    seed: int,
    deals: int,
    games: tuple[str, ...] = tuple(name for name, *_ in GAMES),
    pimc: str = "core:pimc(worlds=8,opening=core:playout(worlds=15,games=2),tricks={tricks})",
    jobs: int = 1,
) -> Outcome:
    """PIMC against random play and a simple player, and that against random play, in each game.

    The auction and the exchange are those of the game's rule player for all seats, so that the cards alone decide. Each
    deal is played twice, sides exchanged. deals: 0 for as many as each game needs. pimc: ``{tricks}`` stands for the
    tricks of the opening, by game.
    """
    known = {name: (simple, tricks, number) for name, simple, tricks, number in GAMES}
    rows = []
    for spec in games:
        game = find_game(spec)
        simple, tricks, number = known[game.name]
        search = pimc.replace("{tricks}", str(tricks))
        pairs = [(simple, RANDOM)] if game.name in UNSAID else [(search, RANDOM), (search, simple), (simple, RANDOM)]
        for first, second in pairs:
            found = match(spec, (first, second), seed, deals or number, jobs)
            gain = mean_of([pair.gain for pair in found], digits=2)
            seconds = sum(pair.seconds for pair in found) / 2 / len(found)
            names = ["PIMC" if part == search else part for part in (first, second)]
            rows.append((spec, *names, game.score_unit, gain.n, gain, round(errors(gain), 1), round(seconds, 2)))
    columns = ("game", "first", "second", "unit", "deals", "first - second", "in standard errors", "CPU s a game")
    return Outcome((Sheet.of("Points a seat and game", columns, rows),))


def errors(gain: Estimate) -> float:
    """How many standard errors a mean lies from 0; 0 if it has none."""
    return gain.mean / gain.error * Z95 if gain.error > 0 else 0.0
