"""``tricktake warm``: compile kernels now, so that nothing waits for them later."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tricktake.cli.common import print_columns, progress
from tricktake.cli.names import GAME

if TYPE_CHECKING:
    from tricktake.game import Game
    from tricktake.table import Table

NODES = 2000  # of a decision and of a solution: enough to enter every kernel
SEED = 1
DEALS = 50  # tried until one is not passed in
GAMES = 64  # of self-play
POSITIONS = 20


@click.command("warm")
@click.argument("games", metavar="[GAME]...", type=GAME, nargs=-1)
@click.option("--train", is_flag=True, help="Also what tricktake train needs.")
def command(games: tuple[str, ...], train: bool) -> None:
    """Compile what the GAMES need, all that are installed if none is named, and keep it on disk.

    Each is played once by its default player (bidding, search, policies), and its open cards are solved. Kernels are
    shared: the first game takes nearly all of the time.
    """
    from tricktake.game import find_game
    from tricktake.plugins import manager

    uses = {"play": _play, "solve": _solve} | ({"train": _train} if train else {})
    rows = []
    names = games or manager().games.names()
    with progress("warm", len(names)) as advance:
        for name in names:
            seconds, game = [], find_game(name)
            table = _dealt(game)
            for use in uses.values():
                start = time.perf_counter()
                if table is not None:
                    use(table)
                seconds.append(f"{time.perf_counter() - start:.1f}")
            rows.append((name, *seconds))
            advance(1)
    columns = tuple(f"{use} s" for use in uses)
    print_columns(("game", *columns), rows, right=columns)


def _dealt(game: Game) -> Table | None:
    """A table at its first trick, as far as the game's own player bids on one of some deals."""
    from tricktake.policy.practice import at_first_trick
    from tricktake.strategies.player import Player, default_spec

    bidder = Player.from_spec(default_spec(game))
    return next(filter(None, (at_first_trick(game, bidder, SEED, number) for number in range(DEALS))), None)


def _play(table: Table) -> None:
    """A game by the default player."""
    from tricktake.search.limit import Limit
    from tricktake.strategies.player import Player, default_spec
    from tricktake.strategies.rehearsal import play_out

    table = table.replay(table.game, table.deal, table.events, table.board)
    play_out(table, Player.from_spec(default_spec(table.game)), Limit(nodes=NODES))


def _solve(table: Table) -> None:
    """The open cards of a game, as far as they can be solved at once."""
    import contextlib

    from tricktake.errors import TricktakeError
    from tricktake.search.limit import Limit
    from tricktake.search.problem import Problem
    from tricktake.search.solving import solve_problems

    limit = Limit(nodes=NODES)
    with contextlib.suppress(TricktakeError, ValueError):  # more than these nodes, or rules that cannot be solved
        problem = Problem.of(table)
        if problem.state.rules.goal(problem.seat).met(0) is not None:
            solve_problems([problem], "win", limit)
        solve_problems([problem], "value", limit)


def _train(table: Table) -> None:
    """A few games of learning from nothing."""
    from tricktake.policy.practice import practice_for
    from tricktake.policy.train import Settings, Task, learn

    practice = practice_for(table.game)
    family = practice.families[0] if practice.families else practice.family(table.contract)
    with tempfile.TemporaryDirectory() as folder:
        checkpoint = Path(folder) / "warm.checkpoint"
        settings = Settings(games=GAMES)
        learn(
            Task(table.game.spec, family, "", SEED, POSITIONS, settings, None, None, GAMES, checkpoint),
            lambda line: None,
        )
