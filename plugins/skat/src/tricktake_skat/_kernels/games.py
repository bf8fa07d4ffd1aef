"""Whole games in batches: who bids, declares and puts what, and the policies that play cards in the loop of the core.

A bidder goes by chances (``bidding``) or by the rule player's weights (``rule_bid``); rows are filled in.
"""

import numpy as np

from tricktake.jit import njit, policy, words
from tricktake_skat._kernels import expert_play, rule_play
from tricktake_skat._kernels import position as P
from tricktake_skat._kernels.bidding import CHOICES, nulls_of, sound_of, weigh_heard, weighed
from tricktake_skat._kernels.bidding_worth import hand_worth, take_worth, weigh_cards
from tricktake_skat._kernels.cards import NULL
from tricktake_skat._kernels.rule_bid import OUVERT, best_discard, bid_limit, hand_game
from tricktake_skat._kernels.skat import FOREHAND, MIDDLEHAND, OVER, asked, auction_step

# Settings of a bidder, float64.
B_MODEL = 0  # number of its chances, -1: the rule player
B_LOSS = 1
B_THRESHOLD = 2
B_TRUMPS = 3  # 1: may put trumps without need
B_HANDS = 4  # 1: plays from the hand
B_DISCARD = 5  # 0: puts what is likeliest to win, 1: what the rule player puts for the same game
B_SIZE = 6

NO_LIMIT = 1000

# ---- policies -------------------------------------------------------------------------------------------------------


@njit
def by_rule(p):
    """The rule player's card."""
    card, p[P.WHY] = rule_play.choose(p)
    return card


@njit
def by_expert(p):
    """The expert's card; ``DATA`` is the mask of its rules in force."""
    card, p[P.WHY] = expert_play.choose(p)
    return card


@policy
def rule(frame):
    """``by_rule`` for the loop."""
    return by_rule(words(frame, P.SIZE))


@policy
def expert(frame):
    """``by_expert`` for the loop."""
    return by_expert(words(frame, P.SIZE))


# ---- bidding and declaring ------------------------------------------------------------------------------------------


@njit
def offer(found, settings, bid, shares, wins):
    """What the best of picking up and a hand game is worth at a bid: (score, whether it is the hand, choice, call)."""
    up = take_worth(found, bid, settings[B_LOSS], shares, wins)
    if settings[B_HANDS] == 0:
        return up, False, 0, 0
    score, choice, call, _ = hand_worth(found, bid, settings[B_LOSS])
    return (score, True, choice, call) if score > up else (up, False, 0, 0)


@njit
def weigh_again(sums, nulls, chances, settings, hand, seat, bids, sounds, found):
    """Weigh a hand unless that was done at bids that sound the same."""
    model = np.int64(settings[B_MODEL])
    sound = sound_of(chances, model, bids, seat)
    if sound != sounds[seat]:
        sounds[seat] = sound
        weigh_heard(sums, nulls[model], chances, model, hand, seat, bids, settings[B_TRUMPS] != 0, found)


@njit
def declare_by_rule(hand, skat, seat, bid):
    """The rule player's game: (choice, cards put, whether from the hand)."""
    game = hand_game(hand, seat, bid)
    if game >= 0:
        return game, skat, True
    game, put, _ = best_discard(hand | skat, seat, bid, -1)
    return game, put, False


@njit
def declare_by_chances(sums, nulls, chances, settings, cards, seat, bids, bid):
    """The game of twelve cards: (choice, cards put)."""
    wins, scores, puts = np.zeros(CHOICES), np.zeros(CHOICES), np.zeros(CHOICES, np.int64)
    model, trumps = np.int64(settings[B_MODEL]), settings[B_TRUMPS] != 0
    loss = settings[B_LOSS]
    weigh_cards(sums, nulls[model], chances, model, cards, seat, bids, trumps, bid, loss, wins, puts, scores)
    choice = np.argmax(scores)
    if settings[B_DISCARD] != 1:
        return choice, puts[choice]
    _, put, _ = best_discard(cards, seat, bid, choice)
    return choice, put


@njit
def declare(row, choice, put, hand, announced):
    """Write down what is played."""
    row["game"] = NULL if choice == OUVERT else choice
    row["ouvert"] = choice == OUVERT
    row["hand"] = hand
    row["announced"] = announced
    row["put"] = put


@njit
def bid_deals(sums, chances, settings, seats, skats, rows):
    """Bid, declare and put the deals of rows. settings: (players, B_SIZE). seats: (n, 3) which player sits where.

    skats: how many of the 231 a hand is weighed with.
    """
    nulls = [nulls_of(chances.nulls[model]) for model in range(chances.suit.shape[0])]
    weighings = [weighed(skats) for _ in range(3)]
    sounds, limits = np.zeros(3, np.int64), np.zeros(3, np.int64)
    shares, wins = np.zeros(CHOICES), np.zeros(CHOICES)
    for i in range(len(rows)):
        row = rows[i]
        hands, bids = row["deal"], row["bids"]
        for seat in range(3):
            bids[seat] = 0
            sounds[seat] = -1
            limits[seat] = NO_LIMIT
            if settings[seats[i, seat], B_MODEL] < 0:
                limits[seat], _ = bid_limit(hands[seat], seat)
        caller, hearer, answering, bid = MIDDLEHAND, FOREHAND, False, 0
        while caller != OVER:
            seat = hearer if answering else caller
            said, mine = asked(caller, answering, bid), settings[seats[i, seat]]
            if said > limits[seat]:
                said = 0
            elif mine[B_MODEL] >= 0:
                weigh_again(sums, nulls, chances, mine, hands[seat], seat, bids, sounds, weighings[seat])
                score, _, _, _ = offer(weighings[seat], mine, said, shares, wins)
                if score <= mine[B_THRESHOLD]:
                    limits[seat] = said - 1
                    said = 0
            if said > 0:
                bids[seat] = said
            caller, hearer, answering, bid = auction_step(caller, hearer, answering, bid, said)
        row["declarer"], row["bid"] = hearer, bid
        if hearer < 0:
            continue
        hand, skat, mine = hands[hearer], hands[3], settings[seats[i, hearer]]
        announced = 0
        if mine[B_MODEL] < 0:
            choice, put, from_hand = declare_by_rule(hand, skat, hearer, bid)
        else:
            weigh_again(sums, nulls, chances, mine, hand, hearer, bids, sounds, weighings[hearer])
            _, from_hand, choice, announced = offer(weighings[hearer], mine, bid, shares, wins)
            put = skat
            if not from_hand:
                choice, put = declare_by_chances(sums, nulls, chances, mine, hand | skat, hearer, bids, bid)
        declare(row, choice, put, from_hand, announced)
