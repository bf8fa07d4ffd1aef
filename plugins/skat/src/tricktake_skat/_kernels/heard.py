"""What hands are worth at the bids that were made and declined, by a bidder with chances."""

import numpy as np

from tricktake.jit import njit
from tricktake_skat._kernels.bidding import CHOICES, weigh_heard, weighed
from tricktake_skat._kernels.bidding_worth import hand_worth, take_worth


@njit
def fill_offers(sums, nulls, chances, loss, skats, hands, seat, bids, said, declined, out):
    """Expected points of n hands (masks) at the highest bid made and the lowest declined, 0 for neither: (n, 2).

    bids: (3,) highest of all seats. skats: with how many a hand is weighed.
    """
    found = weighed(skats)
    shares, wins = np.zeros(CHOICES), np.zeros(CHOICES)
    asked = (said, declined)
    for i in range(len(hands)):
        weigh_heard(sums, nulls, chances, 0, hands[i], seat, bids, False, found)
        for k in range(2):
            if asked[k] > 0:
                best, _, _, _ = hand_worth(found, asked[k], loss)
                out[i, k] = max(take_worth(found, asked[k], loss, shares, wins), best)
