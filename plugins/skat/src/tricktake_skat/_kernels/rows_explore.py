"""Deals that are played whatever the bidding says, so that tables also know hands nobody would bid on."""

import numpy as np

from tricktake.jit import njit, popcount
from tricktake_skat._kernels.cards import BASES, GRAND, NULL, TRUMPS, discardable, mix
from tricktake_skat._kernels.features import strongest_bid
from tricktake_skat._kernels.games import declare
from tricktake_skat._kernels.hand_features import F_SIZE
from tricktake_skat._kernels.rule_bid import BID, HAND, OUVERT, best_discard, bid_limit, logit, value_of
from tricktake_skat._kernels.skat import MIN_BID, NULL_VALUES

# What may be forced on a hand.
SUIT, GRAND_GAME, NULL_PLAIN, NULL_OPEN, NULL_HAND, NULL_HAND_OPEN, SUIT_HAND, GRAND_HAND = range(8)

SALT = 0x5EED


@njit
def random_discard(cards, trumps, key):
    """Two of the cards that are no trumps, any two if there are not two."""
    choice, put = discardable(cards, trumps), 0
    for k in range(2):
        pick = mix(key, SALT + k) % popcount(choice)
        for _ in range(pick):
            choice &= choice - 1
        low = choice & -choice
        put |= low
        choice = discardable(cards, trumps) & ~put
    return put


@njit
def forced(kind, hand, seat, f):
    """The game of this kind a hand would play, and its log odds before the skat is known."""
    plain = SUIT if kind == SUIT_HAND else GRAND_GAME if kind == GRAND_HAND else kind
    stage = HAND if kind >= SUIT_HAND else BID
    if plain == SUIT:
        game, odds = 0, -1e9
        for suit in range(4):
            now = logit(suit, hand, 0, seat, stage, f)
            if now > odds:
                game, odds = suit, now
        return game, odds
    game = GRAND if plain == GRAND_GAME else NULL if plain in (NULL_PLAIN, NULL_HAND) else OUVERT
    return game, logit(game, hand, 0, seat, stage, f)


@njit
def explore(seed, kinds, floor, random_puts, rows):
    """Choose who has to play what of the deals in rows; declarer -1 where no hand is good enough.

    kinds: one of these is drawn for each deal, and seats are tried from a drawn one on. floor: least log odds. A seat
    is passed over if another would bid more than the game is worth. random_puts: one in so many skats is discarded at
    random, 0 for none. Bids are what the seats would have bid; contract, bids and put are filled in.
    """
    f = np.zeros(F_SIZE)
    for i in range(len(rows)):
        row = rows[i]
        hands, bids = row["deal"], row["bids"]
        for seat in range(3):
            bids[seat] = 0
        key = mix(mix(seed & 0xFFFFFFFF, SALT), row["id"] & 0xFFFFFFFF)
        kind = kinds[key % len(kinds)]
        limited = False
        for k in range(3):
            seat = ((key >> 8) + k) % 3
            hand = hands[seat]
            game, odds = forced(kind, hand, seat, f)
            if odds < floor:
                continue
            if not limited:
                limited = True
                for other in range(3):
                    bids[other], _ = bid_limit(hands[other], np.int64(other))
            by_hand = kind >= NULL_HAND
            value = value_of(game, hand)
            if by_hand:
                value = value + BASES[game] if game <= GRAND else NULL_VALUES[1 + 2 * (game - NULL)]
            most = strongest_bid(bids, seat)
            if most > value:
                continue
            together, put = hand | hands[3], hands[3]
            if not by_hand:
                if random_puts > 0 and (key >> 16) % random_puts == 0:
                    put = random_discard(together, TRUMPS[game] if game <= GRAND else 0, key)
                else:
                    _, put, _ = best_discard(together, seat, MIN_BID, game)
            declare(row, game, put, by_hand, 0)
            row["declarer"] = seat
            row["bid"] = most if most > MIN_BID else MIN_BID
            bids[seat] = row["bid"]
            break
        if row["declarer"] < 0:
            for seat in range(3):
                bids[seat] = 0
