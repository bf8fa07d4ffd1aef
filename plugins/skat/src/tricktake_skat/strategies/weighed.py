"""``skat:winning``: defenders weigh the declarer's hands by how likely they win the announced game (OUTER-17)."""

from __future__ import annotations

import numpy as np
from attrs import field, frozen

from tricktake.arrays import FloatArray, IntArray
from tricktake.strategies.options import check_number
from tricktake.view import View
from tricktake_skat.auction import highest_bids
from tricktake_skat.contract import SkatContract
from tricktake_skat.deck import SKAT_PLACE
from tricktake_skat.winning import winning


@frozen(kw_only=True)
class WinningBelief:
    """Worlds weighed by the learned tables: the chance of the declarer's ten cards and skat, to a ``power``.

    To the declarer all worlds are alike. Raises InputError.
    """

    power: int = field(default=1, validator=check_number)

    def weigh(self, view: View, worlds: IntArray) -> FloatArray:
        """Relative weights, (n,). Raises ValueError outside the play of Skat."""
        contract = view.contract
        if not isinstance(contract, SkatContract) or view.rules is None:
            raise ValueError(f"this belief is about the play of Skat, not {view.game} in phase {view.phase}")
        declarer = contract.declarer
        if view.seat == declarer:
            return np.ones(len(worlds))
        own, skat = worlds[:, declarer] | view.played[declarer], worlds[:, SKAT_PLACE]
        bids = [bid for seat, bid in enumerate(highest_bids(view.events)) if seat != declarer]
        fixed = (contract.game, contract.hand, contract.ouvert)
        columns = [np.full(len(worlds), value) for value in fixed]
        columns += [
            own,
            np.where(contract.hand, 0, skat),
            np.full(len(worlds), declarer),
            np.full(len(worlds), max(bids)),
        ]
        chances = winning().chances(np.stack(columns, axis=1).astype(np.int64))
        known = chances >= 0
        return np.where(known, chances, chances[known].mean() if known.any() else 1.0) ** self.power
