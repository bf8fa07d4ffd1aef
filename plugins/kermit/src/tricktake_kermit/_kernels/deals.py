"""Deals bid, declared and discarded by Kermit's bidder or the rule player, in batches."""

import numpy as np
from tricktake_skat.kernels import bidding, games, rule_bid, skat

from tricktake.jit import njit
from tricktake_kermit._kernels.evaluate import CHOICES, choose, limit_of, root, sweep

# Settings of a bidder, float64.
B_MODEL = 0  # number of its model, -1: the rule player
B_THRESHOLD = 1
B_GAMES = 2  # how many choices: 6, or 7 with Null ouvert
B_HANDS = 3  # 1: plays from the hand
B_SIZE = 4

TREES = 6  # kept for the next deal: of each seat, for models of even and of odd numbers


@njit
def auction(limits, bids):
    """The auction of seats that bid up to their limits: (declarer, bid); bids: (3,) highest of each, filled."""
    bids[:] = 0
    caller, hearer, answering, bid = skat.MIDDLEHAND, skat.FOREHAND, False, 0
    while caller != skat.OVER:
        seat = hearer if answering else caller
        said = skat.asked(caller, answering, bid)
        if said > limits[seat]:
            said = 0
        else:
            bids[seat] = said
        caller, hearer, answering, bid = skat.auction_step(caller, hearer, answering, bid, said)
    return hearer, bid


@njit
def place_of(model, seat):
    """Where the tree of a seat is kept."""
    return 3 * (model & 1) + seat


@njit
def find_limits(tables, nulls, settings, hands, seats, found, kept, limits):
    """How high each of the three seats bids. found: ``TREES``; kept: (TREES, 2) the model and hand each is of. With the
    same cards once more and the players moved on, none is searched again.
    """
    shares, wins = np.zeros(CHOICES), np.zeros(CHOICES)
    for seat in range(3):
        mine = settings[seats[seat]]
        if mine[B_MODEL] < 0:
            limits[seat], _ = rule_bid.bid_limit(hands[seat], seat)
            continue
        model = np.int64(mine[B_MODEL])
        place = place_of(model, seat)
        if kept[place, 0] != model or kept[place, 1] != hands[seat]:
            sweep(tables, nulls[model], model, hands[seat], seat, found[place])
            kept[place, 0], kept[place, 1] = model, hands[seat]
        limits[seat] = limit_of(
            found[place], mine[B_THRESHOLD], np.int64(mine[B_GAMES]), mine[B_HANDS] != 0, shares, wins
        )


@njit
def bid_deals(tables, settings, seats, found, rows, limits):
    """Bid, declare and discard the deals of rows. settings: (players, B_SIZE). seats: (n, 3) which player sits where.

    found: ``TREES`` to work in. limits: (n, 3), filled with how high each seat would have bid.
    """
    nulls = [bidding.nulls_of(tables.nulls[model]) for model in range(len(tables.nulls))]
    kept = np.full((TREES, 2), -1)
    shares, wins = np.zeros(CHOICES), np.zeros(CHOICES)
    chances, discards = np.zeros(CHOICES), np.zeros(CHOICES, np.int64)
    for i in range(len(rows)):
        row = rows[i]
        hands, bids = row["deal"], row["bids"]
        find_limits(tables, nulls, settings, hands, seats[i], found, kept, limits[i])
        declarer, bid = auction(limits[i], bids)
        row["declarer"], row["bid"] = declarer, bid
        if declarer < 0:
            continue
        hand, put, mine = hands[declarer], hands[3], settings[seats[i, declarer]]
        if mine[B_MODEL] < 0:
            choice, put, from_hand = games.declare_by_rule(hand, put, declarer, bid)
        else:
            model, many = np.int64(mine[B_MODEL]), np.int64(mine[B_GAMES])
            _, from_hand, choice = root(found[place_of(model, declarer)], bid, many, mine[B_HANDS] != 0, shares, wins)
            if not from_hand:
                choice = choose(tables, nulls[model], model, hand | put, declarer, bid, many, chances, discards)
                put = discards[choice]
        games.declare(row, choice, put, from_hand, 0)
