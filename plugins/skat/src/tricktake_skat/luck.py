"""Correcting Skat's series points for luck (ELO-11 to 16): strong hands and high games.

The factors, applied to the value of a game in the order they are given; the 50 and 40 points of Seeger and Fabian are
added afterwards:

* ``win``, ``stegen``, ``kinback`` (factor 1): the value is divided by q, the strength of the declarer's hand over the
  mean strength in its kind of game, clipped to 0.5 .. 2. Printed is also "s' = c s"; only division agrees with the
  printed program and both examples (ELO-14).
* ``flat`` (factor 2): the value is the mean value of all games. ``flat`` before ``win`` is the printed order and gives
  mean / q; ``flat`` last undoes what came before it.
* ``deal`` is ours: what three equal players would on average score with the ten cards a seat was dealt is taken off its
  points. That says nothing of who plays, so no skill is corrected away; in the mean of all deals it is 0.

Strength is that of ten cards and the two put, as a chance to win estimated by the rule player's weights; for hand games
that of the ten cards dealt. Null hands are not counted by von Stegen and Kinback: q is 1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, Literal

import numpy as np
from attrs import Attribute, field, frozen
from numpy.typing import NDArray

from tricktake.errors import InputError
from tricktake.game import Game
from tricktake.ratings.luck import Luck, Played
from tricktake.spec import Spec
from tricktake_skat._kernels import luck as kernel
from tricktake_skat.contract import GAMES, SkatContract
from tricktake_skat.deck import SEATS, SKAT_PLACE
from tricktake_skat.game import SkatGame
from tricktake_skat.games import Games
from tricktake_skat.scoring import BONUS, OTHERS_BONUS
from tricktake_skat.series import ROUNDS

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]

CLIP = (0.5, 2.0)  # of q (ELO-11)
KINDS = ("suit", "grand", "N", "NH", "NO", "NHO")

# Percent of games won, by kind (ELO-12), of 83,844 games of experts.
PRINTED_NORMAL = (80.4, 93.4, 62.0, 71.1, 90.0, 94.5)

# The same of 189,490 games of three rule players, and the mean strengths (docs/ratings.md, "The constants"). They play
# no Null from the hand, and more grands than people do.
OWN_NORMAL = (78.88, 86.50, 66.86, 66.86, 75.97, 75.97)
TABLE_NORMAL = (80.08, 85.14, 71.51, 71.51, 85.10, 85.10)
OWN_VALUE = 50.2
STEGEN_NORMAL = (10.77, 6.49)
KINBACK_NORMAL = (2.49, 4.90)

# Mean points of a seat by the log odds x of the best game its ten cards are good for, less the mean of all deals:
# weights of 1, x and of what x exceeds each knot by, for forehand, middlehand and rearhand (same games).
KNOTS = (0.0, 1.5, 3.0)
DEAL_WEIGHTS = (
    (-19.98, -0.37, 22.64, 11.25, -11.34),
    (-17.83, -0.55, 22.5, 14.14, -13.83),
    (-20.81, -0.21, 22.98, 11.22, -11.06),
)


@frozen(eq=False)
class Declared:
    """Games as columns: what luck is judged by. Rows whose declarer is -1 were passed in.

    seat (declarer), game (0 to 3 suits, 4 grand, 5 Null), hand, ouvert, value (signed as won or lost, not doubled):
    (n,). cards: (n, 2) the declarer's ten cards at the first trick and the two others. dealt: (n, 3) masks.
    """

    seat: IntArray
    game: IntArray
    hand: IntArray
    ouvert: IntArray
    value: IntArray
    cards: IntArray
    dealt: IntArray

    def __len__(self) -> int:
        return len(self.seat)

    @property
    def kind(self) -> IntArray:
        """Number among ``KINDS``."""
        return np.where(self.game < 5, np.maximum(self.game - 3, 0), 2 + self.hand + 2 * self.ouvert)

    def strength(self, measure: int) -> FloatArray:
        """How strong the declarer's hand was, as ``_kernels.luck`` measures; nan where it has nothing to say."""
        contracts = np.stack([np.maximum(self.seat, 0), self.game, self.hand, self.ouvert], axis=1)
        out = np.zeros(len(self))
        kernel.strengths(measure, contracts, np.ascontiguousarray(self.cards), out)
        return out

    def by_table(self) -> FloatArray:
        """Chances to win in percent by the learned tables; nan where they know nothing."""
        from tricktake_skat.winning import winning

        own, put = self.cards[:, 0], np.where(self.hand > 0, 0, self.cards[:, 1])
        seat, bid = np.maximum(self.seat, 0), np.full(len(self), -1)
        questions = np.stack([self.game, self.hand, self.ouvert, own, put, seat, bid], axis=1)
        there = self.seat >= 0
        chances = np.full(len(self), np.nan)
        chances[there] = winning().chances(np.ascontiguousarray(questions[there]))
        return np.where(chances < 0, np.nan, 100 * chances)

    @classmethod
    def of_games(cls, games: Games) -> Declared:
        """The columns of a batch of whole games."""
        rows = games.rows
        value = np.where(rows["value"] < 0, rows["value"] // 2, rows["value"])
        passed = rows["declarer"] < 0
        cards = np.stack([np.where(passed, rows["deal"][:, 0], rows["own"]), rows["put"]], axis=1)
        dealt = rows["deal"][:, :SEATS]
        return cls(rows["declarer"], np.maximum(rows["game"], 0), rows["hand"], rows["ouvert"], value, cards, dealt)

    @classmethod
    def of_records(cls, played: Sequence[Played]) -> Declared:
        """The columns of recorded games. Raises InputError naming a record whose hands are not known."""
        rows = [_row(p) for p in played]
        table = np.array([row[:7] for row in rows], np.int64).reshape(len(rows), 7)
        dealt = np.array([p.record.deal.masks[:SEATS] for p in played], np.int64).reshape(len(rows), SEATS)
        seat, game, hand, ouvert, value = table[:, :5].T
        return cls(seat, game, hand, ouvert, value, table[:, 5:], dealt)


def _row(played: Played) -> tuple[int, ...]:
    record, contract = played.record, played.record.contract
    if not isinstance(contract, SkatContract):
        return (-1, 0, 0, 0, 0, 0, 0)
    seat = contract.declarer
    points = played.score.points[seat]
    if contract.hand:
        masks = record.deal.masks
    elif record.played is not None:
        masks = record.played.masks
    else:
        masks = tuple(record.table_at_play(SkatGame()).places)
    value = points if points > 0 else points // 2
    hand, ouvert = int(contract.hand), int(contract.ouvert)
    return (seat, GAMES.index(contract.trump), hand, ouvert, value, masks[seat], masks[SKAT_PLACE])


# -- factors ----------------------------------------------------------------------------------------------------------


def _above_0(instance: object, attribute: Attribute[float], value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value < float("inf"):
        raise InputError(None, None, f"luck {attribute.name}", f"must be a number above 0, not {value!r}")


def _one_of(*words: str) -> Callable[[object, Attribute[str], str], None]:
    def check(instance: object, attribute: Attribute[str], value: str) -> None:
        if value not in words:
            raise InputError(None, None, f"luck {attribute.name}", f"must be {' or '.join(words)}, not {value!r}")

    return check


@frozen
class Flat:
    """Every game is worth ``value`` (ELO-16). The default is the mean of our players; people's is 41."""

    value: float = field(default=OWN_VALUE, validator=_above_0)

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
    by: Literal["rule", "table"] = field(default="rule", validator=_one_of("rule", "table"))
    normal: Literal["own", "printed"] = field(default="own", validator=_one_of("own", "printed"))
    lost: Literal["divide", "multiply"] = field(default="divide", validator=_one_of("divide", "multiply"))
    low: float = field(default=CLIP[0], validator=_above_0)
    high: float = field(default=CLIP[1], validator=_above_0)

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


def deal_points(dealt: IntArray) -> FloatArray:
    """What three equal players score with these hands, less the mean of all deals: (n, 3) for (n, 3) masks."""
    out = np.zeros(dealt.shape)
    for seat in range(SEATS):
        odds = np.zeros(len(dealt))
        kernel.best_odds(np.ascontiguousarray(dealt[:, seat]), np.full(len(dealt), seat, np.int64), odds)
        out[:, seat] = deal_basis(odds) @ np.array(DEAL_WEIGHTS[seat])
    return out


def deal_basis(odds: FloatArray) -> FloatArray:
    """1, the log odds, and what they exceed each knot by: (n, 2 + knots)."""
    return np.stack([np.ones(len(odds)), odds, *(np.maximum(odds - knot, 0.0) for knot in KNOTS)], axis=1)


_MEASURES = {"win": kernel.WIN, "stegen": kernel.STEGEN, "kinback": kernel.KINBACK}


def _factor(text: str) -> Flat | Strong | None:
    """A factor on values; None for ``deal``, which is none. Raises InputError."""
    spec = Spec.from_text(text, "luck", "win(lost=multiply)")
    try:
        if spec.name == "flat":
            return Flat(**dict(spec.options))  # type: ignore[arg-type]
        if spec.name in _MEASURES:
            return Strong(_MEASURES[spec.name], **dict(spec.options))  # type: ignore[arg-type]
    except TypeError as error:
        raise InputError(None, None, f"luck {spec.name}", str(error).partition("() ")[2]) from None
    if spec.name == "deal" and not spec.options:
        return None
    raise InputError(None, None, "luck", f"unknown factor {text!r}; known: {', '.join(SkatLuck.known)}")


class SkatLuck(Luck):
    """Extended Seeger-Fabian points of the seats (and of the player who sits out at a table of four), corrected."""

    known: ClassVar[tuple[str, ...]] = ("win", "stegen", "kinback", "flat", "deal")

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
            scores[:, :SEATS] -= deal_points(games.dealt)
        return scores, worth
