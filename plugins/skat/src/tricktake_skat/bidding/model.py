"""Chances of winning as dense arrays, made of learned tables (OUTER-3, 4, 17, 19): what the evaluation looks into.

Tables know little of hands nobody plays, and the best of 66 discards and seven games finds every bucket that is too
good to be true. So two more things are fitted, each by the experiment ``bidding.NAME`` into ``NAME.json``:

- ``prior``: the chance of a cell starts from a logistic regression on the same features (the papers' GLEM, KERMIT-1),
  fitted to games that even weak hands were made to play.
- ``calibration``: the best of many estimates is too good on average, so chances are set right by games of the bidder
  itself: log odds of suit games and grands become a + b log odds, the product of a Null is raised to a power.

``schneider`` counts how often a won game is won with Schneider, by the tricks expected to be lost.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from attrs import evolve, field, frozen
from numpy.typing import NDArray

from tricktake.arrays import FloatArray, IntArray
from tricktake.errors import InputError
from tricktake.learning import LearnedTable, find_table
from tricktake.learning.smooth import dense
from tricktake.policy.policy import Family
from tricktake.settings import json_of
from tricktake_skat._kernels import bidding as kernel
from tricktake_skat._kernels.features_null import CONFIG
from tricktake_skat.bidding.evaluation import blocks
from tricktake_skat.bidding.value import DEFAULT as VALUES
from tricktake_skat.bidding.value import find_values, packed_values
from tricktake_skat.questions.cuts import BID_CUTS, SKAT_CUTS
from tricktake_skat.questions.declarer import GRAND_GAME, SUIT
from tricktake_skat.winning import NULL, null_array

Weights = Mapping[str, FloatArray]

HERE = Path(__file__).parent  # the folder of what is fitted besides
PRIOR, CALIBRATION, SCHNEIDER_FILE = (HERE / f"{name}.json" for name in ("prior", "calibration", "schneider"))
QUESTIONS = {"suit": SUIT, "grand": GRAND_GAME}
# Tables of suit games, grand and Null, value networks, and the folder of what is fitted besides ("": ``HERE``).
SHIPPED = (SUIT.name, GRAND_GAME.name, NULL, VALUES, "")
FLOOR = -4.0  # least log odds of a hand that is made to play for the prior
EDGE = 1e-4  # chances are kept so far from 0 and 1
# Grands from the hand are won less often than their cards with every skat say (95.7 % expected, 91.1 % of 1,703 won,
# seed 21, games by rule), suit games are not (86.6 and 86.1 % of 800).
GRAND_HAND = 0.953  # 91.1 / 95.7

NULLS = (4, 2, 3, 256)  # kinds, leads, puts, configurations
KAPPA = 50.0  # games the prior counts for
BIDS = len(BID_CUTS) + 1  # groups of the others' bids
LOST, SKAT = 16, 4  # cells of a block: lost, skat group, then free suits, tens and aces as they stand in a code
GROUPS = np.searchsorted(SKAT_CUTS, np.arange(32), side="right").astype(np.int64)


@cache
def _stored(file: Path) -> dict[str, Any]:
    found = json_of(file)
    if not isinstance(found, dict):
        raise InputError(file, None, None, "must be an object")
    return found


@cache
def prior(folder: Path = HERE) -> Mapping[str, Weights]:
    """By question ("suit", "grand") and feature: log odds of each value, the constant under "one"."""
    stored = _stored(folder / PRIOR.name)["weights"]
    return {name: {f: np.array(w) for f, w in stored[name].items()} for name in QUESTIONS}


def schneider(folder: Path = HERE) -> FloatArray:
    """Share of won suit games and grands with Schneider, by tricks lost: (2, 11)."""
    return np.array([_stored(folder / SCHNEIDER_FILE.name)[name] for name in QUESTIONS])


@frozen(eq=False)
class Model:
    """Chances by cell (see ``_kernels.bidding``). suit: (1, bid groups, cells), grand: (3, bid groups, cells), float32;
    nulls: (kinds, leads, puts, 256) by the eight deck bits of a suit; schneider: (2, 11) share of won suit and grand
    games with Schneider, by tricks lost; by_hand: (2,) what is left of a chance from the hand. value: networks that
    judge what the tables chose, by ``bidding.value``.
    """

    suit: NDArray[np.float32]
    grand: NDArray[np.float32]
    nulls: FloatArray
    schneider: FloatArray
    by_hand: FloatArray = field(factory=lambda: np.ones(2))
    value: Family | None = None

    @classmethod
    def of_tables(
        cls, suit: LearnedTable, grand: LearnedTable, nulls: FloatArray, kappa: float = KAPPA, folder: Path = HERE
    ) -> Model:
        """From tables of the questions ``skat:suit`` and ``skat:grand`` and the array of a Null table.

        nulls: (4 kinds, 2 leads, 3 puts, 256 configurations). kappa: games the prior counts for, above 0. folder: of
        prior and odds of Schneider.
        """
        weights = prior(folder)
        return cls(
            _cells(suit, weights["suit"], suit_axes(), kappa)[None],
            np.stack([_cells(grand, weights["grand"], grand_axes(position), kappa) for position in range(3)]),
            np.ascontiguousarray(nulls[..., CONFIG]),
            schneider(folder),
        )

    def calibrated(self, folder: Path = HERE) -> Model:
        """The model with chances as the bidder's own games bear them out. folder: of the calibration."""
        # "suit" and "grand": a and b; "null", "ouvert": a power; "grand-hand": a factor
        fitted = _stored(folder / CALIBRATION.name)
        powers = [fitted["null"], fitted["null"], fitted["ouvert"], fitted["ouvert"]]
        return evolve(
            self,
            suit=_line(self.suit, *fitted["suit"]),
            grand=_line(self.grand, *fitted["grand"]),
            by_hand=np.array([1.0, fitted["grand-hand"]]),
            nulls=self.nulls ** np.array(powers)[:, None, None, None],
        )


def _line(chance: NDArray[np.float32], a: float, b: float) -> NDArray[np.float32]:
    inside = np.clip(chance, EDGE, 1 - EDGE)
    odds: NDArray[np.float32] = np.log(inside / (1 - inside))
    return (1 / (1 + np.exp(-(np.float32(a) + np.float32(b) * odds)))).astype(np.float32)


def stacked(models: Sequence[Model]) -> kernel.Chances:
    """Several models, or none, for the kernels."""

    def of_all(name: str) -> NDArray[Any]:
        return np.stack([getattr(model, name) for model in models or [_nobody()]])[: len(models)]

    suit, grand, nulls = of_all("suit"), of_all("grand"), of_all("nulls")
    values = packed_values([model.value for model in models])
    return kernel.Chances(suit, grand, nulls, of_all("schneider"), of_all("by_hand"), values, GROUPS, BID_CUTS)


def _nobody() -> Model:
    cells = np.zeros((1, BIDS, 0), np.float32)
    return Model(cells, cells, np.zeros(NULLS), schneider())


def null_chances(name: str = NULL) -> FloatArray:
    """``null_array``; where no plugin answers ``skat:null`` no Null is thought to be won."""
    found = null_array(name)
    return np.zeros(NULLS) if found is None else found


def raw(
    kappa: float = KAPPA,
    suit: str = SHIPPED[0],
    grand: str = SHIPPED[1],
    null: str = SHIPPED[2],
    folder: Path = HERE,
) -> Model:
    """The model of tables by registered name or file, as they are. folder: of what is fitted besides. Raises
    InputError, UnknownName.
    """
    return Model.of_tables(find_table(suit, SUIT), find_table(grand, GRAND_GAME), null_chances(null), kappa, folder)


def learned(
    suit: str = SHIPPED[0],
    grand: str = SHIPPED[1],
    null: str = SHIPPED[2],
    value: str = SHIPPED[3],
    fitted: str = SHIPPED[4],
) -> Model:
    """What the bidder goes by: tables, calibrated, and value networks ("": none), by registered name or file.

    fitted: folder of ``prior.json``, ``calibration.json`` and ``schneider.json``, "" for those that come along. Raises
    InputError, UnknownName.
    """
    return _learned(suit, grand, null, value, fitted)


@cache
def _learned(suit: str, grand: str, null: str, value: str, fitted: str) -> Model:
    folder = Path(fitted) if fitted else HERE
    try:
        tables = raw(KAPPA, suit, grand, null, folder).calibrated(folder)
    except KeyError as error:
        raise InputError(fitted, None, None, f"its files lack {error}") from None
    return evolve(tables, value=find_values(value) if value else None)


# -- cells ------------------------------------------------------------------------------------------------------------

Axes = Mapping[str, IntArray]


def suit_axes() -> Axes:
    """The features of each cell of a suit game but the bid, broadcast over (block, lost, skat, free, tens, aces)."""
    names = np.array(blocks()[1], np.int64)
    return {
        "trumps": _axis(names[:, 0], 0, 6),
        "jacks": _axis(names[:, 1], 0, 6),
        "tenaces": _axis(names[:, 2], 0, 6),
        "lost": _axis(np.minimum(np.arange(LOST), 10), 1, 6),
        "skat": _axis(np.arange(SKAT), 2, 6),
        "free_suits": _axis(np.arange(4), 3, 6),
        "tens": _axis(np.arange(4), 4, 6),
        "aces": _axis(np.arange(4), 5, 6),
    }


def grand_axes(position: int) -> Axes:
    """The same for a grand: (jack group, lost, skat, tens, aces)."""
    return {
        "jacks": _axis(np.arange(11), 0, 5),
        "lost": _axis(np.minimum(np.arange(LOST), 10), 1, 5),
        "skat": _axis(np.arange(SKAT), 2, 5),
        "tens": _axis(np.minimum(np.arange(8), 4), 3, 5),
        "aces": _axis(np.minimum(np.arange(8), 4), 4, 5),
        "position": _axis(np.array([position]), 0, 5),
    }


def _axis(values: IntArray, axis: int, axes: int) -> IntArray:
    shape = [1] * axes
    shape[axis] = len(values)
    return values.reshape(shape)


def _cells(table: LearnedTable, start: Weights, axes: Axes, kappa: float) -> NDArray[np.float32]:
    """(bid groups, cells) chances: what the table has counted, with the prior as if it were kappa games."""
    return np.stack([dense(table, start, {**axes, "bid": np.array(bid)}, kappa).ravel() for bid in range(BIDS)])
