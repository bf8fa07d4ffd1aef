"""Correcting Skat's series points for luck (ELO-11 to 16): strong hands and high games.

The factors, applied to the value of a game in the order they are given; the 50 and 40 points of Seeger and Fabian are
added afterwards:

* ``win``, ``stegen``, ``kinback`` (factor 1): the value is divided by q, the strength of the declarer's hand over the
  mean strength in its kind of game, clipped to 0.5 .. 2. Printed is also "s' = c s"; only division agrees with the
  printed program and both examples (ELO-14).
* ``flat`` (factor 2): the value is the mean value of all games. ``flat`` before ``win`` is the printed order and gives
  mean / q; ``flat`` last undoes what came before it.
* ``sure`` leaves out games that were as good as won from the start (ELO-13): they count as if nobody had bid.
* ``deal`` is ours: what three equal players would on average score with the ten cards a seat was dealt is taken off its
  points. That says nothing of who plays, so no skill is corrected away; in the mean of all deals it is 0.

Strength is that of ten cards and the two discarded, as a chance to win estimated by the rule player's weights; for hand
games that of the ten cards dealt. Null hands are not counted by von Stegen and Kinback: q is 1.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar, Literal

import numpy as np
from attrs import field, frozen

from tricktake.arrays import FloatArray, IntArray
from tricktake.errors import InputError
from tricktake.game import Game
from tricktake.ratings.luck import Luck, Played
from tricktake.ratings.system import number
from tricktake.spec import Spec
from tricktake.strategies.options import one_of
from tricktake_skat._kernels import luck as kernel
from tricktake_skat._kernels import rows as row_kernel
from tricktake_skat._kernels.cards import NULL
from tricktake_skat.contract import SkatContract
from tricktake_skat.deck import SEATS, SKAT_PLACE
from tricktake_skat.game import SkatGame
from tricktake_skat.games import Games, rows_of_deals
from tricktake_skat.rows import RowArray, set_contract
from tricktake_skat.scoring import BONUS, OTHERS_BONUS
from tricktake_skat.series import ROUNDS

CLIP = (0.5, 2.0)  # of q (ELO-11)
KINDS = ("suit", "grand", "N", "NH", "NO", "NHO")
FILE = Path(__file__).with_name("luck.json")

# Percent of games won, by kind, of 83,844 games of experts (published: ELO-12).
PRINTED_NORMAL = (80.4, 93.4, 62.0, 71.1, 90.0, 94.5)

# The same of games of three rule players, who play no Null from the hand and more grands than people do, the mean value
# of these games, and mean strengths by count: experiment ``luck.constants``.
_OWN = json.loads(FILE.read_text(encoding="utf-8"))
OWN_NORMAL, TABLE_NORMAL = tuple(_OWN["win"]), tuple(_OWN["table"])
STEGEN_NORMAL, KINBACK_NORMAL = tuple(_OWN["stegen"]), tuple(_OWN["kinback"])
OWN_VALUE: float = _OWN["value"]

# Mean points of a seat by the log odds x of the best game its ten cards are good for, less the mean of all deals:
# weights of 1, x and of what x exceeds each knot by, for forehand, middlehand and rearhand (same games).
KNOTS = tuple(_OWN["knots"])
DEAL_WEIGHTS = np.array(_OWN["deal"])


@frozen(eq=False)
class Declared:
    """Games that luck is judged by.

    rows: (n,) of ``tricktake_skat.rows``; the deal, the contract and the declarer's cards count. value: (n,) signed as
    won or lost, not doubled, 0 for a deal that was passed in.
    """

    rows: RowArray
    value: IntArray

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def seat(self) -> IntArray:
        """The declarers, -1 for a deal that was passed in."""
        seats: IntArray = self.rows["declarer"]
        return seats

    @property
    def kind(self) -> IntArray:
        """Number among ``KINDS``."""
        game = self.rows["game"]
        return np.where(game < NULL, np.maximum(game - 3, 0), 2 + self.rows["hand"] + 2 * self.rows["ouvert"])

    def strength(self, measure: int) -> FloatArray:
        """How strong the declarer's hand was, as ``_kernels.luck`` measures; nan where it has nothing to say."""
        out = np.zeros(len(self))
        kernel.strengths(measure, self.rows, out)
        return out

    def by_table(self) -> FloatArray:
        """Chances to win in percent by the learned tables; nan where they know nothing."""
        from tricktake_skat.winning import winning

        there = self.rows[self.seat >= 0]
        put, bid = np.where(there["hand"] > 0, 0, there["put"]), np.full(len(there), -1)
        columns = [there[name] for name in ("game", "hand", "ouvert", "own")]
        questions = np.stack([*columns, put, there["declarer"], bid], axis=1)
        chances = np.full(len(self), -1.0)
        chances[self.seat >= 0] = winning().chances(questions)
        return np.where(chances < 0, np.nan, 100 * chances)

    @classmethod
    def of_games(cls, games: Games) -> Declared:
        """The games of a batch."""
        value = games.rows["value"]
        return cls(games.rows, np.where(value < 0, value // 2, value))

    @classmethod
    def of_records(cls, played: Sequence[Played]) -> Declared:
        """Recorded games. Raises InputError naming a record whose hands are not known."""
        rows = rows_of_deals(np.array([p.record.deal.masks for p in played], np.int64).reshape(-1, SEATS + 1))
        value = np.zeros(len(rows), np.int64)
        for i, p in enumerate(played):
            contract = p.record.contract
            if isinstance(contract, SkatContract):
                set_contract(rows[i], contract)
                rows["put"][i] = p.record.deal_at_play.masks[SKAT_PLACE]
                points = p.score.points[contract.declarer]
                value[i] = points if points > 0 else points // 2
        row_kernel.begin_all(rows)
        return cls(rows, value)


# -- factors ----------------------------------------------------------------------------------------------------------


_ABOVE_0 = number(0.0, above=True)
By = Literal["rule", "table"]
Normal = Literal["own", "printed"]
Lost = Literal["divide", "multiply"]


@frozen
class Flat:
    """Every game is worth ``value`` (ELO-16). The default is the mean of our players; people's is 41."""

    value: float = field(default=OWN_VALUE, validator=_ABOVE_0)

    def apply(self, values: FloatArray, games: Declared) -> FloatArray:
        return np.where(values != 0, np.sign(values) * self.value, 0.0)


@frozen
class Strong:
    """Values divided by q, strength over mean strength of the kind, clipped (ELO-11, 13).

    by: a chance to win is estimated by the "rule" player's hand evaluation or by the learned "table".
    normal: "own" means of our players' games, or those "printed" (chances to win only). lost: "divide" a lost game
    by q too, as printed, which forgives the loss of a strong hand; "multiply" is the other way round.
    """

    measure: int
    by: By = field(default="rule", validator=one_of(By))
    normal: Normal = field(default="own", validator=one_of(Normal))
    lost: Lost = field(default="divide", validator=one_of(Lost))
    low: float = field(default=CLIP[0], validator=_ABOVE_0)
    high: float = field(default=CLIP[1], validator=_ABOVE_0)

    def __attrs_post_init__(self) -> None:
        if self.measure != kernel.WIN and (self.normal, self.by) != ("own", "rule"):
            raise InputError(None, None, "luck normal", "counted hands have neither tables nor printed means")

    def quotients(self, games: Declared) -> FloatArray:
        """The q of each game."""
        own = TABLE_NORMAL if self.by == "table" else OWN_NORMAL
        means = {kernel.WIN: own, kernel.STEGEN: STEGEN_NORMAL, kernel.KINBACK: KINBACK_NORMAL}[self.measure]
        normal = np.ones(len(KINDS))
        chosen = PRINTED_NORMAL if self.normal == "printed" else means
        normal[: len(chosen)] = chosen
        strength = games.by_table() if self.by == "table" else games.strength(self.measure)
        q = strength / normal[games.kind]
        return np.clip(np.where(np.isnan(q), 1.0, q), self.low, self.high)

    def apply(self, values: FloatArray, games: Declared) -> FloatArray:
        q = self.quotients(games)
        return np.where((values < 0) & (self.lost == "multiply"), values * q, values / q)


@frozen
class Sure:
    """Games left out whose declarer was to win with a chance of at least ``limit`` percent (ELO-13).

    by: as of ``Strong``; where a table knows nothing the game counts.
    """

    limit: float = field(default=99.0, validator=_ABOVE_0)
    by: By = field(default="rule", validator=one_of(By))

    def apply(self, values: FloatArray, games: Declared) -> FloatArray:
        chances = games.by_table() if self.by == "table" else games.strength(kernel.WIN)
        return np.where(chances >= self.limit, 0.0, values)


def deal_terms(dealt: IntArray) -> FloatArray:
    """What is known of the points that hands are worth, ``deal_basis`` of each: (n, 3, 2 + knots) for (n, 3) masks."""
    odds = np.zeros((SEATS, len(dealt)))
    for seat in range(SEATS):
        kernel.best_odds(np.ascontiguousarray(dealt[:, seat]), np.full(len(dealt), seat, np.int64), odds[seat])
    return np.stack([deal_basis(row) for row in odds], axis=1)


def deal_points(dealt: IntArray) -> FloatArray:
    """What three equal players score with these hands, less the mean of all deals: (n, 3) for (n, 3) masks."""
    terms = deal_terms(dealt)
    return np.stack([terms[:, seat] @ DEAL_WEIGHTS[seat] for seat in range(SEATS)], axis=1)


class DealtHands:
    """A control of tournaments: the terms of the factor ``deal`` without their weights, which the scores tell."""

    def values(self, game: Game, masks: IntArray, boards: IntArray) -> FloatArray:
        """Log odds of the best game of the ten cards, and what they exceed each knot by: (n, 3, 1 + knots)."""
        return deal_terms(masks)[:, :, 1:]


def deal_basis(odds: FloatArray) -> FloatArray:
    """1, the log odds, and what they exceed each knot by: (n, 2 + knots)."""
    return np.stack([np.ones(len(odds)), odds, *(np.maximum(odds - knot, 0.0) for knot in KNOTS)], axis=1)


_MEASURES = {"win": kernel.WIN, "stegen": kernel.STEGEN, "kinback": kernel.KINBACK}


def _factor(text: str) -> Flat | Strong | Sure | None:
    """A factor on values; None for ``deal``, which is none. Raises InputError."""
    spec = Spec.from_text(text, "luck", "win(lost=multiply)")
    try:
        if spec.name == "flat":
            return Flat(**dict(spec.options))  # type: ignore[arg-type]
        if spec.name == "sure":
            return Sure(**dict(spec.options))  # type: ignore[arg-type]
        if spec.name in _MEASURES:
            return Strong(_MEASURES[spec.name], **dict(spec.options))  # type: ignore[arg-type]
    except TypeError as error:
        raise InputError(None, None, f"luck {spec.name}", str(error).partition("() ")[2]) from None
    if spec.name == "deal" and not spec.options:
        return None
    raise InputError(None, None, "luck", f"unknown factor {text!r}; known: {', '.join(SkatLuck.known)}")


class SkatLuck(Luck):
    """Extended Seeger-Fabian points of the seats (and of the player who sits out at a table of four), corrected."""

    known: ClassVar[tuple[str, ...]] = ("win", "stegen", "kinback", "flat", "sure", "deal")

    def __init__(self, factors: tuple[str, ...] = ()) -> None:
        self.factors = factors
        chosen = [_factor(text) for text in factors]
        self.on_values = [factor for factor in chosen if factor is not None]
        self.by_deal = None in chosen

    def chairs(self, game: Game) -> int:
        return game.players if isinstance(game, SkatGame) else SEATS

    def length(self, game: Game) -> int:
        return ROUNDS * self.chairs(game)

    def points(self, game: Game, played: Sequence[Played]) -> tuple[FloatArray, FloatArray]:
        return self.corrected(Declared.of_records(played), self.chairs(game))

    def corrected(self, games: Declared, players: int = SEATS) -> tuple[FloatArray, FloatArray]:
        """Points and the value in them, (n, players); of four players the last one sits out."""
        values = games.value.astype(np.float64)
        for factor in self.on_values:
            values = factor.apply(values, games)
        n = len(games)
        scores, worth = np.zeros((n, players)), np.zeros((n, players))
        lost = values < 0
        scores[lost] = OTHERS_BONUS[players]
        rows = np.flatnonzero(games.seat >= 0)
        seats, own = games.seat[rows], np.where(lost, 2 * values, values)[rows]
        worth[rows, seats] = own
        scores[rows, seats] = own + np.sign(own) * BONUS
        if self.by_deal:
            scores[:, :SEATS] -= deal_points(games.rows["deal"][:, :SEATS])
        return scores, worth
