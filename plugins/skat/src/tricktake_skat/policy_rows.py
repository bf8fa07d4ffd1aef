"""Rows whose cards a policy plays: games of the learned player by the million, for chances and matches."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tricktake.policy import games
from tricktake.policy.policy import Policy
from tricktake_skat.games import play_rows
from tricktake_skat.practice import GRAND, batch_of, by_family, contracts_of, decks_of
from tricktake_skat.rows import RowArray

CARDS = 30
SCHNEIDER = 1  # announced; beyond it tricks count, not eyes


def play_by(policy: Policy | None, rows: RowArray, *, seed: int = 0, heat: float = 0.0) -> None:
    """Play the contracts of rows out and score them, in place: every seat by the policy, or None for the rule player.
    A card that is not -1 is played as it stands.

    What the policy has not learned (Schwarz announced, too) is played by rule, and so is what is left once nothing more
    is at stake. heat: of the softmax that cards are drawn from; 0 plays the best. With ``heat`` the draw depends on
    ``seed``.
    """
    by_tricks = (rows["game"] <= GRAND) & ((rows["announced"] > SCHNEIDER) | (rows["ouvert"] > 0))
    declared = np.flatnonzero((rows["declarer"] >= 0) & ~by_tricks)
    for family, at in by_family(rows[declared], declared).items():
        if policy is not None and family in policy.families and len(at):
            rows["cards"][at] = cards_by(policy, family, rows[at], seed=seed, heat=heat)
    play_rows(rows)


def cards_by(policy: Policy, family: str, rows: RowArray, *, seed: int = 0, heat: float = 0.0) -> NDArray[np.int64]:
    """The cards of contracts of a family, (n, 30) in deck numbers, -1 from where the policy stops. The first ones may
    be in the rows already.
    """
    contracts = contracts_of(rows)
    batch, decks = batch_of(contracts), decks_of(contracts)
    there = max(int((rows["cards"] >= 0).sum(axis=1).max(initial=0)), 1)
    known = rows["cards"][:, :there]
    given = np.where(known < 0, -1, np.take_along_axis(np.argsort(decks, axis=1), np.maximum(known, 0), axis=1))
    net = policy.families[family]
    shown = games.play(batch, batch.roles(), net.packed, seed=seed, heat=heat, cards=CARDS, given=given).cards
    found = np.take_along_axis(decks, np.maximum(shown, 0), axis=1)
    return np.where(shown < 0, -1, found)
