"""Contracts near those that a bidder with value networks declares, for learning from its own games."""

import numpy as np
from tricktake_skat.kernels import NULL, bidding_worth, cards, games, rule_bid, value
from tricktake_skat.kernels import bidding as B

from tricktake.jit import njit

SALT = 0x0A11
HAND_KINDS = 4  # by ``value.net_of``
MOST = 2 * HAND_KINDS  # contracts of a deal

# what is said of a contract
BEST = 1  # the discard the networks like best for this kind of game
DECLARED = 2  # and the game they like best: what the bidder would do


@njit
def judged(values, cards_, seat, heard, bid, loss, index, work, scores, puts):
    """Fill (7, 66) with the expected score of every discard of each game (-1e18: there is none) and the discards."""
    for choice in range(B.CHOICES):
        scores[choice, :] = -1e18
        worth = rule_bid.value_of(choice, cards_)
        n = cards.fill_pairs(cards.discardable(cards_, 0 if choice >= NULL else cards.TRUMPS[choice]), puts[choice])
        for k in range(n):
            put = puts[choice, k]
            win, up = value.chances_of(values, 0, choice, cards_ & ~put, put, False, seat, heard, index, work)
            scores[choice, k] = bidding_worth.game_worth(choice, worth, win, up, bid, loss)


@njit
def drawn_near(scores, kind, near, key):
    """A game and discard of a kind, one of those at most ``near`` points below the best; and whether it is the best."""
    best = -1e18
    for choice in range(B.CHOICES):
        if value.net_of(choice) == kind:
            best = max(best, scores[choice].max())
    drawn = not key & 1
    least, found, count = best - near if drawn else best, np.zeros(scores.size, np.int64), 0
    for choice in range(B.CHOICES):
        if value.net_of(choice) == kind:
            for k in range(cards.PAIRS):
                if scores[choice, k] >= least:
                    found[count] = choice * cards.PAIRS + k
                    count += 1
    pick = found[(key >> 1) % count if drawn else 0]
    choice, k = pick // cards.PAIRS, pick % cards.PAIRS
    return choice, k, scores[choice, k] == best


@njit
def around(values, rows, loss, near, least, hands, seed, out, said):
    """Contracts of the declarers of rows after their auctions; how many.

    For each kind of game (suit, grand, Null, Null ouvert) with a score of at least ``least``, or the best, one with the
    best discard or, as often, one drawn from those at most ``near`` points worse; and one from the hand, for one deal
    in two, where the networks give it a chance of ``hands``. out: rows, MOST times as many; said: (as many,) BEST or
    DECLARED or 0, -1 from the hand.
    """
    index, work = value.room(values)
    scores, puts = np.zeros((B.CHOICES, cards.PAIRS)), np.zeros((B.CHOICES, cards.PAIRS), np.int64)
    n = 0
    for i in range(len(rows)):
        row = rows[i]
        seat = row["declarer"]
        if seat < 0:
            continue
        hand, skat, bid = row["deal"][seat], row["deal"][3], row["bid"]
        heard, together = value.heard_by(row["bids"], seat), hand | skat
        key = cards.mix(cards.mix(seed & 0xFFFFFFFF, SALT), row["id"] & 0xFFFFFFFF)
        judged(values, together, seat, heard, bid, loss, index, work, scores, puts)
        overall = scores.max()
        for kind in range(HAND_KINDS):
            key = cards.mix(key, SALT + kind)
            choice, k, best = drawn_near(scores, kind, near, key)
            score = scores[choice, k]
            if score >= least or score == overall:
                out[n] = row
                games.declare(out[n], choice, puts[choice, k], False, 0)
                said[n] = DECLARED if score == overall else BEST if best else 0
                n += 1
        if key >> 16 & 1:
            for kind in range(HAND_KINDS):
                most, chosen = -1.0, 0
                for choice in range(B.CHOICES):
                    if value.net_of(choice) == kind:
                        win, _ = value.chances_of(values, 0, choice, hand, 0, True, seat, heard, index, work)
                        if win > most:
                            most, chosen = win, choice
                if most >= hands:
                    out[n] = row
                    games.declare(out[n], chosen, skat, True, 0)
                    said[n] = -1
                    n += 1
    return n
