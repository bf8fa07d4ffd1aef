"""Matches of a policy against the expert and the rule player over given contracts, roles swapped.

Every contract is played twice: the policy declares against two of the others, then the other way round. Points are
those of the extended Seeger-Fabian system (SKAT-43) a player and 36 games, a third of which each seat declares.
"""

from __future__ import annotations

import math

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from tricktake.arrays import FloatArray
from tricktake.batch import FACTS_MAX
from tricktake.policy import games
from tricktake.policy.kernels import layout as P
from tricktake.policy.policy import Family
from tricktake.policy.positions import Batch
from tricktake_skat._kernels.games import expert
from tricktake_skat.deck import SEATS
from tricktake_skat.practice import Contracts, batch_of, decks_of
from tricktake_skat.rows import game_rules
from tricktake_skat.scoring import GAMES_OF_SERIES, OTHERS_BONUS
from tricktake_skat.strategies.expert import Expert

RULE = 0  # the mask of no expert's rules: the rule player


@frozen(eq=False)
class Match:
    """Gains of the declarer on each defender, (n,): with the policy declaring, and with the other one declaring."""

    declaring: FloatArray
    defending: FloatArray

    @property
    def won(self) -> tuple[float, float]:
        """Share of the games the policy, and the other, has won as declarer."""
        return float((self.declaring > 0).mean()), float((self.defending > 0).mean())

    def points(self) -> tuple[float, float]:
        """How many points the policy makes more, a player and 36 games, and the standard error."""
        each = self.each()
        return float(each.mean()), float(each.std(ddof=1) / math.sqrt(len(each)))

    def each(self) -> FloatArray:
        """The same of every contract."""
        other = OTHERS_BONUS[SEATS]
        # The declarer's own score is its gain and what each defender was given; both defenders are of one kind.
        own, theirs = (gain - np.where(gain < 0, (SEATS - 2) * other, 0) for gain in (self.declaring, self.defending))
        found: FloatArray = GAMES_OF_SERIES / SEATS * (own - theirs)
        return found


def match(family: Family | None, given: Contracts, other: Expert | None = None, batch: Batch | None = None) -> Match:
    """Play contracts of a family. other: the expert to play against, None for the rule player. family: None for an
    expert as it is instead of a policy, by which these matches are compared with others.
    """
    batch = batch or batch_of(given)
    inside = np.arange(SEATS) == batch.rows[:, [P.R_DECLARER]]
    return Match(*(gains(family, given, inside != swapped, other, batch) for swapped in (False, True)))


def gains(
    family: Family | None,
    given: Contracts,
    ours: NDArray[np.bool_],
    other: Expert | None = None,
    batch: Batch | None = None,
) -> FloatArray:
    """What the declarer gains on each defender, (n,), every contract played once. ours: (n, 3), the seats the policy
    plays; all else is as for ``match``.
    """
    batch = batch or batch_of(given)
    n, declarer = len(batch), batch.rows[:, P.R_DECLARER]
    theirs = RULE if other is None else other.on
    facts = np.zeros((n, FACTS_MAX), np.int64)
    game = given.each(lambda contract: contract.game)
    facts[:, 0], facts[:, 1] = game, declarer
    addresses = np.full((n, SEATS), expert.address)
    others = games.Compiled(game_rules(), game, decks_of(given), addresses, np.where(ours, Expert().on, theirs), facts)
    networks = np.where(ours & (family is not None), batch.roles(), -1)
    found = games.play_against(batch, networks, None if family is None else family.packed, others)
    return found[np.arange(n), declarer]
