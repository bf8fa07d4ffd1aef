"""``skat:opening``: a defender in forehand opens with an ace or under it as the learned tables say (OUTER-18).

The tables answer by comparing how often the declarer loses after either; ``tricktake_skat.questions.lead`` has the
questions. Every other card is played by another strategy.
"""

from __future__ import annotations

from functools import cache
from typing import ClassVar, Literal

import numpy as np
from attrs import field, frozen

from tricktake.action import play
from tricktake.arrays import FloatArray, IntArray
from tricktake.learning import LearnedTable, find_table
from tricktake.learning.smooth import smoothed
from tricktake.search.limit import Limit
from tricktake.strategies.options import one_of, playing_strategy
from tricktake.strategies.strategy import Decision, Strategy
from tricktake.view import View
from tricktake_skat._kernels.cards import ACES, GRAND, PLAIN
from tricktake_skat.auction import highest_bids
from tricktake_skat.contract import SkatContract
from tricktake_skat.deck import SEATS
from tricktake_skat.games import rows_of_deals
from tricktake_skat.questions.lead import LEAD_GRAND, LEAD_SUIT
from tricktake_skat.rows import RowArray, set_contract
from tricktake_skat.strategies.expert import Expert
from tricktake_skat.winning import KAPPA

Choose = Literal["ace", "suit"]
SUITS = 4
ASKED = 2 * SUITS  # openings the tables tell apart: each suit with its ace, and under it or without one


def opens(rows: RowArray) -> np.ndarray:
    """Whether a defender opens, in a suit game or a grand, (n,)."""
    return np.asarray((rows["declarer"] >= 1) & (rows["game"] >= 0) & (rows["game"] <= GRAND))


def openings(rows: RowArray) -> tuple[IntArray, FloatArray]:
    """The openings of forehand that the tables tell apart, (n, 8), as cards (-1: there is none), the ace of a suit and
    the lowest other card of it in turn; and how likely the declarer loses after each (-1: not known). rows: contracts
    in which a defender opens; its hand, the contract and the bids count.
    """
    found, chances = np.full((len(rows), ASKED), -1), np.full((len(rows), ASKED), -1.0)
    hand = rows["hands"][:, 0]
    for suit in range(SUITS):
        own = np.where(rows["game"] == suit, 0, hand & PLAIN << 8 * suit)
        for under, cards in enumerate((own & ACES, own & ~ACES)):
            lowest = np.bitwise_count((cards & -cards) - 1).astype(np.int64)
            found[:, 2 * suit + under] = np.where(cards != 0, lowest, -1)
    for question, some in ((LEAD_SUIT, rows["game"] < GRAND), (LEAD_GRAND, rows["game"] == GRAND)):
        table = _table(question.name)
        for way in range(ASKED):
            at = np.flatnonzero(some & (found[:, way] >= 0))
            if len(at):
                asked = rows[at]
                asked["cards"][:, 0] = found[at, way]
                chances[at, way] = table.probabilities(question.vectors(asked))
    return found, chances


def chosen(rows: RowArray, usual: IntArray, choose: Choose = "ace") -> IntArray:
    """The opening of each row. usual: (n,) the card somebody else would play, which stays where the tables like none
    better. choose: "ace" asks only whether it should be the ace of its suit or a card under it, "suit" also which suit.
    """
    cards, chances = openings(rows)
    suit, ace = usual >> 3, ACES >> usual & 1 != 0
    side = (suit != rows["game"]) & (PLAIN >> (usual & 7) & 1 != 0)
    mine = 2 * suit + ~ace
    if choose == "ace":
        chances = np.where(np.arange(ASKED) >> 1 == suit[:, None], chances, -1.0)
    at = np.arange(len(rows))
    before = np.where(side, chances[at, mine], -1.0)
    best = chances.argmax(axis=1)
    better = (chances[at, best] > before) & ((before >= 0) | (choose == "suit")) & (best != mine)
    return np.where(better, cards[at, best], usual)


@cache
def _table(name: str) -> LearnedTable:
    question = LEAD_SUIT if name == LEAD_SUIT.name else LEAD_GRAND
    return smoothed(find_table(name, question), KAPPA)


def _then(value: object) -> Strategy:
    return value if isinstance(value, Expert) else playing_strategy(value, "then")


@frozen(kw_only=True)
class Opening:
    """Opens by the tables, and plays every other card as ``then``. choose: as of ``chosen``. Raises InputError."""

    roles: ClassVar[tuple[str, ...]] = ("play",)

    then: Strategy = field(factory=Expert, converter=_then)
    choose: Choose = field(default="ace", validator=one_of(Choose))

    @property
    def parts(self) -> tuple[Strategy, ...]:
        return (self.then,)

    def decide(self, view: View, limit: Limit, rng: np.random.Generator) -> Decision:
        decision = self.then.decide(view, limit, rng)
        contract = view.contract
        if view.tricks or view.table or not isinstance(contract, SkatContract):
            return decision
        row = rows_of_deals(np.zeros((1, SEATS + 1), np.int64))
        set_contract(row[0], contract)
        row["hands"][0, view.seat], row["bids"][0] = view.hand_mask, highest_bids(view.events)
        usual = int(decision.action.cards[0])
        if not opens(row)[0]:
            return decision
        card = int(chosen(row, np.array([usual]), self.choose)[0])
        return decision if card == usual else Decision(play(card), "the tables of the opening lead")
