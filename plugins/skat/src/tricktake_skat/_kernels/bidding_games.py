"""Deals bid and declared by three bidders: each by chances or by the rule player's weights."""

import numpy as np

from tricktake.jit import njit
from tricktake_skat._kernels.bidding import CHOICES, nulls_of, weigh, weighed
from tricktake_skat._kernels.bidding_worth import hand_worth, take_worth, weigh_discards
from tricktake_skat._kernels.cards import BASES, MIN_BID, NULL, matadors, next_bid
from tricktake_skat._kernels.features import group_of, strongest_bid
from tricktake_skat._kernels.rule_bid import OUVERT, best_put, bid_limit, hand_game
from tricktake_skat._kernels.rule_games import G_EYES, G_TRICKS, G_VALUE, G_WON

# Contracts, the first five as ``rule_games.play_contracts`` takes them.
C_DECLARER = 0  # -1: passed in
C_GAME = 1
C_HAND = 2
C_OUVERT = 3
C_BID = 4
C_ANNOUNCED = 5  # Schneider
C_MATADORS = 6
C_SIZE = 7

# Settings of a bidder, float64.
B_MODEL = 0  # number of its chances, -1: the rule player
B_LOSS = 1
B_THRESHOLD = 2
B_TRUMPS = 3  # 1: may put trumps without need
B_HANDS = 4  # 1: plays from the hand
B_PUT = 5  # 0: puts what is likeliest to win, 1: what the rule player puts for the same game
B_SIZE = 6


@njit
def offer(found, settings, bid, shares, wins):
    """What the best of picking up and a hand game is worth at a bid: (score, whether it is the hand, choice, call)."""
    up = take_worth(found, bid, settings[B_LOSS], shares, wins)
    if settings[B_HANDS] == 0:
        return up, False, 0, 0
    score, choice, call, _ = hand_worth(found, bid, settings[B_LOSS])
    return (score, True, choice, call) if score > up else (up, False, 0, 0)


@njit
def bid_deals(sums, chances, settings, deals, seats, places, contracts, bids):
    """Deals are bid and declared.

    settings: (players, B_SIZE). deals: (n, 4). seats: (n, 3) which player sits where. places: (n, 4) the masks after
    the exchange, contracts: (n, C_SIZE), bids: (n, 3) highest bid or hold; all three are filled in.
    """
    models = chances.suit.shape[0]
    nulls = [nulls_of(chances.nulls[model]) for model in range(models)]
    weighings = [weighed() for _ in range(3)]
    groups = np.zeros(3, np.int64)
    limits = np.zeros(3, np.int64)
    hands = np.zeros(3, np.int64)
    shares, wins, scores = np.zeros(CHOICES), np.zeros(CHOICES), np.zeros(CHOICES)
    puts = np.zeros(CHOICES, np.int64)
    for i in range(len(deals)):
        places[i] = deals[i]
        contracts[i, :] = 0
        bids[i, :] = 0
        for seat in range(3):
            hands[seat] = deals[i, seat]
            groups[seat] = -1
            limits[seat] = 1000
            if settings[seats[i, seat], B_MODEL] < 0:
                limits[seat], _ = bid_limit(hands[seat], seat)

        # The auction: who is asked for which bid, until the survivor and the last bid are known.
        caller, hearer, bid, answering = 1, 0, 0, False
        declarer = -2
        while declarer == -2:
            seat = hearer if answering else caller
            asked = bid if answering else MIN_BID if caller == 0 else next_bid(bid)
            mine = settings[seats[i, seat]]
            agreed = asked <= limits[seat]
            if agreed and mine[B_MODEL] >= 0:
                group = group_of(strongest_bid(bids[i], seat), chances.cuts)
                if group != groups[seat]:
                    groups[seat] = group
                    model = np.int64(mine[B_MODEL])
                    weigh(
                        sums,
                        nulls[model],
                        chances,
                        model,
                        hands[seat],
                        seat,
                        group,
                        mine[B_TRUMPS] != 0,
                        weighings[seat],
                    )
                score, _, _, _ = offer(weighings[seat], mine, asked, shares, wins)
                agreed = score > mine[B_THRESHOLD]
                if not agreed:
                    limits[seat] = asked - 1
            if agreed:
                bid = asked
                bids[i, seat] = asked
                if caller == 0:
                    declarer = 0
                answering = not answering
            elif caller == 0:
                declarer = -1
            else:
                survivor = caller if answering else hearer
                answering = False
                if caller == 1:
                    caller, hearer = 2, survivor
                elif bid > 0:
                    declarer = survivor
                else:
                    caller, hearer = 0, 0

        skat = deals[i, 3]
        contracts[i, C_DECLARER] = declarer
        contracts[i, C_BID] = bid
        if declarer < 0:
            continue
        mine = settings[seats[i, declarer]]
        together = hands[declarer] | skat
        announced, known = 0, True
        if mine[B_MODEL] < 0:
            game = hand_game(hands[declarer], declarer, bid)
            known = game < 0
            if known:
                game, skat, _ = best_put(together, declarer, bid, -1)
        else:
            group = group_of(strongest_bid(bids[i], declarer), chances.cuts)
            model = np.int64(mine[B_MODEL])
            if group != groups[declarer]:
                weigh(
                    sums,
                    nulls[model],
                    chances,
                    model,
                    hands[declarer],
                    declarer,
                    group,
                    mine[B_TRUMPS] != 0,
                    weighings[declarer],
                )
            _, from_hand, game, announced = offer(weighings[declarer], mine, bid, shares, wins)
            known = not from_hand
            if known:
                weigh_discards(
                    sums,
                    nulls[model],
                    chances,
                    model,
                    together,
                    declarer,
                    group,
                    mine[B_TRUMPS] != 0,
                    bid,
                    mine[B_LOSS],
                    wins,
                    puts,
                    scores,
                )
                game = np.argmax(scores)
                skat = puts[game]
                if mine[B_PUT] == 1:
                    _, skat, _ = best_put(together, declarer, bid, game)
        places[i, declarer] = together & ~skat
        places[i, 3] = skat
        contracts[i, C_GAME] = NULL if game == OUVERT else game
        contracts[i, C_HAND] = not known
        contracts[i, C_OUVERT] = game == OUVERT
        contracts[i, C_ANNOUNCED] = announced
        contracts[i, C_MATADORS] = matadors(contracts[i, C_GAME], together)


@njit
def announced_games(contracts, games):
    """Score games of ``play_contracts`` in which Schneider was announced again (SPEC part 3, points 8 to 11)."""
    for i in range(len(games)):
        if not contracts[i, C_ANNOUNCED]:
            continue
        base, bid = BASES[contracts[i, C_GAME]], contracts[i, C_BID]
        schwarz = games[i, G_TRICKS] == 10 or games[i, G_TRICKS] == 0
        value = base * (abs(contracts[i, C_MATADORS]) + 4 + (1 if schwarz else 0))
        if value < bid:
            games[i, G_WON], games[i, G_VALUE] = 0, -2 * base * ((bid + base - 1) // base)
        else:
            games[i, G_WON] = games[i, G_EYES] >= 90
            games[i, G_VALUE] = value if games[i, G_EYES] >= 90 else -2 * value
