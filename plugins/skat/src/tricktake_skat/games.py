"""Whole games in batches: bids, declarations and discards of bidders or rule players, cards by rule or by experts.

A batch is rows (``tricktake_skat.rows``): what is dealt and declared is filled in first, then the cards by the loop of
the core, then the score. A game depends on its deal and its players only.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from tricktake import batch
from tricktake.arrays import FloatArray, IntArray
from tricktake.batch import FACTS_MAX
from tricktake.deal import STREAM
from tricktake_skat._kernels import games as kernel
from tricktake_skat._kernels import rows as row_kernel
from tricktake_skat._kernels.bidding import SKATS
from tricktake_skat._kernels.cards import NULL
from tricktake_skat._kernels.skat import WIN
from tricktake_skat.bidding.evaluation import NO_SUMS, sums
from tricktake_skat.bidding.model import Model, learned, stacked
from tricktake_skat.bidding.style import BEST, DEFAULT, RULE, Style, rule_row
from tricktake_skat.contract import SkatContract
from tricktake_skat.deals import dealt
from tricktake_skat.deck import SEATS
from tricktake_skat.discard.features import Declarers
from tricktake_skat.discard.selection import Selector
from tricktake_skat.rows import DTYPE, RowArray, contract_in, game_rules
from tricktake_skat.scoring import GAMES_OF_SERIES, extended_seeger

if TYPE_CHECKING:
    from tricktake_skat.strategies.expert import Expert


ROTATIONS = 3


@frozen
class Player:
    """A style with a model, the shipped tables' unless given; ``style`` None is the rule player."""

    style: Style | None = DEFAULT
    model: Model | None = None


RULE_PLAYER = Player(None)


@frozen(eq=False)
class Games:
    """Games played. rows: (n,) see ``tricktake_skat.rows``. seats: (n, 3) number of the player on each seat.

    whys: (n, 30) number of the rule behind each card, -1 where nothing was played.
    """

    rows: RowArray
    seats: IntArray
    whys: IntArray

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def made(self) -> NDArray[np.bool_]:
        """Whether the declarer has 61 eyes or, in Null, no trick, whatever was bid and announced; (n,)."""
        return np.where(self.rows["game"] == NULL, self.rows["tricks"] == 0, self.rows["eyes"] >= WIN)

    def contract(self, i: int) -> SkatContract | None:
        """The contract of one game, None if it was passed in."""
        return contract_in(self.rows[i])

    def scores(self, players: int) -> FloatArray:
        """(n, players): what each game adds to the extended Seeger score of each player, summed over its seats."""
        found = np.zeros((len(self), players))
        value, index = self.rows["value"], np.arange(len(self))
        for seat in range(SEATS):
            own = np.where(self.rows["declarer"] == seat, value, 0)
            others = (value < 0) & (own == 0)
            found[index, self.seats[:, seat]] += extended_seeger(own, own > 0, own < 0, others)
        return found


def score36(games: Games) -> tuple[float, float]:
    """Score per player and 36 games, as if all seats were one player (SKAT-43), and its standard error."""
    each = games.scores(int(games.seats.max()) + 1).sum(axis=1) * GAMES_OF_SERIES / SEATS
    return float(each.mean()), float(each.std() / np.sqrt(len(each)))


# -- deals ------------------------------------------------------------------------------------------------------------


def dealt_rows(seed: int, first: int, n: int, stream: str = STREAM) -> RowArray:
    """Numbered deals (``deals.dealt``) as rows that say nothing else. Raises ValueError for negative numbers."""
    if seed < 0 or first < 0 or n < 0:
        raise ValueError("seed, first and n cannot be negative")
    return rows_of_deals(dealt(seed, first, n, stream), first)


def rows_of_deals(deals: IntArray, first: int = 0) -> RowArray:
    """Rows that say nothing but the deal, (n, 4), numbered from ``first``."""
    rows = np.zeros(len(deals), DTYPE)
    row_kernel.clear_all(rows)
    rows["id"] = np.arange(first, first + len(rows))
    rows["deal"] = deals
    return rows


def unplayed(rows: RowArray) -> RowArray:
    """A copy that knows deals, bids, contracts and skats, but not what was played."""
    again = rows_of_deals(rows["deal"])
    for name in ("id", "declarer", "game", "hand", "ouvert", "announced", "bid", "bids", "put"):
        again[name] = rows[name]
    return again


def rotated(deals: IntArray, teams: Sequence[int]) -> tuple[IntArray, IntArray]:
    """Every deal three times with the same cards and the players moved on by one seat: deals and seats."""
    seats = np.array([[teams[(seat + turn) % SEATS] for seat in range(SEATS)] for turn in range(ROTATIONS)], np.int64)
    return np.repeat(deals, ROTATIONS, axis=0), np.tile(seats, (len(deals), 1))


# -- the play ---------------------------------------------------------------------------------------------------------


def play_rows(
    rows: RowArray, policies: IntArray | None = None, data: IntArray | None = None, keys: IntArray | None = None
) -> IntArray:
    """Play the contracts of rows out and score them, in place; a card that is not -1 is played as it stands.

    policies, data: (n or 1, 3) addresses and numbers of policies (``tricktake.batch``); without them the rule player's.
    keys: (n,) numbers that a policy may draw by. Returns the numbers of the rules behind the cards, (n, 30).
    """
    row_kernel.begin_all(rows)
    played = np.flatnonzero(rows["declarer"] >= 0)
    some = rows[played]
    declarer, game, null = some["declarer"], some["game"], some["game"] == NULL
    facts = np.zeros((len(some), FACTS_MAX), np.int64)
    facts[:, 0], facts[:, 1] = game, declarer
    if keys is not None:
        facts[:, 2] = keys[played]
    known = np.zeros((len(some), SEATS), np.int64)
    known[np.arange(len(some)), declarer] = np.where(some["hand"] == 0, some["put"], 0)

    def of_played(array: IntArray | None, otherwise: int) -> IntArray:
        if array is None:
            return np.full((1, SEATS), otherwise)
        return array if len(array) == 1 else array[played]

    found = batch.play(
        game_rules(),
        game,
        some["hands"],
        of_played(policies, kernel.rule.address),
        data=of_played(data, 0),
        facts=facts,
        known=known,
        shown=some["ouvert"] << declarer,
        sides=null << declarer,  # in Null the declarer's first trick is the last
        given=some["cards"],
    )
    some["cards"], some["winners"] = found.cards, found.winners
    row_kernel.end_all(some)
    rows[played] = some
    whys = np.full((len(rows), row_kernel.CARDS), -1, np.int64)
    whys[played] = found.whys
    return whys


def play_bidders(players: Sequence[Player], deals: IntArray, seats: IntArray) -> Games:
    """Games of these players, cards played by rule. deals: (n, 4). seats: (n, 3) number of the player on each seat."""
    rows = rows_of_deals(deals)
    bid_rows(players, rows, seats)
    return Games(rows, seats, play_rows(rows))


def bid_rows(players: Sequence[Player], rows: RowArray, seats: IntArray, skats: int = SKATS) -> None:
    """Bid, declare and discard in the deals of rows, in place. skats: how many of the 231 a hand is weighed with; fewer
    are as much faster, for games to learn from.
    """
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
    kernel.bid_deals(sums() if models else NO_SUMS, stacked(models), np.stack(settings), seats, skats, rows)
    for number, player in enumerate(players):
        if player.style is None or player.style.putting in (BEST, RULE):
            continue
        # The style names a method of skat selection, for the game that was chosen.
        at = np.maximum(rows["declarer"], 0)
        sits = np.take_along_axis(seats, at[:, None], axis=1)[:, 0] == number
        mine = np.flatnonzero(sits & (rows["declarer"] >= 0) & (rows["hand"] == 0))
        if len(mine):
            some = rows[mine]
            twelve = some["deal"][np.arange(len(mine)), at[mine]] | some["deal"][:, 3]
            asked = Declarers(some["game"] + some["ouvert"], twelve, at[mine], some["bids"])
            rows["put"][mine] = Selector(player.style.putting).select(asked, np.random.default_rng(0)).discards


def play_games(seed: int, first_id: int, n: int) -> Games:
    """``n`` whole games of three rule players, numbered from ``first_id``; a game depends on ``seed`` and its number.

    Raises ValueError for negative numbers.
    """
    return _by_rule(dealt_rows(seed, first_id, n))


def play_deals(deals: IntArray) -> Games:
    """Whole games of three rule players with given deals, shape (n, 4)."""
    return _by_rule(rows_of_deals(deals))


def _by_rule(rows: RowArray) -> Games:
    seats = np.zeros((len(rows), SEATS), np.int64)
    bid_rows([RULE_PLAYER], rows, seats)
    return Games(rows, seats, play_rows(rows))


def play_contracts(rows: RowArray, declarer: Expert | None = None, defenders: Expert | None = None) -> Games:
    """Play given contracts, each side by an expert or, for None, by the rule player.

    rows: deals, contracts, bids and skats; not changed.
    """
    rows, on = unplayed(rows), []
    for side in (declarer, defenders):
        on.append((kernel.rule.address, 0) if side is None else (kernel.expert.address, side.on))
    declares = np.arange(SEATS) == rows["declarer"][:, None]
    whys = play_rows(rows, *(np.where(declares, first, others) for first, others in zip(*on, strict=True)))
    return Games(rows, np.zeros((len(rows), SEATS), np.int64), whys)
