"""Self-play as rows: the rule player's own games, and games it is made to play so that tables know weak hands too.

A table learned only from games that were bid believes every hand to be good (selection). So of the deals of a seed
some are bid as usual, and for the others a kind of game is drawn and the first seat must play it whose hand has log
odds above a floor, whatever the bidding would have said; now and then two cards are discarded at random.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from tricktake.deal import STREAM
from tricktake.learning import LearnedTable
from tricktake.search.opencard import Solver
from tricktake.search.positions import Positions
from tricktake.trick import TrickState
from tricktake_skat._kernels import rows_explore
from tricktake_skat._kernels.cards import NULL
from tricktake_skat.bidding.style import BEST, Style
from tricktake_skat.contract import GAMES, SkatContract
from tricktake_skat.deck import SEATS, eyes
from tricktake_skat.games import RULE_PLAYER, Player, bid_rows, dealt_rows
from tricktake_skat.policy_rows import play_by
from tricktake_skat.rows import RowArray
from tricktake_skat.rules import WIN, skat_rules

if TYPE_CHECKING:
    from tricktake.policy.policy import Policy
    from tricktake_skat.bidding.model import Model

KINDS = {
    "suit": rows_explore.SUIT,
    "grand": rows_explore.GRAND_GAME,
    "N": rows_explore.NULL_PLAIN,
    "NO": rows_explore.NULL_OPEN,
    "NH": rows_explore.NULL_HAND,
    "NHO": rows_explore.NULL_HAND_OPEN,
    "suit-hand": rows_explore.SUIT_HAND,
    "grand-hand": rows_explore.GRAND_HAND,
}
"""The kinds of games that can be forced on a hand."""


@frozen
class Exploration:
    """Which games are forced. kinds: drawn evenly, so that one named twice comes twice as often. floor: least log odds
    of a forced hand. random_puts: one discard in so many is drawn at random, 0 for none.
    """

    kinds: tuple[str, ...] = ("suit", "suit", "suit", "grand", "grand", "N", "NO", "NH", "NHO")
    floor: float = -1.0
    random_puts: int = 4


EXPLORATION = Exploration()
EVERY = 2  # one deal in so many is explored in ``play``
ASKED = 64  # one deal in so many is bid by the tables, where a policy plays the cards


def explored(
    seed: int,
    first: int,
    n: int,
    how: Exploration = EXPLORATION,
    stream: str = STREAM,
    policy: Policy | None = None,
) -> RowArray:
    """The forced games of deals ``first`` to ``first + n - 1`` of a seed; deals nobody can be made to play pass.

    stream: of deals (``deals.dealt``). policy: plays the cards; None for the rule player. Raises ValueError for
    negative numbers, KeyError for a kind not in ``KINDS``.
    """
    rows = dealt_rows(seed, first, n, stream)
    _explore(seed, rows, how)
    play_by(policy, rows)
    return rows


def _explore(seed: int, rows: RowArray, how: Exploration = EXPLORATION) -> None:
    """Who has to play what of rows that say nothing but the deal, in place."""
    kinds = np.array([KINDS[kind] for kind in how.kinds], np.int64)
    rows_explore.explore(seed, kinds, how.floor, how.random_puts, rows)


def play(
    seed: int,
    first: int,
    n: int,
    tables: Mapping[str, Any] | None = None,
    stream: str = STREAM,
    policy: Policy | None = None,
) -> RowArray:
    """Self-play for learning: every second deal of a seed (``EVERY``) is explored, the others are bid.

    tables: with ``skat:suit`` and ``skat:grand`` among them three ``skat:bidder`` of these tables bid and discard what
    is likeliest to win, else three rule players. policy: plays the cards, and then one deal in ``ASKED`` alone is bid
    by the tables, since they take far longer than the cards; None for the rule player. Null ouvert is judged with open
    cards (``solve_open``). stream: of deals (``deals.dealt``). Raises ValueError for negative numbers.
    """
    rows = dealt_rows(seed, first, n, stream)
    bid, asked = rows["id"] % EVERY != 1, np.zeros(n, np.bool_)
    if tables is not None and {"skat:suit", "skat:grand"} <= tables.keys():
        asked = bid if policy is None else bid & (rows["id"] % ASKED == 0)
    forced = rows[~bid]
    _explore(seed, forced)
    rows[~bid] = forced
    _bid(RULE_PLAYER, rows, bid & ~asked)
    if asked.any():
        assert tables is not None
        _bid(Player(Style(putting=BEST), _model(tables["skat:suit"], tables["skat:grand"])), rows, asked)
    play_by(policy, rows)
    solve_open(rows)
    return rows


def _bid(player: Player, rows: RowArray, which: NDArray[np.bool_]) -> None:
    """Let three of a player bid some of the rows, in place."""
    some = rows[which]
    bid_rows([player], some, np.zeros((len(some), SEATS), np.int64))
    rows[which] = some


_last: list[tuple[LearnedTable, LearnedTable, Model]] = []  # a loop asks the same tables many times


def _model(suit: LearnedTable, grand: LearnedTable) -> Model:
    """The chances of these tables, set right as those that come along are; the Null table is that one."""
    from tricktake_skat.bidding.model import Model, null_chances

    if not _last or _last[0][0] is not suit or _last[0][1] is not grand:
        _last[:] = [(suit, grand, Model.of_tables(suit, grand, null_chances()).calibrated())]
    return _last[0][2]


def solve_open(rows: RowArray) -> None:
    """Let the open-card solver say how every Null ouvert ends, and forget how it was played.

    All see the declarer's cards; how weakly the rule player defends such a game says nothing of the hand.
    """
    index = np.flatnonzero((rows["game"] == NULL) & (rows["ouvert"] == 1))
    part = rows[index]
    part["won"] = open_card(part)
    part["tricks"] = 1 - part["won"]
    part["cards"], part["winners"] = -1, -1
    rows[index] = part


def open_card(rows: RowArray, megabytes: int = 256) -> NDArray[np.int64]:
    """Whether the declarer wins with all cards open: 1, 0, and -1 for a deal that was passed in (OUTER-20)."""
    found = np.full(len(rows), -1, np.int64)
    for null, index, positions in _openings(rows):
        least = 1 if null else WIN
        reached = _solver(megabytes).batch(positions, "win", threshold=least).at_least(least)
        found[index] = ~reached if null else reached
    return found


def open_eyes(rows: RowArray, megabytes: int = 256) -> NDArray[np.int64]:
    """The declarer's eyes with all cards open, discarded ones counted: -1 for Null and deals that were passed in."""
    found = np.full(len(rows), -1, np.int64)
    for null, index, positions in _openings(rows):
        if not null:
            found[index] = _solver(megabytes).batch(positions, "value").value
    return found


def _openings(rows: RowArray) -> Iterator[tuple[bool, NDArray[np.int64], Positions]]:
    """Positions at the first trick by game and declarer, for the declarer: whether it is Null, and numbers of rows."""
    for game, declarer in product(range(len(GAMES)), range(SEATS)):
        index = np.flatnonzero((rows["game"] == game) & (rows["declarer"] == declarer))
        if not len(index):
            continue
        rules = skat_rules(SkatContract(declarer, GAMES[game]))
        null = game == NULL
        discards = [0 if null else eyes(put) for put in rows["put"][index].tolist()]
        taken = [tuple(put if seat == declarer else 0 for seat in range(SEATS)) for put in discards]
        hands = rows["hands"][index].tolist()
        states = [TrickState(rules, held, credit=credit) for held, credit in zip(hands, taken, strict=True)]
        yield null, index, Positions.from_states(states, 1 << declarer)


@cache
def _solver(megabytes: int) -> Solver:
    return Solver(megabytes)
