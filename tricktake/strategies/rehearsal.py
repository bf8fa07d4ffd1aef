"""Games played so that the kernels of a player are loaded, and compiled if they never were; the result is not kept."""

from __future__ import annotations

import numpy as np

from tricktake.deal import deal
from tricktake.game import Game
from tricktake.search.limit import Limit
from tricktake.strategies.player import Player
from tricktake.table import Table

DEALS = 3  # of one seed: enough to meet every phase
SEED = 1


def rehearse(game: Game, player: Player, limit: Limit) -> None:
    """A few games with the player at all seats. limit: of a decision."""
    for number in range(DEALS):
        play_out(Table.start(game, deal(game.layout, SEED, number), number % game.boards), player, limit)


def play_out(table: Table, player: Player, limit: Limit) -> None:
    """A table to its end, all seats by this player."""
    while (actor := table.actor) is not None:
        view = table.view(actor)
        action = player.decide(view, limit, np.random.default_rng([SEED, len(table.events)])).action
        table.apply(action, None if action in view.legal else actor)
