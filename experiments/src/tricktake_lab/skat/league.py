"""A league of rule players of known strength at random tables, to see what ratings find out about them.

Players differ by how often they play a legal card at random instead of by rule (``slips``); bidding is the same for
all. A league is a pure function of its seed.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from attrs import frozen
from tricktake_skat.deals import dealt
from tricktake_skat.deck import SEATS
from tricktake_skat.games import RULE_PLAYER, Games, bid_rows, play_rows, rows_of_deals
from tricktake_skat.kernels import cards
from tricktake_skat.luck import Declared, SkatLuck
from tricktake_skat.scoring import GAMES_OF_SERIES
from tricktake_skat.series import seating

from tricktake.arrays import FloatArray, IntArray
from tricktake.ratings.results import Results
from tricktake_lab.skat._kernels import slips as kernel


@frozen(eq=False)
class League:
    """Series of 36 games. tables: (n, 3) players by number; games: the 36 n games in order, their seats rotating."""

    slips: FloatArray
    tables: IntArray
    games: Declared
    seed: int

    @property
    def names(self) -> tuple[str, ...]:
        """Players by number; the higher the weaker."""
        return tuple(f"P{number:02d}" for number in range(1, len(self.slips) + 1))

    @property
    def seated(self) -> IntArray:
        """The player of each seat of each game: (36 n, 3)."""
        return seated(self.tables)

    def results(self, luck: Sequence[str] = ()) -> Results:
        """The series with their scores, corrected by these factors."""
        scores, values = SkatLuck(tuple(luck)).corrected(self.games)
        return Results(
            self.names,
            self.tables,
            self._summed(scores),
            np.full(len(self.tables), GAMES_OF_SERIES, np.int64),
            np.arange(len(self.tables)) + (self.seed << 32),
            self._summed(values),
            GAMES_OF_SERIES,
        )

    def single_games(self, luck: Sequence[str] = ()) -> Results:
        """Every game as a series of its own."""
        scores, _ = SkatLuck(tuple(luck)).corrected(self.games)
        return Results.of(self.names, self.seated, scores)

    def _summed(self, points: FloatArray) -> FloatArray:
        """Points by seat and game as points by table and player."""
        by_game = points.reshape(len(self.tables), GAMES_OF_SERIES, SEATS)
        out = np.zeros(self.tables.shape)
        for game in range(GAMES_OF_SERIES):
            out[:, list(seating(game))] += by_game[:, game]
        return out


def seated(tables: IntArray) -> IntArray:
    """The player of each seat of each game of the series of these tables, (n, 3): (36 n, 3)."""
    order = np.array([seating(game) for game in range(GAMES_OF_SERIES)])
    return np.ascontiguousarray(tables[:, order].reshape(-1, SEATS))


def play_league(slips: Sequence[float] | FloatArray, series: int, seed: int, near: int = 0) -> League:
    """Let these players play; every table is a random choice of three.

    near: the three are drawn out of so many neighbours in the list of players, which then are best sorted by
    strength; 0 for out of all. Raises ValueError for fewer than three.
    """
    chances = np.asarray(slips, np.float64)
    among = near or len(chances)
    if not SEATS <= among <= len(chances):
        raise ValueError("a table has three players, from among no more than there are")
    rng = np.random.default_rng(seed)
    tables = np.argsort(rng.random((series, among)), axis=1)[:, :SEATS].astype(np.int64)
    tables += rng.integers(0, len(chances) - among + 1, (series, 1))
    deals = dealt(seed, 0, series * GAMES_OF_SERIES)
    games = play_slipping(deals, chances[seated(tables)], seed)
    return League(chances, tables, Declared.of_games(games), seed)


def play_slipping(deals: IntArray, slips: FloatArray, seed: int) -> Games:
    """Whole games of three rule players with given deals, shape (n, 4), who now and then slip.

    slips: (n, 3), how likely each seat is to play a legal card at random instead of by rule; ``seed`` decides when it
    does. Raises ValueError for other shapes or chances.
    """
    n = len(deals)
    if slips.shape != (n, SEATS) or not ((slips >= 0) & (slips <= 1)).all():
        raise ValueError("slips must be chances, one for each deal and seat")
    rows, seats = rows_of_deals(deals), np.zeros((n, SEATS), np.int64)
    bid_rows([RULE_PLAYER], rows, seats)
    policies, data = np.full((n, SEATS), kernel.slipping.address), np.round(slips * kernel.SURE).astype(np.int64)
    keys = [
        cards.mix(seed & 0xFFFFFFFF, cards.mix(i & 0xFFFFFFFF, hand)) for i, hand in enumerate(deals[:, 0].tolist())
    ]
    return Games(rows, seats, play_rows(rows, policies, data, np.array(keys, np.int64)))
