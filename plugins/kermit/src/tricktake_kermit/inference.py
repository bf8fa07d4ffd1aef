"""Inference as printed (KERMIT-16 to 19): what bids and contract say of worlds, as the belief ``kermit:belief``.

A world weighs the product over the features of a hand of how a bid changes their frequency. The paper multiplies by the
frequency without the bid; a product of features that are right by themselves needs the quotient, since features that
many worlds have would count twice. Both can be asked for (``Reading``).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Literal, TypeAlias

import numpy as np
from attrs import field, frozen
from tricktake_skat.contract import BIDS, SkatContract
from tricktake_skat.deck import SEATS, SKAT_PLACE
from tricktake_skat.strategies.belief import bounds

from tricktake.arrays import FloatArray, IntArray
from tricktake.errors import InputError
from tricktake.strategies.options import check_flag, one_of
from tricktake.view import View
from tricktake_kermit._kernels import infer as kernel
from tricktake_kermit.evaluation import SHIPPED, evaluation

FILE = Path(__file__).with_name("bids.json")
NAMES = ("lengths", "voids", "jacks", "aces", "tens")
LEVELS = len(BIDS) + 1  # how high a hand bids: not at all, or one of the legal bids
KAPPA = 20.0  # hands that the frequency without a bid counts for
SHARPNESS = 1.0  # of the choice among games and discards

Reading: TypeAlias = Literal["divided", "worlds", "printed"]
"""divided: by the feature's frequency among deals, as Bayes has it; worlds: by that among the worlds at hand, so that
after weighing its frequency is the one looked up; printed: times the frequency among deals.
"""


def product(
    values: IntArray, given: Sequence[FloatArray], prior: Sequence[FloatArray], reading: Reading = "divided"
) -> FloatArray:
    """Weights of worlds by features (KERMIT-16), (n,).

    values: (n, features). given, prior: of each feature the frequency of its values with the action seen and without.
    """
    weights = np.ones(len(values))
    for column, after, before in zip(values.T, given, prior, strict=True):
        base = before
        if reading == "worlds":
            base = np.bincount(column, minlength=len(after)) / len(column)
        there = base[column]
        if reading == "printed":
            weights *= after[column] * there
        else:
            weights *= np.divide(after[column], there, out=np.zeros(len(column)), where=there > 0)
    return weights


@frozen(eq=False)
class Bids:
    """How often hands of the bidder that made it had a value of a feature, by how high it would have bid: of each
    feature (values, LEVELS).
    """

    counts: tuple[FloatArray, ...]

    @property
    def prior(self) -> tuple[FloatArray, ...]:
        """Frequencies among all hands."""
        return tuple(each.sum(axis=1) / each.sum() for each in self.counts)

    def given(self, made: int, declined: int) -> tuple[FloatArray, ...]:
        """Frequencies among hands that bid ``made`` (0: nothing) but not ``declined`` (0: never asked for more)."""
        first = int(np.searchsorted(BIDS, made)) + 1 if made else 0
        last = int(np.searchsorted(BIDS, declined)) + 1 if declined else LEVELS
        found = []
        for each, before in zip(self.counts, self.prior, strict=True):
            some = each[:, first : max(last, first + 1)].sum(axis=1)
            found.append((some + KAPPA * before) / (some.sum() + KAPPA))
        return tuple(found)

    @classmethod
    def of(cls, hands: IntArray, limits: IntArray) -> Bids:
        """Of hands (n,) and how high each bids, (n,), 0 for not at all."""
        values = features_of(hands)
        levels = np.where(limits > 0, np.searchsorted(BIDS, limits) + 1, 0)
        counts = []
        for column, size in zip(values.T, kernel.SIZES, strict=True):
            flat = np.bincount(column * LEVELS + levels, minlength=size * LEVELS)
            counts.append(flat.reshape(size, LEVELS).astype(np.float64))
        return cls(tuple(counts))

    def as_json(self) -> dict[str, list[list[int]]]:
        """Counts by name of the feature."""
        return {name: each.astype(int).tolist() for name, each in zip(NAMES, self.counts, strict=True)}

    @classmethod
    def load(cls, path: Path) -> Bids:
        """Raises InputError."""
        try:
            stored: Mapping[str, list[list[int]]] = json.loads(path.read_text(encoding="utf-8"))["counts"]
            counts = tuple(np.array(stored[name], np.float64) for name in NAMES)
        except (OSError, KeyError, TypeError, ValueError) as error:
            raise InputError(path, None, "counts", f"no counts of bids: {error}") from error
        for name, each, size in zip(NAMES, counts, kernel.SIZES, strict=True):
            if each.shape != (size, LEVELS) or not each.sum() > 0:
                raise InputError(path, None, name, f"{each.shape} counts, not {(size, LEVELS)}")
        return cls(counts)


@cache
def shipped_bids() -> Bids:
    """The counts that come along: bids of ``kermit:bidder``."""
    return Bids.load(FILE)


def features_of(hands: IntArray) -> IntArray:
    """The features of hands of ten cards (masks), (n, 5); see ``NAMES``."""
    found = np.zeros((len(hands), kernel.FEATURES), np.int64)
    kernel.fill_hands(np.ascontiguousarray(hands, np.int64), found)
    return found


@frozen(kw_only=True)
class KermitBelief:
    """Kermit's inference. declarer, defender: whether it is made as the one and as the other: both is SD of the paper's
    Table 1, neither is NI.

    The declarer weighs both opponents' hands by their bids; a defender his partner's by the bid and the declarer's by
    the announced contract. bids, contract: whether these count. discards: whether the contract is judged among all
    games and discards of the twelve cards, else by its chance to win alone. model: as of ``kermit:bidder``.
    """

    declarer: bool = field(default=True, validator=check_flag)
    defender: bool = field(default=True, validator=check_flag)
    bids: bool = field(default=True, validator=check_flag)
    contract: bool = field(default=True, validator=check_flag)
    discards: bool = field(default=True, validator=check_flag)
    reading: Reading = field(default="divided", validator=one_of(Reading))
    model: str = SHIPPED

    def weigh(self, view: View, worlds: IntArray) -> FloatArray:
        """Relative weights of worlds, (n,). Raises ValueError outside the play of Skat."""
        contract = view.contract
        if not isinstance(contract, SkatContract) or view.rules is None:
            raise ValueError(f"this belief is about the play of Skat, not {view.game} in phase {view.phase}")
        weights = np.ones(len(worlds))
        declares = view.seat == contract.declarer
        if not (self.declarer if declares else self.defender):
            return weights
        played = view.played
        if self.bids:
            said, known = bounds(view), shipped_bids()
            for seat in range(SEATS):
                if seat in (view.seat, contract.declarer) or not said[seat].any():
                    continue
                values = features_of(worlds[:, seat] | played[seat])
                weights *= product(values, known.given(*said[seat].tolist()), known.prior, self.reading)
        if self.contract and not declares:
            weights *= self._contract(contract, worlds, played[contract.declarer])
        return weights

    def _contract(self, contract: SkatContract, worlds: IntArray, played: int) -> FloatArray:
        """What the declared game says of the declarer's cards and skat."""
        evaluated, weights = evaluation(self.model), np.ones(len(worlds))
        kernel.weigh_contract(
            evaluated.tables,
            evaluated.nulls[0],
            contract.choice,
            contract.hand,
            np.ascontiguousarray(worlds[:, contract.declarer] | played),
            np.ascontiguousarray(worlds[:, SKAT_PLACE]),
            contract.declarer,
            SHARPNESS if self.discards else 0.0,
            weights,
        )
        return weights
