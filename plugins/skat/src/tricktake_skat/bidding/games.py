"""Whole games between bidders in a batch: each seat bids and declares in its own style, all play by rule."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from tricktake_skat._kernels import bidding_games as kernel
from tricktake_skat._kernels import rule_games
from tricktake_skat.bidding.evaluation import sums
from tricktake_skat.bidding.model import Model, learned, stacked
from tricktake_skat.bidding.style import BEST, RULE, Style, rule_row
from tricktake_skat.deck import SEATS
from tricktake_skat.putting.features import Declarers
from tricktake_skat.putting.selection import Selector
from tricktake_skat.scoring import BONUS, GAMES_OF_SERIES, OTHERS_BONUS

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]

ROTATIONS = 3
DEFAULT = Style()


@frozen
class Player:
    """A style with a model, the shipped tables' unless given; ``style`` None is the rule player."""

    style: Style | None = DEFAULT
    model: Model | None = None


@frozen(eq=False)
class Games:
    """Games as columns. deals: (n, 4). seats: (n, 3) number of the player on each seat. bids: (n, 3).

    declarer (-1: passed in), game (0 to 3 suits, 4 grand, 5 Null), hand, ouvert, announced (Schneider), bid, put, eyes,
    tricks, won, value (signed): (n,). cards: (n, 30).
    """

    deals: IntArray
    seats: IntArray
    bids: IntArray
    declarer: IntArray
    game: IntArray
    hand: IntArray
    ouvert: IntArray
    announced: IntArray
    bid: IntArray
    put: IntArray
    eyes: IntArray
    tricks: IntArray
    won: IntArray
    value: IntArray
    cards: IntArray

    def __len__(self) -> int:
        return len(self.deals)

    def scores(self, players: int) -> FloatArray:
        """(n, players): what each game adds to the extended Seeger score of each player, summed over its seats."""
        found = np.zeros((len(self), players))
        index = np.arange(len(self))
        for seat in range(SEATS):
            declares = self.declarer == seat
            gain = np.where(self.value > 0, self.value + BONUS, np.where(self.value < 0, self.value - BONUS, 0))
            points = np.where(declares, gain, np.where(self.value < 0, OTHERS_BONUS[SEATS], 0))
            found[index, self.seats[:, seat]] += points
        return found


def score36(games: Games) -> tuple[float, float]:
    """Score per player and 36 games, as if all seats were one player (SKAT-43), and its standard error."""
    each = games.scores(int(games.seats.max()) + 1).sum(axis=1) * GAMES_OF_SERIES / SEATS
    return float(each.mean()), float(each.std() / np.sqrt(len(each)))


def play_bidders(players: Sequence[Player], deals: IntArray, seats: IntArray) -> Games:
    """Games of these players. deals: (n, 4). seats: (n, 3) number of the player on each seat."""
    models: list[Model] = []
    settings = []
    for player in players:
        if player.style is None:
            settings.append(rule_row())
            continue
        model = player.model or learned()
        known = next((i for i, other in enumerate(models) if other is model), len(models))
        if known == len(models):
            models.append(model)
        settings.append(player.style.row(known))
    n = len(deals)
    places, bids = np.zeros((n, 4), np.int64), np.zeros((n, 3), np.int64)
    contracts = np.zeros((n, kernel.C_SIZE), np.int64)
    chances = stacked(models or [learned()])
    kernel.bid_deals(sums(), chances, np.stack(settings), deals, seats, places, contracts, bids)
    declarer = contracts[:, kernel.C_DECLARER]
    played = np.flatnonzero(declarer >= 0)
    _put_otherwise(players, seats, contracts, bids, places, played)
    table = np.zeros((n, rule_games.GAME_COLUMNS), np.int64)
    cards = np.full((n, rule_games.CARDS), -1, np.int64)
    some, shown = table[played], cards[played]
    rule_games.play_contracts(places[played], contracts[played, :5], some, shown, shown.copy())
    kernel.announced_games(contracts[played], some)
    table[played], cards[played] = some, shown
    return Games(
        deals,
        seats,
        bids,
        declarer,
        contracts[:, kernel.C_GAME],
        contracts[:, kernel.C_HAND],
        contracts[:, kernel.C_OUVERT],
        contracts[:, kernel.C_ANNOUNCED],
        contracts[:, kernel.C_BID],
        places[:, 3],
        table[:, rule_games.G_EYES],
        table[:, rule_games.G_TRICKS],
        table[:, rule_games.G_WON],
        table[:, rule_games.G_VALUE],
        cards,
    )


def _put_otherwise(
    players: Sequence[Player], seats: IntArray, contracts: IntArray, bids: IntArray, places: IntArray, played: IntArray
) -> None:
    """Players whose style names a method of skat selection put by that, for the game they have chosen."""
    declarer = contracts[played, kernel.C_DECLARER]
    sits = seats[played, declarer]
    for number, player in enumerate(players):
        if player.style is None or player.style.putting in (BEST, RULE):
            continue
        rows = played[(sits == number) & (contracts[played, kernel.C_HAND] == 0)]
        if not len(rows):
            continue
        seat = contracts[rows, kernel.C_DECLARER]
        twelve = places[rows, seat] | places[rows, 3]
        choices = contracts[rows, kernel.C_GAME] + contracts[rows, kernel.C_OUVERT]
        selection = Selector(player.style.putting).select(
            Declarers(choices, twelve, seat, bids[rows]), np.random.default_rng(0)
        )
        places[rows, seat] = twelve & ~selection.puts
        places[rows, 3] = selection.puts


def rotated(deals: IntArray, teams: Sequence[int]) -> tuple[IntArray, IntArray]:
    """Every deal three times with the same cards and the players moved on by one seat: deals and seats."""
    seats = np.array([[teams[(seat + turn) % SEATS] for seat in range(SEATS)] for turn in range(ROTATIONS)], np.int64)
    return np.repeat(deals, ROTATIONS, axis=0), np.tile(seats, (len(deals), 1))
