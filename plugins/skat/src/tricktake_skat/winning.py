"""How likely a game is to be won, by the learned tables: for bidding and for discards (KBPS-1, SKAT-16).

>>> from tricktake_skat.winning import winning
>>> winning().chance(own, put, "C", seat=0, bid=18)   # ten cards, the two discarded, clubs, forehand, others bid 18

In a kernel: ``win_chance(winning().arrays, ...)`` of ``tricktake_skat._kernels.winning``. The tables are smoothed: a
bucket is drawn towards what fewer features say, the more so the fewer games it has (``smoothed``).
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from attrs import frozen

from tricktake.arrays import FloatArray, IntArray
from tricktake.errors import InputError
from tricktake.learning import LearnedTable, find_table
from tricktake.learning.smooth import smoothed, with_unknown
from tricktake.learning.tablefile import SUFFIX
from tricktake.settings import names_file
from tricktake_skat._kernels import winning as kernel
from tricktake_skat._kernels.features import UNKNOWN_BID
from tricktake_skat._kernels.features_null import CONFIGS, PUTS
from tricktake_skat.contract import GAMES
from tricktake_skat.questions.cuts import BID_CUTS, SKAT_CUTS
from tricktake_skat.questions.declarer import EXPECTED, GRAND_GAME, SUIT

KAPPA = 5.0  # games a background's estimate counts for: best Brier score of 1 to 40 (docs/results.md)
NULL = "skat:null"  # the question how likely a Null is won; some plugin may have registered an answer


class Arrays(NamedTuple):
    """What kernels take. suit, grand: ``LearnedTable.arrays()``. null: (4, 2, 3, 256), empty if there is none."""

    suit: Any
    grand: Any
    null: FloatArray
    expected: IntArray
    bid_cuts: IntArray
    skat_cuts: IntArray


@frozen(eq=False)
class Winning:
    """Winning probabilities of all games."""

    arrays: Arrays

    def chance(
        self,
        own: int,
        put: int = 0,
        game: str = "G",
        *,
        seat: int,
        hand: bool = False,
        ouvert: bool = False,
        bid: int = -1,
    ) -> float:
        """How likely ``seat`` wins ``game`` (C, S, H, D, G or N), -1.0 if nothing is known.

        own: ten cards (mask). put: the two cards discarded, 0 if the skat is unknown. bid: strongest bid of the two
        others, 0 if both passed, -1 unknown. Suit and grand are meant plain: 61 eyes. Raises ValueError for other
        arguments.
        """
        if own.bit_count() != 10 or put.bit_count() not in (0, 2) or own & put or not 0 <= (own | put) < 1 << 32:
            raise ValueError(f"{own:#x} and {put:#x} are not ten cards and two others")
        if len(game) != 1 or game not in GAMES or seat not in (0, 1, 2) or bid < -1:
            raise ValueError(f"no game {game!r} of seat {seat} against a bid of {bid}")
        row = (GAMES.index(game), int(hand), int(ouvert), own, put, seat, bid)
        return float(self.chances(np.array([row], np.int64))[0])

    def chances(self, questions: IntArray) -> FloatArray:
        """``chance`` of many, shape (n, 7): game (0 to 3 suits, 4 grand, 5 Null), hand, ouvert, own, put, seat, bid.

        Nothing is checked.
        """
        out = np.empty(len(questions))
        kernel.win_chances(self.arrays, questions, np.zeros(kernel.LONGEST, np.int64), out)
        return out


def made_of(suit: LearnedTable, grand: LearnedTable, null: FloatArray | None = None, kappa: float = KAPPA) -> Winning:
    """Winning probabilities of tables of ``skat:suit`` and ``skat:grand``, and of Null (``NullTable.array``)."""
    suits, grands = (smoothed(with_unknown(table, "bid", UNKNOWN_BID), kappa).arrays() for table in (suit, grand))
    nulls = np.zeros((0, 2, PUTS, CONFIGS)) if null is None else null
    return Winning(Arrays(suits, grands, nulls, EXPECTED, BID_CUTS, SKAT_CUTS))


@cache
def winning(suit: str = "skat:suit", grand: str = "skat:grand", null: str | None = NULL) -> Winning:
    """Winning probabilities of registered tables or table files. ``null``: none, a registered ``NullTable``, or
    the question that one answers.

    Where no plugin answers it, nothing is known of Null. Raises UnknownName, InputError.
    """
    return made_of(find_table(suit, SUIT), find_table(grand, GRAND_GAME), None if null is None else null_array(null))


def null_array(name: str = NULL) -> FloatArray | None:
    """The array of a registered ``NullTable``, of the first that answers the question of this name, or of a file (a
    name with a / or ending in .table) of the kind that answers ``NULL``.

    None if no plugin answers ``NULL``. Raises UnknownName for another name that is not registered, InputError.
    """
    from tricktake.plugins import manager

    tables = manager().tables
    if names_file(name, SUFFIX):
        answers = tables.answering(NULL)
        if not answers:
            raise InputError(name, None, None, f"no plugin that answers {NULL} is there to read it")
        return np.asarray(tables.get(answers[0]).read(name).array)
    found = tables.answering(name)
    if not found and name == NULL:
        return None
    array: FloatArray = tables.get(found[0] if found else name).array
    return array
