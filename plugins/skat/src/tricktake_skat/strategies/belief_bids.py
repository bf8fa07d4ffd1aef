"""The auction as evidence by the networks that bid: ``skat:belief(bids=skat:values)``.

The hand of a world made a bid with the chance 1 / (1 + exp(-margin / scale)), and declined one with what is left of 1;
the margin is what the bidder would expect of the hand there, beyond its threshold. (Kermit counts the bids of recorded
games instead, KERMIT-17.)
"""

from __future__ import annotations

import numpy as np

from tricktake.arrays import FloatArray, IntArray
from tricktake.view import View
from tricktake_skat._kernels.heard import fill_offers
from tricktake_skat.bidding.bidder import evaluator
from tricktake_skat.bidding.evaluation import sums
from tricktake_skat.bidding.model import SHIPPED
from tricktake_skat.bidding.style import DEFAULT
from tricktake_skat.contract import SkatContract
from tricktake_skat.deck import SEATS

SKATS = 11  # of 231, with which a hand is weighed


def offers(view: View, worlds: IntArray, bounds: IntArray, values: str) -> tuple[FloatArray, FloatArray]:
    """For each world and other seat how many points its hand expects beyond the threshold at the highest bid it made,
    and at the lowest it declined, both (n, 3); plus and minus infinity where there is none, and for a declarer who took
    up the skat, as the cards he was dealt are not known. bounds: (3, 2) as in ``belief.bounds``. values: networks.
    """
    contract = view.contract
    assert isinstance(contract, SkatContract)
    judge, loss = evaluator(*SHIPPED[:3], values), float(DEFAULT.aggressiveness)
    made, declined = np.full((len(worlds), SEATS), np.inf), np.full((len(worlds), SEATS), -np.inf)
    for seat in range(SEATS):
        if seat == view.seat or (seat == contract.declarer and not contract.hand):
            continue
        said, refused = (int(bid) for bid in bounds[seat])
        hands, where = np.unique(worlds[:, seat] | view.played[seat], return_inverse=True)
        heard = np.where(np.arange(SEATS) == seat, 0, bounds[:, 0])
        found = np.zeros((len(hands), 2))
        fill_offers(sums(), judge.nulls, judge.chances, loss, SKATS, hands, seat, heard, said, refused, found)
        if said:
            made[:, seat] = found[where, 0] - DEFAULT.threshold
        if refused:
            declined[:, seat] = found[where, 1] - DEFAULT.threshold
    return made, declined


def likelihood(made: FloatArray, declined: FloatArray, scale: float) -> FloatArray:
    """The log likelihood of all of it, (n,). scale: points in which a bid is likelier by a unit of log odds."""
    bid, passed = -np.logaddexp(0, -made / scale), -np.logaddexp(0, declined / scale)
    return np.asarray(bid.sum(axis=1) + passed.sum(axis=1))
